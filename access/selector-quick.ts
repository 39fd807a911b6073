import type { Comparison, Condition, Path, State } from "./condition";
import { remembering } from "./remembering";

/**
 * Reads the selectors that most rules have, fifty times as fast as the whole grammar does; undefined for any other, and for any that is
 * wrong.
 *
 * What it reads, it reads as the grammar: a test compares the two. It leaves out what needs care there: escapes and backticks, texts that could be
 * JSON pointers, characters beyond 16 bits, brackets, and nesting, which takes the grammar exponentially many steps of those that servers allow.
 *
 * One regular expression reads a whole comparison. The first login after a start reads the selectors of all rules, before V8 has compiled
 * anything of this: a loop over characters takes three times as long there.
 */
export function readQuickly(selector: string): Condition | undefined {
  if (selector.length > MAXIMUM_LENGTH) return undefined;
  try {
    return new QuickReader(selector).whole();
  } catch (error) {
    if (error instanceof NotQuick) return undefined;
    throw error;
  }
}

const MAXIMUM_LENGTH = 2000;
const MAXIMUM_DEPTH = 2;

/** What only the whole grammar can judge. */
class NotQuick extends Error {}
const notQuick = new NotQuick();

const SOME = "[ \\t\\r\\n]+";
const ANY = "[ \\t\\r\\n]*";
const NAMED = "[a-zA-Z][a-zA-Z0-9_/]*";
const PATHS = `${NAMED}(?:\\.(?:${NAMED}|[0-9]+))*`;
const PLAIN = '"\\\\`[\\ud800-\\udfff\\n';
/** A text in quotes that begins with no slash, or is empty; or a path, or a number. */
const VALUE = `"((?:[^/${PLAIN}][^${PLAIN}]*)?)"|(${PATHS}|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?=[ \\t\\r\\n)]|$))`;
const OPERATOR = `${ANY}([=!]=)${ANY}|${SOME}((?:not${SOME})?(?:contains|matches))${SOME}`;
const STATE = `${SOME}is${SOME}((?:not${SOME})?(?:empty|nil))`;

/** What joins a part with the next one. */
const JOINER = `(${SOME}(and|or)${SOME})`;

const COMPARISON = new RegExp(`(${PATHS})(?:(?:${OPERATOR})(?:${VALUE})|${STATE})${JOINER}?`, "y");
const MEMBERSHIP = new RegExp(`(?:${VALUE})${SOME}(not${SOME})?in${SOME}(${PATHS})${JOINER}?`, "y");
const JOIN = new RegExp(JOINER, "y");
const GAP = new RegExp(ANY, "y");
const PATH = new RegExp(PATHS, "y");
const NAME = new RegExp(NAMED, "y");
const NOT = new RegExp(`not${SOME}`, "y");
const COLLECTION = new RegExp(`(any|all)${SOME}(?!(?:in|is|not|contains|matches)[ \\t\\r\\n])`, "y");
const AS = new RegExp(`${SOME}as${SOME}`, "y");
const COMMA = new RegExp(`${ANY},${ANY}`, "y");
const BRACE = new RegExp(`${ANY}\\{${ANY}`, "y");

class QuickReader {
  /** Where to read on: after what joins the last part with the next one. */
  private at = 0;
  /** Where the last part ends. */
  private end = 0;
  private joiner: string | undefined;
  private depth = 0;

  constructor(private readonly text: string) {}

  whole(): Condition {
    this.gap();
    const condition = this.either();
    this.gap();
    if (this.at !== this.text.length) throw notQuick;
    return condition;
  }

  /** What "or" joins. A collection stands only where nothing follows it but the end of its group. */
  private either(): Condition {
    const start = this.at;
    if (this.text[start] === "a") {
      const collection = this.skip(COLLECTION);
      if (collection) return this.collection(start, collection[1] === "any" ? "any" : "all");
    }
    const left = this.both();
    if (this.joiner !== "or") return left;
    this.joiner = undefined;
    const right = this.either();
    return { kind: "or", left, right, start, end: this.end };
  }

  private both(): Condition {
    const start = this.at;
    const left = this.single();
    if (this.joiner !== "and") return left;
    this.joiner = undefined;
    const right = this.both();
    return { kind: "and", left, right, start, end: this.end };
  }

  private single(): Condition {
    const start = this.at;
    const first = this.text[start];
    if (first === "n" && this.skip(NOT)) {
      this.enter();
      const of = this.single();
      this.depth--;
      return of.kind === "not" ? of.of : { kind: "not", of, start, end: this.end };
    }
    if (first !== "(") return this.comparison();
    this.at++;
    this.enter();
    this.gap();
    const of = this.either();
    this.close(")");
    this.joiner = this.skip(JOIN)?.[2];
    return of;
  }

  private comparison(): Condition {
    const start = this.at;
    const found = this.text[start] === '"' ? null : this.skip(COMPARISON);
    if (!found) return this.membership();
    // By their numbers: to take a list apart into names is slow before it is compiled.
    const end = this.endAndJoin(found[7], found[8]);
    const path = pathOf(found[1] ?? "");
    const state = found[6];
    if (state !== undefined) return { kind: "state", operator: stateOf(state), path, start, end };
    return { kind: "match", operator: comparisonOf(found[2] ?? found[3] ?? ""), path, value: found[4] ?? found[5] ?? "", start, end };
  }

  private membership(): Condition {
    const start = this.at;
    const found = this.skip(MEMBERSHIP);
    if (!found) throw notQuick;
    const end = this.endAndJoin(found[5], found[6]);
    const operator = found[3] === undefined ? "in" : "not in";
    return { kind: "match", operator, path: pathOf(found[4] ?? ""), value: found[1] ?? found[2] ?? "", start, end };
  }

  /** @returns where the part ends that was read together with what joins it with the next one */
  private endAndJoin(joiner: string | undefined, word: string | undefined): number {
    this.joiner = word;
    this.end = this.at - (joiner?.length ?? 0);
    return this.end;
  }

  private collection(start: number, kind: "any" | "all"): Condition {
    const path = this.skip(PATH)?.[0];
    if (path === undefined || !this.skip(AS)) throw notQuick;
    const names = this.names();
    if (!this.skip(BRACE)) throw notQuick;
    this.enter();
    const inner = this.either();
    this.close("}");
    return { kind, of: pathOf(path), names, inner, start, end: this.end };
  }

  private names(): Extract<Condition, { kind: "any" | "all" }>["names"] {
    const first = this.skip(NAME)?.[0];
    if (first === undefined) throw notQuick;
    if (!this.skip(COMMA)) return { single: first };
    const second = this.skip(NAME)?.[0];
    if (second === undefined) throw notQuick;
    return { index: first, value: second };
  }

  private enter(): void {
    this.depth++;
    if (this.depth > MAXIMUM_DEPTH) throw notQuick;
  }

  private close(bracket: ")" | "}"): void {
    this.gap();
    if (this.text[this.at] !== bracket) throw notQuick;
    this.at++;
    this.end = this.at;
    this.depth--;
  }

  private gap(): void {
    if (this.at < this.text.length) this.skip(GAP);
  }

  private skip(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }
}

/** Most rules look at the same few claims. */
const pathOf = remembering(1_000, (text): Path => ({ kind: "names", steps: text.split(".") }));

function comparisonOf(text: string): Comparison {
  if (text === "==" || text === "!=") return text;
  const isNegated = text.startsWith("not");
  if (text.endsWith("contains")) return isNegated ? "not in" : "in";
  return isNegated ? "not matches" : "matches";
}

function stateOf(text: string): State {
  const isNegated = text.startsWith("not");
  if (text.endsWith("empty")) return isNegated ? "is not empty" : "is empty";
  return isNegated ? "is not nil" : "is nil";
}
