import type { Comparison, Condition, Path, StateOperator } from "./condition";
import { ESCAPE, unescaped, wellFormed } from "./go-text";
import type { Expression, Parsed } from "./peg";
import {
  action,
  ahead,
  anything,
  atLeastOnce,
  choice,
  literal,
  many,
  mistakeAfter,
  named,
  not,
  oneOf,
  optional,
  parse,
  rule,
  sequence,
  textOf,
  Wrong,
  whereIn,
} from "./peg";
import { remembering } from "./remembering";
import { readQuickly } from "./selector-quick";

/** Servers refuse a selector that takes more steps; nesting takes exponentially many. */
const MAXIMUM_STEPS = 2_000_000;

/**
 * Reads a selector like the servers.
 *
 * The grammar is that of go-bexpr 0.1.16. The order of alternatives matters, also if two of them match the same text: errors name what
 * was tried first, and an invalid text in one alternative is an error even if another one matches. All parts of that grammar are here, also
 * those that match nothing by themselves, because they count for the limit of steps.
 */
export function parseSelector(selector: string): Parsed<Condition> {
  const value = readQuickly(selector);
  return value ? { value, mistakes: [] } : parseByGrammar(selector);
}

/** What a selector says; undefined if servers can't read it. It is read once. */
export const conditionOf = remembering(20_000, (selector): Condition | undefined => {
  const parsed = parseSelector(selector);
  return "value" in parsed ? parsed.value : undefined;
});

/** As {@link parseSelector}, by the grammar alone. */
export function parseByGrammar(selector: string): Parsed<Condition> {
  return parse(input, selector, MAXIMUM_STEPS);
}

/**
 * The first error of a selector, in the servers' words; undefined when there is none. To the servers' parser the empty selector, which
 * matches every login, is an error.
 */
export function selectorRefusal(selector: string): string | undefined {
  const { mistakes } = parseSelector(selector);
  return mistakes.length === 0 ? undefined : mistakes.map(({ message }) => message).join("\n");
}

/** The first error of a selector, with its position. The empty one is valid. */
export function selectorProblem(selector: string): string | undefined {
  const [first] = selector === "" ? [] : parseSelector(selector).mistakes;
  return first && `must be a boolean expression: ${first.reason}, ${whereIn(selector, first.at)}${quotesFor(selector, first.at)}`;
}

/** How to write a name or a value with a dash, a colon or an at sign, if one ends what servers can read. */
function quotesFor(selector: string, at: number): string {
  const characters = [...selector];
  const [rest] = /^[-:@][\w/:@-]*/.exec(characters.slice(at).join("")) ?? [];
  const begun = characters.slice(Math.max(0, at - 200), at).join("");
  const [, path, start] = /((?:value|list)(?:\.[\w/]+)*\.)?([\w/]+)$/.exec(begun) ?? [];
  if (rest === undefined || start === undefined) return "";
  const quoted = JSON.stringify(start + rest);
  return `. Put it in double quotes: ${path === undefined ? quoted : `${path.slice(0, -1)}[${quoted}]`}`;
}

const space = rule('"whitespace"', () => atLeastOnce(oneOf(/[ \t\r\n]/u, "[ \\t\\r\\n]")));
const gap = optional(space);
const end = rule("EOF", () => not(anything));

const orExpression: Expression<Condition> = rule("OrExpression", () =>
  choice(
    action(
      sequence(named(andExpression), space, literal("or"), space, named(orExpression)),
      ([left, , , , right], place): Condition => ({ kind: "or", left, right, ...place }),
    ),
    action(named(andExpression), (of) => of),
    action(named(collectionExpression), (of) => of),
  ),
);

const andExpression: Expression<Condition> = rule("AndExpression", () =>
  choice(
    action(
      sequence(named(notExpression), space, literal("and"), space, named(andExpression)),
      ([left, , , , right], place): Condition => ({ kind: "and", left, right, ...place }),
    ),
    action(named(notExpression), (of) => of),
  ),
);

const notExpression: Expression<Condition> = rule("NotExpression", () =>
  choice(
    action(
      sequence(literal("not"), space, named(notExpression)),
      ([, , of], place): Condition => (of.kind === "not" ? of.of : { kind: "not", of, ...place }),
    ),
    action(named(grouping), (of) => of),
  ),
);

const collectionExpression: Expression<Condition> = rule("CollectionExpression", () =>
  action(
    sequence(
      named(
        choice(
          rule("CollectionOpAny", () => action(sequence(literal("any"), space), () => "any" as const)),
          rule("CollectionOpAll", () => action(sequence(literal("all"), space), () => "all" as const)),
        ),
      ),
      ...([named(selectorPath), space, literal("as"), space, named(collectionNames)] as const),
      ...([gap, literal("{"), gap, named(orExpression), gap, literal("}")] as const),
    ),
    ([kind, of, , , , names, , , , inner], place): Condition => ({ kind, of, names, inner, ...place }),
  ),
);

const collectionNames = rule('"collection-identifiers"', () =>
  choice(
    action(sequence(named(identifier), gap, literal(","), gap, named(identifier)), ([index, , , , value]) => ({ index, value })),
    action(sequence(named(identifier), gap, literal(","), gap, literal("_")), ([index]) => ({ index })),
    action(sequence(literal("_"), gap, literal(","), gap, named(identifier)), ([, , , , value]) => ({ value })),
    action(named(identifier), (single) => ({ single })),
  ),
);

const grouping: Expression<Condition> = rule('"grouping"', () =>
  choice(
    action(sequence(literal("("), gap, named(orExpression), gap, literal(")")), ([, , of]) => of),
    action(named(match), (of) => of),
    mistakeAfter("Unmatched parentheses", literal("("), gap, orExpression, gap, not(literal(")"))),
  ),
);

const match = rule('"match"', () =>
  choice(
    rule('"match"', () =>
      action(
        sequence(named(selectorPath), named(choice(...comparisons)), named(value)),
        ([path, operator, compared], place): Condition => ({ kind: "match", operator, path, value: compared, ...place }),
      ),
    ),
    rule('"match"', () =>
      action(
        sequence(named(selectorPath), named(choice(...states))),
        ([path, operator], place): Condition => ({ kind: "state", operator, path, ...place }),
      ),
    ),
    rule('"match"', () =>
      choice(
        action(
          sequence(named(value), named(choice(...memberships)), named(selectorPath)),
          ([compared, operator, path], place): Condition => ({ kind: "match", operator, path, value: compared, ...place }),
        ),
        mistakeAfter("Invalid selector", value, named(choice(...memberships)), not(selectorPath)),
      ),
    ),
  ),
);

/** An operator made of words, with space around them. */
function words<T extends Comparison>(name: string, operator: T, ...parts: string[]): Expression<T> {
  return rule(name, () => action(sequence(...parts.flatMap((word) => [space, literal(word)]), space), () => operator));
}

/** An operator without a second operand. */
function state<T extends StateOperator>(name: string, operator: T, ...parts: string[]): Expression<T> {
  return rule(name, () => action(sequence(...parts.flatMap((word) => [space, literal(word)])), () => operator));
}

const comparisons = [
  rule("MatchEqual", () => action(sequence(gap, literal("=="), gap), (): Comparison => "==")),
  rule("MatchNotEqual", () => action(sequence(gap, literal("!="), gap), (): Comparison => "!=")),
  words("MatchContains", "in", "contains"),
  words("MatchNotContains", "not in", "not", "contains"),
  words("MatchMatches", "matches", "matches"),
  words("MatchNotMatches", "not matches", "not", "matches"),
];

const states = [
  state("MatchIsEmpty", "is empty", "is", "empty"),
  state("MatchIsNotEmpty", "is not empty", "is", "not", "empty"),
  state("MatchIsNil", "is nil", "is", "nil"),
  state("MatchIsNotNil", "is not nil", "is", "not", "nil"),
];

const memberships = [words("MatchIn", "in", "in"), words("MatchNotIn", "not in", "not", "in")];

const identifier = rule("Identifier", () =>
  textOf(sequence(oneOf(/[a-zA-Z]/u, "[a-zA-Z]"), many(oneOf(/[a-zA-Z0-9_/]/u, "[a-zA-Z0-9_/]")))),
);

const digit = oneOf(/[0-9]/u, "[0-9]");

const selectorPath = rule('"selector"', () =>
  choice(
    action(
      sequence(named(identifier), named(many(rule("SelectorOrIndex", () => choice(nameStep, indexStep, numberStep))))),
      ([first, rest]): Path => ({ kind: "names", steps: [first, ...rest] }),
    ),
    action(sequence(literal('"'), named(many(pointerSegment)), literal('"')), ([, segments]): Path => {
      const steps = (segments.length > 0 ? segments : [""]).map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
      return { kind: "pointer", steps };
    }),
  ),
);

const pointerSegment = rule("JsonPointerSegment", () =>
  action(sequence(literal("/"), named(atLeastOnce(oneOf(/[\p{L}\p{N}\-_.~:|]/u, "[\\pL\\pN-_.~:|]")))), (_, __, text) => text().slice(1)),
);

const nameStep = action(sequence(literal("."), named(identifier)), ([, name]) => name);
const numberStep = action(sequence(literal("."), named(atLeastOnce(digit))), (_, __, text) => text().slice(1));

const indexExpression = rule('"index"', () =>
  choice(
    action(sequence(literal("["), gap, named(stringLiteral), gap, literal("]")), ([, , text]) => text),
    mistakeAfter("Invalid index", literal("["), gap, not(stringLiteral)),
    mistakeAfter("Unclosed index expression", literal("["), gap, stringLiteral, gap, not(literal("]"))),
  ),
);
const indexStep = action(named(indexExpression), (text) => text);

/** A value that could be a path is a text; that of a pointer is without the first slash. */
const value = rule('"value"', () =>
  choice(
    action(named(selectorPath), ({ kind, steps }) => steps.join(kind === "names" ? "." : "/")),
    action(named(numberLiteral), (text) => text),
    action(named(stringLiteral), (text) => text),
  ),
);

const integerOrFloat = rule("IntegerOrFloat", () =>
  sequence(choice(literal("0"), sequence(oneOf(/[1-9]/u, "[1-9]"), many(digit))), optional(sequence(literal("."), atLeastOnce(digit)))),
);
const afterNumbers = rule("AfterNumbers", () => ahead(choice(space, end, literal(")"))));

const numberLiteral = rule('"number"', () =>
  choice(
    textOf(sequence(optional(literal("-")), integerOrFloat, ahead(afterNumbers))),
    mistakeAfter("Invalid number literal", optional(literal("-")), integerOrFloat, not(afterNumbers)),
  ),
);

const rawCharacter = rule("RawStringChar", () => sequence(not(literal("`")), anything));
const quotedCharacter = rule("DoubleStringChar", () => sequence(not(literal('"')), anything));

const stringLiteral = rule('"string"', () =>
  choice(
    action(
      choice(sequence(literal("`"), many(rawCharacter), literal("`")), sequence(literal('"'), many(quotedCharacter), literal('"'))),
      (_, __, text) => unquoted(text()),
    ),
    mistakeAfter(
      "Unterminated string literal",
      choice(sequence(literal("`"), many(rawCharacter)), sequence(literal('"'), many(quotedCharacter))),
      end,
    ),
  ),
);

const input = choice(
  action(sequence(gap, literal("("), gap, named(orExpression), gap, literal(")"), gap, end), ([, , , of]) => of),
  action(sequence(gap, named(orExpression), gap, end), ([, of]) => of),
);

/** A text in double quotes follows Go's rules: known escapes only, and no line break. One in backticks may have any characters. */
function unquoted(literalText: string): string | Wrong {
  const text = literalText.slice(1, -1);
  if (literalText.startsWith("`")) return text.replaceAll("\r", "");
  if (/[\\\n]/.test(text.replaceAll(new RegExp(ESCAPE.source, "g"), ""))) return new Wrong("invalid syntax");
  return unescaped(wellFormed(text));
}
