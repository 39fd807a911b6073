import type { StackState } from "../../testing/rehearsal";
import { parseUrn } from "../../testing/rehearsal/engine/urn";
import { equal } from "../../testing/rehearsal/engine/values";
import type { Simulator } from "../../testing/simulator";
import { type Declared, type Kind, kinds, type MethodDeclaration, mappings, nameInProgram } from "./program";

/** An object on a server. */
export interface ServerObject {
  readonly kind: Kind;
  readonly id: string;
  /** Unique to the object, also among objects of the same name that were created later. */
  readonly key: string;
  /** What makes the object unique on the server (see `identityOf`). */
  readonly identity: string;
  /** The whole object, byte for byte. */
  readonly bytes: string;
  /** The same without the fields that a write of identical content may change: a server hashes some maps of a method in random order. */
  readonly content: string;
}

/** All objects of both servers, by key. */
export function serverObjects({ cluster, pools }: Simulator): Map<string, ServerObject> {
  const objects: ServerObject[] = [
    ...pools.list().map((pool): ServerObject => {
      const identity = `AgentPool ${pool.organization}/${pool.name}`;
      return { kind: "AgentPool", id: pool.id, key: pool.id, identity, ...written(pool) };
    }),
    ...cluster.methods.all().map((method): ServerObject => {
      const key = methodKey(method.Name, method.CreateTime);
      return { kind: "AclAuthMethod", id: method.Name, key, identity: `AclAuthMethod ${method.Name}`, ...written(method) };
    }),
    ...cluster.roles.all().map((role): ServerObject => {
      return { kind: "AclRole", id: role.ID, key: role.ID, identity: `AclRole ${role.Name}`, ...written(role) };
    }),
    ...cluster.rules.all().map((rule): ServerObject => {
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

/** An entry of the state for an object. */
export interface Entry {
  readonly urn: string;
  readonly kind: Kind;
  readonly name: string;
  readonly id: string;
  /** The key of its object (see `ServerObject`). */
  readonly key: string;
  /** Replaced, and still to be deleted. */
  readonly isOld: boolean;
  /** Whether the state says that the server holds a secret that the program does not give. */
  readonly hasUnmanagedSecret: boolean;
}

export function entries(state: StackState | undefined): Entry[] {
  return entriesWhere(state, false);
}

/** The entries of objects that are deleted, with a replacement still to be made. Engines have a dependent one deleted once more. */
export function entriesPendingReplacement(state: StackState | undefined): Entry[] {
  return entriesWhere(state, true);
}

function entriesWhere(state: StackState | undefined, pendingReplacement: boolean): Entry[] {
  return (state?.resources ?? []).flatMap((resource): Entry[] => {
    const { type, name } = parseUrn(resource.urn);
    const kind = kinds.find((candidate) => type.endsWith(`:${candidate}`));
    if (!kind || resource.id === undefined || (resource.pendingReplacement ?? false) !== pendingReplacement) return [];
    const { urn, id } = resource;
    const key = kind === "AclAuthMethod" ? methodKey(id, resource.outputs.createTime) : id;
    const hasUnmanagedSecret = resource.outputs.unmanagedSecrets !== undefined;
    return [{ urn, kind, name, id, key, isOld: resource.delete === true, hasUnmanagedSecret }];
  });
}

/** The live entry of a declaration. */
export function entryOf(all: readonly Entry[], declaration: Declared): Entry | undefined {
  const names = [nameInProgram(declaration), declaration.renamed?.alias];
  return all.find(({ kind, name, isOld }) => !isOld && kind === declaration.kind && names.includes(name));
}

/** The servers and the state that declarations are compared with, and whether the cluster was once restored from a backup. */
interface Place {
  readonly simulator: Simulator;
  readonly entries: readonly Entry[];
  readonly wasRestored: boolean;
}

/** The differences between a declaration and its object on the server; empty when there are none. */
export function deviations(place: Place, declaration: Declared, id: string): string[] {
  const actual = actualOf(place.simulator, declaration.kind, id);
  if (!actual) return [`there is no ${declaration.kind} ${id}`];
  return Object.entries(wantedOf(declaration, place)).flatMap(([name, wanted]) =>
    equal(actual[name], wanted) ? [] : [`${name} is ${JSON.stringify(actual[name])}, wanted is ${JSON.stringify(wanted)}`],
  );
}

type Values = Record<string, unknown>;

function wantedOf(declaration: Declared, place: Place): Values {
  switch (declaration.kind) {
    case "AgentPool": {
      const { organization, name, scoped, workspaces } = declaration;
      // Where both are left out, the scope is not compared: an update keeps a pool limited that was limited.
      const isWritten = scoped !== undefined || workspaces !== undefined;
      const scope = { organization, name, ...(isWritten ? { organizationScoped: scoped ?? false } : {}) };
      return workspaces ? { ...scope, allowedWorkspaceIds: workspaces.toSorted() } : scope;
    }
    case "AclAuthMethod":
      return {
        Type: declaration.type,
        MaxTokenTTL: declaration.ttl === "2h0m0s" ? "2h0m0s" : "1h0m0s",
        Default: declaration.isDefault,
        OIDCScopes: declaration.scopes,
        ClaimMappings: declaration.mapped ? mappings : {},
        ...secretOf(declaration, place),
      };
    case "AclRole":
      return { Name: declaration.name, Description: declaration.description, Policies: declaration.policies.toSorted() };
    case "AclBindingRule": {
      const { methodName, description, selector, bind, bindName } = declaration;
      return { AuthMethod: methodName, Description: description, Selector: selector, BindType: bind, BindName: bindName };
    }
  }
}

/**
 * A secret of others is not compared where the program gives none. A secret of the program must have been removed with its declaration,
 * except where a backup has brought it back, or where the method was adopted from another declaration, whose secret is then unmanaged.
 */
function secretOf(declaration: Declared<MethodDeclaration>, { simulator, entries, wasRestored }: Place): Values {
  const { name, type, secret } = declaration;
  // Such servers don't show the secret of an adopted JWT method, and no update can write or remove it. No login uses it.
  if (simulator.dialect === "documented" && type === "JWT" && (secret === undefined || declaration.adopt === "overwrite")) return {};
  const isTheirs = simulator.cluster.methods.get(name)?.Config.OIDCClientSecret.startsWith(theirSecret);
  // Documented servers return no hash, so that a rotation by others is not visible: their secret stays until the next update. A missing
  // secret is always wrong.
  if (secret !== undefined) return simulator.dialect === "documented" && isTheirs ? {} : { OIDCClientSecret: secret };
  const isAdopted = declaration.adopt !== false && entryOf(entries, declaration)?.hasUnmanagedSecret;
  return wasRestored || isAdopted ? {} : { holdsOurSecret: false };
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

/** The beginnings of the program's secrets and those of others, by which leaked secrets are found. */
export const ownSecret = "canary-ours-";
export const theirSecret = "canary-theirs-";

function methodKey(name: string, createTime: unknown): string {
  return `${name} made ${createTime}`;
}
