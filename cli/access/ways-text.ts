import type { Reach } from "../../access/reach";
import { printable, table } from "../table";
import type { AccessModel } from "./model";
import { questionText } from "./right-question";
import type { OtherWay } from "./right-ways";
import type { Right } from "./rights";
import { jobText } from "./rights-words";
import type { Target, Way, Ways } from "./ways";
import { selectorOf, undecidedTable } from "./words";

const matchWords: Readonly<Record<Reach, string>> = {
  always: "every login, whatever its claims are",
  never: "no login: the method does not map what the selector wants",
  depends: "",
};

/** The ways as text. */
export function waysText(
  { source, hasGaps }: AccessModel,
  target: Target,
  { ways, undecided, exists, unknown = [], others = [] }: Ways,
): string {
  const what = targetText(target);
  const lines: string[] = [];
  if (!exists) lines.push(printable(`${source}: ${what} does not exist, so no login gets it.`));
  const byJob = others.some(({ job }) => job) ? " directly. Anyone who may submit one of these jobs may get there, too:" : ".";
  if (ways.length === 0) lines.push(printable(`${source}: no rule${hasGaps ? " among what could be read" : ""} leads to ${what}${byJob}`));
  else {
    const isRight = target.kind === "right";
    const rows = ways.map((way) => [
      way.method,
      selectorOf(way.selector),
      way.gives,
      ...(isRight ? [way.right?.policies.join(", ") ?? "everything"] : []),
      way.label,
      notes(way, source, target),
    ]);
    const head = ["METHOD", "SELECTOR", "GIVES", ...(isRight ? ["POLICIES"] : []), "RULE", ""];
    lines.push(printable(`${source}: logins get ${what} by`), ...table([head, ...rows], "  "));
  }
  lines.push(...others.flatMap((other) => ["", printable(otherText(other))]));
  if (undecided.length > 0) {
    lines.push("", "Perhaps also by these, because a part is secret, or unknown before an update:");
    lines.push(...undecidedTable(undecided));
  }
  lines.push(...unknownLines(unknown));
  const hint = severalRulesHint(target);
  if (hint !== undefined) lines.push("", hint);
  return lines.join("\n");
}

/** Such as `submit-job in the namespace prod`, or `the role developers`. */
export function targetText(target: Target): string {
  if (target.kind === "right") return target.questions[0] ? questionText(target.questions[0]) : "";
  return target.kind === "management" ? "management" : `the ${target.kind} ${target.name}`;
}

/** Questions that need two permissions, which a login may get by two rules. */
const needsSeveral = /^(csi-(write|mount)-volume|(list|read)-scaling-polic(y|ies))$/;
const severalRules =
  "Each rule is looked at alone, and this right needs two permissions: logins that match several rules may have both. Ask with their claims.";

export function severalRulesHint(target: Target): string | undefined {
  return target.kind === "right" && needsSeveral.test(target.questions[0]?.ask ?? "") ? severalRules : undefined;
}

/** The notes on a way, after its columns. */
export function notes(
  { method, methodExists, unknownPart, isMethodTwice, matches, computed, right }: Way,
  source: string,
  target: Target,
): string {
  const notes = [
    right ? rightNote(right, target) : "",
    methodExists ? "" : `${source} has no method ${method}`,
    matchWords[matches],
    isMethodTwice ? `${source} has two methods of this name` : "",
    unknownPart === undefined || isMethodTwice ? "" : `${unknownPart} of the method is secret, or unknown before an update`,
    computed ? "the claims decide about the name" : "",
  ];
  return notes.filter((note) => note !== "").join("; ");
}

function rightNote({ ask, allows, policies, unknown }: Right, target: Target): string {
  const how =
    target.kind === "management"
      ? `${ask} of ${policies.join(", ")} equals management`
      : target.kind === "right" && target.questions[0]?.ask !== ask
        ? `by ${ask}`
        : "";
  const doubt =
    unknown.length > 0
      ? `unless ${unknown.join(", ")} takes it away, with unknown rules`
      : allows === true
        ? ""
        : "not decided: a policy has parts that this version does not know";
  return [how, doubt].filter((note) => note !== "").join("; ");
}

export function otherText({ policy, job, right }: OtherWay): string {
  const doubt =
    !right || right.allows === true ? "" : right.unknown.length > 0 ? " Its rules are not known, so perhaps." : " It is not decided.";
  if (!job) return `Everybody, without a token, by the policy ${policy}.${doubt}`;
  const submit = job.namespace === undefined ? "" : `, and so anyone who may submit it: who --can submit-job --namespace ${job.namespace}`;
  return `Tasks of ${jobText(job)}, by the policy ${policy} (jobAcl)${submit}.${doubt}`;
}

/** The number of names shown in a list. */
const SHOWN = 10;

/** A sentence about the rules that lead to roles and policies with unknown permissions. */
export function unknownLines(unknown: readonly Way[]): string[] {
  const names = [...new Set(unknown.flatMap(({ right }) => right?.unknown ?? []))].sort();
  if (names.length === 0) return [];
  const more = names.length > SHOWN ? `, and ${names.length - SHOWN} more` : "";
  const rules = unknown.length === 1 ? "1 rule leads" : `${unknown.length} rules lead`;
  return ["", printable(`The permissions of these are unknown, and ${rules} to them: ${names.slice(0, SHOWN).join(", ")}${more}.`)];
}
