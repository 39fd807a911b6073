import * as z from "zod";
import { type ApiError, isApiError, isDenied } from "../http/errors";
import type { Http } from "../http/http";
import type { ApiRequest, RequestOptions } from "../http/request";
import { Once, SharedList, Writes } from "../lists/shared";
import { methods } from "./auth-method";
import { rules } from "./binding-rule";
import { describeOwnToken } from "./own-token";
import { policies } from "./policy";
import { type ClusterKind, listRequest, Requests, type SharedKind, spelled, type Versioned } from "./requests";
import { roles } from "./role";
import { tokens } from "./token";
import type { Kept } from "./wire";

export type { AuthMethod, AuthMethodInput, AuthMethodStub, AuthMethodUpdate, Locality, MethodType } from "./auth-method";
export type { BindingRule, BindingRuleInput, BindingRuleStub, BindType } from "./binding-rule";
export type { JobAcl, Policy, PolicyInput, PolicyStub } from "./policy";
export type { Role, RoleInput } from "./role";
export type { ChosenIds, Token, TokenInput, TokenStub } from "./token";

/** The data that all views of one client share. */
class Shared {
  /** Resolves if the cluster has one region, or one is configured. */
  readonly oneRegion = new Once<void>();
  /** The server's description of the token, requested after the server has refused it. */
  readonly ownToken = new Once<string | undefined>();
  readonly indexAtStart = new Once<number>();
  private readonly kinds = new Map<object, { readonly kind: object; readonly writes: Writes }>();

  /** The data of each kind, made at its first use. */
  of<Whole, Item>(kind: object, make: (writes: Writes, progress: () => number) => SharedList<Item>): SharedKind<Whole, Item> {
    const known = this.kinds.get(kind);
    if (known && isOf<Whole, Item>(known, kind)) return known;
    const writes = new Writes();
    const progress = () => [...this.kinds.values()].reduce((sum, { writes: { begun } }) => sum + begun, 0);
    const shared = { kind, writes, list: make(writes, progress), versions: new Map<string, Whole>() };
    this.kinds.set(kind, shared);
    return shared;
  }
}

const regionsRequest = {
  operation: "read",
  method: "GET",
  path: ["v1", "regions"],
  mediaType: "application/json",
  // The request needs no permission, and so no login.
  token: "",
  response: z.array(z.string()),
} satisfies ApiRequest<string[]>;

/** The requests to a cluster for its auth methods, roles, binding rules, policies and tokens, and for any other kind by `of`. */
export class ClusterClient {
  /** @param snapshotMs the time in milliseconds for which the `recent...` reads may use a list; 0: never */
  constructor(
    private readonly http: Http,
    private readonly snapshotMs = 0,
    readonly context: RequestOptions = {},
    private readonly shared = new Shared(),
  ) {}

  /** The same client with the options of another caller. */
  with(context: RequestOptions): ClusterClient {
    return new ClusterClient(this.http, this.snapshotMs, context, this.shared);
  }

  /** The same client, whose errors repeat none of these texts. */
  hiding(secrets: readonly string[]): ClusterClient {
    return this.with({ ...this.context, secrets });
  }

  /** The server: its address, and the region if one is configured. */
  get server(): string {
    const region = this.http.query.region;
    return region ? `${this.http.address} region ${region}` : this.http.address;
  }

  /** The highest index of any role at the first call: a role with a higher one was written later. */
  indexAtStart(): Promise<number> {
    const read = async (signal: AbortSignal) => {
      const all = await this.with({ ...this.context, signal }).roles.list();
      return all.reduce((highest, { modifyIndex }) => Math.max(highest, modifyIndex), 0);
    };
    return this.shared.indexAtStart.get(read, this.context.signal);
  }

  get methods() {
    return this.of(methods);
  }

  get roles() {
    return this.of(roles);
  }

  get rules() {
    return this.of(rules);
  }

  get policies() {
    return this.of(policies);
  }

  get tokens() {
    return this.of(tokens);
  }

  /** The requests for a kind. */
  of<Whole extends Kept & Versioned, Item extends Versioned, Create, Update, Written extends Whole | undefined>(
    kind: ClusterKind<Whole, Item, Create, Update, Written>,
  ): Requests<Whole, Item, Create, Update, Written> {
    const shared = this.shared.of<Whole, Item>(
      kind,
      (writes, progress) =>
        new SharedList({
          take: (context) => this.with(context).send(listRequest(kind)),
          keyOf: (item: Item) => spelled(kind, kind.keyOf(item)),
          writes,
          progress,
          keepMs: this.snapshotMs,
          clock: this.http.clock,
        }),
    );
    return new Requests(this, kind, shared);
  }

  /** Whether a secret belongs to the token of this client's requests. */
  usesToken(secret: string): boolean {
    return this.http.usesToken(secret);
  }

  /** Sends a request, after the first check of the regions. */
  async send<T>(request: Omit<ApiRequest<T>, "mediaType">): Promise<T> {
    await this.oneRegion();
    try {
      return await this.http.request({ ...request, mediaType: "application/json" }, this.context);
    } catch (error) {
      throw isDenied(error) ? await this.withTokenNote(error) : error;
    }
  }

  private async oneRegion(): Promise<void> {
    const { signal } = this.context;
    try {
      await this.shared.oneRegion.get((ending) => this.requireOneRegion({ ...this.context, signal: ending }), signal);
    } catch (error) {
      // If the call was cancelled, its own request reports that, and is not sent.
      if (!signal?.aborted) throw error;
    }
  }

  /**
   * Refuses several regions without a configured one. Servers within a region are consistent, but regions may lag behind each other, and an
   * address without a region may respond for any of them.
   */
  private async requireOneRegion(context: RequestOptions): Promise<void> {
    if (this.http.query.region !== undefined) return;
    try {
      const regions = await this.http.request(regionsRequest, context);
      if (regions.length < 2) return;
      const names = regions.map((name) => JSON.stringify(this.http.shown(name))).join(", ");
      throw this.http.errorOf(regionsRequest, { kind: "misconfigured", detail: `the regions are ${names}`, case: "several-regions" });
    } catch (error) {
      // The server does not know the path, or a proxy blocks it: the number of regions stays unknown, and is not checked.
      if (!isApiError(error) || ![401, 403, 404, 405].includes(error.status ?? 0)) throw error;
    }
  }

  /** The error of a refused token, with the server's description of that token, which is requested once. */
  private async withTokenNote(error: ApiError): Promise<ApiError> {
    const { signal } = this.context;
    const describe = (ending: AbortSignal) => describeOwnToken(this.http, { ...this.context, signal: ending });
    const note = await this.shared.ownToken.get(describe, signal).catch((reason: unknown) => {
      if (signal?.aborted) return undefined;
      throw reason;
    });
    return note === undefined ? error : error.withNote(note);
  }
}

function isOf<Whole, Item>(shared: { readonly kind: object }, kind: object): shared is SharedKind<Whole, Item> {
  return shared.kind === kind;
}
