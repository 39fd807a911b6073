import { type IdleDeny, idleDenies } from "../access/policy/idle-denies";
import type { Declared, Program } from "./program";

/**
 * The denies in a role's or token's policies that have no effect for it, because another of its policies is more exact. Returns nothing if
 * the program does not declare all of the policies.
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
