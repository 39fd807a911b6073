/**
 * A parser of JSON, equal to that of the servers' library for HCL, which takes texts that are no JSON: without closing braces, with commas
 * at the end, with more after it. Objects of objects become blocks with labels, as in HCL.
 */
import { Scanner } from "./scanner";
import type { Item, List, ObjectValue, Token, Value } from "./syntax";
import { deepest, PolicyError } from "./syntax";

export function parseJson(text: string): readonly Item[] {
  const root = new Parser(text).readRoot();
  flatten(root);
  return root.items;
}

class Parser {
  private readonly scanner: Scanner;
  private token: Token | undefined;
  private depth = 0;

  constructor(text: string) {
    this.scanner = new Scanner(text, "json");
  }

  readRoot(): ObjectValue {
    return this.readObject(this.scan());
  }

  private readObject(begin: Token): ObjectValue {
    if (this.depth >= deepest) throw new PolicyError(`objects are nested more than ${deepest} times`, begin);
    this.depth++;
    const items: Item[] = [];
    try {
      this.readItems(items);
    } catch (error) {
      // An error at a closing brace is forgotten, with the item that it is in: so a comma may stand before it.
      if (!(error instanceof PolicyError) || this.token?.kind !== "}") throw error;
    }
    this.depth--;
    return { kind: "object", at: begin, items };
  }

  private readItems(items: Item[]): void {
    do {
      const keys = this.readKeys();
      const [first] = keys;
      if (!first) return;
      const value = this.readValue();
      if (!value) return;
      items.push({ kind: "item", at: first, keys, value });
    } while (this.scan().kind === ",");
  }

  /** The names before a colon: none at the end of the text. */
  private readKeys(): Token[] {
    const keys: Token[] = [];
    for (;;) {
      const token = this.scan();
      if (token.kind === "text") keys.push(token);
      else if (token.kind === "end") return [];
      else if (token.kind === ":" && keys.length > 0) return keys;
      else
        throw new PolicyError(`${token.text} stands where a name in double quotes${keys.length > 0 ? ' or ":"' : ""} is expected`, token);
    }
  }

  /** The value after a colon: undefined if the text ends there. */
  private readValue(): Value | undefined {
    const token = this.scan();
    switch (token.kind) {
      case "number":
      case "boolean":
      case "null":
      case "text":
        return { kind: "literal", at: token, token };
      case "{":
        return this.readObject(token);
      case "[":
        return this.readList(token);
      case "end":
        return undefined;
      default:
        throw new PolicyError(`${token.text} is no value`, token);
    }
  }

  /** A list leaves out true, false, and the brackets of lists in it. */
  private readList(at: Token): List {
    const values: Value[] = [];
    for (;;) {
      const token = this.scan();
      if (token.kind === "]") return { kind: "list", at, values };
      if (token.kind === "{") values.push(this.readObject(token));
      else if (token.kind === "number" || token.kind === "text") values.push({ kind: "literal", at: token, token });
      else if (token.kind !== "," && token.kind !== "boolean" && token.kind !== "[") {
        throw new PolicyError(token.kind === "end" ? 'a list has no "]"' : `${token.text} is no item of a list`, token);
      }
    }
  }

  private scan(): Token {
    this.token = undefined;
    this.token = this.scanner.next();
    return this.token;
  }
}

/** Makes blocks with labels of objects that hold objects alone, and of lists of objects. */
function flatten(value: Value): void {
  if (value.kind === "list") for (const one of value.values) flatten(one);
  if (value.kind !== "object") return;
  const flat: Item[] = [];
  const rest = [...value.items];
  for (let item = rest.pop(); item; item = rest.pop()) {
    const inner = blocksIn(item);
    if (inner) rest.push(...inner);
    else flat.push(item);
  }
  value.items = flat.reverse();
  for (const item of value.items) flatten(item.value);
}

function blocksIn(item: Item): Item[] | undefined {
  const { value } = item;
  if (value.kind === "list" && value.values.length > 0 && value.values.every(({ kind }) => kind === "object")) {
    return value.values.map((one) => ({ ...item, value: one }));
  }
  if (value.kind === "object" && value.items.length > 0 && value.items.every((one) => one.value.kind === "object")) {
    return value.items.map((one) => ({ ...item, keys: [...item.keys, ...one.keys], value: one.value }));
  }
  return undefined;
}
