import type { ApiRequest, ApiResponse } from "../http";

const CONTENT_TYPE = "application/vnd.api+json";
const DEFAULT_PAGE_SIZE = 20;
const MAXIMUM_PAGE_SIZE = 100;

/** A response with a JSON:API document. */
export function documentResponse(status: number, document: object): ApiResponse {
  return { status, contentType: CONTENT_TYPE, body: JSON.stringify(document) };
}

export interface ErrorObject {
  title: string;
  detail?: string;
  source?: { pointer: string };
}

/** A response with a JSON:API error document. */
export function errorResponse(status: number, ...errors: ErrorObject[]): ApiResponse {
  return documentResponse(status, { errors: errors.map((error) => ({ status: String(status), ...error })) });
}

/** Missing, or not permitted: the document has the same response for both. */
export function notFound(): ApiResponse {
  return errorResponse(404, { title: "not found", detail: "Not found, or the token has no rights there" });
}

/** A response with the requested page of a list. */
export function pageResponse<Row>(request: ApiRequest, rows: readonly Row[], shown: (row: Row) => object): ApiResponse {
  const { rows: ofPage, envelope } = paginate(request, rows);
  return documentResponse(200, { data: ofPage.map(shown), ...envelope });
}

/** The rows of the requested page, and the document's envelope without `data`. A page below 1 is the first; a size above 100 is 100. */
export function paginate<Row>(request: ApiRequest, rows: readonly Row[]) {
  const number = wholeNumber(request, "page[number]") ?? 1;
  const size = Math.min(wholeNumber(request, "page[size]") ?? DEFAULT_PAGE_SIZE, MAXIMUM_PAGE_SIZE);
  const last = Math.max(1, Math.ceil(rows.length / size));
  const previous = number > 1 ? Math.min(number - 1, last) : null;
  const next = number < last ? number + 1 : null;
  const link = (page: number | null): string | null => (page === null ? null : pageAddress(request, page, size));
  return {
    rows: rows.slice((number - 1) * size, number * size),
    envelope: {
      links: { self: link(number), first: link(1), prev: link(previous), next: link(next), last: link(last) },
      meta: {
        pagination: { "current-page": number, "prev-page": previous, "next-page": next, "total-pages": last, "total-count": rows.length },
      },
    },
  };
}

function wholeNumber(request: ApiRequest, parameter: string): number | undefined {
  const value = Number(request.query.get(parameter));
  return Number.isInteger(value) && value > 0 ? value : undefined;
}

function pageAddress(request: ApiRequest, number: number, size: number): string {
  const query = new URLSearchParams(request.query);
  query.set("page[number]", String(number));
  query.set("page[size]", String(size));
  return `${request.origin}${request.path}?${query}`;
}
