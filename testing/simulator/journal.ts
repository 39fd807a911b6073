/** One request that reached the simulator, and the status of its response. */
export interface JournalEntry {
  readonly api: ApiName;
  readonly method: string;
  /** The path as it was sent: percent-encoded, without the query. */
  readonly path: string;
  readonly query: Record<string, string>;
  /** The parsed JSON of the body, or the text of a body that is no JSON; undefined without a body. */
  readonly body: unknown;
  /** Lower-case names; the values of tokens are replaced by `<token>`. */
  readonly headers: Record<string, string>;
  /** Undefined until the response is sent; it stays undefined if no response was sent. */
  status: number | undefined;
}

export type ApiName = "pools" | "cluster";

/** Selects requests. A field that is left out matches every request. A `path` that is a string must equal the whole path. */
export interface RequestFilter {
  api?: ApiName;
  method?: string;
  path?: string | RegExp;
}

/** True when the filter selects the request. */
export function matches(filter: RequestFilter, request: Pick<JournalEntry, "api" | "method" | "path">): boolean {
  if (filter.api !== undefined && filter.api !== request.api) return false;
  if (filter.method !== undefined && filter.method !== request.method) return false;
  if (filter.path === undefined) return true;
  // `search` and not `test`, which keeps its last position when the expression is global.
  return typeof filter.path === "string" ? filter.path === request.path : request.path.search(filter.path) >= 0;
}

/** Every request to both APIs, in the order of arrival, limited to the latest `most`. */
export class Journal {
  entries: JournalEntry[] = [];

  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  add(entry: JournalEntry): void {
    this.entries.push(entry);
    if (this.entries.length > this.most) this.entries.splice(0, this.entries.length - this.most);
  }

  clear(): void {
    this.entries = [];
  }

  /** The requests that a filter selects, oldest first. */
  requests(filter: RequestFilter = {}): JournalEntry[] {
    return this.entries.filter((entry) => matches(filter, entry));
  }

  /** One line per request, such as `POST /v1/acl/role`. */
  lines(): string[] {
    return this.entries.map((entry) => `${entry.method} ${entry.path}`);
  }
}
