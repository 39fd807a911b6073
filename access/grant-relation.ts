import type { BindingRule } from "./graph";
import type { LoginMethod } from "./login";
import type { SelectorRelation } from "./selector-relation";
import { relationOfSelections } from "./selector-relation";

/** A rule that gives something, or ends logins. */
export interface Granting {
  readonly rule: BindingRule;
  /** Whether claims decide what it gives. */
  readonly computed: boolean;
}

/** The grants that the other side lacks: its selector, and a computed name, are what matters. */
export function without(grants: readonly Granting[], others: readonly Granting[]): Granting[] {
  const keyOf = ({ rule, computed }: Granting) => (computed ? JSON.stringify([selectorKey(rule), rule.bindName]) : selectorKey(rule));
  const known = [true, false].map((computed) => new Set(others.filter((other) => other.computed === computed).map(keyOf)));
  return grants.filter((grant) => !known[grant.computed ? 0 : 1]?.has(keyOf(grant)));
}

interface SideGrants {
  readonly all: readonly Granting[];
  readonly changed: readonly Granting[];
}

/** The same for rules of the same selector. One that nobody can read is equal to itself only. */
export function selectorKey({ selector = "", hiddenSelector }: BindingRule): string {
  return hiddenSelector === undefined ? selector : `hidden ${JSON.stringify(hiddenSelector)}`;
}

/** How the logins relate that rules of a method select before and after a change. */
export function comparison(
  methodBefore: LoginMethod | undefined,
  methodAfter: LoginMethod | undefined,
): (before: SideGrants, after: SideGrants) => SelectorRelation {
  const isMappedAlike = hasSameMappings(methodBefore ?? {}, methodAfter ?? {});
  const selected = (before: readonly Granting[], after: readonly Granting[]): SelectorRelation => {
    // Of a computed name, the claims decide who gets what, and not the selector alone.
    const isOpen = ({ rule, computed }: Granting) => computed || rule.hiddenSelector !== undefined;
    if ([...before, ...after].some(isOpen) || !methodBefore || !methodAfter) return "undecided";
    return relationOfSelections(
      { selectors: selectorsOf(before), mappings: methodBefore },
      { selectors: selectorsOf(after), mappings: methodAfter },
    );
  };
  return (before, after) => {
    if (before.all.length === 0) return selectsNobody(after.all, methodAfter) ? "same" : "wider";
    if (after.all.length === 0) return selectsNobody(before.all, methodBefore) ? "same" : "narrower";
    if (isMappedAlike && before.changed.length === 0 && after.changed.length === 0) return "same";
    const whole = selected(before.all, after.all);
    if (whole !== "undecided" || !isMappedAlike) return whole;
    // A rule more shuts no login out, whatever its selector says.
    if (before.changed.length === 0) return selectsNobody(after.changed, methodAfter) ? "same" : "wider";
    if (after.changed.length === 0) return selectsNobody(before.changed, methodBefore) ? "same" : "narrower";
    const changed = selected(before.changed, after.changed);
    return changed === "crossing" ? "undecided" : changed;
  };
}

/** Whether it is certain that no login of the method gets anything by these. */
function selectsNobody(grants: readonly Granting[], method: LoginMethod | undefined): boolean {
  if (!method || grants.some(({ rule }) => rule.hiddenSelector !== undefined)) return grants.length === 0;
  return relationOfSelections({ selectors: [], mappings: method }, { selectors: selectorsOf(grants), mappings: method }) === "same";
}

function selectorsOf(grants: readonly Granting[]): string[] {
  return grants.map(({ rule: { selector = "" } }) => selector);
}

export const mappings = ["claimMappings", "listClaimMappings"] as const;

export function hasSameMappings(
  one: Partial<LoginMethod>,
  other: Partial<LoginMethod>,
  which: readonly (typeof mappings)[number][] = mappings,
): boolean {
  return which.every((property) => entriesText(one[property]) === entriesText(other[property]));
}

function entriesText(values: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}
