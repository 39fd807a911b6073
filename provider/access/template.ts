import {
  atLeastOnce,
  choice,
  type Expression,
  literal,
  many,
  not,
  oneOf,
  optional,
  parse,
  type Reader,
  rule,
  sequence,
  whereIn,
} from "./peg";

/**
 * What is wrong with a template, such as that of a bind name, and where; undefined when nothing is.
 *
 * The grammar is that of the servers' interpolation language (HIL): names, texts in quotes, numbers, operators and calls between `${` and `}`. What it
 * refuses fails at every login. Whether there is something of a name is known at the login alone.
 */
export function templateProblem(template: string): string | undefined {
  // Servers read no further either.
  const [first] = template.includes("${") ? parse(whole, template).mistakes : [];
  if (!first) return undefined;
  const reason =
    first.at < [...template].length
      ? // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
        'within "${" and "}" stands a name, like "${value.team}"; what is there can\'t be read,'
      : 'a "${" is not closed; where the characters themselves are meant, write "$${";';
  return `must be a template: ${reason} ${whereIn(template, first.at)}`;
}

const anyCharacter = oneOf(/^[\s\S]/u, "a character");
const end = not(anyCharacter);
const gap = many(oneOf(/[ \t\r\n]/, "space"));

/** What stands within an interpolation may have space before it. */
const token = (part: Reader): Expression<unknown> => sequence(gap, part);
const symbol = (text: string): Expression<unknown> => token(literal(text));

const nameCharacter = oneOf(/[\p{L}\p{N}\p{M}_-]/u, "a letter");
/** A star is a part of a name between dots, or after the last one. */
const dot = sequence(literal("."), not(sequence(literal("*"), nameCharacter)), optional(literal("*")));
const name = token(sequence(oneOf(/[\p{L}_]/u, "a letter"), many(choice(nameCharacter, dot))));
const truth = token(sequence(choice(literal("true"), literal("false")), not(choice(nameCharacter, literal(".")))));

const digits = atLeastOnce(oneOf(/[0-9]/, "a digit"));
const number = token(sequence(digits, optional(sequence(literal("."), digits))));

const operator = choice(...["||", "&&", "==", "!=", ">=", "<=", ">", "<", "+", "-", "*", "/", "%"].map(symbol));

const term: Expression<unknown> = rule("term", () =>
  choice(
    sequence(symbol("("), expression, symbol(")")),
    token(quoted),
    number,
    sequence(choice(symbol("-"), symbol("!")), term),
    truth,
    sequence(name, optional(choice(call, sequence(symbol("["), expression, symbol("]"))))),
  ),
);

const expression: Expression<unknown> = rule("expression", () =>
  sequence(term, many(sequence(operator, term)), optional(sequence(symbol("?"), expression, symbol(":"), expression))),
);

const call = sequence(
  symbol("("),
  optional(sequence(expression, many(sequence(symbol(","), expression)), optional(symbol(",")))),
  symbol(")"),
);

const begin = literal("${");
const interpolation = sequence(begin, expression, symbol("}"));
const dollar = literal("$$");

const quoted: Expression<unknown> = rule("quoted", () =>
  sequence(
    literal('"'),
    many(
      choice(
        dollar,
        interpolation,
        sequence(literal("\\"), oneOf(/["\\n]/, "an escaped character")),
        sequence(not(choice(begin, literal('"'), literal("\\"))), anyCharacter),
      ),
    ),
    literal('"'),
  ),
);

const whole = sequence(many(choice(dollar, interpolation, sequence(not(begin), anyCharacter))), end);
