import * as z from "zod";
import { boundNames } from "../../access/bound-names";
import { grouped } from "../../common/grouped";
import { record } from "../../common/record";
import { someOf } from "../../provider/internal";
import { contentOf, type InventoryObject, titleOf } from "../inventory/inventory";
import type { ListedObject } from "../inventory/servers";
import type { Managed } from "./managed";

export const findingKinds = ["orphan", "duplicate", "unreferenced", "elsewhere"] as const;

const method = z.object({ config: z.object({ claimMappings: record(z.string()).optional() }) });
const role = z.object({ policies: z.array(z.string()) });
const toRole = z.object({ authMethod: z.string(), bindType: z.literal("role"), bindName: z.string() });

/** A remark about an object before the import. */
export interface Finding {
  readonly kind: (typeof findingKinds)[number];
  readonly object: InventoryObject;
  readonly message: string;
}

/**
 * Findings about the objects of the servers.
 *
 * @param all all objects that were read, including ones that are not imported
 * @param listed all objects on the servers
 * @param isComplete whether the lists of a kind are complete: otherwise no object is called missing
 */
export function findingsIn(
  all: readonly InventoryObject[],
  { listed, isComplete }: { readonly listed: readonly ListedObject[]; readonly isComplete: (kind: string) => boolean },
): Finding[] {
  const namesOf = (kind: string) => new Set<unknown>(listed.filter((one) => one.kind === kind).map(({ name }) => name));
  const [methods, roles] = [namesOf("AclAuthMethod"), namesOf("AclRole")];
  const rules = all.filter(({ kind }) => kind === "AclBindingRule");
  const orphans = rules.flatMap((object): Finding[] => {
    const { authMethod, bindType, bindName } = object.outputs;
    const label = titleOf(object);
    if (isComplete("AclAuthMethod") && !methods.has(authMethod)) {
      const message = `${label} is of the auth method ${JSON.stringify(authMethod)}, which does not exist: a new method of that name would bring it back to life`;
      return [{ kind: "orphan", object, message }];
    }
    const names = typeof bindName === "string" ? boundNames(bindName, undefined) : undefined;
    if (!isComplete("AclRole") || bindType !== "role" || names?.isComputed || roles.has(names?.constant)) return [];
    // Adds the method to a description, because two rules may have the same one. The label of a rule without a description has the method
    // already.
    const which = object.name === object.id ? label : `${label} of the auth method ${JSON.stringify(authMethod)}`;
    const message = `${which} gives the role ${JSON.stringify(bindName)}, which does not exist: it gives nothing`;
    return [{ kind: "orphan", object, message }];
  });
  const isKnown = isComplete("AclPolicy") && isComplete("AclRole");
  const unwritable = isKnown ? unwritableIn(all, namesOf("AclPolicy")) : [];
  return [...orphans, ...unwritable, ...duplicatesIn(rules), ...unreferencedIn(all, rules, isComplete)];
}

/** Roles that name missing policies. */
function unwritableIn(all: readonly InventoryObject[], policies: ReadonlySet<unknown>): Finding[] {
  return all.flatMap((object): Finding[] => {
    const { data } = object.kind === "AclRole" ? role.safeParse(object.outputs) : {};
    const missing = (data?.policies ?? []).filter((name) => !policies.has(name));
    if (missing.length === 0) return [];
    const [what, verb] = missing.length === 1 ? ["the policy", "does"] : ["the policies", "do"];
    const names = someOf(missing.map((name) => JSON.stringify(name)));
    const message = `${titleOf(object)} names ${what} ${names}, which ${verb} not exist: servers refuse the next change of the role`;
    return [{ kind: "orphan", object, message }];
  });
}

/** Rules with the effect of another one. Rules with secret values are left out. */
function duplicatesIn(rules: readonly InventoryObject[]): Finding[] {
  const known = rules.filter(({ sensitive }) => sensitive === undefined);
  const byEffect = grouped(known, (object) => JSON.stringify({ ...contentOf(object), description: undefined }));
  return [...byEffect.values()].flatMap(([first, ...others]) =>
    others.map((object) => ({ kind: "duplicate", object, message: `${withId(object)} has the effect of ${first && withId(first)}` })),
  );
}

/** An object in a sentence, with its ID: two rules may have the same description, and two tokens the same name. */
export function withId(object: InventoryObject): string {
  return object.name === object.id ? titleOf(object) : `${titleOf(object)} (${object.id})`;
}

/** Roles that no rule gives, not even by a computed name. Tokens may have them. */
function unreferencedIn(
  all: readonly InventoryObject[],
  rules: readonly InventoryObject[],
  isComplete: (kind: string) => boolean,
): Finding[] {
  if (!isComplete("AclBindingRule")) return [];
  const mappings = new Map(
    all.filter(({ kind }) => kind === "AclAuthMethod").map(({ outputs }) => [outputs.name, method.safeParse(outputs).data?.config]),
  );
  const giving = rules.flatMap(({ outputs }) => toRole.safeParse(outputs).data ?? []);
  const names = giving.flatMap(({ bindName, authMethod }) => boundNames(bindName, mappings.get(authMethod)) ?? []);
  const certain = new Set<unknown>(names.flatMap(({ isComputed, constant }) => (isComputed ? [] : [constant])));
  const computed = names.filter(({ isComputed }) => isComputed);
  return all
    .filter(({ kind, outputs }) => kind === "AclRole" && !certain.has(outputs.name))
    .filter(({ outputs }) => !computed.some(({ test }) => test(String(outputs.name))))
    .map((object) => ({ kind: "unreferenced", object, message: `no rule names the role ${JSON.stringify(object.name)}; tokens may` }));
}

/** Objects that other stacks have, and objects of the own stack whose state has another server address. */
export function elsewhereIn(managed: ReadonlyMap<InventoryObject, Managed>): Finding[] {
  return [...managed].map(([object, { source, urn, otherServer }]) => {
    const what = `${titleOf(object)} is in ${source}${urn === undefined ? "" : ` as ${urn}`}`;
    const doubt = `, on ${otherServer}: if that is the same server by another address, leave it out (--without elsewhere)`;
    return { kind: "elsewhere", object, message: otherServer === undefined ? what : what + doubt };
  });
}
