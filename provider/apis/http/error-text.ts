import * as z from "zod";

/** Longer texts of servers are cut off: they go into messages that are read in a terminal. */
const longest = 500;

/** One complaint of a server about an input. `pointer` is the JSON pointer into the request's body, where the server gave one. */
export interface Issue {
  readonly pointer?: string;
  readonly detail: string;
}

/** What the body of an error answer says. */
export interface ErrorBody {
  /** On one line; "" when the body says nothing. */
  readonly detail: string;
  readonly issues: readonly Issue[];
  /** The body is a page for a browser: some proxy or other service answered. */
  readonly isHtml: boolean;
  /** The body is an error document of a JSON:API service. */
  readonly isErrorDocument: boolean;
}

const errorObject = z
  .object({
    title: z.string().nullish().catch(undefined),
    detail: z.string().nullish().catch(undefined),
    source: z.object({ pointer: z.string().nullish() }).nullish().catch(undefined),
  })
  .transform((error) => ({ pointer: error.source?.pointer, detail: error.detail || error.title || "" }));

/** Not an empty list, and not plain texts: other kinds of service answer such documents too, and a 404 of theirs says nothing of our object. */
const errorDocument = z.object({ errors: z.array(errorObject).min(1) });

/** Without a body the content type means nothing: some frameworks say text/html of their empty answers too. */
export function looksLikeHtml(text: string, contentType: string): boolean {
  return text !== "" && (/html/i.test(contentType) || text.trimStart().startsWith("<"));
}

/** Reads what an error answer says, in whichever of the usual forms it says it. */
export function readErrorBody(text: string, contentType: string, secrets: readonly string[]): ErrorBody {
  const clean = (raw: string) => oneLine(raw, secrets);
  if (looksLikeHtml(text, contentType)) {
    const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1];
    return { detail: `an HTML page${title ? ` ("${clean(title)}")` : ""}`, issues: [], isHtml: true, isErrorDocument: false };
  }
  const parsed = errorDocument.safeParse(parseJson(text));
  if (parsed.success) {
    const issues = parsed.data.errors.map(({ pointer, detail }): Issue => {
      return pointer ? { pointer: clean(pointer), detail: clean(detail) } : { detail: clean(detail) };
    });
    const told = issues.map(({ pointer, detail }) => (pointer ? `${detail || "refused"} (${pointer})` : detail));
    return { detail: told.filter((part) => part !== "").join("; "), issues, isHtml: false, isErrorDocument: true };
  }
  const detail = clean(text);
  return { detail, issues: listedErrors(text).map((line) => ({ detail: clean(line) })), isHtml: false, isErrorDocument: false };
}

/** The lines of a list such as "2 errors occurred:\n\t* one\n\t* two"; without such a list the whole text is the one complaint. */
function listedErrors(text: string): string[] {
  const listed = [...text.matchAll(/^\s*\* (.+)$/gm)].map((match) => match[1] ?? "");
  return listed.length > 0 || text.trim() === "" ? listed : [text];
}

/** One line without control characters and without secrets, shortened. Secrets go first, lest half of one survives the cut. */
export function oneLine(text: string, secrets: readonly string[]): string {
  const line = withoutSecrets(text, secrets)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}

/** Shorter lines of a secret are found in any text. */
const shortestLine = 16;

const mark = "\0";

/** A shorter secret is in many a word by chance: to take it out would mangle the text, and show where it was. */
export const shortestSecret = 4;
const leftOut = "(not shown: it holds the letters of a secret that is too short to be taken out)";

/** Takes out secrets as they are, as they stand inside a JSON text, as they stand in an address, and line by line, as a server may repeat a part of a key. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  if (secrets.some((secret) => secret !== "" && secret.length < shortestSecret && text.includes(secret))) return leftOut;
  const lines = secrets.flatMap((secret) => secret.split(/\r?\n/)).filter((line) => line.length >= shortestLine);
  const spellings = [...secrets, ...lines].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  const longestFirst = spellings.filter((spelling) => spelling !== "").sort((one, other) => other.length - one.length);
  // By a mark that is in no text and no secret, lest what stands for one secret be taken for a part of another.
  return longestFirst.reduce((rest, spelling) => rest.replaceAll(spelling, mark), text.replaceAll(mark, " ")).replaceAll(mark, "<secret>");
}

/** The value of a JSON text, or undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON can't express undefined, so nothing is lost. The parser's message quotes the text, which may hold secrets.
    return undefined;
  }
}
