import * as z from "zod";
import type { BindingRule } from "../../provider/access/graph";
import type { LoginMethod } from "../../provider/access/login";
import { record } from "../../provider/model/record";
import { CommandError } from "../command-line";
import { type Inventory, type InventoryObject, isUncertain } from "../inventory/inventory";
import type { AccessModel, Undecided } from "./model";

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

/** What is known of a cluster beside an inventory of it. */
export interface ClusterFacts {
  /** The names of the policies that exist, where they are known. */
  readonly policies?: readonly string[] | undefined;
}

/** @param cluster given where the inventory is all that a cluster has. @throws CommandError for an object of an unknown form */
export function accessModel({ source, objects, gaps }: Inventory, cluster?: ClusterFacts): AccessModel {
  const policies = cluster?.policies;
  const undecided: Undecided[] = [];
  const known = <T extends z.ZodObject>(kind: string, schema: T, what: Undecided["kind"]) =>
    objects
      .filter((object) => object.kind === kind)
      .flatMap((object) => {
        const part = unknownPart(schema, object);
        if (part === undefined) return [{ object, values: valuesOf(schema, object, { source, what }) }];
        undecided.push(undecidedOf(object, what, part));
        return [];
      });
  const methods = known("AclAuthMethod", method, "method").map(({ values }) => values);
  const roles = Object.fromEntries(known("AclRole", role, "role").map(({ values }) => [values.name, values.policies]));
  const labels = new Map<string, string>();
  const rules = known("AclBindingRule", rule, "rule").map(({ object, values }, index): BindingRule => {
    // Without an ID, its place among the rules is not known. The sign comes after those of IDs.
    const id = object.id ?? `~${index}`;
    labels.set(id, labelOf(object));
    return {
      id,
      authMethod: values.authMethod,
      selector: values.selector ?? "",
      bindType: values.bindType,
      bindName: values.bindName ?? "",
      ...(object.id === undefined && { isNew: true }),
    };
  });
  const isWhole = (kind: string) => cluster !== undefined && !gaps.some((gap) => gap.kind === kind);
  const assumed = [...Object.values(roles).flat(), ...rules.flatMap((one) => (isPlainPolicy(one) ? [one.bindName ?? ""] : []))];
  return {
    source,
    isWhole: { method: isWhole("AclAuthMethod"), role: isWhole("AclRole"), policy: policies !== undefined },
    hasGaps: gaps.length > 0,
    defaultMethod: methods.find((one) => one.default)?.name,
    methods: methods.map(loginMethod),
    rules,
    roles,
    policies: [...new Set(policies ?? assumed)].sort(),
    labels,
    undecided,
  };
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

function isPlainPolicy({ bindType, bindName = "" }: BindingRule): boolean {
  return bindType === "policy" && !bindName.includes("${");
}

/** The first property of those that decide which is a secret, or is not known. */
function unknownPart(schema: z.ZodObject, { outputs }: InventoryObject): string | undefined {
  return Object.entries(schema.shape).flatMap(([name, inner]) => {
    const value = outputs[name];
    if (!(inner instanceof z.ZodObject)) return isUncertain(value) ? [name] : [];
    if (isUncertain(value) && (typeof value !== "object" || value === null)) return [name];
    const within = record(z.unknown()).catch({}).parse(value);
    return Object.keys(inner.shape).flatMap((key) => (isUncertain(within[key]) ? [`${name}.${key}`] : []));
  })[0];
}

const kindNames = { method: "auth method", rule: "binding rule", role: "role" } as const;

function undecidedOf(object: InventoryObject, kind: Undecided["kind"], part: string): Undecided {
  const name = labelOf(object);
  const known = ["authMethod", "bindType", "bindName"].flatMap((property) => {
    const value = certainText(object.outputs[property]);
    return value === undefined ? [] : [[property, value]];
  });
  return {
    object: `${kindNames[kind]} ${JSON.stringify(name)}`,
    kind,
    name,
    ...Object.fromEntries(known),
    ...(object.urn !== undefined && { urn: object.urn }),
    part,
  };
}

/** The name of an object on the server, or what there is instead: rules have none. */
function labelOf({ kind, outputs, urn, id }: InventoryObject): string {
  const own = certainText(kind === "AclBindingRule" ? outputs.description : outputs.name);
  return own || (urn?.slice(urn.lastIndexOf("::") + 2) ?? id ?? "");
}

function certainText(value: unknown): string | undefined {
  return typeof value === "string" && !isUncertain(value) ? value : undefined;
}
