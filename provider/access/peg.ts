/**
 * A small parser for parsing expression grammars that tells errors in the form of the parser that the server uses: where
 * the text could not be read further, and all that was tried there.
 */
export type Expression = (parser: Parser) => boolean;

/**
 * Deep nesting takes exponentially many steps, and the server gives up after 2,000,000. Its parser counts some wrappers that
 * do not exist here; this limit, measured, accepts and refuses the same selectors.
 */
const MAXIMUM_STEPS = 1_200_000;

class TooManySteps extends Error {}

/** The state of one parse. Positions are numbers of characters; only messages count bytes. */
class Parser {
  at = 0;
  inverted = false;
  readonly errors = new Set<string>();
  readonly rules: string[] = [];
  private farthest = 0;
  private expected = new Set<string>();
  private steps = 0;

  constructor(readonly characters: readonly string[]) {}

  step(): void {
    this.steps++;
    if (this.steps > MAXIMUM_STEPS) throw new TooManySteps("max number of expressions parsed");
  }

  /** Remembers what was tried at the farthest position that was reached. Within a negation, a match is what fails. */
  tried(matched: boolean, at: number, what: string): boolean {
    if (matched === this.inverted && at >= this.farthest) {
      if (at > this.farthest) this.expected.clear();
      this.farthest = at;
      this.expected.add(this.inverted ? `!${what}` : what);
    }
    return matched;
  }

  addError(message: string, at = this.at): void {
    const rule = this.rules.at(-1);
    this.errors.add(`${this.position(at)}: ${rule === undefined ? "" : `rule ${rule}: `}${message}`);
  }

  noMatch(): string {
    const expected = [...this.expected].filter((what) => what !== "!.").sort();
    if (this.expected.has("!.")) expected.push("EOF");
    const last = expected.pop() ?? "";
    const list = expected.length === 0 ? last : `${expected.join(", ")} or ${last}`;
    return `${this.position(this.farthest)}: no match found, expected: ${list}`;
  }

  private position(at: number): string {
    const before = this.characters.slice(0, at);
    const newlines = this.characters.slice(0, at + 1).filter((character) => character === "\n").length;
    const column = this.characters[at] === "\n" ? 0 : at - before.lastIndexOf("\n");
    return `${newlines + 1}:${column} (${Buffer.byteLength(before.join(""))})`;
  }
}

/** What is wrong with a text, or undefined when the grammar reads it to its end. */
export function parseProblem(grammar: Expression, text: string): string | undefined {
  const parser = new Parser([...text]);
  try {
    const matched = grammar(parser);
    if (!matched && parser.errors.size === 0) return parser.noMatch();
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    parser.addError(error.message);
  }
  return parser.errors.size === 0 ? undefined : [...parser.errors].join("\n");
}

/** A rule, built when it is first used, so that rules may refer to each other. Its name appears in errors. */
export function rule(name: string, build: () => Expression): Expression {
  let built: Expression | undefined;
  return (parser) => {
    parser.step();
    built ??= build();
    parser.rules.push(name);
    const matched = built(parser);
    // Not reached when the parse is given up: the error then names the rule it was in.
    parser.rules.pop();
    return matched;
  };
}

export function literal(wanted: string): Expression {
  const what = JSON.stringify(wanted);
  const characters = [...wanted];
  return (parser) => {
    parser.step();
    const start = parser.at;
    const matched = characters.every((character, offset) => parser.characters[start + offset] === character);
    if (matched) parser.at = start + characters.length;
    return parser.tried(matched, start, what);
  };
}

/** One character of a class; `what` is how errors call it. */
export function oneOf(pattern: RegExp, what: string): Expression {
  return (parser) => {
    parser.step();
    const start = parser.at;
    const matched = pattern.test(parser.characters[start] ?? "");
    if (matched) parser.at++;
    return parser.tried(matched, start, what);
  };
}

export const anything: Expression = oneOf(/^[\s\S]/u, ".");

export function sequence(...parts: Expression[]): Expression {
  return (parser) => {
    parser.step();
    const start = parser.at;
    if (parts.every((part) => part(parser))) return true;
    parser.at = start;
    return false;
  };
}

/** The first alternative that matches. */
export function choice(...alternatives: Expression[]): Expression {
  return (parser) => {
    parser.step();
    return alternatives.some((alternative) => alternative(parser));
  };
}

export function optional(expression: Expression): Expression {
  return (parser) => {
    parser.step();
    expression(parser);
    return true;
  };
}

/** As often as it matches, which may be never. */
export function many(expression: Expression): Expression {
  return (parser) => {
    parser.step();
    while (expression(parser));
    return true;
  };
}

export function atLeastOnce(expression: Expression): Expression {
  const rest = many(expression);
  return (parser) => expression(parser) && rest(parser);
}

/** Looks ahead without reading. */
export function ahead(expression: Expression): Expression {
  return (parser) => {
    parser.step();
    const start = parser.at;
    const matched = expression(parser);
    parser.at = start;
    return matched;
  };
}

export function not(expression: Expression): Expression {
  return (parser) => {
    parser.step();
    const start = parser.at;
    parser.inverted = !parser.inverted;
    const matched = expression(parser);
    parser.inverted = !parser.inverted;
    parser.at = start;
    return !matched;
  };
}

/** A mistake that is recognized as such. It never matches, and stays an error whatever else is tried. */
export function mistake(message: string): Expression {
  return (parser) => {
    parser.step();
    parser.addError(message);
    return false;
  };
}

/** Checks the text that was matched; what is wrong with it stays an error, and the parse goes on. */
export function checked(expression: Expression, problem: (text: string) => string | undefined): Expression {
  return (parser) => {
    parser.step();
    const start = parser.at;
    if (!expression(parser)) return false;
    const found = problem(parser.characters.slice(start, parser.at).join(""));
    if (found !== undefined) parser.addError(found, start);
    return true;
  };
}
