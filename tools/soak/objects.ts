import type { StackState } from "../../provider/testing/rehearsal";
import { parseUrn } from "../../provider/testing/rehearsal/engine/urn";
import { equal } from "../../provider/testing/rehearsal/engine/values";
import type { Simulator } from "../../provider/testing/simulator";
import { type Declared, type Kind, kinds, type MethodWish, mappings, nameInProgram } from "./program";

/** An object on a server. */
export interface Standing {
  readonly kind: Kind;
  readonly id: string;
  /** Tells it from every other object, also from one of the same name that was made later. */
  readonly key: string;
  /** What can be there only once (see `identityOf`). */
  readonly identity: string;
  /** The whole of it, byte for byte. */
  readonly bytes: string;
  /** The same without what a write of the very same content may change: a server hashes some lists of a method in no order. */
  readonly content: string;
}

/** Everything that both servers hold, by key. */
export function standing({ cluster, pools }: Simulator): Map<string, Standing> {
  const objects: Standing[] = [
    ...pools.list().map((pool): Standing => {
      const identity = `AgentPool ${pool.organization}/${pool.name}`;
      return { kind: "AgentPool", id: pool.id, key: pool.id, identity, ...written(pool) };
    }),
    ...cluster.methods.all().map((method): Standing => {
      const key = methodKey(method.Name, method.CreateTime);
      return { kind: "AclAuthMethod", id: method.Name, key, identity: `AclAuthMethod ${method.Name}`, ...written(method) };
    }),
    ...cluster.roles.all().map((role): Standing => {
      return { kind: "AclRole", id: role.ID, key: role.ID, identity: `AclRole ${role.Name}`, ...written(role) };
    }),
    ...cluster.rules.all().map((rule): Standing => {
      const grant = [rule.AuthMethod, rule.Description, rule.Selector, rule.BindType, rule.BindName];
      const identity = `AclBindingRule ${JSON.stringify(grant)}`;
      return { kind: "AclBindingRule", id: rule.ID, key: rule.ID, identity, ...written(rule) };
    }),
  ];
  return new Map(objects.map((object) => [object.key, object]));
}

function written(object: object): { bytes: string; content: string } {
  const content = { ...object, Hash: undefined, ModifyIndex: undefined, ModifyTime: undefined };
  return { bytes: JSON.stringify(object), content: JSON.stringify(content) };
}

/** An entry of the state that stands for an object. */
export interface Entry {
  readonly urn: string;
  readonly kind: Kind;
  readonly name: string;
  readonly id: string;
  /** As of the object that it means (see `Standing`). */
  readonly key: string;
  /** Only waits for its deletion. */
  readonly isOld: boolean;
}

export function entries(state: StackState | undefined): Entry[] {
  return (state?.resources ?? []).flatMap((resource): Entry[] => {
    const { type, name } = parseUrn(resource.urn);
    const kind = kinds.find((candidate) => type.endsWith(`:${candidate}`));
    if (!kind || resource.id === undefined || resource.pendingReplacement) return [];
    const { urn, id } = resource;
    const key = kind === "AclAuthMethod" ? methodKey(id, resource.outputs.createTime) : id;
    return [{ urn, kind, name, id, key, isOld: resource.delete === true }];
  });
}

/** The live entry of a declaration. */
export function entryOf(all: readonly Entry[], wish: Declared): Entry | undefined {
  const names = [nameInProgram(wish), wish.renamed?.alias];
  return all.find(({ kind, name, isOld }) => !isOld && kind === wish.kind && names.includes(name));
}

/** The servers that declarations are compared with, and whether the cluster once went back to a backup. */
interface Place {
  readonly simulator: Simulator;
  readonly wasRestored: boolean;
}

/** What of a declaration is not as it should be on the server; empty when all is. */
export function deviations(place: Place, wish: Declared, id: string): string[] {
  const actual = actualOf(place.simulator, wish.kind, id);
  if (!actual) return [`there is no ${wish.kind} ${id}`];
  return Object.entries(wantedOf(wish, place)).flatMap(([name, wanted]) =>
    equal(actual[name], wanted) ? [] : [`${name} is ${JSON.stringify(actual[name])}, wanted is ${JSON.stringify(wanted)}`],
  );
}

type Values = Record<string, unknown>;

function wantedOf(wish: Declared, place: Place): Values {
  switch (wish.kind) {
    case "AgentPool": {
      const { organization, name, scoped, workspaces } = wish;
      // Left out with the list, it stays what it was where that is false.
      const isWritten = scoped !== undefined || workspaces !== undefined;
      const scope = { organization, name, ...(isWritten ? { organizationScoped: scoped ?? false } : {}) };
      return workspaces ? { ...scope, allowedWorkspaceIds: workspaces.toSorted() } : scope;
    }
    case "AclAuthMethod":
      return {
        Type: wish.type,
        MaxTokenTTL: wish.ttl === "2h0m0s" ? "2h0m0s" : "1h0m0s",
        Default: wish.isDefault,
        OIDCScopes: wish.scopes,
        ClaimMappings: wish.mapped ? mappings : {},
        ...secretOf(wish, place),
      };
    case "AclRole":
      return { Name: wish.name, Description: wish.description, Policies: wish.policies.toSorted() };
    case "AclBindingRule": {
      const { methodName, description, selector, bind, bindName } = wish;
      return { AuthMethod: methodName, Description: description, Selector: selector, BindType: bind, BindName: bindName };
    }
  }
}

/** A secret that the program does not give is the business of others; one of its own must have gone with the declaration, but a backup has it. */
function secretOf({ name, type, secret }: MethodWish, { simulator, wasRestored }: Place): Values {
  // Nobody sees there what a method of type JWT that is taken over has in the place of a secret, and no update takes it away.
  if (simulator.dialect === "documented" && type === "JWT" && secret === undefined) return {};
  const isTheirs = simulator.cluster.methods.get(name)?.Config.OIDCClientSecret.startsWith(theirSecret);
  // Documented servers give no hash, so that nobody sees that others rotated it: theirs stays until the next update. None at all is never right.
  if (secret !== undefined) return simulator.dialect === "documented" && isTheirs ? {} : { OIDCClientSecret: secret };
  return wasRestored ? {} : { holdsOurSecret: false };
}

function actualOf({ cluster, pools }: Simulator, kind: Kind, id: string): Values | undefined {
  switch (kind) {
    case "AgentPool": {
      const pool = pools.get(id);
      return pool && { ...pool, allowedWorkspaceIds: pool.allowedWorkspaceIds.toSorted() };
    }
    case "AclAuthMethod": {
      const method = cluster.methods.get(id);
      if (!method) return undefined;
      const { OIDCClientSecret, OIDCScopes, ClaimMappings } = method.Config;
      const config = { OIDCClientSecret, OIDCScopes: OIDCScopes ?? [], ClaimMappings: ClaimMappings ?? {} };
      return { ...method, ...config, holdsOurSecret: OIDCClientSecret.startsWith(ownSecret) };
    }
    case "AclRole": {
      const role = cluster.roles.get(id);
      return role && { ...role, Policies: role.Policies.map(({ Name }) => Name).toSorted() };
    }
    case "AclBindingRule": {
      const rule = cluster.rules.get(id);
      return rule && { ...rule };
    }
  }
}

/** How the secrets begin that a program gives, and those that others set: to be looked for where no secret may be. */
export const ownSecret = "canary-ours-";
export const theirSecret = "canary-theirs-";

function methodKey(name: string, createTime: unknown): string {
  return `${name} made ${createTime}`;
}
