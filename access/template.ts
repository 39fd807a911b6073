/** Templates of the names that logins get: texts with names of claims between `${` and `}`. Servers compute more than names there. */
import { positionIn, whereIn } from "./place";
import { remembering } from "./remembering";

/** A template that gives no text for a login. The message is the server's, if the server can do no more with it. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/** What stands in a template, as it is written. `at` is the index where it begins. */
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
 * A template with its interpolations in place.
 *
 * @param variables what names stand for
 * @throws TemplateError when a name is not among them, there is more than names to compute, or the template can't be read (the reason is
 *   then another than the server's words)
 */
export function interpolate(template: string, variables: ReadonlyMap<string, string>): string {
  const texts = partsOf(template, variables).map(({ kind, text, at }) => {
    if (kind === "text") return text;
    if (kind === "name") return variables.get(text) ?? "";
    throw new TemplateError(`${placeIn(template, at)}: operators, quotes and calls are not computed here, but by servers alone`);
  });
  return texts.join("");
}

/** The texts that a template can become. */
export interface Texts {
  test(text: string): boolean;
  /** What all of them have: the template without its interpolations. */
  readonly constant: string;
  readonly isComputed: boolean;
}

/**
 * What texts a bind name can become.
 *
 * @param variables the names that have a value; undefined: any name
 * @throws TemplateError when a name is not among them, or the template can't be read
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
  // Values are made lower case in bind names.
  return kind === "name" ? "[^A-Z]*" : "[\\s\\S]*";
}

/** The names that a template interpolates, each once; none if it can't be read. */
export function namesIn(template: string): string[] {
  const read = readTemplate(template);
  return "reason" in read ? [] : [...new Set(read.flatMap(({ kind, text }) => (kind === "name" ? [text] : [])))];
}

/**
 * What is wrong with a template, and where; undefined when nothing is. What is refused here fails at every login. Whether there is something of a
 * name is known at the login alone.
 */
export function templateProblem(template: string): string | undefined {
  const read = readTemplate(template);
  return "reason" in read ? `must be a template: ${read.reason} ${whereIn(template, read.at)}` : undefined;
}

/** Servers look for all names before they do anything. */
function partsOf(template: string, variables: Pick<ReadonlySet<string>, "has"> | undefined): readonly Part[] {
  const read = readTemplate(template);
  if ("reason" in read) throw new TemplateError(`parse error at ${placeIn(template, read.at)}: ${read.reason}`);
  const unknown = read.find(({ kind, text }) => kind === "name" && variables?.has(text) === false);
  if (unknown) throw new TemplateError(`${placeIn(template, unknown.at)}: unknown variable accessed: ${unknown.text}`);
  return read;
}

const SPACE = "[ \\t\\r\\n]*";
const LETTER = "[\\p{L}\\p{N}\\p{M}_-]";
/** A star is a part of a name between dots, or after the last one. */
const NAME = `[\\p{L}_](?:${LETTER}|\\.(?!\\*${LETTER})\\*?)*`;
/** Two dollars are one, and the second begins nothing. */
const text = /(?:[^$]|\$\$|\$(?!\{))+/y;
const begin = new RegExp(`\\$\\{${SPACE}(${NAME})?${SPACE}`, "uy");

/** Reads a template like the servers, whose interpolation language is HIL. Of what they compute it only looks for the end. */
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
    else if (/["?:=<>!&|+*/%()[\]-]|^\$\{\s*(true|false)\s*\}$/.test(template.slice(at, end)))
      parts.push({ kind: "computed", text: template.slice(at, end), at: at + 2 });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
    else return { at: after, reason: 'within "${" and "}" stands a name, like "${value.team}"; what is there can\'t be read,' };
    at = end;
  }
  return parts;
});

/** Where an interpolation ends that begins at an index; undefined if it does not. Within quotes there may be others. */
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

/** Where a part stands, as "LINE:COLUMN". */
function placeIn(template: string, at: number): string {
  const { line, column } = positionIn(template, at);
  return `${line}:${column}`;
}
