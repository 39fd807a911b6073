/**
 * A parser of HCL 1, equal to that of the servers. It takes some texts that it should not, as the original does: `a =` at the
 * end of a text is left out, and so is an item with an error at a closing brace.
 */
import { Scanner } from "./scanner";
import type { Item, List, ObjectValue, Token, Value } from "./syntax";
import { deepest, PolicyError } from "./syntax";

export function parseHcl(text: string): readonly Item[] {
  return new Parser(text).readItems(false);
}

class Parser {
  private readonly scanner: Scanner;
  private token: Token | undefined;
  private isPutBack = false;
  private depth = 0;

  constructor(text: string) {
    this.scanner = new Scanner(text, "hcl");
  }

  /** @param items what is read is added to it, so it is there after an error as well */
  readItems(isNested: boolean, items: Item[] = []): readonly Item[] {
    for (;;) {
      if (isNested && this.look().kind === "}") return items;
      const keys = this.readKeys();
      const [first] = keys;
      if (!first) return items;
      const value = this.current().kind === "{" ? this.readObject() : this.readValue();
      if (!value) return items;
      items.push({ kind: "item", at: first, keys, value });
      if (this.look().kind === ",") this.scan();
    }
  }

  /** The names before a value: none at the end of the text. The current token is then the brace or the equals sign. */
  private readKeys(): Token[] {
    const keys: Token[] = [];
    for (;;) {
      const token = this.scan();
      if (token.kind === "identifier" || token.kind === "text") keys.push(token);
      else if (token.kind === "end" && keys.length === 0) return keys;
      else if (token.kind === "=" && keys.length === 1) return keys;
      else if (token.kind === "{" && keys.length > 0) return keys;
      else throw this.keyError(keys, token);
    }
  }

  /** The value after an equals sign: undefined if the text ends there. */
  private readValue(): Value | undefined {
    const token = this.scan();
    if (token.kind === "end") return undefined;
    const value = this.valueFrom(token);
    if (!value) throw new PolicyError(`${shown(token)} is no value: texts stand in double quotes`, token);
    return value;
  }

  private valueFrom(token: Token): Value | undefined {
    switch (token.kind) {
      case "number":
      case "boolean":
      case "text":
      case "heredoc":
        return { kind: "literal", at: token, token };
      case "{":
        return this.readObject();
      case "[":
        return this.readList();
      default:
        return undefined;
    }
  }

  private readObject(): ObjectValue {
    const at = this.current();
    const items: Item[] = [];
    try {
      this.nested(() => this.readItems(true, items));
    } catch (error) {
      // An error at a closing brace is forgotten, with the item that it is in.
      if (!(error instanceof PolicyError) || this.token?.kind !== "}") throw error;
    }
    const end = this.scan();
    if (end.kind !== "}") throw new PolicyError(`${shown(end)} stands before the "}" of the "{" in line ${at.line}`, end);
    return { kind: "object", at, items };
  }

  private readList(): List {
    const at = this.current();
    const values: Value[] = [];
    let needsComma = false;
    for (;;) {
      const token = this.scan();
      if (token.kind === "]") return { kind: "list", at, values };
      if (token.kind === ",") {
        needsComma = false;
        continue;
      }
      if (needsComma) throw new PolicyError(`${shown(token)} after an item of a list: a comma or "]" is missing`, token);
      const value = this.nested(() => this.valueFrom(token));
      if (!value) throw new PolicyError(`${shown(token)} is no item of a list: texts stand in double quotes`, token);
      values.push(value);
      needsComma = token.kind !== "[";
    }
  }

  private nested<T>(read: () => T): T {
    if (this.depth >= deepest) throw new PolicyError(`objects and lists are nested more than ${deepest} times`, this.current());
    this.depth++;
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  /** An error of names is never forgotten. */
  private keyError(keys: readonly Token[], token: Token): PolicyError {
    this.token = undefined;
    if (keys.length === 0) return new PolicyError(`${shown(token)} stands where a name is expected`, token);
    const names = keys.map(({ text }) => text).join(" ");
    const expected = keys.length > 1 ? 'labels: "{" is expected' : 'a name: "=" or "{" is expected';
    return new PolicyError(`${shown(token)} follows ${names}, ${expected}`, token);
  }

  private scan(): Token {
    const token = this.look();
    this.isPutBack = false;
    return token;
  }

  /** The next token, without taking it. */
  private look(): Token {
    if (this.isPutBack && this.token) return this.token;
    this.token = undefined;
    this.token = this.scanner.next();
    this.isPutBack = true;
    return this.token;
  }

  private current(): Token {
    if (!this.token) throw new Error("no token was read");
    return this.token;
  }
}

function shown({ kind, text }: Token): string {
  return kind === "end" ? "the end of the text" : text;
}
