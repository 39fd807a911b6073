import type { Claims } from "../../provider/access/claims";
import { methodAccess } from "../../provider/access/graph";
import {
  evaluateLogin,
  type Grant,
  type Login,
  type LoginMethod,
  type LoginOutcome,
  type LoginRule,
  type RuleResult,
} from "../../provider/access/login";
import { nearest } from "../../provider/model/check";
import { CommandError, UsageError } from "../command-line";
import { printable, table } from "../table";
import type { AccessModel, Undecided } from "./model";
import { labelOf, selectorOf, undecidedTable } from "./words";

/** What a login gets according to a source. */
export interface Explanation {
  readonly method: LoginMethod;
  readonly login: Login;
  /** The policies of each role that the login gets. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** Roles and policies that the source does not have, and that are taken for existing: the source has a part of the cluster. */
  readonly assumed: readonly string[];
  /** What may give more, or end the login, because a part of it is not known. */
  readonly undecided: readonly Undecided[];
}

/** @param methodName the default method unless given @throws CommandError where the source has no such method */
export function explain(model: AccessModel, methodName: string | undefined, claims: Claims): Explanation {
  const name = methodName ?? model.defaultMethod;
  if (name === undefined) throw new UsageError(`give --method NAME: ${model.source} has no default auth method`);
  const access = methodAccess(model, name);
  if (!access) throw new CommandError(withoutMethod(model, name));
  const first = evaluateLogin(access, claims);
  const missing = first.rules.flatMap(missingOf).filter(({ bindType }) => !model.isWhole[bindType]);
  const namesOf = (kind: "role" | "policy") => missing.filter(({ bindType }) => bindType === kind).map((one) => one.name);
  const roles = { ...Object.fromEntries(namesOf("role").map((role) => [role, []])), ...model.roles };
  const login =
    missing.length === 0 ? first : evaluateLogin({ ...access, roles, policies: [...model.policies, ...namesOf("policy")] }, claims);
  return {
    method: access.method,
    login,
    roles: Object.fromEntries((login.ok ? login.token.roles : []).map((role) => [role, roles[role] ?? []])),
    assumed: [...new Set(missing.map(({ bindType, name: missed }) => `${bindType} ${missed}`))],
    undecided: model.undecided.filter(({ kind, authMethod }) => kind !== "method" && (authMethod === undefined || authMethod === name)),
  };
}

function missingOf(result: RuleResult): { bindType: "role" | "policy"; name: string }[] {
  const { bindType } = result.rule;
  return result.matches && result.gives.kind === "nothing" && bindType !== "management" ? [{ bindType, name: result.gives.name }] : [];
}

/** Why there is nothing to say about a method. */
export function withoutMethod({ source, methods, undecided, hasGaps }: AccessModel, name: string): string {
  const half = undecided.find((one) => one.kind === "method" && one.name === name);
  if (half)
    return `${source} does not say what logins of ${JSON.stringify(name)} get: ${half.part} is a secret, or is not known before an update.`;
  const names = methods.map((method) => method.name);
  const near = nearest(name, names);
  const known = near
    ? `did you mean ${JSON.stringify(near)}?`
    : names.length > 0
      ? `it has ${names.map((one) => JSON.stringify(one)).join(", ")}.`
      : "it has none.";
  const read = hasGaps ? " among what could be read" : "";
  return `${source} has no auth method ${JSON.stringify(name)}${read}; ${known}`;
}

/** An explanation for scripts. */
export function explanationData(
  { source, isWhole, hasGaps, labels }: AccessModel,
  { method, login, roles, assumed, undecided }: Explanation,
) {
  const { rules, ...outcome } = login;
  return {
    source,
    method: method.name,
    ...outcome,
    rolePolicies: roles,
    rules: rules.map(({ rule: { id, isNew, ...rule }, ...result }) => ({
      ...(!isNew && { id }),
      label: labels.get(id ?? ""),
      ...rule,
      ...result,
    })),
    complete: isWhole.role && isWhole.policy && !hasGaps && undecided.length === 0,
    assumed,
    undecided,
  };
}

/** How many of the rules that do not match are shown. */
const SHOWN = 8;

/** An explanation for people. */
export function explanationText(model: AccessModel, explanation: Explanation, isAll: boolean): string {
  const { method, login, assumed, undecided } = explanation;
  const lines = [`${model.source}: ${headline(method, login)}`, ...grantLines(model, explanation)];
  for (const other of login.otherwise ?? []) {
    lines.push("", `Or, if the server tries the rules in another order (their IDs are not known yet): ${headline(method, other)}`);
  }
  lines.push(...unmatchedLines(model, login, isAll));
  if (assumed.length > 0) lines.push("", `Not in ${model.source}, and shown as if the cluster had them: ${assumed.join(", ")}.`);
  if (undecided.length > 0) {
    lines.push("", "Not taken into account, because a part is a secret, or is not known before an update:");
    lines.push(...undecidedTable(undecided));
  }
  return lines.join("\n");
}

function headline({ name, maxTokenTtl }: LoginMethod, outcome: LoginOutcome): string {
  if (!outcome.ok) return printable(`a login of ${name} with these claims fails: ${outcome.status} ${outcome.error.trim()}`);
  const { token } = outcome;
  const kind = token.type === "management" ? "a management token, which may do everything" : "a token";
  const where = token.global ? "in all regions" : "in one region";
  return printable(
    `a login of ${name} with these claims gets ${kind}, valid ${where}${maxTokenTtl ? ` for ${maxTokenTtl}` : ""}, with the name ${token.name}.`,
  );
}

function grantLines(model: AccessModel, { login, roles }: Explanation): string[] {
  const matching = login.rules.flatMap((result) => (result.matches ? [result] : []));
  if (matching.length === 0) return [];
  const rows = matching.map(({ rule, gives }) => [...grantCells(gives, rule, roles), labelOf(model, rule), selectorOf(rule.selector)]);
  return ["", ...table([["GETS", "POLICIES", "BY RULE", "SELECTOR"], ...rows], "  ")];
}

function grantCells(gives: Grant, { bindType }: LoginRule, roles: Explanation["roles"]): [string, string] {
  switch (gives.kind) {
    case "role":
      return [`role ${gives.name}`, (roles[gives.name] ?? gives.policies).join(", ")];
    case "policy":
      return [`policy ${gives.name}`, gives.name];
    case "management":
      return ["management", "everything"];
    case "nothing":
      return ["nothing", `${bindType} ${gives.name} does not exist`];
    case "error":
      return ["ends the login", gives.error];
    case "unused":
      return ["unused", "the login has ended before"];
  }
}

function unmatchedLines(model: AccessModel, login: Login, isAll: boolean): string[] {
  // The reasons are found out when they are read.
  const unmatched = login.rules.flatMap((result) => (result.matches ? [] : [{ rule: result.rule, because: result.because }]));
  if (unmatched.length === 0) return [];
  // Those of which the fewest parts are false come first: they nearly match.
  const nearestFirst = unmatched.toSorted((a, b) => a.because.length - b.because.length);
  const shown = isAll ? nearestFirst : nearestFirst.slice(0, SHOWN);
  const rows = shown.map(({ rule, because }) => [
    `${rule.bindType} ${rule.bindName ?? ""}`.trim(),
    labelOf(model, rule),
    because.map(({ part, found }) => `${part}, but ${found}`).join("; "),
  ]);
  const more = unmatched.length - shown.length;
  return [
    "",
    "Does not match:",
    ...table([["WOULD GIVE", "RULE", "WANTS"], ...rows], "  "),
    ...(more > 0 ? [`  and ${more} more rules: --all shows them`] : []),
  ];
}
