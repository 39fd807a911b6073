import type { Expression, Parsed } from "./peg";
import { action, atLeastOnce, choice, literal, many, not, oneOf, optional, parse, rule, sequence, textOf, whereIn } from "./peg";
import { remembering } from "./remembering";

/** What stands in a template. `at` is the number of the character where it begins. */
export type Term = { readonly at: number } & (
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "integer" | "float"; readonly text: string }
  | { readonly kind: "truth"; readonly value: boolean }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Term[] }
  | { readonly kind: "index"; readonly of: Term; readonly key: Term }
  | { readonly kind: "operation"; readonly operator: Operator; readonly left: Term; readonly right: Term }
  | { readonly kind: "conditional"; readonly condition: Term; readonly yes: Term; readonly no: Term }
  | { readonly kind: "parts"; readonly parts: readonly Term[] }
);

const OPERATORS = ["||", "&&", "==", "!=", ">=", "<=", ">", "<", "+", "-", "*", "/", "%"] as const;
export type Operator = (typeof OPERATORS)[number];

/** Those that bind least come first. */
const PRECEDENCE: readonly (readonly Operator[])[] = [["||"], ["&&"], ["==", "!="], [">", ">=", "<", "<="], ["+", "-"], ["*", "/", "%"]];

/**
 * Reads a template, such as that of a bind name, as servers do.
 *
 * The grammar is that of the servers' interpolation language (HIL): names, texts in quotes, numbers, operators and calls between `${` and `}`.
 */
export function parseTemplate(template: string): Parsed<Term> {
  return remembered(template);
}

const remembered = remembering(1_000, (template) => parse(whole, template));

/** The names that a template interpolates, each once; none if it can't be read. */
export function namesIn(template: string): string[] {
  const parsed = template.includes("${") ? parseTemplate(template) : undefined;
  return parsed && "value" in parsed ? [...new Set(namesOf(parsed.value))] : [];
}

function namesOf(term: Term): string[] {
  return term.kind === "name" ? [term.name] : partsOf(term).flatMap(namesOf);
}

/** The terms that a term consists of. */
export function partsOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case "parts":
      return term.parts;
    case "call":
      return term.args;
    case "index":
      return [term.of, term.key];
    case "operation":
      return [term.left, term.right];
    case "conditional":
      return [term.condition, term.yes, term.no];
    default:
      return [];
  }
}

/**
 * What is wrong with a template, and where; undefined when nothing is. What is refused here fails at every login. Whether there is something of a
 * name is known at the login alone.
 */
export function templateProblem(template: string): string | undefined {
  // Like the servers, which read no further.
  const [first] = template.includes("${") ? parseTemplate(template).mistakes : [];
  if (!first) return undefined;
  const reason =
    first.at < [...template].length
      ? // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
        'within "${" and "}" stands a name, like "${value.team}"; what is there can\'t be read,'
      : 'a "${" is not closed; if the characters themselves are meant, write "$${";';
  return `must be a template: ${reason} ${whereIn(template, first.at)}`;
}

const anyCharacter = oneOf(/^[\s\S]/u, "a character");
const end = not(anyCharacter);
const gap = many(oneOf(/[ \t\r\n]/, "space"));

/** The parts of an interpolation may have space before them. */
function token<T>(part: Expression<T>): Expression<T> {
  return action(sequence(gap, part), ([, value]) => value);
}

function symbol<T extends string>(text: T): Expression<T> {
  return token(action(literal(text), () => text));
}

const nameCharacter = oneOf(/[\p{L}\p{N}\p{M}_-]/u, "a letter");
/** A star is a part of a name between dots, or after the last one. */
const dot = sequence(literal("."), not(sequence(literal("*"), nameCharacter)), optional(literal("*")));
const name = token(
  action(sequence(oneOf(/[\p{L}_]/u, "a letter"), many(choice(nameCharacter, dot))), (_, { start }, text) => ({ at: start, name: text() })),
);
const truth = token(
  action(
    sequence(textOf(choice(literal("true"), literal("false"))), not(choice(nameCharacter, literal(".")))),
    ([text], { start }): Term => ({ kind: "truth", value: text === "true", at: start }),
  ),
);

const digits = atLeastOnce(oneOf(/[0-9]/, "a digit"));
const number = token(
  action(sequence(digits, optional(sequence(literal("."), digits))), (_, { start }, text): Term => {
    const written = text();
    return { kind: written.includes(".") ? "float" : "integer", text: written, at: start };
  }),
);

const operator: Expression<Operator> = choice(...OPERATORS.map(symbol));

const unary = token(action(choice(symbol("-"), symbol("!")), (sign, { start }) => ({ sign, at: start })));

const term: Expression<Term> = rule("term", () =>
  choice(
    action(sequence(symbol("("), expression, symbol(")")), ([, of]) => of),
    token(quoted),
    number,
    action(sequence(unary, term), ([{ sign, at }, of]) => applied(sign, of, at)),
    truth,
    action(sequence(name, optional(choice(call, index))), ([of, use]): Term => {
      const named: Term = { kind: "name", ...of };
      if (use?.kind === "call") return { kind: "call", ...of, args: use.args };
      return use ? { kind: "index", of: named, key: use.key, at: use.at } : named;
    }),
  ),
);

/** A sign is an operation too: what 0 is less by, or whether it is false. */
function applied(sign: "-" | "!", right: Term, at: number): Term {
  if (sign === "-") return { kind: "operation", operator: "-", left: { kind: "integer", text: "0", at }, right, at };
  return { kind: "operation", operator: "==", left: { kind: "truth", value: false, at }, right, at };
}

const expression: Expression<Term> = rule("expression", () =>
  action(
    sequence(
      term,
      many(sequence(operator, term)),
      optional(action(sequence(symbol("?"), expression, symbol(":"), expression), ([, yes, , no]) => ({ yes, no }))),
    ),
    ([first, rest, branches]): Term => {
      const of = grouped(first, rest, PRECEDENCE);
      return branches ? { kind: "conditional", condition: of, ...branches, at: of.at } : of;
    },
  ),
);

/** Operators of one precedence are taken from left to right. */
function grouped(first: Term, rest: readonly (readonly [Operator, Term])[], [least, ...more]: typeof PRECEDENCE): Term {
  if (!least) return first;
  const groups: { operator?: Operator; first: Term; rest: (readonly [Operator, Term])[] }[] = [{ first, rest: [] }];
  for (const [next, operand] of rest) {
    if (least.includes(next)) groups.push({ operator: next, first: operand, rest: [] });
    else groups.at(-1)?.rest.push([next, operand]);
  }
  return (
    groups
      .map((group) => ({ operator: group.operator, of: grouped(group.first, group.rest, more) }))
      .reduce<Term | undefined>(
        (left, { operator: joined, of }) => (left && joined ? { kind: "operation", operator: joined, left, right: of, at: left.at } : of),
        undefined,
      ) ?? first
  );
}

const call = action(
  sequence(
    symbol("("),
    optional(
      action(sequence(expression, many(sequence(symbol(","), expression)), optional(symbol(","))), ([head, tail]) => [
        head,
        ...tail.map(([, arg]) => arg),
      ]),
    ),
    symbol(")"),
  ),
  ([, args]) => ({ kind: "call" as const, args: args ?? [] }),
);

const bracket = token(action(literal("["), (_, { start }) => start));
const index = action(sequence(bracket, expression, symbol("]")), ([at, key]) => ({ kind: "index" as const, key, at }));

const begin = literal("${");
const interpolation = action(sequence(begin, expression, symbol("}")), ([, of]) => of);
/** Two dollars are one, and the second begins nothing. */
const dollar = action(literal("$$"), () => "$");

const quoted: Expression<Term> = rule("quoted", () =>
  action(
    sequence(
      action(literal('"'), (_, { start }) => start),
      many(
        choice(
          dollar,
          interpolation,
          action(sequence(literal("\\"), textOf(oneOf(/["\\n]/, "an escaped character"))), ([, text]) => (text === "n" ? "\n" : text)),
          textOf(sequence(not(choice(begin, literal('"'), literal("\\"))), anyCharacter)),
        ),
      ),
      literal('"'),
    ),
    ([at, parts]) => joined(parts, at),
  ),
);

const whole = action(sequence(many(choice(dollar, interpolation, textOf(sequence(not(begin), anyCharacter)))), end), ([parts]) =>
  joined(parts, 0),
);

/** Characters that stand together are one text; a text alone is that text. */
function joined(parts: readonly (string | Term)[], at: number): Term {
  const terms: Term[] = [];
  let text: string | undefined;
  for (const part of parts) {
    if (typeof part === "string") text = (text ?? "") + part;
    else {
      if (text !== undefined) terms.push({ kind: "text", text, at });
      text = undefined;
      terms.push(part);
    }
  }
  if (text !== undefined || terms.length === 0) terms.push({ kind: "text", text: text ?? "", at });
  const [only] = terms;
  return terms.length === 1 && only?.kind === "text" ? only : { kind: "parts", parts: terms, at };
}
