import * as z from "zod";
import { parseDuration } from "../../common/durations";
import { isRecord } from "../../common/unknown";
import { mayBeLeftOut, type Properties, type Resource, withoutServerDefaults } from "../../provider/internal";
import { CommandError } from "../command-line";
import { type Inventory, type InventoryObject, inOrder, inputsOf, nameOf, resourceOf } from "../inventory/inventory";
import type { Origin, StateKeeper } from "./keepers";
import type { TerraformResource } from "./state";
import { isMarked, readValues, type TerraformValues } from "./values";

/** The objects of a state of Terraform's providers that programs can declare. */
export interface TerraformInventory extends Inventory {
  /** The origin of each object in the state. */
  readonly origins: ReadonlyMap<InventoryObject, Origin>;
  /** Resources without a counterpart in a program. */
  readonly unmatched: readonly Unmatched[];
  /** The number of look-ups in the state. */
  readonly lookUps: number;
  /** The number of ACL tokens in the state, if their kind was not chosen. */
  readonly tokens: number;
}

/** A resource of the state that a program can't declare. */
export interface Unmatched {
  readonly address: string;
  readonly type: string;
  readonly remedy: string;
}

const kinds: ReadonlyMap<string, string> = new Map([
  ["tfe_agent_pool", "AgentPool"],
  ["tfe_agent_token", "AgentToken"],
  ["nomad_acl_auth_method", "AclAuthMethod"],
  ["nomad_acl_policy", "AclPolicy"],
  ["nomad_acl_role", "AclRole"],
  ["nomad_acl_binding_rule", "AclBindingRule"],
  ["nomad_acl_token", "AclToken"],
]);

/** Limits of a pool: resources in Terraform, and inputs here. */
const limits: ReadonlyMap<string, string> = new Map([
  ["tfe_agent_pool_allowed_workspaces", "allowed_workspace_ids"],
  ["tfe_agent_pool_allowed_projects", "allowed_project_ids"],
  ["tfe_agent_pool_excluded_workspaces", "excluded_workspace_ids"],
]);

/**
 * Reads a state. No secret of it is in the result.
 *
 * @param chosen the kinds to read
 * @throws CommandError for anything but such a state, and for a resource with unexpected values
 */
export function parseTerraformInventory(
  text: string,
  source: string,
  { keeper, chosen }: { keeper: StateKeeper; chosen: readonly Resource[] },
): TerraformInventory {
  const resources = keeper.parse(text, source);
  const managed = resources.filter(({ mode }) => mode === "managed");
  const limiting = managed.filter(({ type, isDeposed }) => limits.has(type) && !isDeposed);
  const pools = new Set(managed.flatMap(({ type, isDeposed, values }) => (type === "tfe_agent_pool" && !isDeposed ? [values.id] : [])));
  const origins = new Map<InventoryObject, Origin>();
  const addresses = new Map<string, string>();
  const unmatched: Unmatched[] = [];
  let tokens = 0;
  for (const from of managed) {
    const { address, type, isDeposed } = from;
    const resource = resourceOf(kinds.get(type) ?? "");
    const leaveOut = (remedy: string) => unmatched.push({ address, type, remedy });
    if (!resource && !keeper.isNamed(type)) continue;
    if (isDeposed) leaveOut(keeper.deposed);
    else if (limits.has(type)) continue;
    else if (!resource) leaveOut(`this package has no such kind: ${keeper.remedy}`);
    else if (!chosen.includes(resource)) tokens += Number(resource.kind === "AclToken");
    else {
      const extra = resource.kind === "AgentPool" ? limiting.filter(({ values }) => values.agent_pool_id === from.values.id) : [];
      const object = objectOf(resource, from, extra, { keeper, source });
      if (typeof object === "string") leaveOut(object);
      else if (addresses.has(keyOf(object))) leaveOut(`it is the same object as ${addresses.get(keyOf(object))}`);
      else {
        addresses.set(keyOf(object), address);
        origins.set(object, originOf(object, [from, ...extra]));
      }
    }
  }
  const poolless = limiting.filter(({ values }) => !pools.has(values.agent_pool_id));
  const remedy = "its pool is not in this state: import the pool from the servers";
  return {
    source,
    objects: inOrder([...origins.keys()]),
    gaps: [],
    origins,
    unmatched: [...unmatched, ...poolless.map(({ address, type }) => ({ address, type, remedy }))],
    lookUps: resources.length - managed.length,
    tokens,
  };
}

const keyOf = ({ kind, id }: InventoryObject) => JSON.stringify([kind, id]);

/** @returns an object, or the reason why a program can't declare it */
function objectOf(
  resource: Resource,
  from: TerraformResource,
  extra: readonly TerraformResource[],
  { keeper, source }: { readonly keeper: StateKeeper; readonly source: string },
): InventoryObject | string {
  const { kind } = resource;
  const { id } = from.values;
  const read = readValues(resource, ...asInputs(from, extra));
  const refuse = (what: string): never => {
    throw new CommandError(`${source}: ${from.address}: ${what}. Nothing was written. ${keeper.refresh}, or remove it from the file.`);
  };
  if (read.strange[0] !== undefined) refuse(`its ${read.strange[0]} does not have the form of ${from.type}`);
  const secret = secretIdentity(kind, from, read);
  if (secret.length > 0) return `${secret.join(", ")} is ${keeper.secret}, and a program would show it: declare it by hand`;
  if (typeof id !== "string" || id === "") return refuse("it has no id");
  const missing = missingOf(resource, read);
  if (missing !== undefined) refuse(`it has no ${missing}`);
  const outputs = { ...normal(kind, read.inputs, read.hidden), ...(kind === "AclToken" && expirationIn(from.values)) };
  const object = { kind, id, name: nameOf(outputs, id), inputs: inputsOf(resource, outputs), outputs };
  return read.sensitive.length > 0 ? { ...object, sensitive: read.sensitive } : object;
}

/** @param all the resource of the object and, for a pool, the resources with its limits */
function originOf({ outputs }: InventoryObject, all: readonly [TerraformResource, ...TerraformResource[]]): Origin {
  return {
    addresses: all.map(({ address }) => address),
    isProtected: all[0].isProtected === true,
    parts: nameParts(all[0]),
    lacksLimits: outputs.organizationScoped === false && !outputs.allowedWorkspaceIds && !outputs.allowedProjectIds,
  };
}

/** A module in an address, with its key: `module.teams["ops"]`, `module.regions[0]`. */
const step = /module\.([^.[\]]+)(?:\[(?:(\d+)|"((?:[^"\\]|\\.)*)")\])?/g;

/** The names in an address: the modules with their keys, then the resource with its key. */
function nameParts({ module = "", name, index }: TerraformResource): string[] {
  const modules = [...module.matchAll(step)].flatMap(([, ofModule = "", number, key = ""]) => [ofModule, number ?? key]);
  return [...modules, name, index?.toString() ?? ""].filter((part) => part !== "");
}

/** The inputs in an import's id, or in an object's name. */
const identities: Readonly<Record<string, readonly string[]>> = {
  AgentPool: ["name", "organization"],
  AgentToken: ["agentPoolId"],
  AclAuthMethod: ["name"],
  AclPolicy: ["name"],
  AclRole: ["name"],
};

/** The sensitive values that no configuration key can replace. */
function secretIdentity(kind: string, from: TerraformResource, { marked, sensitive }: TerraformValues): string[] {
  const ofId = isMarked(markOf(from, "id")) ? ["id"] : [];
  return [...ofId, ...marked, ...sensitive.filter((path) => identities[kind]?.includes(path))];
}

function markOf({ marks }: TerraformResource, key: string): unknown {
  return isRecord(marks) ? marks[key] : marks;
}

const links = z.array(z.object({ name: z.string(), id: z.string().optional() }));

/** The names, or ids, in blocks. */
function namesIn(blocks: unknown): unknown {
  return links.safeParse(blocks).data?.map(({ name, id }) => name || id) ?? blocks;
}

/** The values of a resource and Terraform's marks for sensitive ones, with the names of the inputs. */
function asInputs(from: TerraformResource, extra: readonly TerraformResource[]): [values: Properties, marks: unknown] {
  const { values, marks, type } = from;
  const further = extra.map((one): [string, unknown, unknown] => {
    const name = limits.get(one.type) ?? "";
    return [name, one.values[name], markOf(one, name)];
  });
  if (type === "nomad_acl_role") further.push(["policies", namesIn(values.policy), markOf(from, "policy")]);
  if (type === "nomad_acl_policy") further.push(["rules", values.rules_hcl, markOf(from, "rules_hcl")]);
  if (type === "nomad_acl_token") {
    further.push(["roles", namesIn(values.role), markOf(from, "role")]);
    if (isNoDuration(values.expiration_ttl)) further.push(["expiration_ttl", undefined, false]);
  }
  return [
    { ...values, ...Object.fromEntries(further.map(([name, value]) => [name, value])) },
    isRecord(marks) ? { ...marks, ...Object.fromEntries(further.map(([name, , mark]) => [name, isMarked(mark)])) } : marks,
  ];
}

/** Whether the provider's duration means that a token does not expire. */
function isNoDuration(ttl: unknown): boolean {
  return ttl === "" || (typeof ttl === "string" && parseDuration(ttl) === 0n);
}

/** The expiration of a token. The provider has an empty text, or Go's zero time, for none. */
function expirationIn({ expiration_time: time }: Properties): { expirationTime: string } | undefined {
  return typeof time === "string" && time !== "" && !time.startsWith("0001-") ? { expirationTime: time } : undefined;
}

/** The first required input that is missing in the state. */
function missingOf(resource: Resource, { inputs, sensitive }: TerraformValues): string | undefined {
  const identity = identities[resource.kind] ?? [];
  const needed = [...resource.inputs].filter(([name, field]) => !mayBeLeftOut(field) || identity.includes(name));
  return needed.map(([name]) => name).find((name) => (inputs[name] === undefined || inputs[name] === "") && !sensitive.includes(name));
}

/** The values in the form of values read from a server. */
function normal(kind: string, inputs: Properties, hidden: readonly string[]): Properties {
  if (kind === "AclPolicy") {
    // The provider has empty texts for unset values. A job with only empty texts is none.
    const job = Object.entries(isRecord(inputs.jobAcl) ? inputs.jobAcl : {}).filter(([, value]) => value !== "");
    return { ...inputs, jobAcl: job.length > 0 ? Object.fromEntries(job) : undefined };
  }
  if (kind !== "AclAuthMethod" || !isRecord(inputs.config)) return inputs;
  return { ...inputs, config: withoutServerDefaults(inputs.config, {}), ...(hidden.length > 0 && { unmanagedSecrets: hidden }) };
}
