import type * as z from "zod";
import type { Http } from "../http/http";
import type { ApiRequest, RequestOptions } from "../http/request";
import { type Page, protocol } from "./wire";

/** Services commonly refuse or reduce larger pages. */
const pageSize = 100;

/** The maximal number of reads of a contradictory list. */
const mostPasses = 4;

/** A list of the API. */
export interface Listing<T> {
  readonly path: readonly string[];
  readonly schema: z.ZodType<Page<T>>;
  readonly query: NonNullable<ApiRequest<T>["query"]>;
  /** Whether the query filters items: the meaning of the server's count is then undocumented. */
  readonly isFiltered: boolean;
}

/** The result of one pass through all pages. */
interface Pass<T> {
  readonly items: T[];
  readonly pages: number;
  /** The reason why the pass may be incomplete; undefined if nothing shows that. */
  readonly doubt: string | undefined;
}

/**
 * The lists of one caller. Creates and deletes while the pages are read can move an object from an unread page to a page that was already
 * read.
 */
export class Lists {
  constructor(
    private readonly http: Http,
    private readonly context: RequestOptions,
  ) {}

  /**
   * Every item of all pages. A list is read again if its pages have different counts. An unfiltered list is also read again if the count
   * differs from the number of its items.
   *
   * @throws when the list stays contradictory
   */
  async all<T extends { readonly id: string }>(listing: Listing<T>): Promise<T[]> {
    return (await this.agreeing(listing)).items;
  }

  /**
   * Finds an item. A list of several pages proves its absence only together with a second one, because equal numbers of creates and deletes
   * keep the count. The count of a filtered list is not checked: such a list may change all the time, and a create concludes nothing
   * from the absence of an item.
   */
  async find<T extends { readonly id: string }>(listing: Listing<T>, isWanted: (item: T) => boolean): Promise<T | undefined> {
    const read = () => (listing.isFiltered ? this.pass(listing) : this.agreeing(listing));
    const { items, pages } = await read();
    return items.find(isWanted) ?? (pages > 1 ? (await read()).items.find(isWanted) : undefined);
  }

  private async agreeing<T extends { readonly id: string }>(listing: Listing<T>): Promise<Pass<T>> {
    for (let passes = 1; ; passes += 1) {
      const pass = await this.pass(listing);
      if (!pass.doubt) return pass;
      const { path } = listing;
      const failure = { kind: "unavailable", detail: pass.doubt, case: "inconsistent" } as const;
      if (passes === mostPasses) throw this.http.errorOf({ operation: "read", method: "GET", path }, failure, passes);
      this.context.report?.(`${path.join("/")}: ${pass.doubt}; reading the list again`);
    }
  }

  /** Reads page after page. An unclear end is an error, because objects would seem to be deleted in an incomplete list. */
  private async pass<T extends { readonly id: string }>({ path, schema, query: filter, isFiltered }: Listing<T>): Promise<Pass<T>> {
    const items = new Map<string, T>();
    const counts = new Set<number>();
    let pages = 0;
    let number: number | undefined = 1;
    while (number !== undefined) {
      const query: ApiRequest<T>["query"] = { ...filter, "page[number]": String(number), "page[size]": String(pageSize) };
      const pageSchema = advancing(schema, number, items);
      const request: ApiRequest<Page<T>> = { operation: "read", method: "GET", path, query, response: pageSchema, ...protocol };
      const page: Page<T> = await this.http.request(request, this.context);
      for (const item of page.items) if (!items.has(item.id)) items.set(item.id, item);
      if (page.count !== undefined) counts.add(page.count);
      pages += 1;
      number = page.next;
    }
    return { items: [...items.values()], pages, doubt: doubtOf([...counts], isFiltered ? undefined : items.size) };
  }
}

function doubtOf(counts: readonly number[], length: number | undefined): string | undefined {
  const [count] = counts;
  if (counts.length > 1) return `the list changed between its pages, which count ${counts.join(" and ")} items`;
  if (count !== undefined && length !== undefined && count !== length) return `the list counts ${count} items and has ${length}`;
  return undefined;
}

/** The schema of a page that brings the end of the list closer: it is the last one, or has new items and a later next page. */
function advancing<T extends { readonly id: string }>(
  schema: z.ZodType<Page<T>>,
  number: number,
  items: ReadonlyMap<string, T>,
): z.ZodType<Page<T>> {
  const leadsOn = ({ next, total = Number.POSITIVE_INFINITY, items: page }: Page<T>) =>
    next === undefined || (next > number && next <= total && page.some((item) => !items.has(item.id)));
  return schema.refine(leadsOn, {
    message: `page ${number} has no new items, or a next page that is none`,
    path: ["meta", "pagination", "next-page"],
  });
}
