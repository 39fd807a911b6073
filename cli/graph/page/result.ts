import type { LoginOutcome } from "../../../access/login";
import { capitalized } from "../../../common/label";
import {
  type Explanation,
  grantCells,
  headline,
  maySucceed,
  nearestFirst,
  notCheckedText,
  policiesInWords,
  reasonText,
  refusalText,
  SHOWN,
  wouldGive,
} from "../../access/explanation";
import type { AccessModel } from "../../access/model";
import { labelOf, selectorOf } from "../../access/words";
import { printable } from "../../table";
import { element } from "./dom";

/** The outcome of a login. */
export function outcomeOf({ method, login, whenValid, undecided }: Explanation): HTMLElement[] {
  const others = (login.otherwise ?? []).flatMap((other) => [
    element("p", "", "Or, if the server tries the rules in another order, because their IDs are still unknown:"),
    element("p", "", capitalized(headline(method, other, undecided))),
  ]);
  const texts = [
    capitalized(headline(method, login, undecided)),
    refusalText(login),
    notCheckedText(login),
    whenValid && `At a time when the token is valid, ${headline(method, whenValid.login, undecided)}`,
  ];
  return [title(login, undecided), ...texts.flatMap((text) => (text === undefined ? [] : [element("p", "", text)])), ...others];
}

function title(outcome: LoginOutcome, undecided: Explanation["undecided"]): HTMLElement {
  if (!outcome.ok) return element("h2", "failed", maySucceed(outcome, undecided) ? "The login may fail" : "The login fails");
  const isManagement = outcome.token.type === "management";
  return element("h2", outcome.token.type, isManagement ? "Gets management" : "Gets a token");
}

/** The matching rules with what they give, and the reasons why others do not match. */
export function reasonsOf(model: AccessModel, explanation: Explanation): HTMLElement[] {
  const shown = explanation.whenValid ?? explanation;
  const { login, assumed, undecided } = shown;
  const roles = policiesInWords(shown);
  const given = login.rules.flatMap((result) => {
    if (!result.matches) return [];
    const [what, more] = grantCells(result.gives, result.rule, roles);
    const why = [`by ${labelOf(model, result.rule)}: `, element("code", "", printable(selectorOf(result.rule.selector)))];
    return [item(what, result.gives.kind === "policy" ? "" : more, why)];
  });
  const unmatched = nearestFirst(login);
  const near = unmatched
    .slice(0, SHOWN)
    .map(({ rule, because }) =>
      item(wouldGive(rule), `by ${labelOf(model, rule)}`, ["wants ", element("code", "", printable(reasonText(because)))]),
    );
  const more = unmatched.length - near.length;
  return [
    ...list("By these rules", given),
    ...list("Does not match", near),
    ...(more > 0 ? [element("p", "hint", `and ${more} more rules`)] : []),
    ...list(
      `Not in ${printable(model.source)}, but assumed to exist`,
      assumed.map((name) => item(name, "", [])),
    ),
    ...list(
      "Not taken into account, because a part is secret or unknown",
      undecided.map(({ object, part }) => item(object, part, [])),
    ),
  ];
}

export function list(heading: string, items: readonly HTMLElement[]): HTMLElement[] {
  return items.length === 0 ? [] : [element("h3", "", heading), element("ul", "", ...items)];
}

export function item(what: string, more: string, why: readonly (Node | string)[]): HTMLElement {
  const text = more === "" ? [] : [` ${printable(more)}`];
  return element("li", "", element("strong", "", printable(what)), ...text, ...(why.length > 0 ? [element("span", "why", ...why)] : []));
}
