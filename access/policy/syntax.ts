/** The syntax tree of a policy, common to HCL 1 and JSON. */
import { unescaped } from "../go-text";

/** A position in a text: line and column count from 1, the column in characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type Language = "hcl" | "json";
export type TokenKind = "identifier" | "text" | "heredoc" | "number" | "boolean" | "null" | "end" | Mark;
export type Mark = "{" | "}" | "[" | "]" | "," | "=" | ":";

export interface Token extends Position {
  readonly kind: TokenKind;
  readonly text: string;
  readonly isJson: boolean;
}

export interface Literal {
  readonly kind: "literal";
  readonly at: Position;
  readonly token: Token;
}

export interface List {
  readonly kind: "list";
  readonly at: Position;
  readonly values: readonly Value[];
}

export interface ObjectValue {
  readonly kind: "object";
  readonly at: Position;
  readonly items: readonly Item[];
}

export type Value = Literal | List | ObjectValue;

/** A member of an object: `name = value`, or a block with its name and labels. */
export interface Item {
  readonly kind: "item";
  readonly at: Position;
  readonly keys: readonly Token[];
  readonly value: Value;
}

/** The error for a text that is not a valid policy. Servers refuse the text, or drop a part of it. */
export class PolicyError extends Error {
  constructor(
    message: string,
    readonly at: Position,
  ) {
    super(message);
  }
}

/** The value of a key or a text. An HCL interpolation `${...}` is kept as it is. */
export function textOf({ kind, text, isJson }: Token): string {
  if (kind !== "text") return kind === "null" ? "" : text;
  let [said, rest] = ["", text.slice(1, -1)];
  for (let begin = rest.indexOf("${"); begin >= 0 && !isJson; begin = rest.indexOf("${")) {
    let end = begin + 2;
    for (let depth = 1; depth > 0; end++) depth += rest[end] === "{" ? 1 : rest[end] === "}" ? -1 : 0;
    said += unescaped(rest.slice(0, begin)) + rest.slice(begin, end);
    rest = rest.slice(end);
  }
  return said + unescaped(rest);
}

/** Whether two names are the same to the server, which ignores the case of known names. */
export function isName(text: string, name: string): boolean {
  return text === name || (text.length === name.length && new RegExp(`^${name}$`, "iu").test(text));
}

/** The items with this name, without the name: the remaining keys are labels. */
export function itemsNamed(items: readonly Item[], name: string): Item[] {
  return items.flatMap((item) => {
    const [first, ...labels] = item.keys;
    return first !== undefined && isName(textOf(first), name) ? [{ ...item, keys: labels }] : [];
  });
}
