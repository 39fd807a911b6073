/**
 * A parser of policies: HCL 1, and JSON if the text begins with a brace. Servers forgive some mistakes, such as a value that is missing at
 * the end of a block, and lose what stands there. Here they are errors.
 */
import { wellFormed } from "../go-text";
import { Scanner } from "./scanner";
import type { Item, Language, List, ObjectValue, Token, Value } from "./syntax";
import { PolicyError } from "./syntax";

/** The items of a text, with the labels of blocks, as the servers' library has them. @throws PolicyError if it can't be read */
export function parse(rules: string): readonly Item[] {
  const text = wellFormed(rules);
  return isJson(text) ? flattened(new Parser(text, "json").json()) : new Parser(text.replaceAll("\r\n", "\n"), "hcl").items();
}

/** Whether a text is read as JSON. */
export function isJson(rules: string): boolean {
  return /^\p{White_Space}*\{/u.test(rules);
}

/** How deep objects and lists may be nested. Policies need five levels; the limit protects the stack of the process. */
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

  /** The next token, which is read when it is asked for: what stands after JSON need not be one. */
  private get token(): Token {
    this.next ??= this.scanner.next();
    return this.next;
  }

  /** The members of the outermost object. Servers don't read what stands after it. */
  json(): readonly Item[] {
    return this.object(this.take()).items;
  }

  /** The items before a closing brace, which is read as well, or before the end of the text. */
  items(begin?: Token): readonly Item[] {
    const end = begin ? "}" : "end";
    const items: Item[] = [];
    while (!this.skips(end)) {
      if (this.token.kind === "end") throw this.error(`stands before the "}" of the "{" in line ${begin?.line}`);
      const [first, ...labels] = this.keys();
      items.push({ kind: "item", at: first, keys: [first, ...labels], value: this.value() });
      const isOver = this.language === "hcl" || this.token.kind === end;
      if (!this.skips(",") && !isOver) throw this.error('stands where "," or "}" is expected after a value');
    }
    return items;
  }

  /** The names before a value, with what stands between them: an equals sign, a colon, or nothing before a brace. */
  private keys(): [first: Token, ...labels: Token[]] {
    const isName = () => this.token.kind === "text" || (this.language === "hcl" && this.token.kind === "identifier");
    if (!isName()) throw this.error(`stands where a name${this.language === "json" ? " in double quotes" : ""} is expected`);
    const keys: [Token, ...Token[]] = [this.take()];
    if (this.language === "json") {
      if (!this.skips(":")) throw this.error(`stands where ":" is expected after ${keys[0].text}`);
      return keys;
    }
    while (isName()) keys.push(this.take());
    if (this.token.kind !== "{" && !(keys.length === 1 && this.skips("="))) {
      const names = keys.map(({ text }) => text).join(" ");
      throw this.error(`stands where ${keys.length === 1 ? '"=" or "{"' : '"{"'} is expected after ${names}`);
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
        throw errorOf(token, "is no value: texts stand in double quotes");
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
      if (!this.skips(",") && !isOver) throw this.error('stands where "," or "]" is expected after an item of a list');
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

  /** Takes a token if it is of this kind. */
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

  /** @param words what is wrong with the next token */
  private error(words: string): PolicyError {
    return errorOf(this.token, words);
  }
}

function errorOf(token: Token, words: string): PolicyError {
  return new PolicyError(`${token.kind === "end" ? "the end of the text" : token.text} ${words}`, token);
}

/** Makes blocks with labels of objects that hold objects alone, and of lists of objects: JSON has no others. */
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
