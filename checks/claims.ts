/**
 * Compares binding rules and token names with the claims that their auth method maps and checks. Each message begins with a property, or
 * with "the selector".
 */
import { type MappedNames, mappedNamesIfKnown, reachOf } from "../access/reach";
import { claimsOfInvalidPatterns } from "../access/regular-expression";
import { conditionOf } from "../access/selector";
import { matchesEveryLogin } from "../access/selector-relation";
import { issuerNotBound, type TokenChecks, tenantNotAsked } from "../access/shared-issuers";
import { unmappedClaims, unmappedInTokenName, unmappedMessage } from "../access/unmapped";
import { ownProperty } from "../common/own-property";
import { isRecord, unknown } from "../common/unknown";
import type { Declared, Program } from "./program";

/** The warnings about unmapped claims in a rule, or in the token name format of a method. */
export function unmappedIn({ kind, inputs }: Declared, program: Program): string[] {
  const { tokenNameFormat, selector = "", bindName } = inputs;
  if (kind === "AclAuthMethod") {
    const mapped = mappedBy(inputs);
    return mapped && typeof tokenNameFormat === "string" ? unmappedInTokenName(tokenNameFormat, mapped) : [];
  }
  const mapped = mappedBy(methodOf({ kind, inputs }, program)?.inputs);
  if (!mapped || typeof selector !== "string") return [];
  return unmappedClaims({ selector, ...(typeof bindName === "string" && { bindName }) }, mapped).map(unmappedMessage);
}

/**
 * The warning about a regular expression that servers can't read. They accept it in a selector, and fail at the login. A selector may be a
 * secret of the program, so the message does not quote it.
 */
export function invalidPatterns({ kind, inputs: { selector } }: Declared): string[] {
  const condition = kind === "AclBindingRule" && typeof selector === "string" ? conditionOf(selector) : undefined;
  const claims = condition ? [...new Set(claimsOfInvalidPatterns(condition))] : [];
  return claims.map(
    (claim) =>
      `the selector compares ${claim} with a regular expression that servers can't read, so it matches no login for which they reach ` +
      "that comparison. Correct the expression: servers use the syntax RE2, which has no look-ahead, look-behind or back-references.",
  );
}

/**
 * The warnings about a method that accepts the tokens of all customers of a vendor, or about a rule of it that does not select one
 * customer.
 */
export function unboundTenants({ kind, inputs }: Declared, program: Program): string[] {
  const { selector = "", bindName } = inputs;
  if (kind === "AclAuthMethod") return issuerNotBound(checksOf(inputs));
  const method = methodOf({ kind, inputs }, program);
  if (!method || typeof selector !== "string" || bindName === unknown) return [];
  return tenantNotAsked({ selector, ...(typeof bindName === "string" && { bindName }) }, checksOf(method.inputs));
}

/** The warning about a rule that gives management to every login of its method. */
export function managementForEveryone(rule: Declared, program: Program): string[] {
  const why = rule.inputs.bindType === "management" ? everyLogin(rule, program) : undefined;
  return why === undefined ? [] : [everyoneGets(rule, why, "management")];
}

/** The reason why a rule certainly matches every login of its method; undefined if it may not. */
export function everyLogin(rule: Declared, program: Program): string | undefined {
  return rule.kind === "AclBindingRule" ? matchesAll(rule.inputs, methodOf(rule, program)?.inputs) : undefined;
}

function matchesAll({ selector = "" }: Declared["inputs"], method: Declared["inputs"] | undefined): string | undefined {
  if (typeof selector !== "string") return undefined;
  if (selector === "") return "selector is empty, so";
  const mapped = mappedBy(method);
  if (mapped && reachOf(selector, mapped) === "always")
    return "selector matches every login, because the method does not map the claims in it:";
  return matchesEveryLogin(selector, mapped) ? "selector matches every login, whatever its claims are:" : undefined;
}

/** @param why the result of {@link everyLogin} */
export function everyoneGets({ inputs: { authMethod, bindName } }: Declared, why: string, what: string): string {
  const method = typeof authMethod === "string" ? JSON.stringify(authMethod) : "its auth method";
  const claims = typeof bindName === "string" && bindName.includes("${") ? `, and whose claims turn ${bindName} into that name,` : "";
  return `${why} everyone who logs in with ${method}${claims} gets ${what}. Write a selector that only administrators match.`;
}

/** The warning about a rule whose selector begins to match every login by this update. A change of its method alone is not compared. */
export function openedToEveryone({ kind, inputs, was }: Declared, program: Program): string[] {
  const { selector, bindType } = inputs;
  if (kind !== "AclBindingRule" || bindType === "management" || was === undefined || typeof selector !== "string") return [];
  const before = { ...inputs, selector: typeof was.selector === "string" ? was.selector : "" };
  if (before.selector === selector || everyLogin({ kind, inputs }, program) === undefined) return [];
  const method = methodOf({ kind, inputs: was }, program);
  if (matchesAll(before, method?.was) !== undefined) return [];
  const becomes = selector === "" ? "becomes empty, so it matches" : "changes, and matches";
  return [`the selector ${becomes} every login of the method from this update on. If that is not intended, let it ask for a claim.`];
}

function methodOf({ kind, inputs }: Pick<Declared, "kind" | "inputs">, program: Program): Declared | undefined {
  return kind === "AclBindingRule" ? program.named("AclAuthMethod", inputs.authMethod) : undefined;
}

/** The names that a method maps claims to; undefined if they are unknown before the update. */
function mappedBy(method: Declared["inputs"] | undefined): MappedNames | undefined {
  const config = method?.config;
  if (!isRecord(config)) return undefined;
  return mappedNamesIfKnown(ownProperty(config, "claimMappings"), ownProperty(config, "listClaimMappings"));
}

function checksOf({ type, config }: Declared["inputs"]): TokenChecks {
  return { ...(isRecord(config) && config), type };
}
