/** Declarations without an effect of their own: a rule that grants nothing more, and a deny that denies nothing. */
import { type IdleDeny, idleDenies } from "../access/policy/idle-denies";
import { holdsUnknown } from "../common/unknown";
import type { Declared, Program } from "./program";

/** The warning about a rule with the same effect as a rule that was declared before it. */
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
 * Whether two declarations certainly belong to two resources. Without URNs, a replaced resource is declared twice, with the same
 * description. The program itself compares dynamic resources with the same description.
 */
function areTwo(one: Declared, other: Declared): boolean {
  if (one.urn !== undefined && other.urn !== undefined) return one.urn !== other.urn;
  return one.inputs.description !== other.inputs.description;
}

/**
 * The warnings about denies in the policies of a role or token that have no effect, because another of these policies decides. There are
 * none if the program does not declare all of the policies.
 */
export function deniesWithoutEffect(holder: Declared, program: Program): string[] {
  const names = holder.kind === "AclRole" || holder.kind === "AclToken" ? policiesOf(holder, program) : [];
  const policies = [...new Set(names)].map((name) => ({ name, rules: program.named("AclPolicy", name)?.inputs.rules }));
  const known = policies.filter(
    (one): one is { name: string; rules: string } => typeof one.name === "string" && typeof one.rules === "string",
  );
  return known.length < 2 || known.length < policies.length ? [] : idleDenies(known).map(sentences);
}

/** The policies of a role or token, including those of the token's roles. Some names may be unknown. */
function policiesOf({ inputs: { policies = [], roles = [] } }: Declared, program: Program): readonly unknown[] {
  const ofRoles = toList(roles).map((role) => program.named("AclRole", role)?.inputs.policies);
  return [policies, ...ofRoles].flatMap(toList);
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function sentences({ policy, block, at, other, isSame }: IdleDeny): string {
  const which = `the deny of ${block} in the policy ${JSON.stringify(policy)} (line ${at.line}) has no effect`;
  const by = `the policy ${JSON.stringify(other.policy)}`;
  if (isSame) return `${which}, because ${by} gives this path, and permissions for variables add up over policies. Remove one of the two.`;
  return (
    `${which}, because ${other.block} in ${by} (line ${other.at.line}) is more exact and decides there, and nothing else allows what it ` +
    "denies. Remove the deny, or the permission that it should deny."
  );
}
