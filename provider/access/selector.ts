import {
  ahead,
  anything,
  atLeastOnce,
  checked,
  choice,
  type Expression,
  literal,
  many,
  mistake,
  not,
  oneOf,
  optional,
  parseProblem,
  rule,
  sequence,
} from "./peg";

/**
 * What is wrong with a binding rule's selector, in the server's words; undefined when it is a valid boolean expression.
 *
 * The grammar is that of go-bexpr 0.1.16. The order of alternatives counts, also where two of them read the same text: what
 * was tried first is named in errors, and a mistake found on one way is an error even when another way leads to the end.
 */
export function selectorProblem(selector: string): string | undefined {
  return parseProblem(input, selector);
}

const space = rule('"whitespace"', () => atLeastOnce(oneOf(/[ \t\r\n]/u, "[ \\t\\r\\n]")));
const gap = optional(space);
const end = rule("EOF", () => not(anything));

const input = choice(
  sequence(
    gap,
    literal("("),
    gap,
    lazily(() => orExpression),
    gap,
    literal(")"),
    gap,
    end,
  ),
  sequence(
    gap,
    lazily(() => orExpression),
    gap,
    end,
  ),
);

/** A rule that is defined further down. */
function lazily(expression: () => Expression): Expression {
  return (parser) => expression()(parser);
}

const orExpression: Expression = rule("OrExpression", () =>
  choice(sequence(andExpression, space, literal("or"), space, orExpression), andExpression, collectionExpression),
);

const andExpression: Expression = rule("AndExpression", () =>
  choice(sequence(notExpression, space, literal("and"), space, andExpression), notExpression),
);

const notExpression: Expression = rule("NotExpression", () => choice(sequence(literal("not"), space, notExpression), grouping));

const collectionExpression = rule("CollectionExpression", () =>
  sequence(
    choice(
      rule("CollectionOpAny", () => sequence(literal("any"), space)),
      rule("CollectionOpAll", () => sequence(literal("all"), space)),
    ),
    ...[selectorPath, space, literal("as"), space, collectionIdentifiers],
    ...[gap, literal("{"), gap, orExpression, gap, literal("}")],
  ),
);

const collectionIdentifiers = rule('"collection-identifiers"', () => {
  const comma = sequenceOf(gap, literal(","), gap);
  return choice(
    sequence(identifier, ...comma, identifier),
    sequence(identifier, ...comma, literal("_")),
    sequence(literal("_"), ...comma, identifier),
    identifier,
  );
});

function sequenceOf(...parts: Expression[]): Expression[] {
  return parts;
}

const grouping: Expression = rule('"grouping"', () =>
  choice(
    sequence(literal("("), gap, orExpression, gap, literal(")")),
    match,
    sequence(literal("("), gap, orExpression, gap, not(literal(")")), mistake("Unmatched parentheses")),
  ),
);

const match = rule('"match"', () =>
  choice(
    rule('"match"', () => sequence(selectorPath, choice(...comparisons), value)),
    rule('"match"', () => sequence(selectorPath, choice(...states))),
    rule('"match"', () =>
      choice(
        sequence(value, choice(...memberships), selectorPath),
        sequence(value, choice(...memberships), not(selectorPath), mistake("Invalid selector")),
      ),
    ),
  ),
);

/** An operator of words, which need space around them. */
function words(name: string, ...parts: string[]): Expression {
  return rule(name, () => sequence(...parts.flatMap((word) => [space, literal(word)]), space));
}

/** An operator that says something about the selector alone: nothing has to follow it. */
function stateWords(name: string, ...parts: string[]): Expression {
  return rule(name, () => sequence(...parts.flatMap((word) => [space, literal(word)])));
}

const comparisons = [
  rule("MatchEqual", () => sequence(gap, literal("=="), gap)),
  rule("MatchNotEqual", () => sequence(gap, literal("!="), gap)),
  words("MatchContains", "contains"),
  words("MatchNotContains", "not", "contains"),
  words("MatchMatches", "matches"),
  words("MatchNotMatches", "not", "matches"),
];

const states = [
  stateWords("MatchIsEmpty", "is", "empty"),
  stateWords("MatchIsNotEmpty", "is", "not", "empty"),
  stateWords("MatchIsNil", "is", "nil"),
  stateWords("MatchIsNotNil", "is", "not", "nil"),
];

const memberships = [words("MatchIn", "in"), words("MatchNotIn", "not", "in")];

const identifier = rule("Identifier", () => sequence(oneOf(/[a-zA-Z]/u, "[a-zA-Z]"), many(oneOf(/[a-zA-Z0-9_/]/u, "[a-zA-Z0-9_/]"))));

const digit = oneOf(/[0-9]/u, "[0-9]");

/** `value.user`, `list["a-b"].0`, or a JSON pointer in quotes. */
const selectorPath = rule('"selector"', () =>
  choice(
    sequence(
      identifier,
      many(
        rule("SelectorOrIndex", () =>
          choice(sequence(literal("."), identifier), indexExpression, sequence(literal("."), atLeastOnce(digit))),
        ),
      ),
    ),
    sequence(
      literal('"'),
      many(rule("JsonPointerSegment", () => sequence(literal("/"), atLeastOnce(oneOf(/[\p{L}\p{N}\-_.~:|]/u, "[\\pL\\pN-_.~:|]"))))),
      literal('"'),
    ),
  ),
);

const indexExpression = rule('"index"', () =>
  choice(
    sequence(literal("["), gap, stringLiteral, gap, literal("]")),
    sequence(literal("["), gap, not(stringLiteral), mistake("Invalid index")),
    sequence(literal("["), gap, stringLiteral, gap, not(literal("]")), mistake("Unclosed index expression")),
  ),
);

const value = rule('"value"', () => choice(selectorPath, numberLiteral, stringLiteral));

const numberLiteral = rule('"number"', () => {
  const number = sequenceOf(
    optional(literal("-")),
    rule("IntegerOrFloat", () =>
      sequence(choice(literal("0"), sequence(oneOf(/[1-9]/u, "[1-9]"), many(digit))), optional(sequence(literal("."), atLeastOnce(digit)))),
    ),
  );
  const afterNumbers = rule("AfterNumbers", () => ahead(choice(space, end, literal(")"))));
  return choice(sequence(...number, ahead(afterNumbers)), sequence(...number, not(afterNumbers), mistake("Invalid number literal")));
});

const stringLiteral = rule('"string"', () => {
  const raw = sequenceOf(literal("`"), many(rule("RawStringChar", () => sequence(not(literal("`")), anything))));
  const quoted = sequenceOf(literal('"'), many(rule("DoubleStringChar", () => sequence(not(literal('"')), anything))));
  return choice(
    checked(choice(sequence(...raw, literal("`")), sequence(...quoted, literal('"'))), stringProblem),
    sequence(choice(sequence(...raw), sequence(...quoted)), end, mistake("Unterminated string literal")),
  );
});

const HEX = "[0-9a-fA-F]";
const ESCAPE = new RegExp(
  `\\\\(?:[abfnrtv\\\\"]|[0-3][0-7]{2}|x${HEX}{2}|u(?![dD][89a-fA-F])${HEX}{4}|U(?:000(?!0[dD][89a-fA-F])${HEX}{5}|0010${HEX}{4}))`,
  "g",
);

/** A text in double quotes follows Go's rules: known escapes only, and no line break. One in backticks may hold anything. */
function stringProblem(text: string): string | undefined {
  if (text.startsWith("`")) return undefined;
  const rest = text.slice(1, -1).replace(ESCAPE, "");
  return /[\\\n]/.test(rest) ? "invalid syntax" : undefined;
}
