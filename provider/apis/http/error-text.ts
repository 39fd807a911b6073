import * as z from "zod";
import { oneLine, withheld } from "./redaction";

/** One error of a server about an input. `pointer` is the JSON pointer into the request's body, if the server gave one. */
export interface Issue {
  readonly pointer?: string;
  readonly detail: string;
}

/** The content of an error response's body. */
export interface ErrorBody {
  /** On one line; "" when the body has no text. */
  readonly detail: string;
  readonly issues: readonly Issue[];
  /** The body is a page for a browser: the response comes from a proxy or another service. */
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

/** No empty list and no plain texts: other services return such documents, too, and their 404 says nothing about the object. */
const errorDocument = z.object({ errors: z.array(errorObject).min(1) });

/** Without a body the content type means nothing: some frameworks set text/html for empty responses, too. */
export function looksLikeHtml(text: string, contentType: string): boolean {
  return text !== "" && (/html/i.test(contentType) || text.trimStart().startsWith("<"));
}

/** A server may list one error for each of many inputs. */
const mostIssues = 20;

/**
 * Reads the body of an error response, in any of the usual forms. Secrets are taken out. Of a body in which a part of one is left nothing is
 * shown.
 */
export function readErrorBody(text: string, contentType: string, secrets: readonly string[]): ErrorBody {
  const body = readAnyBody(text, contentType, secrets);
  return oneLine(text, secrets) === withheld ? { ...body, detail: withheld, issues: [] } : body;
}

function readAnyBody(text: string, contentType: string, secrets: readonly string[]): ErrorBody {
  const clean = (raw: string) => oneLine(raw, secrets);
  if (looksLikeHtml(text, contentType)) {
    const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1];
    return { detail: `an HTML page${title ? ` ("${clean(title)}")` : ""}`, issues: [], isHtml: true, isErrorDocument: false };
  }
  const parsed = errorDocument.safeParse(parseJson(text));
  if (parsed.success) {
    const issues = parsed.data.errors.slice(0, mostIssues).map(({ pointer, detail }): Issue => {
      return pointer ? { pointer: clean(pointer), detail: clean(detail) } : { detail: clean(detail) };
    });
    const texts = issues.map(({ pointer, detail }) => (pointer ? `${detail || "refused"} (${pointer})` : detail));
    return { detail: texts.filter((part) => part !== "").join("; "), issues, isHtml: false, isErrorDocument: true };
  }
  const issues = listedErrors(text).slice(0, mostIssues);
  return { detail: clean(text), issues: issues.map((line) => ({ detail: clean(line) })), isHtml: false, isErrorDocument: false };
}

/** The lines of a list such as "2 errors occurred:\n\t* one\n\t* two"; without such a list the whole text is one error. */
function listedErrors(text: string): string[] {
  const listed = [...text.matchAll(/^\s*\* (.+)$/gm)].map((match) => match[1] ?? "");
  return listed.length > 0 || text.trim() === "" ? listed : [text];
}

/** The value of a JSON text, or undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON has no undefined, so the result is clear. The parser's message is not kept, because it quotes the text, which may hold
    // secrets.
    return undefined;
  }
}
