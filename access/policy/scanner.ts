/** The tokens of a policy's text, in HCL 1 or in JSON. */
import { ESCAPE } from "../go-text";
import type { Language, Mark, Position, Token, TokenKind } from "./syntax";
import { PolicyError } from "./syntax";

/** The forms of tokens, in the order in which they are tried. Quoted texts are read separately, because they may contain braces. */
const forms: { readonly [language in Language]: readonly (readonly [TokenKind | "comment", RegExp])[] } = {
  hcl: [
    ["boolean", /(?:true|false)(?![\p{L}\p{Nd}_.-])/uy],
    ["identifier", /[\p{L}_][\p{L}\p{Nd}_.-]*/uy],
    ["comment", /#[^\n]*|\/\/[^\n]*|\/\*.*?\*\//sy],
    ["number", /-?(?!0\d*[89])(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y],
    ["heredoc", /<<([\p{L}\p{Nd}_]+)\n(?:[^\n]*\n)*?[ \t]*\1(?=\n)/uy],
    // With `<<-`, servers refuse a closing mark without indentation.
    ["heredoc", /<<-([\p{L}\p{Nd}_]+)\n(?:[^\n]*\n)*?[ \t]+\1(?=\n)/uy],
  ],
  json: [
    ["boolean", /(?:true|false)\b/y],
    ["null", /null\b/y],
    ["number", /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ],
};
const MARKS: readonly Mark[] = ["{", "}", "[", "]", ",", "=", ":"];
const SPACE = /[ \t\n\r]+/y;

/** Reads a text token by token. The first error ends the reading. */
export class Scanner {
  private at = 0;
  /** The index up to which lines and columns are counted. */
  private counted = 0;
  private line = 1;
  private column = 1;

  constructor(
    private readonly text: string,
    private readonly language: Language,
  ) {}

  /** The next token. Comments are skipped. */
  next(): Token {
    for (;;) {
      this.isAt(SPACE);
      const [begin, position] = [this.at, this.moved(this.at)];
      const kind = this.read(position);
      if (kind !== "comment") return { kind, text: this.text.slice(begin, this.at), isJson: this.language === "json", ...position };
    }
  }

  private read(position: Position): TokenKind | "comment" {
    const first = this.text[this.at];
    if (first === undefined) return "end";
    if (first === '"') return this.readText(position);
    const mark = MARKS.find((one) => one === first);
    if (mark) {
      this.at++;
      return mark;
    }
    const form = forms[this.language].find(([, pattern]) => this.isAt(pattern));
    if (form) return form[0];
    if (first === "<")
      throw new PolicyError('a heredoc begins with "<<" or "<<-" and a mark, and ends with a line of the mark alone', position);
    if (first === "/") throw new PolicyError('a comment begins with "#", "//" or "/*"; one with "/*" ends with "*/"', position);
    throw new PolicyError(`${JSON.stringify(String.fromCodePoint(this.text.codePointAt(this.at) ?? 0))} is not allowed here`, position);
  }

  /** Reads a quoted text. In HCL, `${...}` may contain quotes and line breaks. */
  private readText(position: Position): "text" {
    let depth = 0;
    for (this.at++; this.at < this.text.length; this.at++) {
      const character = this.text[this.at];
      if (character === "\\") this.readEscape();
      else if (depth > 0) depth += character === "{" ? 1 : character === "}" ? -1 : 0;
      else if (character === '"') {
        this.at++;
        return "text";
      } else if (character === "\n" || character === "\0") break;
      else if (this.language === "hcl" && this.text.startsWith("${", this.at)) {
        depth = 1;
        this.at++;
      }
    }
    throw new PolicyError("the text has no closing quote on its line", position);
  }

  private readEscape(): void {
    const position = this.moved(this.at);
    const written = this.text.slice(this.at, this.at + 2);
    if (!this.isAt(ESCAPE))
      throw new PolicyError(`${JSON.stringify(written).slice(1, -1)} is not an escape: double the backslash`, position);
    this.at--;
  }

  /** Whether a pattern matches here. A match is read. */
  private isAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const isMatch = pattern.test(this.text);
    if (isMatch) this.at = pattern.lastIndex;
    return isMatch;
  }

  /** The position of an index, which may not be before the index of the last call. */
  private moved(to: number): Position {
    for (const character of this.text.slice(this.counted, to)) {
      this.line += character === "\n" ? 1 : 0;
      this.column = character === "\n" ? 1 : this.column + 1;
    }
    this.counted = to;
    return { line: this.line, column: this.column };
  }
}
