import * as z from "zod";
import { unlessAborted } from "../http/clock";
import { type ApiError, isApiError, isDenied } from "../http/errors";
import type { Http } from "../http/http";
import type { ApiRequest, RequestOptions } from "../http/request";
import { Once } from "../lists/shared-response";
import { describeOwnToken } from "./own-token";

/** Facts that the requests of one client have shown. */
export class Seen {
  /** The highest index of a read's response. */
  lastIndex: number | undefined;
  /** The server's description of the token, once it has refused it. */
  ownToken?: Promise<string | undefined>;
  /** Resolves if the cluster has one region, or one is configured. */
  readonly oneRegion = new Once<void>();
}

const regionsRequest = {
  operation: "read",
  method: "GET",
  path: ["v1", "regions"],
  mediaType: "application/json",
  // It needs no right, so no login either.
  token: "",
  response: z.array(z.string()),
} satisfies ApiRequest<string[]>;

/** Sends the requests of one caller to the API. */
export class Connection {
  constructor(
    readonly http: Http,
    readonly context: RequestOptions,
    private readonly seen: Seen,
  ) {}

  async send<T>(request: Omit<ApiRequest<T>, "mediaType">): Promise<T> {
    await this.oneRegion();
    try {
      const { value, storeIndex } = await this.http.request({ ...request, mediaType: "application/json" }, this.context);
      if (request.operation === "read" && storeIndex !== undefined) this.seen.lastIndex = Math.max(storeIndex, this.seen.lastIndex ?? 0);
      return value;
    } catch (error) {
      throw isDenied(error) ? await this.withTokenNote(error) : error;
    }
  }

  private async oneRegion(): Promise<void> {
    const { signal } = this.context;
    try {
      await this.seen.oneRegion.get((ending) => this.requireOneRegion({ ...this.context, signal: ending }), signal);
    } catch (error) {
      // The request of a cancelled call says so itself, and is not sent.
      if (!signal?.aborted) throw error;
    }
  }

  /**
   * Servers of one region are consistent. Regions may lag behind each other, and an address alone may answer for any region: a federated
   * cluster needs a configured region.
   *
   * @throws when there are several and none is configured
   */
  private async requireOneRegion(context: RequestOptions): Promise<void> {
    if (this.http.query.region !== undefined) return;
    try {
      const { value } = await this.http.request(regionsRequest, context);
      const names = value.map((name) => JSON.stringify(this.http.shown(name))).join(", ");
      if (value.length > 1) throw this.http.misconfigured(regionsRequest, { detail: `the regions are ${names}`, case: "several-regions" });
    } catch (error) {
      // A server that does not know the path, or a proxy that does not let it pass: there are no regions to choose from.
      if (!isApiError(error) || ![401, 403, 404, 405].includes(error.status ?? 0)) throw error;
    }
  }

  /** The error of a refused token, with the server's description of that token, which is requested once. */
  private async withTokenNote(error: ApiError): Promise<ApiError> {
    const { signal, ...context } = this.context;
    // Others wait for it, too: one caller's signal ends that caller's wait alone.
    this.seen.ownToken ??= describeOwnToken(this.http, context);
    const note = await unlessAborted(this.seen.ownToken, signal).catch((reason: unknown) => {
      if (signal?.aborted) return undefined;
      throw reason;
    });
    return note === undefined ? error : error.withNote(note);
  }
}
