import { holdsUnknown } from "../common/unknown";
import type { Declared, Program } from "./program";

/** A rule with the same effect as a rule that was declared before it. */
export function sameEffect(rule: Declared, program: Program): string[] {
  const { authMethod, selector, bindType, bindName } = rule.inputs;
  if (rule.kind !== "AclBindingRule" || holdsUnknown([authMethod, selector, bindType, bindName])) return [];
  const all = program.sameEffect(rule);
  const other = all.slice(0, all.indexOf(rule)).find((one) => areTwo(one, rule));
  if (!other) return [];
  const which = other.name === undefined ? "another rule of this program" : `the rule ${JSON.stringify(other.name)} of this program`;
  return [`${which} has the same authMethod, selector, bindType and bindName, so one of them is redundant. Remove one.`];
}

/**
 * Whether two declarations certainly belong to two resources. Without URNs, a replaced resource is declared twice: with its state, and
 * without. Both declarations have the same description.
 */
function areTwo(one: Declared, other: Declared): boolean {
  if (one.urn !== undefined && other.urn !== undefined) return one.urn !== other.urn;
  return (one.was === undefined) === (other.was === undefined) || one.inputs.description !== other.inputs.description;
}
