import type { ResourceOptions } from "../../provider/testing/rehearsal";

export const kinds = ["AgentPool", "AclAuthMethod", "AclRole", "AclBindingRule"] as const;
export type Kind = (typeof kinds)[number];

/** One of the few resources that a program may have: a kind and a number, "AclRole1". It is also the resource's name in the program. */
export type Slot = `${Kind}${number}`;

/** What every declaration may say, whatever its kind. */
interface Options {
  readonly adopt: boolean | "overwrite";
  readonly deleteBeforeReplace: boolean;
  /** Has another name in the program than its slot, with or without an alias to the name of before. */
  readonly renamed?: { readonly to: string; readonly alias?: string };
}

export interface PoolWish extends Options {
  readonly kind: "AgentPool";
  readonly name: string;
  readonly organization: string;
  readonly scoped: boolean | undefined;
  readonly workspaces: readonly string[] | undefined;
  readonly forceDestroy: boolean;
}

export interface MethodWish extends Options {
  readonly kind: "AclAuthMethod";
  readonly name: string;
  readonly type: "OIDC" | "JWT";
  readonly ttl: "1h" | "60m" | "2h0m0s";
  readonly isDefault: boolean;
  readonly secret: string | undefined;
  readonly scopes: readonly string[];
  /** Two entries: their order is not fixed in the server's hash. */
  readonly mapped: boolean;
  /** Waits for another method of the program. */
  readonly after: Slot | undefined;
}

export interface RoleWish extends Options {
  readonly kind: "AclRole";
  readonly name: string;
  readonly description: string;
  readonly policies: readonly string[];
}

export interface RuleWish extends Options {
  readonly kind: "AclBindingRule";
  /** A method of the program, where it has this one; otherwise the one that others have. */
  readonly method: Slot;
  readonly description: string;
  readonly selector: string;
  readonly bind: "role" | "policy" | "management";
  /** A role of the program, where it has this one; otherwise a name. */
  readonly role: Slot;
}

export type Wish = PoolWish | MethodWish | RoleWish | RuleWish;

/** What the program declares. */
export type Program = ReadonlyMap<Slot, Wish>;

/** A method that others have, and that stays. */
export const theirMethod = "theirs";

/** A declaration in which everything that depends on the other ones is settled. */
export type Declared<W extends Wish = Wish> = W extends RuleWish
  ? W & { readonly slot: Slot; readonly methodName: string; readonly bindName: string }
  : W & { readonly slot: Slot };

/** The declarations as they are made: no two want the same name, the same grant or to be the default. */
export function declared(program: Program): Declared[] {
  const taken = new Set<string>();
  const free = (name: string, claim: (name: string) => string): string => {
    if (taken.has(claim(name))) return free(`${name}x`, claim);
    taken.add(claim(name));
    return name;
  };
  const names = new Map<Slot, string>();
  let hasDefault = false;
  return kinds.flatMap((kind) =>
    [...program].toSorted(bySlot).flatMap(([slot, wish]): Declared[] => {
      if (wish.kind !== kind) return [];
      if (wish.kind === "AclBindingRule") {
        const methodName = names.get(wish.method) ?? theirMethod;
        const bindName = wish.bind === "management" ? "" : (names.get(wish.role) ?? "someone");
        const grant = { ...wish, slot, methodName, bindName };
        return [{ ...grant, description: free(wish.description, (description) => identityOf({ ...grant, description })) }];
      }
      const name = free(wish.name, (wanted) => identityOf({ ...wish, slot, name: wanted }));
      names.set(slot, name);
      if (wish.kind !== "AclAuthMethod") return [{ ...wish, slot, name }];
      const isDefault = wish.isDefault && !hasDefault;
      hasDefault ||= isDefault;
      return [{ ...wish, slot, name, isDefault, after: wish.after && names.has(wish.after) ? wish.after : undefined }];
    }),
  );
}

/** What can be there only once: a name in its organization or cluster, or all that a rule says. */
export function identityOf(wish: Declared): string {
  switch (wish.kind) {
    case "AgentPool":
      return `${wish.kind} ${wish.organization}/${wish.name}`;
    case "AclBindingRule":
      return `${wish.kind} ${JSON.stringify([wish.methodName, wish.description, wish.selector, wish.bind, wish.bindName])}`;
    default:
      return `${wish.kind} ${wish.name}`;
  }
}

/** The resource's name in the program. */
export function nameInProgram({ slot, renamed }: Declared): string {
  return renamed?.to ?? slot;
}

/** A resource that others can take an output of. */
interface Ref {
  output(name: string): unknown;
}

/** What registers resources: a rehearsal's program, or one that is written with the SDK. */
interface Stack<R extends Ref> {
  resource(
    type: string,
    name: string,
    inputs: Record<string, unknown>,
    options: Pick<ResourceOptions, "deleteBeforeReplace" | "aliases"> & { dependsOn?: R[] },
  ): R;
  secret(value: unknown): unknown;
}

/** How an adapter spells a kind and its inputs. */
export interface Spelling {
  type(kind: Kind): string;
  inputs(kind: Kind, given: Record<string, unknown>): Record<string, unknown>;
}

/** Registers all declarations, with names flowing from one to the other as outputs. */
export function register<R extends Ref>(stack: Stack<R>, wishes: readonly Declared[], adapter: Spelling): void {
  const refs = new Map<Slot, R>();
  for (const wish of wishes) {
    const { kind, adopt, deleteBeforeReplace, renamed } = wish;
    const after = wish.kind === "AclAuthMethod" && wish.after ? refs.get(wish.after) : undefined;
    const options = {
      ...(deleteBeforeReplace && { deleteBeforeReplace }),
      ...(renamed?.alias && { aliases: [{ name: renamed.alias }] }),
      ...(after && { dependsOn: [after] }),
    };
    const inputs = adapter.inputs(kind, { ...inputsOf(wish, refs, (value) => stack.secret(value)), adopt });
    refs.set(wish.slot, stack.resource(adapter.type(kind), nameInProgram(wish), inputs, options));
  }
}

function inputsOf(wish: Declared, refs: ReadonlyMap<Slot, Ref>, secret: (value: string) => unknown): Record<string, unknown> {
  switch (wish.kind) {
    case "AgentPool": {
      const { name, organization, scoped, workspaces, forceDestroy } = wish;
      return { name, organization, organizationScoped: scoped, allowedWorkspaceIds: workspaces, forceDestroy };
    }
    case "AclAuthMethod":
      return {
        name: wish.name,
        type: wish.type,
        tokenLocality: "local",
        maxTokenTtl: wish.ttl,
        default: wish.isDefault,
        config: {
          oidcDiscoveryUrl: "https://idp.test",
          oidcClientId: "cluster",
          allowedRedirectUris: ["http://localhost/callback"],
          oidcClientSecret: wish.secret === undefined ? undefined : secret(wish.secret),
          oidcScopes: wish.scopes,
          claimMappings: wish.mapped ? mappings : undefined,
        },
      };
    case "AclRole":
      return { name: wish.name, description: wish.description, policies: wish.policies };
    case "AclBindingRule": {
      const authMethod = refs.get(wish.method)?.output("name") ?? wish.methodName;
      const bindName = wish.bind === "management" ? undefined : (refs.get(wish.role)?.output("name") ?? wish.bindName);
      return { authMethod, description: wish.description, selector: wish.selector, bindType: wish.bind, bindName };
    }
  }
}

export const mappings = { "a-claim": "a", "b-claim": "b" };

function bySlot([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
