import type { ResourceOptions } from "../../testing/rehearsal";

export const kinds = ["AgentPool", "AclAuthMethod", "AclRole", "AclBindingRule"] as const;
export type Kind = (typeof kinds)[number];

/** One of the few resources that a program may have: a kind and a number, "AclRole1". It is also the resource's name in the program. */
export type Slot = `${Kind}${number}`;

/** The options of every declaration. */
interface Options {
  readonly adopt: boolean | "overwrite";
  readonly deleteBeforeReplace: boolean;
  /** The resource has another name in the program than its slot, with or without an alias to its former name. */
  readonly renamed?: { readonly to: string; readonly alias?: string };
}

export interface PoolDeclaration extends Options {
  readonly kind: "AgentPool";
  readonly name: string;
  readonly organization: string;
  readonly scoped: boolean | undefined;
  readonly workspaces: readonly string[] | undefined;
  readonly forceDestroy: boolean;
}

export interface MethodDeclaration extends Options {
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

export interface RoleDeclaration extends Options {
  readonly kind: "AclRole";
  readonly name: string;
  readonly description: string;
  readonly policies: readonly string[];
}

export interface RuleDeclaration extends Options {
  readonly kind: "AclBindingRule";
  /** A method of the program, where it declares this one; otherwise the method of others. */
  readonly method: Slot;
  readonly description: string;
  readonly selector: string;
  readonly bind: "role" | "policy" | "management";
  /** A role of the program, where it declares this one; otherwise a name. */
  readonly role: Slot;
}

export type Declaration = PoolDeclaration | MethodDeclaration | RoleDeclaration | RuleDeclaration;

/** The program's declarations. */
export type Program = ReadonlyMap<Slot, Declaration>;

/** A method of others, which stays. */
export const theirMethod = "theirs";

/** A declaration with its names resolved, which depend on the other declarations. */
export type Declared<W extends Declaration = Declaration> = W extends RuleDeclaration
  ? W & { readonly slot: Slot; readonly methodName: string; readonly bindName: string }
  : W & { readonly slot: Slot };

/** The resolved declarations: no two have the same name or grant, and at most one is the default. */
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
    [...program].toSorted(bySlot).flatMap(([slot, declaration]): Declared[] => {
      if (declaration.kind !== kind) return [];
      if (declaration.kind === "AclBindingRule") {
        const methodName = names.get(declaration.method) ?? theirMethod;
        const bindName = declaration.bind === "management" ? "" : (names.get(declaration.role) ?? "someone");
        const grant = { ...declaration, slot, methodName, bindName };
        return [{ ...grant, description: free(declaration.description, (description) => identityOf({ ...grant, description })) }];
      }
      const name = free(declaration.name, (wanted) => identityOf({ ...declaration, slot, name: wanted }));
      names.set(slot, name);
      if (declaration.kind !== "AclAuthMethod") return [{ ...declaration, slot, name }];
      const isDefault = declaration.isDefault && !hasDefault;
      hasDefault ||= isDefault;
      return [
        { ...declaration, slot, name, isDefault, after: declaration.after && names.has(declaration.after) ? declaration.after : undefined },
      ];
    }),
  );
}

/** What is unique on the server: a name in its organization or cluster, or the content of a rule. */
export function identityOf(declaration: Declared): string {
  switch (declaration.kind) {
    case "AgentPool":
      return `${declaration.kind} ${declaration.organization}/${declaration.name}`;
    case "AclBindingRule":
      return `${declaration.kind} ${JSON.stringify([declaration.methodName, declaration.description, declaration.selector, declaration.bind, declaration.bindName])}`;
    default:
      return `${declaration.kind} ${declaration.name}`;
  }
}

/** The resource's name in the program. */
export function nameInProgram({ slot, renamed }: Declared): string {
  return renamed?.to ?? slot;
}

/** A registered resource, with outputs for other resources. */
interface Ref {
  output(name: string): unknown;
}

/** Registers resources: a program of the rehearsal engine, or one with the SDK. */
interface Stack<R extends Ref> {
  resource(
    type: string,
    name: string,
    inputs: Record<string, unknown>,
    options: Pick<ResourceOptions, "deleteBeforeReplace" | "aliases"> & { dependsOn?: R[] },
  ): R;
  secret(value: unknown): unknown;
}

/** An adapter's type tokens and inputs. */
export interface Spelling {
  type(kind: Kind): string;
  inputs(kind: Kind, given: Record<string, unknown>): Record<string, unknown>;
}

/** Registers all declarations. Names of other resources are passed as outputs. */
export function register<R extends Ref>(stack: Stack<R>, declarations: readonly Declared[], adapter: Spelling): void {
  const refs = new Map<Slot, R>();
  for (const declaration of declarations) {
    const { kind, adopt, deleteBeforeReplace, renamed } = declaration;
    const after = declaration.kind === "AclAuthMethod" && declaration.after ? refs.get(declaration.after) : undefined;
    const options = {
      ...(deleteBeforeReplace && { deleteBeforeReplace }),
      ...(renamed?.alias && { aliases: [{ name: renamed.alias }] }),
      ...(after && { dependsOn: [after] }),
    };
    const inputs = adapter.inputs(kind, { ...inputsOf(declaration, refs, (value) => stack.secret(value)), adopt });
    refs.set(declaration.slot, stack.resource(adapter.type(kind), nameInProgram(declaration), inputs, options));
  }
}

function inputsOf(declaration: Declared, refs: ReadonlyMap<Slot, Ref>, secret: (value: string) => unknown): Record<string, unknown> {
  switch (declaration.kind) {
    case "AgentPool": {
      const { name, organization, scoped, workspaces, forceDestroy } = declaration;
      return { name, organization, organizationScoped: scoped, allowedWorkspaceIds: workspaces, forceDestroy };
    }
    case "AclAuthMethod":
      return {
        name: declaration.name,
        type: declaration.type,
        tokenLocality: "local",
        maxTokenTtl: declaration.ttl,
        default: declaration.isDefault,
        config: {
          oidcDiscoveryUrl: "https://idp.test",
          oidcClientId: "cluster",
          allowedRedirectUris: ["http://localhost/callback"],
          oidcClientSecret: declaration.secret === undefined ? undefined : secret(declaration.secret),
          oidcScopes: declaration.scopes,
          claimMappings: declaration.mapped ? mappings : undefined,
        },
      };
    case "AclRole":
      return { name: declaration.name, description: declaration.description, policies: declaration.policies };
    case "AclBindingRule": {
      const authMethod = refs.get(declaration.method)?.output("name") ?? declaration.methodName;
      const bindName = declaration.bind === "management" ? undefined : (refs.get(declaration.role)?.output("name") ?? declaration.bindName);
      return { authMethod, description: declaration.description, selector: declaration.selector, bindType: declaration.bind, bindName };
    }
  }
}

export const mappings = { "a-claim": "a", "b-claim": "b" };

function bySlot([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
