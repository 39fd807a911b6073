/** The tokens of a policy's text, in HCL 1 or in JSON, as the servers' library reads them, its oddities included. */
import { utf8Length } from "../go-text";
import type { Mark, Position, Token, TokenKind } from "./syntax";
import { PolicyError } from "./syntax";

const BRACKETS: readonly Mark[] = ["{", "}", "[", "]", ","];
const MARKS: { readonly [language in "hcl" | "json"]: readonly Mark[] } = { hcl: [...BRACKETS, "="], json: [...BRACKETS, ":"] };
const ESCAPE = /\\(?:[abfnrtv\\"]|[0-7]{3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;
// An exponent without digits takes one character that is none.
const NUMBER = /-?(?:0[xX][0-9a-fA-F]+|\d+(?:[eE][+-]?(?:\d+|.)?|\.\d*(?:[eE][+-]?(?:\d+|.)?)?)?)|\.\d+[eE]?/sy;
const JSON_NUMBER = new RegExp(NUMBER.source.replace("0[xX][0-9a-fA-F]+|", ""), "sy");
const HEREDOC = /<<(-?[\p{L}\p{Nd}_]+)\n/uy;

/** Reads a text token by token. The first error ends it. */
export class Scanner {
  private at = 0;
  /** How far lines and columns are counted. */
  private counted = 0;
  private line = 1;
  private column = 1;

  constructor(
    private readonly text: string,
    private readonly language: "hcl" | "json",
  ) {
    // In JSON, a null character ends a part of the text to servers, and they read on after it. Nobody writes that.
    const forbidden = [...(language === "hcl" ? "\0\ue123" : "\0")].find((character) => text.includes(character));
    if (forbidden === undefined) return;
    const code = forbidden === "\0" ? "U+0000" : "U+E123";
    throw new PolicyError(`the text has the character ${code}, which no policy may have`, this.moved(text.indexOf(forbidden)));
  }

  /** The next token; comments are no tokens. */
  next(): Token {
    for (;;) {
      this.matched(/[ \t\n\r]+/y);
      const position = this.moved(this.at);
      const begin = this.at;
      const kind = this.read(position);
      if (kind !== "comment") return { kind, text: this.text.slice(begin, this.at), isJson: this.language === "json", ...position };
    }
  }

  private read(position: Position): TokenKind {
    const first = this.text[this.at];
    if (first === undefined) return "end";
    const mark = MARKS[this.language].find((one) => one === first);
    if (mark !== undefined) {
      this.at++;
      return mark;
    }
    if (first === '"') return this.readText(position);
    return this.language === "hcl" ? this.readHcl(first, position) : this.readJson(position);
  }

  private readHcl(first: string, position: Position): TokenKind {
    const word = this.matched(/[\p{L}_][\p{L}\p{Nd}_.-]*/uy);
    if (word !== undefined) return word === "true" || word === "false" ? "boolean" : "identifier";
    if (this.matched(/#[^\n]*|\/\/[^\n]*|\/\*.*?\*\//sy) !== undefined) return "comment";
    const number = this.matched(NUMBER);
    if (number !== undefined) {
      const isOctal = /^-?0\d+$/.test(number);
      if (/^-?0$/.test(number) && this.matched(/[xX]/y)) throw new PolicyError("a hexadecimal number has no digits", position);
      if (isOctal && /^-?0\d.*[89]/.test(number)) throw new PolicyError(`${number} is no octal number`, position);
      return "number";
    }
    if (first === "<") return this.readHeredoc(position);
    if (first === "/") throw new PolicyError('a comment begins with "#", "//" or "/*"; one with "/*" ends with "*/"', position);
    if (this.matched(/[.+-]/y) !== undefined) return "other";
    throw this.illegal(position);
  }

  private readJson(position: Position): TokenKind {
    const word = this.matched(/[\p{L}_][\p{L}\p{Nd}_-]*/uy);
    if (word === "true" || word === "false") return "boolean";
    if (word === "null") return "null";
    if (word !== undefined) throw new PolicyError(`${word} is no value of JSON: texts stand in double quotes`, position);
    const number = this.matched(JSON_NUMBER);
    if (number !== undefined) {
      const isAtEnd = this.at === this.text.length;
      if (/^-?0\d+$/.test(number) || (/^-?0$/.test(number) && isAtEnd))
        throw new PolicyError("a number of JSON does not begin with 0", position);
      return "number";
    }
    if (this.matched(/\./y) !== undefined) return "other";
    throw this.illegal(position);
  }

  private illegal(position: Position): PolicyError {
    const [character] = this.text.slice(this.at);
    return new PolicyError(`${JSON.stringify(character)} can't stand here`, position);
  }

  /** A quoted text. In HCL, quotes and ends of lines may stand within `${...}`. */
  private readText(position: Position): TokenKind {
    const isHcl = this.language === "hcl";
    let depth = 0;
    for (this.at++; ; this.at++) {
      const character = this.text[this.at];
      const isPlain = depth === 0 || !isHcl;
      if (character === undefined || (character === "\n" && isPlain))
        throw new PolicyError("the text has no closing quote on its line", position);
      if (character === '"' && isPlain) {
        this.at++;
        return "text";
      }
      if (depth === 0 && character === "$" && this.text[this.at + 1] === "{") {
        depth++;
        this.at++;
      } else if (depth > 0 && character === "{") depth++;
      else if (depth > 0 && character === "}") depth--;
      else if (character === "\\") this.readEscape();
    }
  }

  private readEscape(): void {
    const position = this.moved(this.at);
    if (this.matched(ESCAPE) === undefined) {
      throw new PolicyError(
        `${JSON.stringify(this.text.slice(this.at, this.at + 2)).slice(1, -1)} is no escape: write a backslash twice`,
        position,
      );
    }
    this.at--;
  }

  private readHeredoc(position: Position): TokenKind {
    const begin = this.matched(HEREDOC);
    if (begin === undefined)
      throw new PolicyError('a heredoc begins with "<<" or "<<-", a mark of letters and digits, and a new line', position);
    const mark = begin.slice(2, -1);
    const last = new RegExp(`^[\\t\\n\\v\\f\\r ]*${mark.replace(/^-/, "")}\\r*$`);
    for (;;) {
      const line = this.matched(/[^\n]*\n/y)?.slice(0, -1);
      if (line === undefined) throw new PolicyError(`the heredoc has no line with ${mark.replace(/^-/, "")} alone at its end`, position);
      // With a dash, a last mark without an indentation is too short to servers.
      if (utf8Length(line) >= utf8Length(mark) && last.test(line)) return "heredoc";
    }
  }

  /** What matches here, read. */
  private matched(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text)?.[0];
    if (match !== undefined) this.at += match.length;
    return match;
  }

  /** Where a place of the text is that is not before the last one that was asked for. */
  private moved(to: number): Position {
    for (const character of this.text.slice(this.counted, to)) {
      this.line += character === "\n" ? 1 : 0;
      this.column = character === "\n" ? 1 : this.column + 1;
    }
    this.counted = to;
    return { line: this.line, column: this.column };
  }
}
