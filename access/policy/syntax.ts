/** The parts of a policy's text, which HCL 1 and JSON have in common. */
import { unquotedHcl, unquotedJson } from "./unquote";

/** Where something stands in a text: both count from 1, the columns in characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type TokenKind = "identifier" | "text" | "heredoc" | "number" | "boolean" | "null" | "comment" | "other" | "end" | Mark;
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
  items: readonly Item[];
}

export type Value = Literal | List | ObjectValue;

/** A part of an object: `name = value`, or a block with its name and labels. */
export interface Item {
  readonly kind: "item";
  readonly at: Position;
  readonly keys: readonly Token[];
  readonly value: Value;
}

/** A text that isn't read as a policy: the server refuses it whole. */
export class PolicyError extends Error {
  constructor(
    message: string,
    readonly at: Position,
  ) {
    super(message);
  }
}

/** How deep objects and lists may be nested. Policies need five levels; the limit protects the stack of the process. */
export const deepest = 200;

/** What a key or a text says. */
export function textOf(token: Token): string {
  if (token.kind === "heredoc") return heredocText(token);
  if (token.kind !== "text") return token.kind === "null" ? "" : token.text;
  const text = token.isJson ? unquotedJson(token.text) : unquotedHcl(token.text);
  if (text === undefined) throw new PolicyError(`the text ${token.text} can't be read: its escapes or interpolations are not valid`, token);
  return text;
}

/**
 * The text between the marks of a heredoc. Servers cut it by the length of the first mark, counted in bytes, so a last mark that is
 * indented loses or keeps some of its spaces.
 */
function heredocText(token: Token): string {
  const bytes = new TextEncoder().encode(token.text);
  const begin = bytes.indexOf(10) + 1;
  const cut = (end: number) => {
    if (end < begin) throw new PolicyError("the heredoc is too short for its mark", token);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(begin, end));
  };
  const end = bytes.length - begin + 2;
  if (!token.text.startsWith("<<-")) return cut(end);
  const lines = cut(end + 1).split("\n");
  const indent = lines.at(-1) ?? "";
  if (!lines.every((line) => line.startsWith(indent))) return cut(end).replace(/[ \t]+$/, "");
  return [...lines.slice(0, -1).map((line) => line.slice(indent.length)), ""].join("\n");
}

/** Whether two names are one to the server, which ignores the case of what it knows. */
export function isName(text: string, name: string): boolean {
  return text === name || (text.length === name.length && new RegExp(`^${name}$`, "iu").test(text));
}

/** The items of this name, without it: what is left of the keys are labels. */
export function itemsNamed(items: readonly Item[], name: string): Item[] {
  return items.flatMap((item) => {
    const [first, ...labels] = item.keys;
    return first !== undefined && isName(textOf(first), name) ? [{ ...item, keys: labels }] : [];
  });
}
