/**
 * The permissions that policies may regain or lose when other policies change. A deny matters to policies with unknown rules, and a lost
 * pattern as well. A lost policy with unknown rules matters to all other policies.
 */
import { namedKinds } from "../../access/policy/decode";
import { compareDenials } from "../../access/policy/denials";
import { type Grants, grantsOf } from "../../access/policy/grants";
import type { AccessModel } from "./model";
import { bringsManagement, isAnyJobDangerous, type KnownRules } from "./rights";

/**
 * How much other policies may regain: some permissions, or everything; undefined if nothing. A lost pattern counts, because only the most
 * exact pattern decides.
 */
export function uncovered(after: AccessModel, old: readonly string[], now: readonly string[]): "some" | "everything" | undefined {
  const denials = compareDenials(old, now).filter((one) => one.after !== false);
  const isPatternGone = losesPattern(old, now);
  if (denials.some((one) => bringsManagement(after, one)) || (isPatternGone && isAnyJobDangerous(after))) return "everything";
  return denials.length > 0 || isPatternGone ? "some" : undefined;
}

/** Whether a namespace, path or other name of the old rules is missing in the new ones. Wider patterns of other policies decide there now. */
export function losesPattern(old: readonly string[], now: readonly string[]): boolean {
  const patterns = new Set(patternsOf(grantsOf(now)));
  return patternsOf(grantsOf(old)).some((pattern) => !patterns.has(pattern));
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
