/**
 * A parser of policies: HCL 1, or JSON if the text begins with a brace. Servers tolerate some mistakes, such as a missing value at the end
 * of a block, and drop the rest of the text. Such mistakes are errors here.
 */
import { wellFormed } from "../go-text";
import { Scanner } from "./scanner";
import type { Item, Language, List, ObjectValue, Token, Value } from "./syntax";
import { PolicyError } from "./syntax";

/**
 * The items of a text, with the labels of blocks, as the servers' library returns them.
 *
 * @throws PolicyError if the text can't be parsed
 */
export function parse(rules: string): readonly Item[] {
  const text = wellFormed(rules);
  return isJson(text) ? flattened(new Parser(text, "json").json()) : new Parser(text.replaceAll("\r\n", "\n"), "hcl").items();
}

/** Whether a text is read as JSON. */
export function isJson(rules: string): boolean {
  return /^\p{White_Space}*\{/u.test(rules);
}

/** The maximal nesting of objects and lists. Policies need five levels; the limit protects the process's stack. */
const DEEPEST = 200;

class Parser {
  private readonly scanner: Scanner;
  private next: Token | undefined;
  private depth = 0;

  constructor(
    text: string,
    private readonly language: Language,
  ) {
    this.scanner = new Scanner(text, language);
  }

  /** The next token. It is read on demand, because the text after the JSON object need not consist of tokens. */
  private get token(): Token {
    this.next ??= this.scanner.next();
    return this.next;
  }

  /** The members of the outermost object. Servers ignore any text after it. */
  json(): readonly Item[] {
    return this.object(this.take()).items;
  }

  /** The items up to a closing brace, which is read too, or up to the end of the text. */
  items(begin?: Token): readonly Item[] {
    const end = begin ? "}" : "end";
    const items: Item[] = [];
    while (!this.skips(end)) {
      if (this.token.kind === "end") throw this.expected(`the "}" for the "{" in line ${begin?.line}`);
      const [first, ...labels] = this.keys();
      items.push({ kind: "item", at: first, keys: [first, ...labels], value: this.value() });
      const isOver = this.language === "hcl" || this.token.kind === end;
      if (!this.skips(",") && !isOver) throw this.expected('"," or "}" after a value');
    }
    return items;
  }

  /** The names before a value, and the separator: an equals sign, a colon, or nothing before a brace. */
  private keys(): [first: Token, ...labels: Token[]] {
    const isName = () => this.token.kind === "text" || (this.language === "hcl" && this.token.kind === "identifier");
    if (!isName()) throw this.expected(`a name${this.language === "json" ? " in double quotes" : ""}`);
    const keys: [Token, ...Token[]] = [this.take()];
    if (this.language === "json") {
      if (!this.skips(":")) throw this.expected(`":" after ${keys[0].text}`);
      return keys;
    }
    while (isName()) keys.push(this.take());
    if (this.token.kind !== "{" && !(keys.length === 1 && this.skips("="))) {
      const names = keys.map(({ text }) => text).join(" ");
      throw this.expected(`${keys.length === 1 ? '"=" or "{"' : '"{"'} after ${names}`);
    }
    return keys;
  }

  private value(): Value {
    const token = this.take();
    switch (token.kind) {
      case "number":
      case "boolean":
      case "null":
      case "text":
      case "heredoc":
        return { kind: "literal", at: token, token };
      case "{":
        return this.object(token);
      case "[":
        return this.list(token);
      default:
        throw expectedError("a value, with texts in double quotes", token);
    }
  }

  private object(at: Token): ObjectValue {
    return { kind: "object", at, items: this.nested(at, () => this.items(at)) };
  }

  private list(at: Token): List {
    const values: Value[] = [];
    while (!this.skips("]")) {
      values.push(this.nested(at, () => this.value()));
      const isOver = this.token.kind === "]";
      if (!this.skips(",") && !isOver) throw this.expected('"," or "]" after an item of a list');
    }
    return { kind: "list", at, values };
  }

  private nested<T>(at: Token, read: () => T): T {
    if (this.depth >= DEEPEST) throw new PolicyError(`objects and lists are nested more than ${DEEPEST} times`, at);
    this.depth++;
    const result = read();
    this.depth--;
    return result;
  }

  /** Takes the next token if it is of this kind. */
  private skips(kind: Token["kind"]): boolean {
    const isIt = this.token.kind === kind;
    if (isIt) this.take();
    return isIt;
  }

  private take(): Token {
    const { token } = this;
    if (token.kind !== "end") this.next = undefined;
    return token;
  }

  /** @param words the expected tokens */
  private expected(words: string): PolicyError {
    return expectedError(words, this.token);
  }
}

function expectedError(words: string, token: Token): PolicyError {
  return new PolicyError(`expected ${words}, found ${token.kind === "end" ? "the end of the text" : token.text}`, token);
}

/** Turns objects that contain only objects, and lists of objects, into blocks with labels. JSON has no other blocks. */
function flattened(items: readonly Item[]): readonly Item[] {
  return items.flatMap((item): readonly Item[] => {
    const { value } = item;
    if (value.kind === "list" && value.values.length > 0 && value.values.every(({ kind }) => kind === "object")) {
      return flattened(value.values.map((one) => ({ ...item, value: one })));
    }
    if (value.kind !== "object") return [item];
    if (value.items.length > 0 && value.items.every((one) => one.value.kind === "object")) {
      return flattened(value.items.map((one) => ({ ...item, keys: [...item.keys, ...one.keys], value: one.value })));
    }
    return [{ ...item, value: { ...value, items: flattened(value.items) } }];
  });
}
