import * as z from "zod";
import { parseDuration } from "../../common/durations";
import type { Resource } from "../../provider/lifecycle/resource";
import { mayBeLeftOut } from "../../provider/model/fields";
import type { Properties } from "../../provider/model/remote";
import { isRecord } from "../../provider/model/unknown";
import { withoutServerDefaults } from "../../provider/resources/auth-method/config";
import { CommandError } from "../command-line";
import { type Inventory, type InventoryObject, inOrder, inputsOf, nameOf, resourceOf } from "../inventory/inventory";
import { nameParts } from "./addresses";
import type { Origin, StateKeeper } from "./keepers";
import type { TerraformResource } from "./state";
import { isMarked, readValues, type TerraformValues } from "./values";

/** The objects of a state of Terraform's providers that programs can declare. */
export interface TerraformInventory extends Inventory {
  /** What each object has in the state. */
  readonly origins: ReadonlyMap<InventoryObject, Origin>;
  /** What has no counterpart in a program. */
  readonly unmatched: readonly Unmatched[];
  /** How many look-ups the state has. */
  readonly lookUps: number;
  /** How many ACL tokens it has that were not asked for. */
  readonly tokens: number;
}

/** A resource of the state that the program can't have. */
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

/** What Terraform has as resources of their own, and a pool as inputs. */
const limits: ReadonlyMap<string, string> = new Map([
  ["tfe_agent_pool_allowed_workspaces", "allowed_workspace_ids"],
  ["tfe_agent_pool_allowed_projects", "allowed_project_ids"],
  ["tfe_agent_pool_excluded_workspaces", "excluded_workspace_ids"],
]);

/**
 * Reads a state. No secret of it is in the result.
 *
 * @param chosen the kinds to read
 * @throws CommandError for what is no such state, and for a resource whose values are not those of its type
 */
export function parseTerraformInventory(
  text: string,
  source: string,
  { keeper, chosen }: { keeper: StateKeeper; chosen: readonly Resource[] },
): TerraformInventory {
  const resources = keeper.parse(text, source);
  const managed = resources.filter(({ mode }) => mode === "managed");
  const reader = new Reader(
    source,
    keeper,
    managed.filter(({ type, isDeposed }) => limits.has(type) && !isDeposed),
  );
  const objects = managed.flatMap((one) => reader.read(one, chosen) ?? []);
  return {
    source,
    objects: inOrder(objects),
    gaps: [],
    origins: reader.origins,
    unmatched: [...reader.unmatched, ...reader.poolless()],
    lookUps: resources.length - managed.length,
    tokens: reader.tokens,
  };
}

class Reader {
  readonly origins = new Map<InventoryObject, Origin>();
  readonly unmatched: Unmatched[] = [];
  tokens = 0;
  private readonly addresses = new Map<string, string>();
  private readonly pools = new Set<unknown>();

  constructor(
    private readonly source: string,
    private readonly keeper: StateKeeper,
    private readonly limiting: readonly TerraformResource[],
  ) {}

  /** @returns undefined for what is left out */
  read(from: TerraformResource, chosen: readonly Resource[]): InventoryObject | undefined {
    const kind = kinds.get(from.type);
    if (from.type === "tfe_agent_pool" && !from.isDeposed) this.pools.add(from.values.id);
    const resource = kind === undefined ? undefined : resourceOf(kind);
    if (!resource && !this.keeper.isNamed(from.type)) return undefined;
    if (from.isDeposed) return this.leaveOut(from, this.keeper.deposed);
    if (limits.has(from.type)) return undefined;
    if (!resource) return this.leaveOut(from, `it is of no kind of this package: ${this.keeper.remedy}`);
    if (chosen.includes(resource)) return this.objectOf(resource, from);
    if (kind === "AclToken") this.tokens += 1;
    return undefined;
  }

  /** The limits of pools that the state does not have. */
  poolless(): Unmatched[] {
    return this.limiting
      .filter(({ values }) => !this.pools.has(values.agent_pool_id))
      .map(({ address, type }) => ({ address, type, remedy: "its pool is not in this state: import the pool from the servers" }));
  }

  private objectOf(resource: Resource, from: TerraformResource): InventoryObject | undefined {
    const { kind } = resource;
    const extra = kind === "AgentPool" ? this.limiting.filter(({ values }) => values.agent_pool_id === from.values.id) : [];
    const read = readValues(resource, ...asInputs(from, extra));
    const { inputs, hidden, sensitive } = read;
    if (read.strange[0] !== undefined) throw this.valueError(from, `its ${read.strange[0]} has another form than that of ${from.type}`);
    const secret = secretIdentity(kind, from, read);
    if (secret.length > 0) {
      return this.leaveOut(from, `${secret.join(", ")} is ${this.keeper.secret}, and a program would show it: declare it by hand`);
    }
    const { id } = from.values;
    const missing = typeof id === "string" && id !== "" ? missingOf(resource, read) : "id";
    if (typeof id !== "string" || missing !== undefined) throw this.valueError(from, `it has no ${missing}`);
    const key = JSON.stringify([kind, id]);
    const first = this.addresses.get(key);
    if (first !== undefined) return this.leaveOut(from, `it is the same object as ${first}`);
    this.addresses.set(key, from.address);
    const outputs = { ...normal(kind, inputs, hidden), ...(kind === "AclToken" && expirationIn(from.values)) };
    const whole = { kind, id, name: nameOf(outputs, id), inputs: inputsOf(resource, outputs), outputs };
    const object = sensitive.length > 0 ? { ...whole, sensitive } : whole;
    this.origins.set(object, {
      addresses: [from, ...extra].map(({ address }) => address),
      isProtected: from.isProtected === true,
      parts: nameParts(from),
      lacksLimits: inputs.organizationScoped === false && !inputs.allowedWorkspaceIds && !inputs.allowedProjectIds,
    });
    return object;
  }

  private leaveOut({ address, type }: TerraformResource, remedy: string): undefined {
    this.unmatched.push({ address, type, remedy });
  }

  private valueError({ address }: TerraformResource, what: string): CommandError {
    const next = `${this.keeper.refresh}, or remove it from the file.`;
    return new CommandError(`${this.source}: ${address}: ${what}. Nothing was written. ${next}`);
  }
}

/** What the id of an import, or the name of an object, has of the inputs. */
const identities: Readonly<Record<string, readonly string[]>> = {
  AgentPool: ["name", "organization"],
  AgentToken: ["agentPoolId"],
  AclAuthMethod: ["name"],
  AclPolicy: ["name"],
  AclRole: ["name"],
};

/** What no key of the configuration can stand for, and is a secret for Terraform. */
function secretIdentity(kind: string, from: TerraformResource, { marked, sensitive }: TerraformValues): string[] {
  const ofId = isMarked(markOf(from, "id")) ? ["id"] : [];
  return [...ofId, ...marked, ...sensitive.filter((path) => identities[kind]?.includes(path))];
}

function markOf({ marks }: TerraformResource, key: string): unknown {
  return isRecord(marks) ? marks[key] : marks;
}

const links = z.array(z.object({ name: z.string(), id: z.string().optional() }));

/** Blocks as the names that they have, or ids. */
function namesIn(blocks: unknown): unknown {
  return links.safeParse(blocks).data?.map(({ name, id }) => name || id) ?? blocks;
}

/** The values of a resource, and what Terraform says of their secrecy, with the names that the inputs have. */
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

/** How the provider says that a token does not expire. */
function isNoDuration(ttl: unknown): boolean {
  return ttl === "" || (typeof ttl === "string" && parseDuration(ttl) === 0n);
}

/** When a token ends. The provider has an empty text, or Go's zero time, for one that does not. */
function expirationIn({ expiration_time: time }: Properties): { expirationTime: string } | undefined {
  return typeof time === "string" && time !== "" && !time.startsWith("0001-") ? { expirationTime: time } : undefined;
}

/** The first input that a program needs and the state does not have. */
function missingOf(resource: Resource, { inputs, sensitive }: TerraformValues): string | undefined {
  const identity = identities[resource.kind] ?? [];
  const needed = [...resource.inputs].filter(([name, field]) => !mayBeLeftOut(field) || identity.includes(name));
  return needed.map(([name]) => name).find((name) => (inputs[name] === undefined || inputs[name] === "") && !sensitive.includes(name));
}

/** The values as the server's would be read. */
function normal(kind: string, inputs: Properties, hidden: readonly string[]): Properties {
  if (kind === "AclPolicy") {
    // The provider has an empty text for what is not set, and a job of nothing but those is none.
    const job = Object.entries(isRecord(inputs.jobAcl) ? inputs.jobAcl : {}).filter(([, value]) => value !== "");
    return { ...inputs, jobAcl: job.length > 0 ? Object.fromEntries(job) : undefined };
  }
  if (kind !== "AclAuthMethod" || !isRecord(inputs.config)) return inputs;
  return { ...inputs, config: withoutServerDefaults(inputs.config, {}), ...(hidden.length > 0 && { unmanagedSecrets: hidden }) };
}
