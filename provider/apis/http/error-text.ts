import * as z from "zod";
import { oneLine, withheld } from "./redaction";

/** The content of an error response's body. */
export interface ErrorBody {
  /** On one line; "" when the body has no text. */
  readonly detail: string;
  /** The text of each of its errors. */
  readonly texts: readonly string[];
  /** The body is a page for a browser: the response comes from a proxy or another service. */
  readonly isHtml: boolean;
  /** The body is an error document of a JSON:API service. */
  readonly isErrorDocument: boolean;
}

/** The text of an error, with the place in the request's body that it is about, if the server names one. */
const errorObject = z
  .object({
    title: z.string().nullish().catch(undefined),
    detail: z.string().nullish().catch(undefined),
    source: z.object({ pointer: z.string().nullish() }).nullish().catch(undefined),
  })
  .transform(({ title, detail, source }) => {
    const text = detail || title || "";
    return source?.pointer ? `${text || "refused"} (${source.pointer})` : text;
  });

/** No empty list and no plain texts: other services return such documents, too, and their 404 says nothing about the object. */
const errorDocument = z.object({ errors: z.array(errorObject).min(1) });

/** Without a body the content type means nothing: some frameworks set text/html for empty responses, too. */
export function looksLikeHtml(text: string, contentType: string): boolean {
  return text !== "" && (/html/i.test(contentType) || text.trimStart().startsWith("<"));
}

/** A server may list one error for each of many inputs. */
const mostErrors = 20;

/**
 * Reads the body of an error response, in any of the usual forms, and takes the secrets out. If a part of a secret is left, it shows
 * nothing of the body.
 */
export function readErrorBody(text: string, contentType: string, secrets: readonly string[]): ErrorBody {
  const clean = (raw: string) => oneLine(raw, secrets);
  const isHtml = looksLikeHtml(text, contentType);
  const document = errorDocument.safeParse(isHtml ? undefined : parseJson(text));
  const form = { isHtml, isErrorDocument: document.success };
  if (clean(text) === withheld) return { ...form, detail: withheld, texts: [] };
  if (isHtml) {
    const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1];
    return { ...form, detail: `an HTML page${title ? ` ("${clean(title)}")` : ""}`, texts: [] };
  }
  const texts = (document.data?.errors ?? listedErrors(text)).slice(0, mostErrors).map(clean);
  return { ...form, detail: document.success ? texts.filter((part) => part !== "").join("; ") : clean(text), texts };
}

/** The lines of a list such as "2 errors occurred:\n\t* one\n\t* two"; without such a list the whole text is one error. */
function listedErrors(text: string): string[] {
  const listed = [...text.matchAll(/^\s*\* (.+)$/gm)].map((match) => match[1] ?? "");
  return listed.length > 0 ? listed : [text];
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
