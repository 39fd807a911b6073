import { capitalized } from "../../common/label";
import type { AccessModel } from "../access/model";
import { RightFinder } from "../access/rights";
import { questionsOf, type Target, type Ways } from "../access/ways";
import { targetText } from "../access/ways-text";

/** The numbers of roles with a right, and of rules that lead to it, as sentences. */
export function answerSentences(model: AccessModel, target: Target, { ways, unknown = [], undecided, others = [] }: Ways): string[] {
  const finder = new RightFinder(model, questionsOf(target));
  const answers = Object.keys(model.roles).map((name) => finder.of("role", name)?.allows);
  const count = (answer: true | "undecided") => answers.filter((one) => one === answer).length;
  const rules = ways.filter(({ matches, right }) => matches !== "never" && (!right || right.allows === true));
  const openWays = [...ways, ...unknown].filter((way) => way.matches !== "never" && !rules.includes(way)).length;
  const hidden = (kind: string) => undecided.filter((one) => one.kind === kind).length;
  const [openRoles, openRules] = [count("undecided") + hidden("role"), openWays + hidden("rule")];
  const methods = [...new Set(rules.map(({ method }) => method))];
  return [
    `${capitalized(counted(count(true), "role"))} may: ${target.kind === "management" ? "everything" : targetText(target)}.`,
    rules.length === 0
      ? `No login gets there for certain${others.some(({ job }) => job) ? " directly" : ""}.`
      : `Logins of ${methods.join(", ")} get there by ${counted(rules.length, "rule")}.`,
    ...(model.part === undefined ? [] : [`Only a part of ${model.source} is here, for ${model.part}: other objects are not counted.`]),
    ...(model.hasGaps ? ["Not everything could be read."] : []),
    ...(openRoles + openRules > 0 ? [`Undecided: ${counted(openRoles, "role")}, ${counted(openRules, "rule")}.`] : []),
  ];
}

function counted(count: number, noun: string): string {
  return `${count === 0 ? "no" : count} ${noun}${count === 1 ? "" : "s"}`;
}
