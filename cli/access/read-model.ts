import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { boundNames } from "../../access/bound-names";
import type { BindingRule } from "../../access/graph";
import type { LoginMethod } from "../../access/login";
import { jobOf, type PolicyFacts } from "../../access/policy/management";
import { record } from "../../common/record";
import { recordOf, unknown } from "../../common/unknown";
import { CommandError } from "../command-line";
import { leftOutOf } from "../inventory/bridged";
import { unknownName } from "../inventory/hidden";
import { type Inventory, type InventoryObject, isUncertain } from "../inventory/inventory";
import type { AccessModel, Undecided } from "./model";
import { toRequirements } from "./requirements";

const text = z.string();
const names = record(z.string()).nullish();
const method = z.object({
  name: text,
  type: text,
  tokenLocality: text,
  tokenNameFormat: text.nullish(),
  maxTokenTtl: text.nullish(),
  default: z.boolean().nullish(),
  config: z.object({ claimMappings: names, listClaimMappings: names }),
});
const role = z.object({ name: text, policies: z.array(text) });
const rule = z.object({
  authMethod: text,
  selector: text.nullish(),
  bindType: z.enum(["role", "policy", "management"]),
  bindName: text.nullish(),
});

const schemas: Readonly<Record<string, readonly [Undecided["kind"], z.ZodObject]>> = {
  AclAuthMethod: ["method", method],
  AclRole: ["role", role],
  AclBindingRule: ["rule", rule],
};

/** Whether objects of a kind affect logins or their permissions. */
export function decides(kind: string): boolean {
  return kind in schemas || kind === "AclPolicy";
}

const namedPolicy = z.object({ name: text });
const jobOfPolicy = z.object({ namespace: text.nullish(), jobId: text.nullish(), group: text.nullish(), task: text.nullish() }).nullish();

/** A model with its sources. */
export interface ReadModel extends AccessModel {
  /** The source objects of the rules, by the rules' IDs. */
  readonly ruleObjects: ReadonlyMap<string, InventoryObject>;
}

/** Facts about a cluster in addition to its inventory. */
export interface ClusterFacts {
  /** The names of the policies that exist, if they are known. */
  readonly policies?: readonly string[] | undefined;
}

/**
 * @param cluster given if the inventory is all that a cluster has
 * @param hidden the objects to include despite an unknown selector or unknown policies, and a text for each: equal texts stand for
 * equal values
 * @throws CommandError for an object of an unknown form
 */
export function toAccessModel(
  inventory: Inventory,
  cluster?: ClusterFacts,
  hidden: ReadonlyMap<InventoryObject, string> = new Map(),
): ReadModel {
  const { source, objects, gaps } = inventory;
  const policies = cluster?.policies;
  const undecided: Undecided[] = [];
  const known = <T extends z.ZodObject>(kind: string, schema: T, what: Undecided["kind"]) =>
    objects
      .filter((object) => object.kind === kind)
      .flatMap((object) => {
        const part = unknownParts(schema, object)[0];
        if (part === undefined) return [{ object, values: valuesOf(schema, object, { source, what }) }];
        if (hidden.has(object)) return [{ object, values: valuesOf(schema, withTexts(object), { source, what }) }];
        undecided.push(undecidedOf(object, what, part));
        return [];
      });
  const single = <T>([first, ...others]: readonly [Known<T>, ...Known<T>[]], what: Undecided["kind"]) => {
    if (others.length === 0) return [first];
    undecided.push({ ...undecidedOf(first.object, what, "name"), isTwice: true });
    return [];
  };
  const read = byName(named(known("AclAuthMethod", method, "method"))).flatMap(([, all]) => single(all, "method"));
  const methods = read.map(({ object, values }) => ({ ...loginMethod(values), ...toRequirements(object.outputs.config) }));
  const roles = Object.fromEntries(
    byName(named(known("AclRole", role, "role"))).flatMap(([name, all]) =>
      single(all, "role").map(({ values }) => [name, values.policies] as const),
    ),
  );
  const labels = new Map<string, string>();
  const ruleObjects = new Map<string, InventoryObject>();
  const rules = known("AclBindingRule", rule, "rule").map(({ object, values }, index): BindingRule => {
    // Servers order rules by ID, so the place of a rule without an ID is unknown. `~` sorts after all characters of IDs.
    const id = object.id ?? `~${index}`;
    labels.set(id, labelOf(object));
    ruleObjects.set(id, object);
    return {
      id,
      authMethod: values.authMethod,
      selector: values.selector ?? "",
      bindType: values.bindType,
      bindName: values.bindName ?? "",
      ...(object.id === undefined && { isNew: true }),
      ...(hidden.has(object) && { hiddenSelector: hidden.get(object) }),
    };
  });
  const isWhole = (kind: string) => cluster !== undefined && !gaps.some((gap) => gap.kind === kind);
  const allPolicies = objects.filter(({ kind }) => kind === "AclPolicy");
  const unnamed = allPolicies.filter(({ outputs }) => isUncertain(outputs.name));
  const policyFacts = factsOf(allPolicies.filter((object) => !unnamed.includes(object)));
  for (const object of allPolicies) if (!unnamed.includes(object)) valuesOf(namedPolicy, object, { source, what: "policy" });
  undecided.push(...unnamed.map((object) => undecidedOf(object, "policy", "name")));
  const assumed = [...Object.keys(policyFacts), ...Object.values(roles).flat(), ...rules.flatMap(plainPolicies)];
  return {
    source,
    isWhole: { method: isWhole("AclAuthMethod"), role: isWhole("AclRole"), policy: policies !== undefined },
    hasGaps: gaps.length > 0,
    missingKinds: cluster ? [] : [...Object.keys(schemas), "AclPolicy"].filter((kind) => !objects.some((object) => object.kind === kind)),
    bridged: leftOutOf(inventory),
    defaultMethod: defaultIn(objects),
    methods,
    rules,
    roles,
    policies: [...new Set(policies ?? assumed)].sort(),
    policyFacts,
    unnamedPolicies: unnamed.map(policyFactsOf),
    hasUnnamedRoles: objects.some(isUnnamedRole),
    ruleObjects,
    labels,
    undecided,
  };
}

/**
 * The name of the default method, even if other parts of the method are unknown. Undefined if several methods are the default, as in a
 * state that is older than the server's choice.
 */
function defaultIn(objects: readonly InventoryObject[]): string | undefined {
  const all = objects.filter(({ kind, outputs }) => kind === "AclAuthMethod" && outputs.default === true);
  const [name, ...others] = new Set(all.map(({ outputs }) => certainText(outputs.name)));
  return others.length === 0 ? name : undefined;
}

interface Known<T> {
  readonly object: InventoryObject;
  readonly values: T;
}

function named<T extends { readonly name: string }>(all: readonly Known<T>[]): (readonly [string, Known<T>])[] {
  return all.map((one) => [one.values.name, one]);
}

/** Groups objects by name: if several share one, it is unknown which of them the cluster has. */
function byName<T>(entries: readonly (readonly [string, T])[]): (readonly [string, readonly [T, ...T[]]])[] {
  const named = new Map<string, readonly [T, ...T[]]>();
  for (const [name, one] of entries) {
    const [first, ...others] = named.get(name) ?? [];
    named.set(name, first === undefined ? [one] : [first, ...others, one]);
  }
  return [...named];
}

/** The name of a policy, or a label that no policy has as its name. */
export function policyName(object: InventoryObject): string {
  return certainText(object.outputs.name) ?? `${labelOf(object)} (secret or unknown name)`;
}

/**
 * The permissions of policies. Rules are unknown if they are secret, unknown before an update, or belong to one of two policies with the
 * same name.
 */
export function factsOf(policies: readonly InventoryObject[]): Record<string, PolicyFacts> {
  const facts = policies.map((object) => [policyName(object), policyFactsOf(object)] as const);
  return Object.fromEntries(
    byName(facts).map(([name, [first, ...others]]) => {
      if (others.length === 0) return [name, first];
      const isOneJob = others.every(({ job }) => isDeepStrictEqual(job, first.job));
      return [name, { rules: undefined, ...(isOneJob ? first.job && { job: first.job } : { job: {} }) }];
    }),
  );
}

export function isUnnamedRole({ kind, outputs }: InventoryObject): boolean {
  return kind === "AclRole" && isUncertain(outputs.name);
}

/** The rules of one policy, and the job that it belongs to. Malformed values count as unknown. */
export function policyFactsOf({ outputs }: InventoryObject): PolicyFacts {
  const isHidden = isUncertain(outputs.jobAcl) || !jobOfPolicy.safeParse(outputs.jobAcl).success;
  const job = isHidden ? {} : jobOf(outputs.jobAcl);
  return { rules: certainText(outputs.rules), ...(job && { job }) };
}

/** @throws CommandError for an object of another form */
function valuesOf<T extends z.ZodObject>(
  schema: T,
  object: InventoryObject,
  { source, what }: { source: string; what: Undecided["kind"] },
): z.output<T> {
  const parsed = schema.safeParse(object.outputs);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: "" }] = parsed.error.issues;
  throw new CommandError(
    `${source}: this version can't read the ${kindNames[what]} ${JSON.stringify(labelOf(object))}: ${path.join(".")}: ${message}. ` +
      "Write the file again, or use a newer version of this package.",
  );
}

function loginMethod({ config, tokenNameFormat, maxTokenTtl, ...values }: z.output<typeof method>): LoginMethod {
  return {
    name: values.name,
    type: values.type,
    tokenLocality: values.tokenLocality,
    tokenNameFormat: tokenNameFormat ?? undefined,
    maxTokenTtl: maxTokenTtl ?? undefined,
    claimMappings: config.claimMappings ?? {},
    listClaimMappings: config.listClaimMappings ?? {},
  };
}

/** The policy that a rule gives, if claims do not decide its name. */
function plainPolicies({ bindType, bindName = "" }: BindingRule): string[] {
  const names = bindType === "policy" ? boundNames(bindName, undefined) : undefined;
  return names && !names.isComputed ? [names.constant] : [];
}

/** An object with texts instead of its secret and unknown values. */
function withTexts({ outputs, ...object }: InventoryObject): InventoryObject {
  const textOf = (value: unknown): unknown => (value === unknown ? unknownName : Array.isArray(value) ? value.map(textOf) : value);
  const { policies } = outputs;
  const known = Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, textOf(value)]));
  return { ...object, outputs: policies === undefined ? known : { ...known, policies: [textOf(policies)].flat() } };
}

/** The secret or unknown parts that affect logins; undefined if there are none, as for objects of other kinds. */
export function uncertainPartsOf(object: InventoryObject): readonly [first: Undecided, ...others: Undecided[]] | undefined {
  const [what, schema] = schemas[object.kind] ?? [];
  const [first, ...others] = what && schema ? unknownParts(schema, object).map((part) => undecidedOf(object, what, part)) : [];
  return first && [first, ...others];
}

/** The deciding properties that are secret or unknown. */
function unknownParts(schema: z.ZodObject, { outputs }: InventoryObject): string[] {
  return Object.entries(schema.shape).flatMap(([name, inner]) => {
    const value = outputs[name];
    if (!(inner instanceof z.ZodObject)) return isUncertain(value) ? [name] : [];
    if (isUncertain(value) && (typeof value !== "object" || value === null)) return [name];
    const within = recordOf(value);
    return Object.keys(inner.shape).flatMap((key) => (isUncertain(within[key]) ? [`${name}.${key}`] : []));
  });
}

const kindNames = { method: "auth method", rule: "binding rule", role: "role", policy: "policy" } as const;

export function undecidedOf(object: InventoryObject, kind: Undecided["kind"], part: string): Undecided {
  const name = labelOf(object);
  const known = ["authMethod", "bindType", "bindName"].flatMap((property) => {
    const value = certainText(object.outputs[property]);
    return value === undefined ? [] : [[property, value]];
  });
  const { policies } = object.outputs;
  return {
    object: `${kindNames[kind]} ${JSON.stringify(name)}`,
    kind,
    name,
    ...(kind !== "rule" && certainText(object.outputs.name) === undefined && { isNameHidden: true }),
    ...Object.fromEntries(known),
    ...(kind === "role" && Array.isArray(policies) && { policies: policies.flatMap((one) => certainText(one) ?? []) }),
    ...(object.urn !== undefined && { urn: object.urn }),
    part,
  };
}

/**
 * The label of an object: its name on the server or, for a rule, its description. Otherwise, its name in the program, its ID, or the grant
 * of the rule.
 */
function labelOf({ kind, outputs, urn, id }: InventoryObject): string {
  const name = certainText(kind === "AclBindingRule" ? outputs.description : outputs.name);
  return name || (urn?.slice(urn.lastIndexOf("::") + 2) ?? id ?? (kind === "AclBindingRule" ? giftOf(outputs) : ""));
}

/** The label of a rule with neither description nor ID: its method, grant and selector. */
function giftOf({ authMethod, selector, bindType, bindName }: InventoryObject["outputs"]): string {
  const [method, target] = [certainText(authMethod), bindType === "management" ? "management" : certainText(bindName)];
  const known = [method, target, certainText(selector)].filter((one) => one);
  return known.join(", ") || "without a description";
}

/** A text that is neither secret nor unknown. */
export function certainText(value: unknown): string | undefined {
  return typeof value === "string" && !isUncertain(value) ? value : undefined;
}
