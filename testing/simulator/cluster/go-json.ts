/** A JSON value that keeps what JSON.parse loses: numbers as they were written, and repeated keys. */
export type Json =
  | { kind: "null" }
  | { kind: "bool"; value: boolean }
  | { kind: "number"; literal: string }
  | { kind: "string"; value: string }
  | { kind: "array"; items: Json[] }
  | { kind: "object"; members: [key: string, value: Json][] };

/** A body that is not JSON, with the message of Go's decoder. */
export class JsonError extends Error {}

/** The first value of a text. Like the server's decoder, it ignores what follows. @throws JsonError */
export function parseJson(text: string): Json {
  return new Scanner(text).first();
}

const LITERALS = { true: { kind: "bool", value: true }, false: { kind: "bool", value: false }, null: { kind: "null" } } as const;
const ESCAPES = new Map(Object.entries({ '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));

/** The server's decoder stops at 10,000, which would take more stack than there is. Nothing that the API knows is nested so deep. */
const deepest = 1_000;

class Scanner {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  first(): Json {
    this.skipSpace();
    if (this.at === this.text.length) throw new JsonError("EOF");
    return this.value();
  }

  private value(): Json {
    const next = this.peek();
    if (next === "{" || next === "[") return this.nested(next);
    if (next === '"') return { kind: "string", value: this.string() };
    if (next === "t") return this.literal("true");
    if (next === "f") return this.literal("false");
    if (next === "n") return this.literal("null");
    if (next === "-" || isDigit(next)) return this.number();
    throw this.unexpected("looking for beginning of value");
  }

  private nested(opening: "{" | "["): Json {
    this.depth++;
    if (this.depth > deepest) throw this.unexpected("exceeded max depth");
    const value = opening === "{" ? this.object() : this.array();
    this.depth--;
    return value;
  }

  private object(): Json {
    const members: [string, Json][] = [];
    this.at++;
    if (this.peek() === "}") return this.end({ kind: "object", members });
    for (;;) {
      if (this.peek() !== '"') throw this.unexpected("looking for beginning of object key string");
      const key = this.string();
      if (this.peek() !== ":") throw this.unexpected("after object key");
      this.at++;
      members.push([key, this.value()]);
      const next = this.peek();
      if (next === "}") return this.end({ kind: "object", members });
      if (next !== ",") throw this.unexpected("after object key:value pair");
      this.at++;
    }
  }

  private array(): Json {
    const items: Json[] = [];
    this.at++;
    if (this.peek() === "]") return this.end({ kind: "array", items });
    for (;;) {
      items.push(this.value());
      const next = this.peek();
      if (next === "]") return this.end({ kind: "array", items });
      if (next !== ",") throw this.unexpected("after array element");
      this.at++;
    }
  }

  private string(): string {
    let value = "";
    for (this.at++; ; this.at++) {
      const next = this.character();
      if (next === '"') break;
      if (next < " ") throw this.unexpected("in string literal");
      value += next === "\\" ? this.escape() : next;
    }
    this.at++;
    return value;
  }

  private escape(): string {
    this.at++;
    const next = this.character();
    if (next !== "u") {
      const character = ESCAPES.get(next);
      if (character === undefined) throw this.unexpected("in string escape code");
      return character;
    }
    const start = this.at + 1;
    for (let digit = 0; digit < 4; digit++) {
      this.at++;
      if (!/[0-9a-f]/i.test(this.character())) throw this.unexpected("in \\u hexadecimal character escape");
    }
    return String.fromCharCode(Number.parseInt(this.text.slice(start, this.at + 1), 16));
  }

  private number(): Json {
    const start = this.at;
    if (this.text[this.at] === "-") this.at++;
    if (this.character() === "0") this.at++;
    else this.digits("in numeric literal");
    if (this.text[this.at] === ".") {
      this.at++;
      this.digits("after decimal point in numeric literal");
    }
    if (/[eE]/.test(this.text[this.at] ?? "")) {
      this.at++;
      if (/[+-]/.test(this.character())) this.at++;
      this.digits("in exponent of numeric literal");
    }
    return { kind: "number", literal: this.text.slice(start, this.at) };
  }

  private digits(context: string): void {
    if (!isDigit(this.character())) throw this.unexpected(context);
    while (isDigit(this.text[this.at] ?? "")) this.at++;
  }

  private literal(word: keyof typeof LITERALS): Json {
    for (const expected of word) {
      if (this.character() !== expected) throw this.unexpected(`in literal ${word} (expecting '${expected}')`);
      this.at++;
    }
    return LITERALS[word];
  }

  private end(value: Json): Json {
    this.at++;
    return value;
  }

  private skipSpace(): void {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? "")) this.at++;
  }

  /** The next character that is not whitespace; it is not consumed. */
  private peek(): string {
    this.skipSpace();
    return this.character();
  }

  private character(): string {
    const character = this.text[this.at];
    if (character === undefined) throw new JsonError("unexpected EOF");
    return character;
  }

  private unexpected(context: string): JsonError {
    const character = this.text[this.at] ?? "";
    const quoted = character === "'" ? "\\'" : character === '"' ? '"' : JSON.stringify(character).slice(1, -1);
    return new JsonError(`invalid character '${quoted}' ${context}`);
  }
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9" && character.length === 1;
}
