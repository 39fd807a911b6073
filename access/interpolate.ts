import { floatText, integerIn, quoted } from "./go-text";
import { positionsIn } from "./peg";
import type { Operator, Term } from "./template";
import { parseTemplate, partsOf } from "./template";

/** A template that gives no text for a login. The message is the server's. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/**
 * A template with its interpolations in place.
 *
 * @param variables what names stand for
 * @throws TemplateError when a name is not among them, an operation can't be done, or the template can't be read (the reason is then another than the server's words)
 */
export function interpolate(template: string, variables: ReadonlyMap<string, string>): string {
  if (!template.includes("${")) return template;
  const quick = interpolateQuickly(template, variables);
  if (quick !== undefined) return quick;
  const { term, place } = termOf(template, variables);
  return String(typed(term, variables, place).value());
}

/** Claims alone, as most bind names interpolate them: without the grammar, in a tenth of the time. Undefined for what only that can judge. */
function interpolateQuickly(template: string, variables: ReadonlyMap<string, string>): string | undefined {
  if (template.includes("$$")) return undefined;
  // Between the texts stand the names.
  const parts = template.split(/\$\{(value\.\w+)\}/).map((part, index) => {
    if (index % 2 === 1) return variables.get(part);
    return part.includes("${") ? undefined : part;
  });
  return parts.includes(undefined) ? undefined : parts.join("");
}

/** The texts that a template can become. */
export interface Texts {
  test(text: string): boolean;
  /** What all of them have: the template without its interpolations. */
  readonly constant: string;
  readonly isComputed: boolean;
}

/**
 * What texts a bind name can become.
 *
 * @param variables the names that have a value; undefined: any name
 * @throws TemplateError when a name is not among them, or the template can't be read
 */
export function textsOf(template: string, variables: ReadonlySet<string> | undefined): Texts {
  const parts = template.includes("${") ? flatPartsOf(termOf(template, variables).term) : [textTerm(template)];
  const pattern = new RegExp(`^${parts.map(patternOf).join("")}$`, "u");
  const texts = parts.map((part) => (part.kind === "text" ? part.text : ""));
  return {
    test: (text) => pattern.test(text),
    constant: texts.join(""),
    isComputed: parts.some(({ kind }) => kind !== "text"),
  };
}

function textTerm(text: string): Term {
  return { kind: "text", text, at: 0 };
}

function flatPartsOf(term: Term): readonly Term[] {
  return term.kind === "parts" ? term.parts.flatMap(flatPartsOf) : [term];
}

function patternOf(term: Term): string {
  if (term.kind === "text") return term.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  // Values are made lower case in bind names.
  return term.kind === "name" ? "[^A-Z]*" : "[\\s\\S]*";
}

function termOf(template: string, variables: Pick<ReadonlySet<string>, "has"> | undefined): { term: Term; place: Places } {
  const parsed = parseTemplate(template);
  const place = placesIn(template);
  if (!("value" in parsed)) {
    const [{ at, reason }] = parsed.mistakes;
    throw new TemplateError(`parse error at ${place(at)}: ${reason}`);
  }
  if (variables) checkNames(parsed.value, variables, place);
  return { term: parsed.value, place };
}

/** Where a character stands, as "LINE:COLUMN". */
type Places = (at: number) => string;

function placesIn(template: string): Places {
  const characters = [...template];
  return (at) => {
    const { line, column } = positionsIn(characters)[at] ?? { line: 1, column: 1 };
    return `${line}:${column}`;
  };
}

/** Servers look for all names before they do anything. */
function checkNames(term: Term, variables: Pick<ReadonlySet<string>, "has">, place: Places): void {
  for (const part of partsOf(term)) checkNames(part, variables, place);
  if (term.kind === "name" && !variables.has(term.name))
    throw new TemplateError(`${place(term.at)}: unknown variable accessed: ${term.name}`);
  if (term.kind === "call") throw new TemplateError(`${place(term.at)}: unknown function called: ${term.name}`);
}

type Type = "string" | "int" | "float" | "bool";
type Value = string | bigint | number | boolean;

/** A term whose type is known, and what it is when asked. */
interface Typed {
  readonly type: Type;
  value(): Value;
}

const TYPE_NAMES: Readonly<Record<Type, string>> = { string: "TypeString", int: "TypeInt", float: "TypeFloat", bool: "TypeBool" };

function typed(term: Term, variables: ReadonlyMap<string, string>, place: Places): Typed {
  const inner = (part: Term) => typed(part, variables, place);
  const wrong = (reason: string) => {
    const [line, column] = place(term.at).split(":");
    return new TemplateError(`At column ${column}, line ${line}: ${reason}`);
  };
  switch (term.kind) {
    case "text":
      return { type: "string", value: () => term.text };
    case "integer":
      return { type: "int", value: () => BigInt(term.text) };
    case "float":
      return { type: "float", value: () => Number(term.text) };
    case "truth":
      return { type: "bool", value: () => term.value };
    case "name":
      return { type: "string", value: () => variables.get(term.name) ?? "" };
    case "parts": {
      const texts = term.parts.map((part) => toType(inner(part), "string"));
      return { type: "string", value: () => texts.map((text) => text?.value() ?? "").join("") };
    }
    case "operation":
      return operation(term.operator, [inner(term.left), inner(term.right)], wrong);
    case "conditional":
      return conditional(inner(term.condition), inner(term.yes), inner(term.no), wrong);
    case "index":
    case "call":
      // Nothing has an index, and no function is there. What is wrong inside comes first.
      partsOf(term).forEach(inner);
      throw wrong("invalid index operation into non-indexable type: TypeString");
  }
}

/** The same value as one of another type; undefined if there is no such conversion. */
function toType(of: Typed, type: Type): Typed | undefined {
  if (of.type === type) return of;
  const convert = CONVERSIONS[of.type][type];
  return convert && { type, value: () => convert(of.value()) };
}

const CONVERSIONS: Readonly<Record<Type, Readonly<Partial<Record<Type, (value: Value) => Value>>>>> = {
  float: { int: (value) => BigInt(Math.trunc(Number(value))), string: (value) => floatText(Number(value)) },
  int: { float: Number, string: String },
  string: {
    int: (value) => asInteger(String(value)),
    float: (value) => failing("__builtin_StringToFloat: strconv.ParseFloat", String(value), floatIn(String(value))),
    bool: (value) => failing("__builtin_StringToBool: strconv.ParseBool", String(value), truthIn(String(value))),
  },
  bool: { string: String },
};

function failing<T>(what: string, text: string, value: T | undefined): T {
  if (value === undefined) throw new TemplateError(`${what}: parsing ${quoted(text)}: invalid syntax`);
  return value;
}

function asInteger(text: string): bigint {
  const value = failing("__builtin_StringToInt: strconv.ParseInt", text, integerIn(text));
  if (BigInt.asIntN(64, value) === value) return value;
  throw new TemplateError(`__builtin_StringToInt: strconv.ParseInt: parsing ${quoted(text)}: value out of range`);
}

function floatIn(text: string): number | undefined {
  if (/^[+-]?(?:inf|infinity)$/i.test(text)) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : /^nan$/i.test(text) ? Number.NaN : undefined;
}

function truthIn(text: string): boolean | undefined {
  if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return true;
  return ["0", "f", "F", "false", "FALSE", "False"].includes(text) ? false : undefined;
}

type Wrong = (reason: string) => TemplateError;

function operation(operator: Operator, operands: readonly [Typed, Typed], wrong: Wrong): Typed {
  if (operator === "&&" || operator === "||") {
    const [left, right] = converted(operands, "bool", (_, type) => wrong(`logical operators require boolean operands, not ${type}`));
    // Both are computed, whatever the first is.
    return { type: "bool", value: () => logical(operator, [left.value(), right.value()]) };
  }
  const expected = (type: Type) => (number: number, given: string) =>
    wrong(`operand ${number} should be ${TYPE_NAMES[type]}, got ${given}`);
  const isFloat = operands.some(({ type }) => type === "float");
  if (operator === "==" || operator === "!=") {
    const [{ type }] = operands;
    const [left, right] = converted(operands, type, expected(type));
    return { type: "bool", value: () => (left.value() === right.value()) === (operator === "==") };
  }
  const type = isFloat ? "float" : "int";
  const [left, right] = converted(operands, type, expected(type));
  if (operator === ">" || operator === "<" || operator === ">=" || operator === "<=") {
    return { type: "bool", value: () => ordered(operator, left.value(), right.value()) };
  }
  if (isFloat && operator === "%") throw wrong("modulo cannot be used with floats");
  return { type, value: () => arithmetic(operator, left.value(), right.value()) };
}

function converted(
  [left, right]: readonly [Typed, Typed],
  type: Type,
  wrong: (number: number, given: string) => TemplateError,
): [Typed, Typed] {
  const as = (operand: Typed, number: number) => {
    const same = toType(operand, type);
    if (!same) throw wrong(number, TYPE_NAMES[operand.type]);
    return same;
  };
  return [as(left, 1), as(right, 2)];
}

function logical(operator: "&&" | "||", [left, right]: readonly [Value, Value]): boolean {
  return operator === "&&" ? left === true && right === true : left === true || right === true;
}

function ordered(operator: ">" | "<" | ">=" | "<=", left: Value, right: Value): boolean {
  if (operator === ">") return left > right;
  if (operator === "<") return left < right;
  return operator === ">=" ? left >= right : left <= right;
}

function arithmetic(operator: "+" | "-" | "*" | "/" | "%", left: Value, right: Value): Value {
  if (typeof left === "bigint" && typeof right === "bigint") {
    if (right === 0n && (operator === "/" || operator === "%")) throw new TemplateError("__builtin_IntMath: divide by zero");
    return BigInt.asIntN(64, calculated(operator, left, right));
  }
  return calculated(operator, Number(left), Number(right));
}

function calculated<T extends bigint | number>(operator: "+" | "-" | "*" | "/" | "%", left: T, right: T): T;
function calculated(operator: "+" | "-" | "*" | "/" | "%", left: number, right: number): number {
  if (operator === "+") return left + right;
  if (operator === "-") return left - right;
  if (operator === "*") return left * right;
  return operator === "/" ? left / right : left % right;
}

function conditional(condition: Typed, yes: Typed, no: Typed, wrong: Wrong): Typed {
  const printed = ({ type }: Typed) => `type ${type}`;
  const test = toType(condition, "bool");
  if (!test) throw wrong(`condition must be type bool, not ${printed(condition)}`);
  const type = yes.type === "string" ? no.type : yes.type;
  const [taken, other] = [toType(yes, type), toType(no, type)];
  if (!taken || !other) throw wrong(`true and false expression types must match; have ${printed(yes)} and ${printed(no)}`);
  // Both are computed, whatever the condition is.
  const choose = (isTrue: Value, values: readonly [Value, Value]) => (isTrue === true ? values[0] : values[1]);
  return { type, value: () => choose(test.value(), [taken.value(), other.value()]) };
}
