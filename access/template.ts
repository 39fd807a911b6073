/**
 * Templates for the names in a login's result: texts with names of claims between `${` and `}`. Servers can compute more than names there.
 */
import { positionIn, whereIn } from "./place";
import { remembering } from "./remembering";

/**
 * The error for a template that is invalid, lacks a name, or needs a server to compute it. The message is the server's own if a name is
 * missing.
 */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/** A part of a template, as written. `at` is the index where it begins. */
interface Part {
  readonly kind: "text" | "name" | "computed";
  readonly text: string;
  readonly at: number;
}

interface Mistake {
  readonly at: number;
  readonly reason: string;
}

/**
 * Replaces the interpolations of a template.
 *
 * @param variables the values of the names
 * @throws TemplateError if a name is missing, if the template computes more than names, or if it is invalid (then the reason is worded
 * differently from the server's)
 */
export function interpolate(template: string, variables: ReadonlyMap<string, string>): string {
  const texts = partsOf(template, variables).map(({ kind, text, at }) => {
    if (kind === "text") return text;
    if (kind === "name") return variables.get(text) ?? "";
    throw new TemplateError(`${placeIn(template, at)}: only servers compute numbers, operators, quotes and calls`);
  });
  return texts.join("");
}

/** The texts that a template can produce. */
export interface Texts {
  test(text: string): boolean;
  /** The part that all of them share: the template without its interpolations. */
  readonly constant: string;
  readonly isComputed: boolean;
}

/**
 * The texts that a bind name can produce.
 *
 * @param variables the names that have a value; undefined: any name
 * @throws TemplateError if a name is missing, or the template is invalid
 */
export function textsOf(template: string, variables: ReadonlySet<string> | undefined): Texts {
  const parts = partsOf(template, variables);
  const pattern = new RegExp(`^${parts.map(patternOf).join("")}$`, "u");
  return {
    test: (text) => pattern.test(text),
    constant: parts.map(({ kind, text }) => (kind === "text" ? text : "")).join(""),
    isComputed: parts.some(({ kind }) => kind !== "text"),
  };
}

function patternOf({ kind, text }: Part): string {
  if (kind === "text") return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  // Bind names convert values to lower case.
  return kind === "name" ? "[^A-Z]*" : "[\\s\\S]*";
}

/** The distinct names that a template interpolates outside of computed parts; empty if it is invalid. */
export function namesIn(template: string): string[] {
  const read = readTemplate(template);
  return "reason" in read ? [] : [...new Set(read.flatMap(({ kind, text }) => (kind === "name" ? [text] : [])))];
}

/**
 * The mistake in a template, with its position; undefined if there is none. A template that is refused here fails at every login. Whether a
 * name has a value is only known at the login.
 */
export function templateProblem(template: string): string | undefined {
  const read = readTemplate(template);
  return "reason" in read ? `must be a template: ${read.reason} ${whereIn(template, read.at)}` : undefined;
}

/** The parts of a template. A missing name is reported first, because servers look up all names before they compute anything. */
function partsOf(template: string, variables: Pick<ReadonlySet<string>, "has"> | undefined): readonly Part[] {
  const read = readTemplate(template);
  if ("reason" in read) throw new TemplateError(`parse error at ${placeIn(template, read.at)}: ${read.reason}`);
  const unknown = read.find(({ kind, text }) => kind === "name" && variables?.has(text) === false);
  if (unknown) throw new TemplateError(`${placeIn(template, unknown.at)}: unknown variable accessed: ${unknown.text}`);
  return read;
}

const SPACE = "[ \\t\\r\\n]*";
const LETTER = "[\\p{L}\\p{N}\\p{M}_-]";
/** A star is part of a name between dots, or after the last dot. */
const NAME = `[\\p{L}_](?:${LETTER}|\\.(?!\\*${LETTER})\\*?)*`;
/** Two dollar signs are an escaped one, so the second begins no interpolation. */
const text = /(?:[^$]|\$\$|\$(?!\{))+/y;
const begin = new RegExp(`\\$\\{${SPACE}(${NAME})?${SPACE}`, "uy");

/** Reads a template as servers do, whose interpolation language is HIL. Of anything computed, it only finds the end. */
function readTemplate(template: string): readonly Part[] | Mistake {
  return template.includes("${") ? remembered(template) : [{ kind: "text", text: template, at: 0 }];
}

const remembered = remembering(1_000, (template: string): readonly Part[] | Mistake => {
  const parts: Part[] = [];
  for (let at = 0; at < template.length; ) {
    text.lastIndex = begin.lastIndex = at;
    const [plain] = text.exec(template) ?? [];
    const [opened = "", name] = begin.exec(template) ?? [];
    const end = plain === undefined ? endOf(template, at) : at + plain.length;
    if (end === undefined)
      return { at: template.length, reason: 'a "${" is not closed; if the characters themselves are meant, write "$${";' };
    const after = at + opened.length;
    const isName = name !== undefined && end === after + 1 && name !== "true" && name !== "false";
    if (plain !== undefined) parts.push({ kind: "text", text: plain.replaceAll("$$", "$"), at });
    else if (isName) parts.push({ kind: "name", text: name, at: at + opened.indexOf(name) });
    else if (/["?:=<>!&|+*/%()[\]-]|^\$\{\s*(true|false|\d+(?:\.\d+)?)\s*\}$/.test(template.slice(at, end)))
      parts.push({ kind: "computed", text: template.slice(at, end), at: at + 2 });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
    else return { at: after, reason: 'between "${" and "}", a name such as "${value.team}" is expected, but the content can\'t be read,' };
    at = end;
  }
  return parts;
});

/**
 * The end of an interpolation that begins at an index; undefined if it is not closed. Quoted texts in it can have interpolations of their
 * own.
 */
function endOf(template: string, begins: number): number | undefined {
  const open = ["}"];
  for (let at = begins + 2; at < template.length; at++) {
    const isQuoted = open.at(-1) === '"';
    const character = template[at];
    if (character === open.at(-1)) open.pop();
    else if (isQuoted && character === "\\") at++;
    else if (isQuoted && template.startsWith("${", at)) open.push("}");
    else if (!isQuoted && character === '"') open.push('"');
    if (open.length === 0) return at + 1;
  }
  return undefined;
}

/** The position of a part, as "LINE:COLUMN". */
function placeIn(template: string, at: number): string {
  const { line, column } = positionIn(template, at);
  return `${line}:${column}`;
}
