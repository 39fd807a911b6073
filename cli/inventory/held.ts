/** The objects of a state, as unmanaged objects refer to them. */
import { boundNames } from "../../access/bound-names";
import { grantsOf } from "../../access/policy/grants";
import {
  isAtOrAbove,
  jobOf,
  mayBeAll,
  mayRunIn,
  type PoliciesByName,
  type PolicyFacts,
  type PolicyJob,
  policiesOfJob,
} from "../../access/policy/management";
import type { Texts } from "../../access/template";
import { parseDuration } from "../../common/durations";
import { grouped } from "../../common/grouped";
import { ownProperty } from "../../common/own-property";
import { ConfigurationError } from "../../common/user-error";
import { type CallContext, type Properties, type Resource, relationOf, type TokenStub } from "../../provider/internal";
import { secretMarker } from "./hidden";
import { type Gap, holdsSecret, type InventoryObject, resourceOf, shownId } from "./inventory";
import { gapOf, type Lists } from "./servers";

/** The properties that other objects refer to, and the properties that refer to other objects. */
const referring: { readonly [kind: string]: readonly string[] } = {
  AclAuthMethod: ["name", "maxTokenTtl", "tokenLocality"],
  AclRole: ["name"],
  AclPolicy: ["name", "rules", "jobAcl"],
  AclBindingRule: ["authMethod", "bindType", "bindName"],
};

/** A server's value that differs from the state's. */
export interface ServerValue {
  readonly object: InventoryObject;
  readonly path: string;
  readonly server: unknown;
}

interface Sources {
  readonly context: CallContext;
  readonly lists: Lists;
  /** The changes by others on the server. */
  readonly changed: readonly ServerValue[];
}

/**
 * The objects of a state that may be on the configured servers. A value that differs, or that the state hides, counts with the server's
 * value as well. A hidden value that the server does not return is a gap.
 */
export async function heldBy(objects: readonly InventoryObject[], sources: Sources): Promise<{ held: Held; gaps: readonly Gap[] }> {
  const here = objects.filter((object) => !isElsewhere(object, sources.context));
  const shown = await Promise.all(here.map((object) => asOnServer(object, sources)));
  const others = shown.flatMap(({ values }, place) => {
    const object = here[place];
    return object && values ? [{ ...object, outputs: { ...object.outputs, ...values } }] : [];
  });
  return { held: new Held([...here, ...others]), gaps: shown.flatMap(({ gap }) => gap ?? []) };
}

/** Whether the state has an object of the API, and all of them are on another server, so the configured one has none of them. */
export function areAllElsewhere(objects: readonly InventoryObject[], { api }: Resource, context: CallContext): boolean {
  const ofApi = objects.filter(({ kind }) => resourceOf(kind)?.api === api);
  return ofApi.length > 0 && ofApi.every((object) => isElsewhere(object, context));
}

/** Whether an object is on another server than the configured one. */
export function isElsewhere({ kind, outputs }: InventoryObject, context: CallContext): boolean {
  const resource = resourceOf(kind);
  const [server, configured] = [ownProperty(outputs, "server"), resource && configuredServer(resource, context)];
  return typeof server === "string" && configured !== undefined && relationOf(server, configured) === "other server";
}

/** The configured server; undefined if none is configured, which the requests report as an error. */
function configuredServer(resource: Resource, context: CallContext): string | undefined {
  try {
    return resource.server(context);
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

async function asOnServer(object: InventoryObject, { context, lists, changed }: Sources): Promise<{ values?: Properties; gap?: Gap }> {
  const names = referring[object.kind] ?? [];
  const differing = changed.filter((one) => one.object === object);
  const whole = differing.filter(({ path }) => names.includes(path)).map(({ path, server }) => [path, server]);
  const values = whole.length > 0 ? { values: Object.fromEntries(whole) } : {};
  // A change of a part, such as `jobAcl.jobId`, does not have the whole value.
  const isPart = (name: string) => differing.some(({ path }) => path.startsWith(`${name}.`));
  const hidden = names.filter((name) => holdsSecret(ownProperty(object.outputs, name)) || isPart(name));
  const resource = resourceOf(object.kind);
  if (!resource || hidden.length === 0 || configuredServer(resource, context) === undefined) return values;
  const known = `${object.kind} ${shownId(object) ?? object.urn ?? ""}`;
  const what = isPart(hidden[0] ?? "") ? "another value" : "a secret";
  const why = `${known} has ${what} as its ${hidden.join(" and ")}: unmanaged objects around it could not be looked for. `;
  try {
    const remote = await (await lists.of({ resource })).find(({ id }) => id === object.id)?.read();
    if (remote) return { values: { ...values.values, ...Object.fromEntries(hidden.map((name) => [name, remote.outputs[name]])) } };
    return { ...values, gap: { kind: object.kind, reason: "failed", message: `${why}The server does not show the object.` } };
  } catch (error) {
    return { ...values, gap: gapOf({ resource }, error, why) };
  }
}

/** A job, or a part of it, in a known namespace. */
export type KnownJob = PolicyJob & { readonly namespace: string };

/** The job whose tasks have a policy; undefined if there is none, or if it names no namespace. */
export function knownJobOf({ jobAcl }: Properties): KnownJob | undefined {
  const { namespace, ...rest } = jobOf(jobAcl) ?? {};
  return namespace === undefined ? undefined : { namespace, ...rest };
}

/** The kinds of objects with names that other objects refer to. */
type Named = "method" | "role" | "policy";
/** The kinds whose names a property has. */
const namedBy: { readonly [property: string]: readonly Named[] } = {
  authMethod: ["method"],
  bindName: ["role", "policy"],
  policies: ["policy"],
  roles: ["role"],
};

/** The objects of the state, by the names and ids that unmanaged objects refer to. */
export class Held {
  readonly pools: readonly InventoryObject[];
  readonly rules: readonly Properties[];
  readonly policies: readonly Properties[];
  private readonly policiesByName: PoliciesByName;
  private readonly isOnCluster: boolean;
  private readonly ids: ReadonlySet<string>;
  private readonly names: Readonly<Record<Named, ReadonlySet<string>>>;
  /** The names of objects whose names are secrets of the state. */
  private readonly secretNames: Readonly<Record<Named, ReadonlySet<string>>>;
  /** The names of roles and policies that rules of the state compute. */
  private readonly computed: Readonly<Record<"role" | "policy", readonly Texts[]>>;
  /** The auth methods by the lifetime of their login tokens, in nanoseconds. */
  private readonly methods: ReadonlyMap<bigint | undefined, readonly InventoryObject[]>;

  constructor(objects: readonly InventoryObject[]) {
    const of = (kind: string) => objects.filter((object) => object.kind === kind);
    const names = (kind: string) => of(kind).map(({ outputs }) => String(outputs.name));
    this.pools = of("AgentPool");
    this.isOnCluster = objects.some(({ kind }) => resourceOf(kind)?.api === "cluster");
    this.ids = new Set(objects.map(({ kind, id }) => `${kind} ${id}`));
    this.names = {
      method: new Set(names("AclAuthMethod")),
      role: new Set([...names("AclRole"), ...of("AclRole").map(({ id = "" }) => id)]),
      policy: new Set(names("AclPolicy")),
    };
    const secretNames = (kind: string) => {
      const hidden = new Set(of(kind).flatMap(({ id, outputs }) => (outputs.name === secretMarker ? (id ?? []) : [])));
      // The ID of a method or policy is its name, and the server has shown the names of roles.
      return new Set([...hidden, ...of(kind).flatMap(({ id = "", outputs }) => (hidden.has(id) ? String(outputs.name) : []))]);
    };
    this.secretNames = { method: secretNames("AclAuthMethod"), role: secretNames("AclRole"), policy: secretNames("AclPolicy") };
    const computed = (kind: "role" | "policy") =>
      of("AclBindingRule")
        .flatMap(({ outputs }) => (outputs.bindType === kind ? (boundNames(String(outputs.bindName), undefined) ?? []) : []))
        .filter(({ isComputed }) => isComputed);
    this.computed = { role: computed("role"), policy: computed("policy") };
    this.policies = of("AclPolicy").map(({ outputs }) => outputs);
    this.policiesByName = Object.fromEntries(
      this.policies.map((own): [string, PolicyFacts] => {
        const job = knownJobOf(own);
        return [String(own.name), { rules: typeof own.rules === "string" ? own.rules : undefined, ...(job && { job }) }];
      }),
    );
    this.rules = of("AclBindingRule").map(({ outputs }) => outputs);
    this.methods = grouped(of("AclAuthMethod"), ({ outputs }) => parseDuration(String(outputs.maxTokenTtl)));
  }

  has(kind: string, id: string): boolean {
    return this.ids.has(`${kind} ${id}`);
  }

  hasName(kind: Named, name: string): boolean {
    return this.names[kind].has(name);
  }

  /** The name for output: a name that the state hides stays hidden. */
  shownName(kind: Named, name: string): string {
    return this.secretNames[kind].has(name) ? secretMarker : name;
  }

  /** The value of a property that refers to other objects, with hidden names. Other values stay. */
  shownValue(property: string, value: unknown): unknown {
    const kinds = ownProperty(namedBy, property) ?? [];
    const isSecret = (name: unknown) => typeof name === "string" && kinds.some((kind) => this.secretNames[kind].has(name));
    const shown = (name: unknown) => (isSecret(name) ? secretMarker : name);
    return Array.isArray(value) ? value.map(shown) : shown(value);
  }

  /** Whether a bind name is an object's name, or may become one for some logins. */
  mayBind(kind: "role" | "policy", bindName: string): boolean {
    const possible = boundNames(bindName, undefined);
    return possible !== undefined && [...this.names[kind]].some((name) => possible.test(name));
  }

  /** Whether a rule of the state may compute this name from claims. */
  mayGive(kind: "role" | "policy", name: string): boolean {
    return this.computed[kind].some((names) => names.test(name));
  }

  /** Whether holders of the state's policies may run commands as tasks in a namespace, as far as the rules are known. */
  mayRunIn(namespace: string): boolean {
    return this.policies.some(({ rules }) => typeof rules !== "string" || mayRunIn(grantsOf([rules]), namespace) !== false);
  }

  /**
   * Whether holders of these rules may run commands as tasks that may do everything by policies of the state, directly or by further jobs.
   */
  mayManageByJobs(rules: readonly string[], seen = new Set<PolicyJob>()): boolean {
    const grants = grantsOf(rules);
    return Object.values(this.policiesByName).some(({ job }) => {
      if (job?.namespace === undefined || seen.has(job) || mayRunIn(grants, job.namespace) === false) return false;
      seen.add(job);
      const ofTasks = policiesOfJob(this.policiesByName, job).map((name) => this.policiesByName[name]?.rules);
      const known = ofTasks.flatMap((one) => one ?? []);
      return ofTasks.includes(undefined) || mayBeAll(known) || this.mayManageByJobs(known, seen);
    });
  }

  /** Whether a policy of the state may have the same tasks. */
  hasTasksOf(job: PolicyJob): boolean {
    return this.policies.flatMap((own) => knownJobOf(own) ?? []).some((own) => isAtOrAbove(job, own) || isAtOrAbove(own, job));
  }

  /** The names of the auth methods whose login tokens have the lifetime and the regions of this token. */
  methodsLike({ createTime, expirationTime, global }: TokenStub): readonly unknown[] {
    const milliseconds = expirationTime === undefined ? Number.NaN : Date.parse(expirationTime) - Date.parse(createTime);
    if (!Number.isFinite(milliseconds)) return [];
    const methods = this.methods.get(BigInt(Math.round(milliseconds)) * 1_000_000n) ?? [];
    const other = global ? "local" : "global";
    return methods.flatMap(({ outputs }) => (outputs.tokenLocality === other ? [] : [outputs.name]));
  }

  /** Whether objects of a kind can touch the state's objects. */
  isTouchedBy(kind: string): boolean {
    const { method, role, policy } = this.names;
    if (kind === "AgentToken") return this.pools.length > 0;
    if (kind === "AclRole") return role.size + policy.size + this.computed.role.length > 0;
    // Everybody has the policy `anonymous`.
    if (kind === "AclPolicy") return this.isOnCluster;
    if (kind === "AclToken") return role.size + policy.size > 0;
    return kind === "AclBindingRule" && method.size + role.size + policy.size > 0;
  }
}
