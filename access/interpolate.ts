import { positionsIn } from "./peg";
import type { Part } from "./template";
import { namesOf, parseTemplate } from "./template";

/** A template that gives no text for a login. The message is the server's, if the server can do no more with it. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/**
 * A template with its interpolations in place.
 *
 * @param variables what names stand for
 * @throws TemplateError when a name is not among them, there is more than names to compute, or the template can't be read (the reason is
 *   then another than the server's words)
 */
export function interpolate(template: string, variables: ReadonlyMap<string, string>): string {
  if (!template.includes("${")) return template;
  const texts = partsOf(template, variables).map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "name") return variables.get(part.name) ?? "";
    throw new TemplateError(`${placeIn(template, part.at)}: operators, quotes and calls are not computed here, but by servers alone`);
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
  const parts = template.includes("${") ? partsOf(template, variables) : [{ kind: "text", text: template } as const];
  const pattern = new RegExp(`^${parts.map(patternOf).join("")}$`, "u");
  return {
    test: (text) => pattern.test(text),
    constant: parts.map((part) => (part.kind === "text" ? part.text : "")).join(""),
    isComputed: parts.some(({ kind }) => kind !== "text"),
  };
}

function patternOf(part: Part): string {
  if (part.kind === "text") return part.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  // Values are made lower case in bind names.
  return part.kind === "name" ? "[^A-Z]*" : "[\\s\\S]*";
}

/** Servers look for all names before they do anything. */
function partsOf(template: string, variables: Pick<ReadonlySet<string>, "has"> | undefined): readonly Part[] {
  const parsed = parseTemplate(template);
  if (!("value" in parsed)) {
    const [{ at, reason }] = parsed.mistakes;
    throw new TemplateError(`parse error at ${placeIn(template, at)}: ${reason}`);
  }
  const unknown = parsed.value.flatMap(namesOf).find(({ name }) => variables?.has(name) === false);
  if (unknown) throw new TemplateError(`${placeIn(template, unknown.at)}: unknown variable accessed: ${unknown.name}`);
  return parsed.value;
}

/** Where a character stands, as "LINE:COLUMN". */
function placeIn(template: string, at: number): string {
  const { line, column } = positionsIn([...template])[at] ?? { line: 1, column: 1 };
  return `${line}:${column}`;
}
