import type { Rights } from "../../access/policy/rights";
import { printable, table } from "../table";
import type { AccessModel } from "./model";
import { anonymousRights, type JobRights, type LoginResult, rightsByLogin } from "./rights";
import { hasPatterns, jobText, type RightsLine, rightsLines, rightsText } from "./rights-words";

/** What the token of a login may do, for people. Nothing of a login that fails, nor of management. */
export function rightsParagraphs(model: AccessModel, result: LoginResult, isAll: boolean): string[] {
  const token = rightsByLogin(model, result);
  if (!token) return [];
  const { likeManagement, rights, unknown, byJobs } = token;
  const lines = rightsLines(rights, likeManagement);
  const isNothing = lines.length === 0 && unknown.length === 0;
  const paragraphs = [
    ...(lines.length > 0 ? ["", "The token may:", ...rightsTable(lines, isAll)] : []),
    ...(hasPatterns(rights) ? ["  Of namespaces, the most exact name or pattern decides alone."] : []),
    ...(isNothing ? ["", "The token may do nothing: its policies have no rules."] : []),
    ...(unknown.length > 0 ? ["", `Not known is what these allow, or take away: ${printable(unknown.join(", "))}.`] : []),
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

function jobLines({ policy, job, rights, maySubmit }: JobRights, isAll: boolean): string[] {
  const may = maySubmit === true ? "may submit" : "perhaps may submit";
  const begin = printable(`It ${may} ${jobText(job)}, whose tasks have the policy ${policy} (jobAcl)`);
  return rights ? [`${begin}:`, ...rightsTable(rightsLines(rights), isAll)] : [`${begin}, of which the rules are not known.`];
}

function anonymousLines(model: AccessModel, isAll: boolean): string[] {
  const rights: Rights | "unknown" | undefined = anonymousRights(model);
  if (rights === undefined) return [];
  if (rights === "unknown") return ["", "What everybody may do without a token, by the policy anonymous, is not known."];
  return ["", "Everybody may, without a token, by the policy anonymous:", ...rightsTable(rightsLines(rights), isAll)];
}
