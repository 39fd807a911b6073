import type { GrantChange } from "./grants";
import { byName, rulesByMethod, selectorKey } from "./grants";
import type { BindingRule, ComparedObjects, HiddenRule } from "./graph";
import { failingByBindName } from "./graph";
import type { LoginMethod } from "./login";

/**
 * A change of the rules that end logins: rules for management, and rules that fail logins. If a login matches both, the first one in the
 * servers' order decides.
 */
export interface OrderChange {
  readonly method: string;
  /** `before` and `after`: the IDs of the rules on each side, in the servers' order as far as it is known. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /**
   * Whether both sides have the same rules. Their order is then undecided, because the servers' IDs determine it, and new rules have none
   * yet.
   */
  readonly isSame: boolean;
}

/** A rule that ends a login, so later rules are not tried. */
interface End {
  readonly id: string;
  /** Whether the rule is new, so its place in the order is unknown. */
  readonly isNew: boolean;
  readonly manages: boolean;
  readonly fails: boolean;
  readonly bindName: string | undefined;
  /** Equal for rules that end the same logins. */
  readonly key: string;
}

/** The methods whose logins may get management instead of an error, or the reverse, unless one reported change of grants explains it. */
export function orderChanges(before: ComparedObjects, after: ComparedObjects, grants: readonly GrantChange[]): OrderChange[] {
  const [was, is] = [endsByMethod(before, after), endsByMethod(after, before)];
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((method): OrderChange[] => {
    const [old, now] = [was.get(method) ?? [], is.get(method) ?? []];
    if (!dependsOnOrder(old) && !dependsOnOrder(now)) return [];
    const { common, differing } = compared(old, now);
    if (differing.length === 0) return [];
    const ofMethod = grants.filter((change) => change.method === method);
    if (isSaid(differing, common, ofMethod)) return [];
    const ids = (ends: readonly End[]) => ends.map(({ id }) => id);
    return [
      { method, before: ids(old), after: ids(now), isSame: [...old, ...now].every(({ isNew }) => isNew) && keysOf(old) === keysOf(now) },
    ];
  });
}

function keysOf(ends: readonly End[]): string {
  return JSON.stringify(ends.map(({ key }) => key).sort());
}

function dependsOnOrder(ends: readonly End[]): boolean {
  return ends.length > 1 && ends.some(({ manages }) => manages) && ends.some(({ fails }) => fails);
}

/** A rule that only one side has, or the two versions of a rule that differs. */
interface Difference {
  readonly old?: End;
  readonly now?: End;
}

function compared(old: readonly End[], now: readonly End[]): { common: End[]; differing: Difference[] } {
  const places = new Map(now.filter(({ isNew }) => !isNew).map((end) => [end.id, end]));
  const common: End[] = [];
  const differing: Difference[] = [];
  for (const end of old) {
    const place = end.isNew ? undefined : places.get(end.id);
    if (place) places.delete(end.id);
    if (place?.key === end.key) common.push(end);
    else differing.push({ old: end, ...(place && { now: place }) });
  }
  const added = [...places.values(), ...now.filter(({ isNew }) => isNew)];
  return { common, differing: [...differing, ...added.map((end): Difference => ({ now: end }))] };
}

/**
 * Whether a reported change of grants explains the differences: a single rule differs, and no other rule of its kind compensates for it.
 */
function isSaid([one, ...others]: readonly Difference[], common: readonly End[], grants: readonly GrantChange[]): boolean {
  const ends = [one?.old, one?.now].filter((end) => end !== undefined);
  if (others.length > 0 || ends.some(({ manages, fails }) => manages && fails)) return false;
  const isOfOneKind = new Set(ends.map(({ manages }) => manages)).size === 1;
  const isInPlace = ends.length > 1;
  if (!isOfOneKind || (isInPlace && common.some((end) => ends.some((one) => (one.manages ? end.manages : end.fails))))) return false;
  return ends.every(({ manages, bindName }) =>
    grants.some(({ given }) => (manages ? given.kind === "management" : given.kind === "failure" && given.names.includes(bindName ?? ""))),
  );
}

function endsByMethod(objects: ComparedObjects, other: ComparedObjects): ReadonlyMap<string, End[]> {
  const methods = byName(objects.methods);
  const ends = [...rulesByMethod(objects, other)].map(([name, rules]): [string, End[]] => {
    const known = rules.flatMap((rule) => endOf(rule, methods.get(name)) ?? []);
    const hidden = (objects.hiddenRules ?? []).filter(({ authMethod = name }) => authMethod === name).map(hiddenEnd);
    return [name, [...known, ...hidden].sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)))];
  });
  return new Map(ends);
}

function endOf(rule: BindingRule, method: LoginMethod | undefined): End | undefined {
  const { id, isNew = false, bindType, bindName } = rule;
  const manages = bindType === "management";
  const failing = failingByBindName(rule, method);
  const fails = failing !== "none";
  if (!manages && !fails) return undefined;
  return { id, isNew, manages, fails, bindName, key: JSON.stringify([manages, failing, fails && bindName, selectorKey(rule)]) };
}

function hiddenEnd({ id, isNew = false, bindName }: HiddenRule): End {
  return { id, isNew, manages: true, fails: true, bindName, key: `hidden ${id}` };
}
