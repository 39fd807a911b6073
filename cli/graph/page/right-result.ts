import type { AccessModel } from "../../access/model";
import type { Target, Ways } from "../../access/ways";
import { notes, otherText, severalRulesHint, unknownLines } from "../../access/ways-text";
import { selectorOf } from "../../access/words";
import { printable } from "../../table";
import { answerSentences } from "../right-answer";
import { element } from "./dom";
import { item, list } from "./result";

/** How many roles have a right, and how many rules lead to it. */
export function rightOutcomeOf(model: AccessModel, target: Target, ways: Ways): HTMLElement[] {
  const [first = "", ...others] = answerSentences(model, target, ways);
  return [element("h2", "", printable(first)), ...others.map((text) => element("p", "", printable(text)))];
}

/**
 * The answer of `who --can`, without tokens: the rules that give a right, the holders without a login, and the objects that may also lead
 * to the right.
 */
export function rightReasonsOf(model: AccessModel, target: Target, { ways, undecided, unknown = [], others = [] }: Ways): HTMLElement[] {
  const hint = severalRulesHint(target);
  const rules = ways.map((way) => {
    const said = notes(way, model.source, target);
    const by = ` by ${way.label} of ${way.method}: `;
    return item(way.gives, way.right ? `(${way.right.policies.join(", ")})` : "", [
      printable(by.trimStart()),
      element("code", "", printable(selectorOf(way.selector))),
      ...(said === "" ? [] : [printable(`; ${said}`)]),
    ]);
  });
  return [
    ...list("By these rules", rules),
    ...list(
      "Without a login",
      others.map((other) => element("li", "", printable(otherText(other)))),
    ),
    ...unknownLines(unknown)
      .filter((line) => line !== "")
      .map((line) => element("p", "", line)),
    ...list(
      "Perhaps also these, because a part is secret or unknown",
      undecided.map(({ object, part }) => item(object, part, [])),
    ),
    ...(hint === undefined ? [] : [element("p", "hint", hint)]),
  ];
}
