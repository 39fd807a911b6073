/** What several roles and policies of a login do to each other: a more exact pattern, or a deny, takes away what others give. */
import type { AccessChanges } from "../../access/changes";
import { targetsOf } from "../../access/graph";
import { compareRights } from "../../access/policy/compare";
import { type Grants, grantsOf } from "../../access/policy/grants";
import type { Patterns } from "../../access/policy/patterns";
import type { Finding } from "./finding";
import { listed } from "./markup";
import type { AccessModel } from "./model";
import { likeManagement, rulesOfGiven } from "./rights";

/** A role or a policy that rules of a method give, and the rules of its policies, as far as they are known. */
interface Gift {
  readonly kind: "role" | "policy";
  readonly name: string;
  readonly rules: readonly string[];
}
type Gifts = ReadonlyMap<string, Gift>;

/** Of logins that get something that changes beside something else: what that says of each alone is not all. */
export function togetherFindings(before: AccessModel, after: AccessModel, { grants }: Pick<AccessChanges, "grants">): Finding[] {
  const [was, is] = [giftsByMethod(before), giftsByMethod(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((method) => {
    const [old, now]: [Gifts, Gifts] = [was.get(method) ?? new Map(), is.get(method) ?? new Map()];
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
      const gift = now.get(key) ?? old.get(key);
      const change = grants.find((one) => one.method === method && one.given.kind === gift?.kind && one.given.names.includes(gift.name));
      if (!gift || change?.relation === "crossing" || change?.relation === "undecided") return [];
      const rulesBefore = change?.relation === "wider" ? [] : (old.get(key)?.rules ?? []);
      const rulesAfter = change?.relation === "narrower" ? [] : (now.get(key)?.rules ?? []);
      if (JSON.stringify(rulesBefore) === JSON.stringify(rulesAfter)) return [];
      const others = [...now].flatMap(([other, one]) => (other === key ? [] : [one]));
      return findingsOfGift(method, gift, others, [rulesBefore, rulesAfter]);
    });
  });
}

function giftsByMethod(model: AccessModel): Map<string, Map<string, Gift>> {
  const methods = new Map(model.methods.map((method) => [method.name, method]));
  const all = new Map<string, Map<string, Gift>>();
  for (const rule of model.rules) {
    const gifts = all.get(rule.authMethod) ?? new Map<string, Gift>();
    all.set(rule.authMethod, gifts);
    for (const { toKind: kind, to: name, exists } of targetsOf(rule, methods.get(rule.authMethod), model)) {
      if (exists && (kind === "role" || kind === "policy") && !gifts.has(`${kind} ${name}`)) {
        gifts.set(`${kind} ${name}`, { kind, name, rules: rulesOfGiven(model, kind, name) });
      }
    }
  }
  return all;
}

const known = new WeakMap<Gift, Grants>();
function merge(gift: Gift): Grants {
  const grants = known.get(gift) ?? grantsOf(gift.rules);
  known.set(gift, grants);
  return grants;
}

function findingsOfGift(
  method: string,
  { kind, name }: Gift,
  others: readonly Gift[],
  [before, after]: readonly [readonly string[], readonly string[]],
): Finding[] {
  const [old, now] = [before, after].map((rules) => ({ rules, grants: grantsOf(rules) }));
  if (!old || !now) return [];
  const taken = others.map((other) => {
    const merged = { rules: other.rules, grants: merge(other) };
    return { other, was: takenFrom(merged, old), is: takenFrom(merged, now) };
  });
  const subject = ["logins of ", { code: method }, ` that get the ${kind} `, { code: name }, " beside "];
  const more = taken.filter(({ was, is }) => [...was].some((one) => !is.has(one)));
  const less = taken.filter(({ was, is }) => [...is].some((one) => !was.has(one)));
  const names = (some: typeof taken) => listed(some.map(({ other }) => other.name));
  const equal = likeManagement.map(({ ask }) => JSON.stringify([ask]));
  const isAll = more.some(({ was, is }) => equal.some((one) => was.has(one) && !is.has(one)));
  return [
    ...(more.length > 0
      ? [
          {
            kinds: [...(isAll ? (["management"] as const) : []), "widened" as const],
            sentence: [...subject, ...names(more), " may do more: it takes less from what these allow"],
          },
        ]
      : []),
    ...(less.length > 0
      ? [{ kinds: ["narrowed" as const], sentence: [...subject, ...names(less), " may do less: it takes from what these allow"] }]
      : []),
  ];
}

/** Rules that are merged: each is looked at beside many. */
interface Merged {
  readonly rules: readonly string[];
  readonly grants: Grants;
}

/** The questions that rules allow alone, and no longer with others beside them. */
function takenFrom({ rules, grants }: Merged, { rules: others, grants: taking }: Merged): ReadonlySet<string> {
  if (others.length === 0 || !mayTake(taking, grants)) return new Set();
  const { differences } = compareRights(rules, [...rules, ...others]);
  const taken = differences.filter(({ before, after }) => before === true && after !== true);
  return new Set(
    taken.map(({ ask, namespace, path, name }) => JSON.stringify([ask, namespace, path, name].filter((one) => one !== undefined))),
  );
}

/** Whether one may take from the other at all: most have no deny, and no patterns in common. */
function mayTake(one: Grants, other: Grants): boolean {
  const kinds = ["namespace", "node_pool", "host_volume"] as const;
  const denies = (patterns: Patterns<{ capabilities: ReadonlySet<string> }>) => patterns.all.some((all) => all.capabilities.has("deny"));
  return (
    Object.values(one.levels).includes("deny") ||
    [one.operator, one.sentinel].some(({ capabilities }) => capabilities.has("deny")) ||
    kinds.some((kind) => denies(one.named[kind]) || mayMeet(one.named[kind].names, other.named[kind].names)) ||
    mayMeet(one.variables.names, other.variables.names)
  );
}

function mayMeet(names: readonly string[], patterns: readonly string[]): boolean {
  return patterns.some((pattern) => pattern.includes("*") && names.some((name) => name !== pattern && begins(name, pattern)));
}

/** Whether what stands before the first wildcards agrees. */
function begins(name: string, pattern: string): boolean {
  const [one, other] = [beforeWildcard(name), beforeWildcard(pattern)];
  return one.startsWith(other) || (name.includes("*") && other.startsWith(one));
}

function beforeWildcard(name: string): string {
  const at = name.indexOf("*");
  return at < 0 ? name : name.slice(0, at);
}
