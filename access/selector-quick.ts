import type { Comparison, Condition, Path, StateOperator } from "./condition";
import { remembering } from "./remembering";

const SOME = "[ \\t\\r\\n]+";
const ANY = "[ \\t\\r\\n]*";
const NAME = "[a-zA-Z][a-zA-Z0-9_/]*";
const PATH = `${NAME}(?:\\.(?:${NAME}|[0-9]+))*`;
const PLAIN = '"\\\\`[\\ud800-\\udfff\\n';
/** A text in quotes that begins with no slash, or is empty; or a path, or a number. */
const VALUE = `"((?:[^/${PLAIN}][^${PLAIN}]*)?)"|(${PATH}|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?=[ \\t\\r\\n]|$))`;
const OPERATOR = `${ANY}([=!]=)${ANY}|${SOME}((?:not${SOME})?(?:contains|matches))${SOME}`;
const COMPARISON = `(${PATH})(?:(?:${OPERATOR})(?:${VALUE})|${SOME}is${SOME}((?:not${SOME})?(?:empty|nil)))`;
const MEMBERSHIP = `(?:${VALUE})${SOME}(not${SOME})?in${SOME}(${PATH})`;

/** One comparison, with what follows it. */
const PART = new RegExp(`(?!(?:not|any|all)[ \\t\\r\\n])(?:${COMPARISON}|${MEMBERSHIP})(${SOME}(and|or)${SOME}|${ANY}$)`, "y");

/** Servers count the steps of a selector, and refuse some that are longer. */
const longest = 2000;

/**
 * Reads the selectors that most rules have: comparisons, joined by "and" and "or". For 1,000 of them the whole grammar takes 0.2 s
 * more, a quarter of the command `who`. Undefined for any other selector, and for any that is wrong.
 *
 * What this reads, it reads as the grammar: a test compares the two. It leaves out what needs care there: escapes and backticks, texts that
 * could be JSON pointers, characters beyond 16 bits, and all brackets.
 */
export function readQuickly(selector: string): Condition | undefined {
  if (selector.length > longest) return undefined;
  const alternatives: Condition[][] = [[]];
  for (let start = Math.max(0, selector.search(/[^ \t\r\n]/)); ; start = PART.lastIndex) {
    PART.lastIndex = start;
    const matched = PART.exec(selector);
    if (!matched) return undefined;
    const joiner = matched[12];
    alternatives.at(-1)?.push(toCondition(matched, { start, end: PART.lastIndex - (matched[11]?.length ?? 0) }));
    if (joiner === undefined)
      return joined(
        "or",
        alternatives.map((parts) => joined("and", parts)),
      );
    if (joiner === "or") alternatives.push([]);
  }
}

function toCondition(matched: RegExpExecArray, place: { readonly start: number; readonly end: number }): Condition {
  const [, path, sign, word, text, plain, state, textIn, plainIn, isNegated, list = ""] = matched;
  if (path === undefined) {
    return { kind: "match", operator: isNegated ? "not in" : "in", path: toPath(list), value: textIn ?? plainIn ?? "", ...place };
  }
  if (state !== undefined) return { kind: "state", operator: toState(state), path: toPath(path), ...place };
  return { kind: "match", operator: toComparison(sign ?? word ?? ""), path: toPath(path), value: text ?? plain ?? "", ...place };
}

function joined(kind: "and" | "or", parts: readonly Condition[]): Condition {
  return parts.reduceRight((right, left) => ({ kind, left, right, start: left.start, end: right.end }));
}

/** Most rules look at the same few claims. */
const toPath = remembering(1_000, (text): Path => ({ kind: "names", steps: text.split(".") }));

function toComparison(text: string): Comparison {
  if (text === "==" || text === "!=") return text;
  const isNegated = text.startsWith("not");
  if (text.endsWith("contains")) return isNegated ? "not in" : "in";
  return isNegated ? "not matches" : "matches";
}

function toState(text: string): StateOperator {
  const isNegated = text.startsWith("not");
  if (text.endsWith("empty")) return isNegated ? "is not empty" : "is empty";
  return isNegated ? "is not nil" : "is nil";
}
