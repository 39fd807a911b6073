import { type IdleDeny, idleDenies } from "../../access/policy/idle-denies";
import type { CallContext } from "../operation/call-context";
import type { Referrer } from "../operation/referrers";

/** The policies of a role or token with those of its roles; undefined if the program does not declare all of these by name until now. */
export function allPolicies(names: unknown, roles: unknown, { operation: { checks } }: CallContext): readonly string[] | undefined {
  const lists = [
    names,
    ...toList(roles).map((role) => (typeof role === "string" ? checks.declaredInputs("AclRole", role)?.policies : role)),
  ];
  if (!lists.every(Array.isArray)) return undefined;
  const all: unknown[] = lists.flat();
  return all.every((name) => typeof name === "string") ? [...new Set(all)] : undefined;
}

/**
 * Denies of a role's or token's policies that take nothing away from it, because another of its policies is more exact. Without a request:
 * nothing is said if the program does not declare all of them.
 */
export function warningsOfDenies({ label, names }: Referrer, { operation: { checks } }: CallContext): string[] {
  const policies = (names ?? []).flatMap((name) => {
    const rules = checks.declaredInputs("AclPolicy", name)?.rules;
    return typeof rules === "string" ? [{ name, rules }] : [];
  });
  return policies.length < 2 || policies.length !== names?.length ? [] : idleDenies(policies).map((deny) => `${label}: ${sentences(deny)}`);
}

function sentences({ policy, block, at, other, isSame }: IdleDeny): string {
  const which = `the deny of ${block} in the policy ${JSON.stringify(policy)} (line ${at.line}) takes nothing away`;
  const by = `the policy ${JSON.stringify(other.policy)}`;
  if (isSame) return `${which}, because ${by} gives this path, and what policies allow of variables adds up. Remove one of the two.`;
  return (
    `${which}, because ${other.block} in ${by} (line ${other.at.line}) is more exact and decides there, and nothing else is allowed where it ` +
    "denies. Remove the deny, or what it should take away."
  );
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
