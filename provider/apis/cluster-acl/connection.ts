import type { ApiError } from "../http/errors";
import { isApiError, isDenied } from "../http/errors";
import type { Http } from "../http/http";
import type { ApiRequest, RequestOptions } from "../http/request";
import { storeIndex } from "../http/store-index";
import * as kinds from "./kinds";
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

  async read<T>(
    path: readonly string[],
    schema: ApiRequest<T>["response"],
    rest: Pick<ApiRequest<T>, "query" | "absence" | "isAbout"> = {},
  ): Promise<T> {
    const { value, headers } = await this.send({ operation: "read", method: "GET", path, response: schema, ...rest });
    const index = storeIndex(headers);
    if (index !== undefined) this.seen.lastIndex = Math.max(index, this.seen.lastIndex ?? 0);
    return value;
  }

  async send<T>(request: Omit<ApiRequest<T>, "mediaType">) {
    try {
      return await this.http.request({ ...request, path: ["v1", "acl", ...request.path], mediaType: "application/json" }, this.context);
    } catch (error) {
      if (isApiError(error) && error.mayBeMissing && (await this.isUnlisted(request.path))) throw error.asNotFound();
      throw isDenied(error) ? await this.withTokenNote(error) : error;
    }
  }

  /** The error of a refused token, with what the server knows of that token: it is asked once. */
  private async withTokenNote(error: ApiError): Promise<ApiError> {
    this.seen.ownToken ??= describeOwnToken(this.http, this.context);
    const note = await this.seen.ownToken;
    return note === undefined ? error : error.withNote(note);
  }

  /** Whether the list of its kind lacks the object of a path. False also if the token may not see the whole list. */
  private async isUnlisted([path, ...below]: readonly string[]): Promise<boolean> {
    const kind = Object.values(kinds).find((one) => one.path === path);
    const key = below.at(-1) ?? "";
    if (!kind || key === "") return false;
    try {
      // Without management, the list of roles has those of the token alone, and that of rules is refused.
      if (kind === kinds.roles) await this.read([kinds.rules.listPath], kinds.rules.list);
      const listed = await this.read<readonly Partial<Record<"id" | "name", string>>[]>([kind.listPath], kind.list);
      return !listed.some(({ id = "", name }) => name === key || id.toLowerCase() === key.toLowerCase());
    } catch (error) {
      if (isApiError(error)) return false;
      throw error;
    }
  }
}
