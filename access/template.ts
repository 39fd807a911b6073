import type { Expression, Parsed } from "./peg";
import { action, atLeastOnce, choice, literal, many, not, oneOf, optional, parse, rule, sequence, textOf, whereIn } from "./peg";
import { remembering } from "./remembering";

/** A name in a template. `at` is the number of the character where it begins. */
interface Named {
  readonly at: number;
  readonly name: string;
}

/** What stands in a template. Anything but a name between `${` and `}` is for servers to compute. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | ({ readonly kind: "name" } & Named)
  | { readonly kind: "computed"; readonly at: number; readonly names: readonly Named[] };

/**
 * Reads a template, such as that of a bind name, as servers do.
 *
 * The grammar is that of the servers' interpolation language (HIL): names, texts in quotes, numbers, operators and calls between `${` and `}`.
 */
export function parseTemplate(template: string): Parsed<readonly Part[]> {
  return remembered(template);
}

const remembered = remembering(1_000, (template) => parse(whole, template));

/** The names that a template interpolates, each once; none if it can't be read. */
export function namesIn(template: string): string[] {
  const parsed = template.includes("${") ? parseTemplate(template) : undefined;
  return parsed && "value" in parsed ? [...new Set(parsed.value.flatMap(namesOf).map(({ name }) => name))] : [];
}

/** The names that a part refers to, in their order. */
export function namesOf(part: Part): readonly Named[] {
  if (part.kind === "text") return [];
  return part.kind === "name" ? [part] : part.names;
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
const digits = atLeastOnce(oneOf(/[0-9]/, "a digit"));
const number = sequence(digits, optional(sequence(literal("."), digits)));
const truth = sequence(choice(literal("true"), literal("false")), not(choice(nameCharacter, literal("."))));
const operators = ["||", "&&", "==", "!=", ">=", "<=", ">", "<", "+", "-", "*", "/", "%"];

/** The names in an operand, or in an expression. */
type Names = Expression<readonly Named[]>;
const none = () => [];

const operand: Names = rule("operand", () =>
  choice(
    action(sequence(choice(symbol("-"), symbol("!")), operand), ([, names]) => names),
    action(sequence(symbol("("), expression, symbol(")")), ([, names]) => names),
    token(quoted),
    token(action(choice(number, truth), none)),
    action(sequence(name, symbol("("), optional(items), symbol(")")), ([, , names = []]) => names),
    action(sequence(name, optional(sequence(symbol("["), expression, symbol("]")))), ([of, index]) => [of, ...(index?.[1] ?? [])]),
  ),
);

const items: Names = rule("arguments", () =>
  action(sequence(expression, many(sequence(symbol(","), expression)), optional(symbol(","))), ([first, more]) => [
    ...first,
    ...more.flatMap(([, names]) => names),
  ]),
);

const expression: Names = rule("expression", () =>
  action(
    sequence(
      operand,
      many(sequence(choice(...operators.map(symbol)), operand)),
      optional(sequence(symbol("?"), expression, symbol(":"), expression)),
    ),
    ([first, rest, branches]) => [...first, ...rest.flatMap(([, names]) => names), ...(branches ? [...branches[1], ...branches[3]] : [])],
  ),
);

const begin = literal("${");
const interpolation = choice(
  action(sequence(begin, name, symbol("}")), ([, of]): Part => (isTruth(of) ? computed([], of.at) : { kind: "name", ...of })),
  action(sequence(begin, expression, symbol("}")), ([, names], { start }): Part => computed(names, start + 2)),
);
/** Two dollars are one, and the second begins nothing. */
const dollar = action(literal("$$"), () => "$");

function isTruth({ name }: Named): boolean {
  return name === "true" || name === "false";
}

function computed(names: readonly Named[], at: number): Part {
  return { kind: "computed", names, at };
}

const quoted: Names = rule("quoted", () =>
  action(
    sequence(
      literal('"'),
      many(
        choice(
          action(dollar, none),
          action(interpolation, namesOf),
          action(sequence(literal("\\"), oneOf(/["\\n]/, "an escaped character")), none),
          action(sequence(not(choice(begin, literal('"'), literal("\\"))), anyCharacter), none),
        ),
      ),
      literal('"'),
    ),
    ([, parts]) => parts.flat(),
  ),
);

const whole = action(sequence(many(choice(dollar, interpolation, textOf(sequence(not(begin), anyCharacter)))), end), ([parts]) =>
  joined(parts),
);

/** Characters that stand together are one text. */
function joined(parts: readonly (string | Part)[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (typeof part !== "string") all.push(part);
    else if (last?.kind === "text") all[all.length - 1] = { kind: "text", text: last.text + part };
    else all.push({ kind: "text", text: part });
  }
  return all;
}
