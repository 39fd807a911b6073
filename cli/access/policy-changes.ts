/** What becomes of policies of which the rules change, and of those that go while others name them. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { compareRights, type RightsComparison, type RightsDifference } from "../../access/policy/compare";
import { equalRules } from "../../access/policy/equal";
import { ownProperty } from "../../common/own-property";
import type { InventoryObject } from "../inventory/inventory";
import type { PreviewedChange } from "../inventory/preview";
import type { ComparedModel } from "./comparable";
import type { AccessModel } from "./model";
import { labelOf } from "./words";

/** Who has policies. `policy` is whoever else has this one: by a rule, or by a token that is not among the objects. */
export interface PolicyHolder {
  readonly kind: "role" | "token" | "policy";
  readonly name: string;
  /** Which token it is: several may have one name. */
  readonly key?: string;
  /** All policies that it has. */
  readonly policies: readonly string[];
}

/** What a holder's tokens may do after a change of rules. */
export interface RightsChange extends RightsComparison {
  readonly holder: PolicyHolder;
  /** Its policies of which the rules change. */
  readonly changed: readonly string[];
  /** Its policies of which the rules are not known, before the change or after it: they may allow more, or take away. */
  readonly unknown: readonly string[];
}

/** A policy that goes while others name it. */
export interface PolicyGone {
  readonly name: string;
  readonly roles: readonly string[];
  readonly tokens: readonly string[];
  readonly rules: readonly string[];
}

/** A token that is new, goes, or has another type, other policies or other roles. */
export interface TokenChange {
  readonly name: string;
  /** Undefined on the side that does not have it. */
  readonly before: TokenFacts | undefined;
  readonly after: TokenFacts | undefined;
}

/** What decides what a token may do. */
export interface TokenFacts {
  readonly type: string;
  readonly policies: readonly string[];
  readonly roles: readonly string[];
  /** A part is a secret, or not known before an update. */
  readonly isUnknown?: true;
}

export interface PolicyChanges {
  readonly tokens: readonly TokenChange[];
  readonly rights: readonly RightsChange[];
  readonly gone: readonly PolicyGone[];
}

export function policyChanges(
  before: ComparedModel,
  after: ComparedModel,
  { before: old, after: now, unchanged }: PreviewedChange,
): PolicyChanges {
  const names = [...new Set([...Object.keys(before.policyFacts), ...Object.keys(after.policyFacts)])].sort();
  const [was, is] = [holdersOf(before, old.objects), holdersOf(after, now.objects)];
  const kept = new Set(
    now.objects.flatMap(({ kind, urn, outputs }) => (kind === "AclPolicy" && urn && unchanged.has(urn) ? [outputs.name] : [])),
  );
  const changed = names.filter((name) => !kept.has(name) && ownProperty(after.policyFacts, name) && mayDiffer(before, after, name));
  return {
    tokens: tokenChanges(old.objects, now.objects),
    rights: changed.length > 0 ? rightsChanges(before, after, { changed, was, is }) : [],
    gone: names.filter((name) => !ownProperty(after.policyFacts, name)).flatMap((name) => goneOf(name, after, is)),
  };
}

/** Whether the rules of a policy change, or may. */
function mayDiffer(before: AccessModel, after: AccessModel, name: string): boolean {
  const [old, now] = [before, after].map(({ policyFacts }) => ownProperty(policyFacts, name)?.rules);
  return old === undefined || now === undefined || !equalRules(old, now);
}

interface Holders {
  readonly changed: readonly string[];
  readonly was: readonly PolicyHolder[];
  readonly is: readonly PolicyHolder[];
}

/** Of whoever has a policy before and after: what else changes for others is said by the names of what they get. */
function rightsChanges(before: AccessModel, after: AccessModel, { changed, was, is }: Holders): RightsChange[] {
  const keyOf = ({ kind, name, key = name }: PolicyHolder) => `${kind} ${key}`;
  const old = new Map(was.map((holder) => [keyOf(holder), holder]));
  const both = is.flatMap((holder): PolicyHolder[] => {
    const policies = holder.policies.filter((policy) => old.get(keyOf(holder))?.policies.includes(policy));
    return policies.some((policy) => changed.includes(policy)) ? [{ ...holder, policies }] : [];
  });
  // A policy that nobody is known to have may be that of tokens that were made by hand.
  const held = new Set(is.flatMap(({ policies }) => policies));
  const alone = changed
    .filter((name) => !held.has(name) && ownProperty(before.policyFacts, name))
    .map((name): PolicyHolder => ({ kind: "policy", name, policies: [name] }));
  return [...both, ...alone].map((holder) => {
    const texts = (model: AccessModel) => holder.policies.map((name) => ownProperty(model.policyFacts, name)?.rules);
    const [old, now] = [texts(before), texts(after)];
    const isKnown = (_: unknown, index: number) => old[index] !== undefined && now[index] !== undefined;
    const rules = (all: readonly (string | undefined)[]) => all.filter(isKnown).flatMap((text) => text ?? []);
    return {
      holder,
      changed: holder.policies.filter((name) => changed.includes(name)),
      unknown: holder.policies.filter((name, index) => !isKnown(name, index)),
      ...compareRights(rules(old), rules(now)),
    };
  });
}

function goneOf(name: string, after: AccessModel, holders: readonly PolicyHolder[]): PolicyGone[] {
  const ofKind = (kind: PolicyHolder["kind"]) =>
    holders.filter((holder) => holder.kind === kind && holder.policies.includes(name)).map((holder) => holder.name);
  const rules = after.rules
    .filter(({ bindType, bindName }) => bindType === "policy" && bindName === name)
    .map((rule) => labelOf(after, rule));
  const gone = { name, roles: ofKind("role"), tokens: ofKind("token"), rules };
  return gone.roles.length + gone.tokens.length + rules.length > 0 ? [gone] : [];
}

const tokenFacts = z.object({
  type: z.string(),
  policies: z.array(z.string()).default([]),
  roles: z.array(z.string()).default([]),
});

/** The tokens of a side, by URN, ID or name. */
function tokensOf(objects: readonly InventoryObject[]): ReadonlyMap<string, { readonly name: string; readonly facts: TokenFacts }> {
  return new Map(
    objects.flatMap(({ kind, urn, id, name, outputs }) => {
      if (kind !== "AclToken") return [];
      const { data } = tokenFacts.safeParse(outputs);
      const facts: TokenFacts = data ?? { type: String(outputs.type), policies: [], roles: [], isUnknown: true };
      return [[urn ?? id ?? name, { name, facts }] as const];
    }),
  );
}

function tokenChanges(before: readonly InventoryObject[], after: readonly InventoryObject[]): TokenChange[] {
  const [old, now] = [tokensOf(before), tokensOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key): TokenChange[] => {
    const [was, is] = [old.get(key), now.get(key)];
    if (isDeepStrictEqual(was?.facts, is?.facts)) return [];
    return [{ name: (is ?? was)?.name ?? key, before: was?.facts, after: is?.facts }];
  });
}

/** Roles, tokens, and the policies that rules give by themselves. */
function holdersOf(model: AccessModel, objects: readonly InventoryObject[]): PolicyHolder[] {
  const roles = Object.entries(model.roles).map(([name, policies]): PolicyHolder => ({ kind: "role", name, policies }));
  const tokens = [...tokensOf(objects)].map(([key, { name, facts }]): PolicyHolder => {
    return { kind: "token", name, key, policies: facts.policies };
  });
  const given = new Set(model.rules.flatMap(({ bindType, bindName = "" }) => (bindType === "policy" ? [bindName] : [])));
  const policies = [...given].map((name): PolicyHolder => ({ kind: "policy", name, policies: [name] }));
  return [...roles, ...tokens, ...policies];
}

/** The differences of one direction. */
export function differencesTo(isMore: boolean, differences: readonly RightsDifference[]): RightsDifference[] {
  return differences.filter(({ before, after }) => (isMore ? after === true : before === true));
}
