import { unlessAborted } from "../http/clock";
import { type ApiError, isDenied } from "../http/errors";
import { storeIndex } from "../http/headers";
import type { Http } from "../http/http";
import type { ApiRequest, RequestOptions } from "../http/request";
import { describeOwnToken } from "./own-token";

/** What all requests of one client have seen. */
export interface Seen {
  /** The highest index of a read's response. */
  lastIndex: number | undefined;
  /** What the server says of the token, once it has refused it. */
  ownToken?: Promise<string | undefined>;
}

/** Sends the requests of one caller to the API. */
export class Connection {
  constructor(
    readonly http: Http,
    readonly context: RequestOptions,
    private readonly seen: Seen,
  ) {}

  async send<T>(request: Omit<ApiRequest<T>, "mediaType">): Promise<T> {
    const whole = { ...request, path: ["v1", "acl", ...request.path], mediaType: "application/json" };
    try {
      const { value, headers } = await this.http.request(whole, this.context);
      const index = request.operation === "read" ? storeIndex(headers) : undefined;
      if (index !== undefined) this.seen.lastIndex = Math.max(index, this.seen.lastIndex ?? 0);
      return value;
    } catch (error) {
      throw isDenied(error) ? await this.withTokenNote(error) : error;
    }
  }

  /** The error of a refused token, with what the server knows of that token: it is asked once. */
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
