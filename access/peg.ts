/**
 * A parser for parsing expression grammars, equal to the servers' parser: it refuses the same texts, with the same messages, after the same
 * number of steps. The grammar's actions build the result.
 *
 * The parser has its own stack. A deeply nested text, or a chain of ten thousand terms, can't exhaust that of the process.
 */
export interface Expression<T> extends Reader {
  /** The type of a match's result; never set. */
  readonly yields?: T;
}

export interface Reader {
  /** Begins at the parser's position. @returns the part to read first, or, without parts, whether it matched */
  begin(parser: Parser): Reader | boolean;
  /** Continues after a part. @returns the part to read next, or whether the whole matched */
  after(parser: Parser, frame: Frame, matched: boolean): Reader | boolean;
}

/** The range of a text that was read, in characters. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** An error in a text. */
export interface Mistake {
  /** The number of the character. */
  readonly at: number;
  readonly reason: string;
  /** The whole message, like the servers'. */
  readonly message: string;
}

export type Parsed<T> = { readonly value: T; readonly mistakes: readonly [] } | { readonly mistakes: readonly [Mistake, ...Mistake[]] };

type Parts<T extends readonly unknown[]> = { readonly [K in keyof T]: Expression<T[K]> };

/** An expression with parts that is being read. */
interface Frame {
  readonly reader: Reader;
  readonly start: number;
  /** How many alternatives did not match. */
  tried: number;
  /** The results of the matched parts. */
  values: unknown[] | undefined;
}

class TooManySteps extends Error {}

/** The state of one parse. Positions are numbers of characters; only messages count bytes. */
class Parser {
  at = 0;
  /** The result of the last match. */
  value: unknown;
  inverted = false;
  readonly rules: string[] = [];
  readonly mistakes = new Map<string, Mistake>();
  private farthest = 0;
  private expected = new Set<string>();
  private steps = 0;
  private positions: readonly Position[] | undefined;

  constructor(
    readonly characters: readonly string[],
    private readonly maximumSteps: number,
  ) {}

  run(grammar: Reader): boolean {
    const stack: Frame[] = [];
    let next: Reader | boolean = grammar;
    for (;;) {
      if (typeof next === "boolean") {
        const above = stack.at(-1);
        if (!above) return next;
        next = above.reader.after(this, above, next);
        if (typeof next === "boolean") stack.pop();
      } else {
        this.steps++;
        if (this.steps > this.maximumSteps) throw new TooManySteps("max number of expressions parsed");
        const start = this.at;
        const first: Reader | boolean = next.begin(this);
        if (typeof first !== "boolean") stack.push({ reader: next, start, tried: 0, values: undefined });
        next = first;
      }
    }
  }

  /** Records the expectations at the farthest position reached. Within a negation, a match fails. */
  tried(matched: boolean, at: number, what: string): boolean {
    if (matched === this.inverted && at >= this.farthest) {
      if (at > this.farthest) this.expected.clear();
      this.farthest = at;
      this.expected.add(this.inverted ? `!${what}` : what);
    }
    return matched;
  }

  addMistake(reason: string, at = this.at): void {
    const rule = this.rules.at(-1);
    const message = `${this.position(at)}: ${rule === undefined ? "" : `rule ${rule}: `}${reason}`;
    if (!this.mistakes.has(message)) this.mistakes.set(message, { at, reason, message });
  }

  addNoMatch(): void {
    const expected = [...this.expected].filter((what) => what !== "!.").sort();
    if (this.expected.has("!.")) expected.push("EOF");
    const last = expected.pop() ?? "";
    this.addMistake(`no match found, expected: ${expected.length === 0 ? last : `${expected.join(", ")} or ${last}`}`, this.farthest);
  }

  /** "LINE:COLUMN (BYTES)" in the servers' count: a line break is column 0 of the line that it begins. */
  private position(at: number): string {
    this.positions ??= positionsIn(this.characters);
    const { line, column, bytes } = this.positions[at] ?? { line: 1, column: 1, bytes: 0 };
    return this.characters[at] === "\n" ? `${line + 1}:0 (${bytes})` : `${line}:${column} (${bytes})`;
  }
}

interface Position {
  readonly line: number;
  readonly column: number;
  /** The number of bytes before it. */
  readonly bytes: number;
}

/** The position of each character and of the end; lines and columns count from 1. */
export function positionsIn(characters: readonly string[]): Position[] {
  let [line, column, bytes] = [1, 1, 0];
  const positions = characters.map((character): Position => {
    const here = { line, column, bytes };
    [line, column] = character === "\n" ? [line + 1, 1] : [line, column + 1];
    bytes += bytesOf(character);
    return here;
  });
  return [...positions, { line, column, bytes }];
}

/** How many bytes a character has in UTF-8. */
function bytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** The position of a character, for a message. The text is not repeated, because it may be a secret of the program. */
export function whereIn(text: string, at: number): string {
  const characters = [...text];
  const { line, column } = positionsIn(characters)[at] ?? { line: 1, column: 1 };
  const place = characters.includes("\n") ? `line ${line}, column ${column}` : `column ${column}`;
  const character = characters[at];
  return character === undefined ? `at its end (${place})` : `at ${place} (${JSON.stringify(character)})`;
}

/** Reads a whole text by a grammar, which must match the end. */
export function parse<T>(grammar: Expression<T>, text: string, maximumSteps: number): Parsed<T> {
  const parser = new Parser([...text], maximumSteps + 1);
  let result: { value: T } | undefined;
  // The action is a step that servers don't count.
  const whole = action(grammar, (value) => {
    result = { value };
  });
  try {
    if (!parser.run(whole) && parser.mistakes.size === 0) parser.addNoMatch();
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    parser.addMistake(error.message);
  }
  const [first, ...more] = parser.mistakes.values();
  if (first) return { mistakes: [first, ...more] };
  if (!result) throw new Error("a text was read and nothing was yielded");
  return { value: result.value, mistakes: [] };
}

/** A rule, built when it is first used, so rules may refer to each other. Its name appears in errors. */
export function rule<T>(name: string, build: () => Expression<T>): Expression<T> {
  let built: Expression<T> | undefined;
  return {
    begin: (parser) => {
      parser.rules.push(name);
      built ??= build();
      return built;
    },
    // Not reached when the parse is aborted: the error then names the present rule.
    after: (parser, _, matched) => {
      parser.rules.pop();
      return matched;
    },
  };
}

/** A part with a name in the servers' grammar. It matches like the part, and counts as a step. */
export function named<T>(part: Expression<T>): Expression<T> {
  return { begin: () => part, after: (_, __, matched) => matched };
}

/** Converts what was read. A {@link Wrong} is recorded as an error even if another alternative matches, and the parse continues. */
export function action<T, U>(part: Expression<T>, make: (value: T, place: Place, text: () => string) => U | Wrong): Expression<U>;
export function action(part: Reader, make: (value: unknown, place: Place, text: () => string) => unknown): Reader {
  return {
    begin: () => part,
    after: (parser, { start }, matched) => {
      if (!matched) return false;
      const end = parser.at;
      const made = make(parser.value, { start, end }, () => parser.characters.slice(start, end).join(""));
      if (made instanceof Wrong) parser.addMistake(made.reason, start);
      parser.value = made instanceof Wrong ? undefined : made;
      return true;
    },
  };
}

/** The result of an action for a text that the grammar matches, but that is invalid. */
export class Wrong {
  constructor(readonly reason: string) {}
}

/** The text that was read. */
export function textOf(part: Reader): Expression<string> {
  return action(part, (_, __, text) => text());
}

function leaf(match: (parser: Parser) => boolean): Expression<undefined> {
  return {
    begin: (parser) => {
      parser.value = undefined;
      return match(parser);
    },
    after: (_, __, matched) => matched,
  };
}

export function literal(text: string): Expression<undefined> {
  const what = JSON.stringify(text);
  const characters = [...text];
  return leaf((parser) => {
    const start = parser.at;
    const matched = characters.every((character, offset) => parser.characters[start + offset] === character);
    if (matched) parser.at = start + characters.length;
    return parser.tried(matched, start, what);
  });
}

/** One character of a class; `what` is its name in errors. */
export function oneOf(pattern: RegExp, what: string): Expression<undefined> {
  return leaf((parser) => {
    const start = parser.at;
    const matched = pattern.test(parser.characters[start] ?? "");
    if (matched) parser.at++;
    return parser.tried(matched, start, what);
  });
}

export const anything = oneOf(/^[\s\S]/u, ".");

export function sequence<T extends readonly unknown[]>(...parts: Parts<T>): Expression<T> {
  return inOrder(parts);
}

/** An alternative for invalid texts. It never matches, and its error is recorded even if another alternative matches. */
export function mistakeAfter(reason: string, ...parts: readonly Reader[]): Expression<never> {
  const mistake: Reader = {
    begin: (parser) => {
      parser.addMistake(reason);
      return false;
    },
    after: (_, __, matched) => matched,
  };
  return inOrder([...parts, mistake]);
}

function inOrder(parts: readonly Reader[]): Reader {
  return {
    begin: () => parts[0] ?? true,
    after: (parser, frame, matched) => {
      if (!matched) {
        parser.at = frame.start;
        return false;
      }
      frame.values ??= [];
      const { values } = frame;
      values.push(parser.value);
      const next = parts[values.length];
      if (next) return next;
      parser.value = values;
      return true;
    },
  };
}

/** The first alternative that matches. */
export function choice<T extends readonly unknown[]>(...parts: Parts<T>): Expression<T[number]> {
  const alternatives: readonly Reader[] = parts;
  return {
    begin: () => alternatives[0] ?? false,
    after: (_, frame, matched) => {
      frame.tried++;
      return matched || (alternatives[frame.tried] ?? false);
    },
  };
}

export function optional<T>(part: Expression<T>): Expression<T | undefined> {
  return {
    begin: () => part,
    after: (parser, _, matched) => {
      if (!matched) parser.value = undefined;
      return true;
    },
  };
}

function repeated<T>(part: Expression<T>, least: 0 | 1): Expression<T[]> {
  return {
    begin: () => part,
    after: (parser, frame, matched) => {
      frame.values ??= [];
      const { values } = frame;
      if (matched) {
        values.push(parser.value);
        return part;
      }
      parser.value = values;
      return values.length >= least;
    },
  };
}

/** Zero or more matches. */
export function many<T>(part: Expression<T>): Expression<T[]> {
  return repeated(part, 0);
}

export function atLeastOnce<T>(part: Expression<T>): Expression<T[]> {
  return repeated(part, 1);
}

/** A look-ahead, which reads nothing. */
export function ahead(part: Reader): Expression<undefined> {
  return {
    begin: () => part,
    after: (parser, { start }, matched) => {
      parser.at = start;
      return matched;
    },
  };
}

export function not(part: Reader): Expression<undefined> {
  return {
    begin: (parser) => {
      parser.inverted = !parser.inverted;
      return part;
    },
    after: (parser, { start }, matched) => {
      parser.inverted = !parser.inverted;
      parser.at = start;
      return !matched;
    },
  };
}
