/**
 * A parser for selectors, in the language of go-bexpr 0.1.16, that reads them as servers do. Servers try one form after another, and use
 * the first that fits: `not in list.roles` begins like a negation and is a comparison. For some mistakes, servers refuse the whole selector
 * even if another form fits: such a mistake is thrown.
 */
import { ESCAPE, unescaped, wellFormed } from "./go-text";
import type { Place } from "./place";
import { whereIn } from "./place";
import { remembering } from "./remembering";

/** The syntax tree of a selector. Its smallest parts have their position in the text. */
export type Condition =
  | { readonly kind: "or" | "and"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition }
  | Part;

/** A condition on a claim. */
export type Part = Place &
  (
    | {
        readonly kind: "any" | "all";
        readonly of: Path;
        /** The names in `inner` for the index or key, and for the value. A single name stands for the value of a list, or the key of a map. */
        readonly names: { readonly single?: string; readonly index?: string; readonly value?: string };
        readonly inner: Condition;
      }
    | { readonly kind: "match"; readonly operator: Comparison; readonly path: Path; readonly value: string }
    | { readonly kind: "state"; readonly operator: StateOperator; readonly path: Path }
  );

/** The operators. `x contains y` is another spelling of `y in x`. */
export type Comparison = "==" | "!=" | "in" | "not in" | "matches" | "not matches";
export type StateOperator = "is empty" | "is not empty" | "is nil" | "is not nil";

/** The path to a claim: `value.team`, `list["a b"].0`, or a JSON pointer in quotes. */
export interface Path {
  readonly kind: "names" | "pointer";
  readonly steps: readonly string[];
}

/** The map of claims that a path names as a whole; undefined for any other path. */
export function mapAt({ steps: [kind, name] }: Path): "value" | "list" | undefined {
  return name === undefined && (kind === "value" || kind === "list") ? kind : undefined;
}

/** The path to the claim of a condition: `in` a map looks for the name of a claim. */
export function claimAt(condition: Extract<Condition, { kind: "match" | "state" }>): Path {
  const { kind, path, operator } = condition;
  const map = mapAt(path);
  return kind === "match" && map && (operator === "in" || operator === "not in") ? { ...path, steps: [map, condition.value] } : path;
}

/** A path for a message. Special characters in a name are not quoted or escaped as selectors need it. */
export function spelled({ kind, steps }: Path): string {
  return kind === "names" ? steps.join(".") : `"/${steps.join("/")}"`;
}

/** The condition of a selector; undefined if servers can't read it. The empty selector has no condition. */
export function conditionOf(selector: string): Condition | undefined {
  const read = readSelector(selector);
  return read instanceof Mistake ? undefined : read;
}

/** The mistake in a selector, with its position. The empty selector is valid: it matches every login. */
export function selectorProblem(selector: string): string | undefined {
  const read = selector === "" ? undefined : readSelector(selector);
  if (!(read instanceof Mistake)) return undefined;
  return `must be a boolean expression: ${read.message}, ${whereIn(selector, read.at)}${quotesFor(selector, read.at)}`;
}

/** The hint to quote a name or value, if a dash, a colon or an at sign ends the readable part. A value may be a secret, and is not shown. */
function quotesFor(selector: string, at: number): string {
  const [rest] = /^[-:@][\w/:@-]*/.exec(selector.slice(at)) ?? [];
  const [, path, start] = /((?:value|list)(?:\.[\w/]+)*\.)?([\w/]+)$/.exec(selector.slice(Math.max(0, at - 200), at)) ?? [];
  if (rest === undefined || start === undefined) return "";
  if (path === undefined) return ". Put the whole value in double quotes";
  return `. Put it in double quotes: ${path.slice(0, -1)}[${JSON.stringify(start + rest)}]`;
}

/** A mistake that makes a selector invalid. */
class Mistake extends Error {
  constructor(
    /** The index in the selector. */
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

const readSelector = remembering(20_000, (selector): Condition | Mistake => {
  try {
    return new Reader(selector).read();
  } catch (error) {
    if (error instanceof Mistake) return error;
    throw error;
  }
});

/** The maximal number of a server's parser steps for one selector. Its actual steps are estimated from the lengths of comparisons. */
const MOST_STEPS = 2_000_000;
/** The maximal nesting of parentheses, negations and collections. Servers read deeper nesting in a few selectors. */
const DEEPEST = 100;

const S = "[ \\t\\r\\n]+";
const G = "[ \\t\\r\\n]*";
const NAME = "[a-zA-Z][a-zA-Z0-9_/]*";
const STEPS = `(?:\\.(?:${NAME}|[0-9]+))`;
const at = (pattern: string) => new RegExp(pattern, "y");

const space = at(S);
const gap = at(G);
const joiners = { or: [at(`${S}or`), '"or"'], and: [at(`${S}and`), '"and"'] } as const;
const negation = at(`not${S}`);
const opening = at(`\\(${G}`);
const closing = at(`${G}\\)`);
const collection = at(`(any|all)${S}`);
const entries = at(`${S}as${S}(?:(${NAME})${G},${G}(?:(${NAME})|_)|_${G},${G}(${NAME})|(${NAME}))${G}\\{${G}`);
const ending = at(`${G}$`);
const closingBrace = at(`${G}\\}`);
const comparison = at(`${G}([=!]=)${G}|${S}(not${S})?(contains|matches)${S}`);
const state = at(`${S}is${S}(not${S})?(empty|nil)`);
const membership = at(`${S}(not${S})?in${S}`);
const pointer = /"((?:\/[\p{L}\p{N}\-_.~:|]+)*)"/uy;
const names = at(`${NAME}${STEPS}*`);
const moreNames = at(`${STEPS}+`);
const openingIndex = at(`\\[${G}`);
const closingIndex = at(`${G}\\]`);
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?/y;
const afterNumber = /[ \t\r\n)]|$/y;
const escapes = new RegExp(ESCAPE.source, "g");
const NOTHING: readonly string[] = [];

/**
 * The parser. Each method reads one form at the current position. If the form does not fit, the method returns undefined and restores the
 * position.
 */
class Reader {
  private at = 0;
  /** The farthest readable position. `expected` lists the forms that could follow there. */
  private farthest = 0;
  private readonly expected: string[] = [];
  private depth = 0;
  /** The approximate number of a server's parser steps. */
  private steps = 0;

  constructor(private readonly text: string) {}

  /** @throws Mistake */
  read(): Condition {
    this.takes(gap);
    const start = this.at;
    // Servers first try parentheses around the whole chain, which takes fewer steps than parentheses within it.
    const inner = this.group();
    if (inner && this.takes(ending, "the end")) return inner;
    this.at = start;
    const condition = this.chain("or");
    if (condition && this.takes(ending, "the end")) return condition;
    throw this.unexpected();
  }

  private chain(kind: "or" | "and"): Condition | undefined {
    const parts: Condition[] = [];
    for (let again = 0; ; ) {
      const { at, steps } = this;
      const [joiner, word] = joiners[kind];
      const isJoined = parts.length === 0 || (this.takes(joiner, word) && this.takes(space, "a space"));
      const part = isJoined ? (kind === "or" ? this.chain("and") : this.not()) : undefined;
      // A collection can only end a chain.
      const end = isJoined && !part && kind === "or" ? this.collection() : undefined;
      const read = part ?? end;
      if (read) parts.push(read);
      else this.at = at;
      if (!part) {
        // Servers read the last part of an `and` again if no other part follows, and so the last part of an `or`: each pair of parentheses
        // takes four times the steps of its content.
        if (!end) this.count(again);
        return parts.length > 1 ? { kind, parts } : parts[0];
      }
      again = this.steps - steps;
    }
  }

  private not(): Condition | undefined {
    const start = this.at;
    const of = this.takes(negation) ? this.within(() => this.not()) : undefined;
    if (of) return of.kind === "not" ? of.of : { kind: "not", of };
    this.at = start;
    return this.group() ?? this.match();
  }

  private group(): Condition | undefined {
    const start = this.at;
    const inner = this.takes(opening) ? this.within(() => this.chain("or")) : undefined;
    if (!inner) {
      this.at = start;
      return undefined;
    }
    if (!this.takes(closing, '")"')) throw this.unexpected();
    this.count(10);
    return inner;
  }

  private collection(): Condition | undefined {
    const start = this.at;
    const [, kind] = this.take(collection);
    const of = kind === undefined ? undefined : this.path();
    const [isNamed, index, indexed, alone, single] = of ? this.take(entries, '"as", a name and "{"') : NOTHING;
    const inner = isNamed === undefined ? undefined : this.within(() => this.chain("or"));
    if (!of || !inner || !this.takes(closingBrace, '"}"')) {
      this.at = start;
      return undefined;
    }
    this.count(1_300);
    const value = indexed ?? alone;
    const called = { ...(single && { single }), ...(index && { index }), ...(value && { value }) };
    return { kind: kind === "any" ? "any" : "all", of, names: called, inner, start, end: this.at };
  }

  private match(): Condition | undefined {
    const start = this.at;
    const path = this.path();
    return (path && (this.comparison(path, start) ?? this.state(path, start))) ?? this.membership(path, start);
  }

  private comparison(path: Path, start: number): Condition | undefined {
    const before = this.at;
    const [isThere, sign, negated, word] = this.take(comparison);
    const value = isThere === undefined ? undefined : (textOf(this.path()) ?? this.literal() ?? this.miss("a value"));
    if (value === undefined) {
      this.at = before;
      return undefined;
    }
    this.count(95 + 4 * (this.at - start));
    const operator = sign === "==" || sign === "!=" ? sign : inWords(word === "contains" ? "in" : "matches", negated);
    return { kind: "match", operator, path, value, start, end: this.at };
  }

  private state(path: Path, start: number): Condition | undefined {
    const [isThere, negated, what] = this.take(state);
    if (isThere === undefined) return undefined;
    this.count(200 + 3 * (this.at - start));
    const not = negated === undefined ? "" : "not ";
    return { kind: "state", operator: `is ${not}${what === "nil" ? "nil" : "empty"}`, path, start, end: this.at };
  }

  /** @param first the path that was already read, if there was one */
  private membership(first: Path | undefined, start: number): Condition | undefined {
    const value = textOf(first) ?? this.literal() ?? this.miss("a condition");
    if (value === undefined) return undefined;
    const [isThere, negated] = this.take(membership, first ? 'an operator such as "==", "in" or "is empty"' : '"in" or "not in"');
    if (isThere === undefined) {
      this.at = start;
      return undefined;
    }
    const path = this.path();
    if (!path) throw new Mistake(this.at, 'after "in" there must be a claim, such as list.groups');
    this.count(200 + 3 * (this.at - start));
    return { kind: "match", operator: inWords("in", negated), path, value, start, end: this.at };
  }

  private path(): Path | undefined {
    if (this.text[this.at] === '"') {
      const [, segments] = this.take(pointer);
      if (segments === undefined) return undefined;
      const steps = segments.slice(1).split("/");
      return { kind: "pointer", steps: steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")) };
    }
    const [first] = this.take(names);
    if (first === undefined) return undefined;
    const steps = first.split(".");
    while (this.takes(openingIndex)) {
      const index = this.quoted();
      if (index === undefined) throw new Mistake(this.at, 'between brackets there must be a text in quotes, like ["first-name"]');
      if (!this.takes(closingIndex)) throw new Mistake(this.at, 'expected "]"');
      const [more] = this.take(moreNames);
      steps.push(index, ...(more?.slice(1).split(".") ?? []));
    }
    return { kind: "names", steps };
  }

  /** A number or a quoted text. */
  private literal(): string | undefined {
    const text = this.quoted();
    const [digits] = text === undefined ? this.take(number) : NOTHING;
    if (digits === undefined) return text;
    afterNumber.lastIndex = this.at;
    if (!afterNumber.test(this.text)) throw new Mistake(this.at, 'after a number there must be a space, ")" or the end');
    return digits;
  }

  /** A text in double quotes follows Go's rules: known escapes only, and no line break. A text in backticks may have any characters. */
  private quoted(): string | undefined {
    const start = this.at;
    const quote = this.text[start];
    if (quote !== '"' && quote !== "`") return undefined;
    const end = this.text.indexOf(quote, start + 1);
    if (end < 0) throw new Mistake(start, "a text in quotes has no end");
    this.at = end + 1;
    const text = this.text.slice(start + 1, end);
    if (quote === "`") return text.replaceAll("\r", "");
    if (/[\\\n]/.test(text.replaceAll(escapes, "")))
      throw new Mistake(start, "a text in double quotes has an invalid escape or a line break; use backticks to allow both");
    return unescaped(wellFormed(text));
  }

  private within<T>(read: () => T): T {
    this.depth++;
    if (this.depth > DEEPEST) throw this.tooMuch();
    const result = read();
    this.depth--;
    return result;
  }

  private count(steps: number): void {
    this.steps += steps;
    if (this.steps > MOST_STEPS) throw this.tooMuch();
  }

  private tooMuch(): Mistake {
    return new Mistake(this.at, "it is too long for servers to read, or its parentheses are nested too deeply");
  }

  private takes(pattern: RegExp, expected?: string): boolean {
    pattern.lastIndex = this.at;
    const isThere = pattern.test(this.text);
    if (isThere) this.at = pattern.lastIndex;
    else if (expected !== undefined) this.miss(expected);
    return isThere;
  }

  /** Matches a pattern at the current position and advances. Returns its captures, or nothing if it does not match. */
  private take(pattern: RegExp, expected?: string): readonly (string | undefined)[] {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    else if (expected !== undefined) this.miss(expected);
    return found ?? NOTHING;
  }

  /** Notes what is expected at this position. */
  private miss(expected: string): undefined {
    if (this.at < this.farthest) return;
    if (this.at > this.farthest) this.expected.length = 0;
    this.expected.push(expected);
    this.farthest = this.at;
  }

  private unexpected(): Mistake {
    const expected = [...new Set(this.expected)];
    const last = expected.pop() ?? "";
    this.at = this.farthest;
    this.takes(gap);
    return new Mistake(this.at, `expected ${expected.length === 0 ? last : `${expected.join(", ")} or ${last}`}`);
  }
}

/** The text of a path that is used as a value. A JSON pointer loses its first slash. */
function textOf(path: Path | undefined): string | undefined {
  return path?.steps.join(path.kind === "names" ? "." : "/");
}

function inWords(operator: "in" | "matches", negated: string | undefined): Comparison {
  return negated === undefined ? operator : `not ${operator}`;
}
