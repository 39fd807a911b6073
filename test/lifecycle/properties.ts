import type { Simulator } from "../../provider/testing/simulator";
import type { Inputs, Kind, World } from "./harness";
import { methodProperties } from "./method-properties";
import type { Property } from "./property";
import { pool, role, rule } from "./samples";

/** A kind, and how its objects are looked at and changed in the simulator's store. */
export interface Subject {
  readonly kind: Kind;
  readonly prepare?: (world: World) => void;
  readonly stored: (simulator: Simulator, id: string) => Inputs;
  readonly change: (simulator: Simulator, id: string, object: Inputs) => void;
  readonly properties: readonly Property[];
}

/** What a server sets by itself, and what differs between two objects with the same content. */
const ownFields = ["Hash", "CreateIndex", "ModifyIndex", "CreateTime", "ModifyTime", "ID", "id", "createdAt"];

/** The object's content, as far as somebody asked for it. */
export function content(object: object | undefined): Inputs {
  if (!object) throw new Error("the simulator does not have the object");
  return Object.fromEntries(Object.entries(object).filter(([key]) => !ownFields.includes(key)));
}

const roleProperties: Property[] = [
  { path: "name", first: "dev", second: "ops", stored: "Name", leftOut: "refused", among: role() },
  { path: "description", first: "one", second: "two", stored: "Description", leftOut: { becomes: "" }, among: role() },
  {
    path: "policies",
    first: ["read"],
    second: ["read", "write"],
    stored: "Policies",
    storedAs: [[{ Name: "read" }], [{ Name: "read" }, { Name: "write" }]],
    leftOut: "refused there",
    documented: { leftOut: { becomes: [] } },
    among: role(),
  },
  { path: "adopt", first: true, second: "overwrite", leftOut: "kept", among: role() },
];

const ruleProperties: Property[] = [
  { path: "authMethod", first: "sso", second: "other", stored: "AuthMethod", leftOut: "refused", among: rule(), replaces: true },
  { path: "description", first: "one", second: "two", stored: "Description", leftOut: { becomes: "" }, among: rule() },
  {
    path: "selector",
    first: "dev in list.groups",
    second: 'value.team == "ops"',
    stored: "Selector",
    leftOut: { becomes: "" },
    among: rule(),
  },
  { path: "bindType", first: "role", second: "policy", stored: "BindType", leftOut: "refused", among: rule() },
  { path: "bindName", first: "dev", second: "ops", stored: "BindName", leftOut: "refused", among: rule() },
  { path: "adopt", first: true, second: "overwrite", leftOut: "kept", among: rule() },
];

const poolProperties: Property[] = [
  { path: "name", first: "build", second: "deploy", stored: "name", leftOut: "refused", among: pool() },
  {
    path: "organization",
    first: "example-org",
    second: "other-org",
    stored: "organization",
    leftOut: "kept",
    among: pool(),
    replaces: true,
  },
  { path: "organizationScoped", first: false, second: true, stored: "organizationScoped", leftOut: "kept", among: pool() },
  {
    path: "allowedWorkspaceIds",
    first: ["ws-one"],
    second: ["ws-one", "ws-two"],
    stored: "allowedWorkspaceIds",
    leftOut: "kept",
    among: pool({ organizationScoped: false }),
  },
  { path: "forceDestroy", first: true, second: false, leftOut: "kept", among: pool() },
  { path: "drainTimeoutSeconds", first: 30, second: 60, leftOut: "kept", among: pool() },
  { path: "adopt", first: true, second: "overwrite", leftOut: "kept", among: pool() },
];

export const subjects: readonly Subject[] = [
  {
    kind: "AgentPool",
    prepare: ({ simulator }) => simulator.pools.addOrganization("other-org"),
    stored: ({ pools }, id) => content(pools.get(id)),
    change: ({ pools }, id, { organization: _, ...change }) => pools.update(id, change),
    properties: poolProperties,
  },
  {
    kind: "AclAuthMethod",
    stored: ({ cluster }, id) => content(cluster.methods.get(id)),
    change: ({ cluster }, id, change) => cluster.methods.put({ ...change, Name: id }),
    properties: methodProperties(),
  },
  {
    kind: "AclRole",
    stored: ({ cluster }, id) => content(cluster.roles.get(id)),
    change: ({ cluster }, id, change) => cluster.roles.put({ ...change, ID: id }),
    properties: roleProperties,
  },
  {
    kind: "AclBindingRule",
    prepare: ({ simulator }) => {
      simulator.cluster.methods.put({ Name: "sso" });
      simulator.cluster.methods.put({ Name: "other" });
    },
    stored: ({ cluster }, id) => content(cluster.rules.get(id)),
    change: ({ cluster }, id, change) => cluster.rules.put({ ...change, ID: id }),
    properties: ruleProperties,
  },
];
