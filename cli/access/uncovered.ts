/**
 * The permissions that policies may regain or lose when other policies change. Denies, and patterns that come or go, matter to policies with
 * unknown rules. A lost policy with unknown rules matters to all other policies.
 */
import { namedKinds } from "../../access/policy/decode";
import { compareDenials } from "../../access/policy/denials";
import { type Grants, grantsOf } from "../../access/policy/grants";
import { intersection, matches } from "../../access/policy/patterns";
import type { AccessModel } from "./model";
import { bringsManagement, isAnyJobDangerous, type KnownRules } from "./rights";

/**
 * How much other policies may regain: some permissions, or everything; undefined if nothing. Lost and new patterns count, because only the
 * most exact pattern decides.
 */
export function uncovered(after: AccessModel, old: readonly string[], now: readonly string[]): "some" | "everything" | undefined {
  const denials = compareDenials(old, now).filter((one) => one.after !== false);
  const isPatternMoved = movesPattern(old, now);
  if (denials.some((one) => bringsManagement(after, one)) || (isPatternMoved && isAnyJobDangerous(after))) return "everything";
  return denials.length > 0 || isPatternMoved ? "some" : undefined;
}

/**
 * Whether other policies may decide about more names, or fewer, than before: a namespace, path or other pattern goes, or one comes within
 * another one. A pattern of another policy that is between the two, such as one with a deny, no longer decides then.
 */
export function movesPattern(old: readonly string[], now: readonly string[]): boolean {
  const [were, are] = [patternsOf(grantsOf(old)), patternsOf(grantsOf(now))];
  const isWithin = (one: string) => were.some((other) => isAnyCommon(one, other));
  return were.some((one) => !are.includes(one)) || are.some((one) => !were.includes(one) && isWithin(one));
}

/** Whether some names match a pattern and also a wider one. */
function isAnyCommon(one: string, wider: string): boolean {
  if (!wider.includes("*")) return false;
  return one.includes("*") ? intersection(one, wider)?.length !== 0 : matches(wider, one);
}

/** Whether rules deny more than before. A more exact pattern is no deny, although it also takes permissions from a wider one. */
export function deniesMore(old: readonly string[], now: readonly string[]): boolean {
  return compareDenials(old, now).some(({ after }) => after === false);
}

/** The policies and roles with unknown rules that go, or whose rules become known: each may have denied anything. */
export function lostUnknown(old: KnownRules, ...now: readonly (KnownRules | undefined)[]): string[] {
  return old.unknown.filter((name) => !now.some((one) => one?.unknown.includes(name)));
}

function patternsOf({ named, variables }: Grants): string[] {
  return [...namedKinds.flatMap((kind) => named[kind].names.map((name) => `${kind} ${name}`)), ...variables.names];
}
