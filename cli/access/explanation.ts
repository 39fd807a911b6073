import type { ReadClaims } from "../../access/claims-text";
import {
  type Access,
  evaluateLogin,
  type Grant,
  type Login,
  type LoginMethod,
  type LoginOutcome,
  type LoginRule,
  noBindings,
  type RuleResult,
} from "../../access/login";
import type { Reason } from "../../access/match";
import { ownProperty } from "../../common/own-property";
import { printable } from "../table";
import type { AccessModel, Undecided } from "./model";
import { halfKnown } from "./words";

/** The result of a login according to a source. */
export interface Explanation {
  readonly method: LoginMethod;
  readonly login: Login;
  /** The policies of each role that the login gets. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** The given roles of the source with policies that are secret, or unknown before an update. */
  readonly halfKnownRoles: readonly string[];
  /** Missing roles and policies that are assumed to exist, because the source has only a part of the cluster. */
  readonly assumed: readonly string[];
  /** The result at another time, for a token that is not valid now. */
  readonly whenValid?: Explanation;
  /** Objects with unknown parts that may give more, or end the login. */
  readonly undecided: readonly Undecided[];
}

/**
 * @param access one method of the source, with its rules, roles and policies
 * @param now the time for the checks of the claims' times
 */
export function toExplanation(model: AccessModel, access: Access, given: ReadClaims, now: Date): Explanation {
  const explanation = explanationAt(model, access, given, now);
  if (explanation.login.ok || explanation.login.refused?.by !== "times") return explanation;
  const whenValid = explanationAt(model, access, given, undefined);
  return whenValid.login.ok || !whenValid.login.refused ? { ...explanation, whenValid } : explanation;
}

function explanationAt(model: AccessModel, access: Access, { claims, isToken }: ReadClaims, now: Date | undefined): Explanation {
  const first = evaluateLogin(access, claims, { isToken, now });
  const missing = first.rules.flatMap(missingOf).filter(({ bindType }) => !model.isWhole[bindType]);
  const namesOf = (kind: "role" | "policy") => missing.filter(({ bindType }) => bindType === kind).map((one) => one.name);
  const halfOf = (role: string) => halfKnown(model, "role", role);
  const roles = { ...Object.fromEntries(namesOf("role").map((role) => [role, halfOf(role)?.policies ?? []])), ...model.roles };
  const isAssumed = ({ bindType, name }: (typeof missing)[number]) => bindType === "policy" || !halfOf(name);
  const login =
    missing.length === 0
      ? first
      : evaluateLogin({ ...access, roles, policies: [...model.policies, ...namesOf("policy")] }, claims, { isToken, now });
  return {
    method: access.method,
    login,
    roles: Object.fromEntries((login.ok ? login.token.roles : []).map((role) => [role, ownProperty(roles, role) ?? []])),
    halfKnownRoles: [...new Set(namesOf("role").filter(halfOf))],
    assumed: [...new Set(missing.filter(isAssumed).map(({ bindType, name: missed }) => `${bindType} ${missed}`))],
    undecided: model.undecided.filter(
      ({ kind, authMethod }) => kind !== "method" && (authMethod === undefined || authMethod === access.method.name),
    ),
  };
}

function missingOf(result: RuleResult): { bindType: "role" | "policy"; name: string }[] {
  const { bindType } = result.rule;
  return result.matches && result.gives.kind === "nothing" && bindType !== "management" ? [{ bindType, name: result.gives.name }] : [];
}

/** The reason why a token is refused, as one sentence; undefined if it is accepted. */
export function refusalText(outcome: LoginOutcome): string | undefined {
  if (outcome.ok || !outcome.refused) return undefined;
  return printable(`The token is refused before any rule is tried: ${outcome.refused.because}.`);
}

/** The unchecked parts, in words; undefined if there are none, or if the token is refused anyway. */
export function notCheckedText(login: Login): string | undefined {
  const { notChecked } = login;
  if (notChecked.length === 0 || (!login.ok && login.refused)) return undefined;
  const words = notChecked.map((what) => (what === "UserInfo" ? "what the identity provider adds to the claims (UserInfo)" : what));
  return `Not checked: ${words.join(", ")}. The claims, or the known parts of the method, lack these values.`;
}

/** Whether rules, roles or policies with unknown parts may give something to a login that fails otherwise. */
export function maySucceed(outcome: LoginOutcome, undecided: readonly Undecided[]): boolean {
  return !outcome.ok && outcome.error === noBindings && undecided.some(({ kind, isNameHidden }) => kind === "rule" || isNameHidden);
}

/** The outcome of a login, as one sentence. */
export function headline({ name, maxTokenTtl }: LoginMethod, outcome: LoginOutcome, undecided: readonly Undecided[]): string {
  const fails = maySucceed(outcome, undecided) ? "may fail" : "fails";
  if (!outcome.ok) return printable(`a login of ${name} with these claims ${fails}: ${outcome.status} ${outcome.error.trim()}`);
  const { token } = outcome;
  const kind = token.type === "management" ? "a management token, which may do everything" : "a token";
  const where = token.global ? "in all regions" : "in one region";
  return printable(
    `a login of ${name} with these claims gets ${kind}, valid ${where}${maxTokenTtl ? ` for ${maxTokenTtl}` : ""}, with the name ${token.name}.`,
  );
}

/** The policies of the given roles, in words. */
export function policiesInWords({ roles, halfKnownRoles }: Pick<Explanation, "roles" | "halfKnownRoles">): Explanation["roles"] {
  const inWords = Object.entries(roles).map(([role, all]) => [role, halfKnownRoles.includes(role) ? [...all, "unknown ones"] : all]);
  return Object.fromEntries(inWords);
}

/** Two cells for a matching rule: its grant, and the policies of the grant or the reason why the rule gives nothing. */
export function grantCells(gives: Grant, { bindType }: LoginRule, roles: Explanation["roles"]): [string, string] {
  switch (gives.kind) {
    case "role":
      return [`role ${gives.name}`, (ownProperty(roles, gives.name) ?? gives.policies).join(", ")];
    case "policy":
      return [`policy ${gives.name}`, gives.name];
    case "management":
      return ["management", "everything"];
    case "nothing":
      return ["nothing", `${bindType} ${gives.name} does not exist`];
    case "error":
      return ["ends the login", gives.error];
    case "unused":
      return ["unused", "another rule has ended the login"];
  }
}

/** The number of non-matching rules shown. */
export const SHOWN = 8;

/** The rules that do not match, with the reasons. Rules with the fewest false parts come first, because they nearly match. */
export function nearestFirst(login: Login): { readonly rule: LoginRule; readonly because: readonly Reason[] }[] {
  const unmatched = login.rules.flatMap((result) => (result.matches ? [] : [result]));
  return unmatched.toSorted((a, b) => a.because.length - b.because.length);
}

/** The grant that a rule would give to matching logins. */
export function wouldGive({ bindType, bindName = "" }: LoginRule): string {
  return `${bindType} ${bindName}`.trim();
}

export function reasonText(because: readonly Reason[]): string {
  return because.map(({ part, found }) => `${part}, but ${found}`).join("; ");
}
