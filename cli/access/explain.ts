import type { ReadClaims } from "../../access/claims-text";
import { methodAccess } from "../../access/graph";
import type { Login } from "../../access/login";
import { nearest } from "../../common/nearest";
import { listOf } from "../../provider/internal";
import { CommandError, UsageError } from "../command-line";
import { printable, table } from "../table";
import {
  type Explanation,
  grantCells,
  headline,
  nearestFirst,
  notCheckedText,
  policiesInWords,
  reasonText,
  refusalText,
  SHOWN,
  toExplanation,
  wouldGive,
} from "./explanation";
import type { AccessModel } from "./model";
import { anonymousRights, type JobRights, type LoginResult, rightsByLogin } from "./rights";
import { hasPatterns, jobText, type RightsLine, rightsLines, rightsText } from "./rights-words";
import { notLookedAtLines } from "./token-ways";
import { doubtAbout, halfKnown, labelOf, selectorOf, undecidedTable } from "./words";

/**
 * @param methodName if undefined, the default method of the source @throws UsageError without either @throws CommandError if the source has
 * no such method
 */
export function explain(model: AccessModel, methodName: string | undefined, claims: ReadClaims, now: Date): Explanation {
  const name = methodName ?? model.defaultMethod;
  if (name === undefined) throw new UsageError(`give --method NAME: ${model.source} does not have one default auth method`);
  const access = methodAccess(model, name);
  if (!access) throw new CommandError(missingMethodMessage(model, name));
  return toExplanation(model, access, claims, now);
}

/** The reason why a method can't be explained. */
export function missingMethodMessage(model: AccessModel, name: string): string {
  const { source, methods, undecided, hasGaps } = model;
  const half = halfKnown(model, "method", name);
  if (half) return `${source} does not say what logins of ${JSON.stringify(name)} get: ${doubtAbout(half)}.`;
  const names = methods.map((method) => method.name);
  const near = nearest(name, names);
  const known = near
    ? `did you mean ${JSON.stringify(near)}?`
    : names.length > 0
      ? `it has ${names.map((one) => JSON.stringify(one)).join(", ")}.`
      : "it has none.";
  const read = hasGaps ? " among what could be read" : "";
  const nameless = undecided.filter(({ kind, part }) => kind === "method" && part === "name").map(({ object }) => object);
  const except = nameless.length > 0 ? `, unless it is ${nameless.join(" or ")}, whose name is secret, or unknown before an update` : "";
  return `${source} has no auth method ${JSON.stringify(name)}${read}${except}; ${known}`;
}

/** An explanation for scripts. */
export function explanationData(model: AccessModel, { method, whenValid, undecided, ...explanation }: Explanation) {
  const { source, isWhole, hasGaps, labels } = model;
  const outcomeOf = ({ login, roles, halfKnownRoles, assumed }: LoginResult) => {
    const { rules, ...outcome } = login;
    return {
      ...outcome,
      rolePolicies: roles,
      rules: rules.map(({ rule: { id, isNew, ...rule }, ...result }) => ({
        ...(!isNew && { id }),
        label: labels.get(id ?? ""),
        ...rule,
        ...result,
      })),
      assumed,
      ...(login.ok && { rights: rightsData(model, { login, roles, halfKnownRoles, assumed }) }),
    };
  };
  return {
    source,
    method: method.name,
    ...outcomeOf(explanation),
    ...(whenValid && { whenValid: outcomeOf(whenValid) }),
    complete: isWhole.role && isWhole.policy && !hasGaps && undecided.length === 0,
    undecided,
    notLookedAt: [...notLookedAtIn(model), ...model.bridged],
  };
}

/** The permissions of the token. A management token has nothing to list. */
function rightsData(model: AccessModel, result: LoginResult) {
  const token = rightsByLogin(model, result);
  return { management: token === undefined, ...token, anonymous: anonymousRights(model) };
}

/** The rules, if the source has none. Missing roles and policies are among the assumed objects. */
function notLookedAtIn({ missingKinds }: AccessModel): readonly string[] {
  return missingKinds.filter((kind) => kind === "AclBindingRule");
}

/** An explanation for people. */
export function explanationText(model: AccessModel, explanation: Explanation, isAll: boolean): string {
  const { whenValid, undecided } = explanation;
  const lines = outcomeLines(model, explanation, { begin: `${model.source}: `, isAll });
  if (whenValid) lines.push("", ...outcomeLines(model, whenValid, { begin: "At a time when the token is valid, ", isAll }));
  if (undecided.length > 0) {
    lines.push("", "Not taken into account, because a part is secret, or unknown before an update:");
    lines.push(...undecidedTable(undecided));
  }
  return [...lines, ...notLookedAtLines(notLookedAtIn(model), model.source, false)].join("\n");
}

/** The outcome of a login. @param begin the beginning of the first sentence */
function outcomeLines(model: AccessModel, explanation: Explanation, { begin, isAll }: { begin: string; isAll: boolean }): string[] {
  const { method, login, assumed, undecided } = explanation;
  const lines = [
    begin + headline(method, login, undecided),
    ...grantLines(model, explanation),
    ...rightsParagraphs(model, explanation, isAll),
  ];
  for (const other of login.otherwise ?? []) {
    lines.push(
      "",
      `Or, if the server tries the rules in another order (their IDs are not known yet): ${headline(method, other, undecided)}`,
    );
  }
  lines.push(...unmatchedLines(model, login, isAll));
  for (const text of [refusalText(login), notCheckedText(login)]) if (text !== undefined) lines.push("", text);
  if (assumed.length > 0) lines.push("", `Not in ${model.source}, and shown as if the cluster had them: ${assumed.join(", ")}.`);
  return lines;
}

function grantLines(model: AccessModel, explanation: Explanation): string[] {
  const roles = policiesInWords(explanation);
  const matching = explanation.login.rules.flatMap((result) => (result.matches ? [result] : []));
  if (matching.length === 0) return [];
  const rows = matching.map(({ rule, gives }) => [...grantCells(gives, rule, roles), labelOf(model, rule), selectorOf(rule.selector)]);
  return ["", ...table([["GETS", "POLICIES", "BY RULE", "SELECTOR"], ...rows], "  ")];
}

function unmatchedLines(model: AccessModel, login: Login, isAll: boolean): string[] {
  const unmatched = nearestFirst(login);
  if (unmatched.length === 0) return [];
  const shown = isAll ? unmatched : unmatched.slice(0, SHOWN);
  const rows = shown.map(({ rule, because }) => [wouldGive(rule), labelOf(model, rule), reasonText(because)]);
  const more = unmatched.length - shown.length;
  return [
    "",
    "Does not match:",
    ...table([["WOULD GIVE", "RULE", "WANTS"], ...rows], "  "),
    ...(more > 0 ? [`  and ${more} more rules: --all shows them`] : []),
  ];
}

/** The permissions of a login's token, for people. Empty for a failing login and for management. */
function rightsParagraphs(model: AccessModel, result: LoginResult, isAll: boolean): string[] {
  const token = rightsByLogin(model, result);
  if (!token) return [];
  const { likeManagement, rights, unknown, byJobs } = token;
  const lines = rightsLines(rights, likeManagement);
  const isNothing = lines.length === 0 && unknown.length === 0;
  const paragraphs = [
    ...(lines.length > 0 ? ["", "The token may:", ...rightsTable(lines, isAll)] : []),
    ...(hasPatterns(rights) ? ["  For a namespace, the most exact name or pattern decides alone."] : []),
    ...(isNothing ? ["", "The token may do nothing: its policies have no rules."] : []),
    ...(unknown.length > 0 ? ["", `The permissions of these are unknown: ${printable(unknown.join(", "))}.`] : []),
    ...byJobs.flatMap((job) => ["", ...jobLines(job, isAll)]),
  ];
  return [...paragraphs, ...anonymousLines(model, isAll)];
}

function rightsTable(lines: readonly RightsLine[], isAll: boolean): string[] {
  return table(
    lines.map((line) => [line.where, rightsText(line, isAll)]),
    "  ",
  );
}

function jobLines({ job, policies, rights, maySubmit }: JobRights, isAll: boolean): string[] {
  const may = maySubmit === true ? "may submit" : "perhaps may submit";
  const what = `the ${policies.length === 1 ? "policy" : "policies"} ${listOf(policies)} (jobAcl)`;
  const begin = printable(`It ${may} ${jobText(job)}, whose tasks have ${what}`);
  return rights ? [`${begin}:`, ...rightsTable(rightsLines(rights), isAll)] : [`${begin}. Their permissions are unknown.`];
}

function anonymousLines(model: AccessModel, isAll: boolean): string[] {
  const rights = anonymousRights(model);
  if (rights === undefined) return [];
  if (rights === "unknown") return ["", "The permissions of everybody without a token, by the policy anonymous, are unknown."];
  return ["", "Everybody may, without a token, by the policy anonymous:", ...rightsTable(rightsLines(rights), isAll)];
}
