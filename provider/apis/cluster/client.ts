import type { Http } from "../http/http";
import type { RequestOptions } from "../http/request";
import { SharedList, Writes } from "../lists/shared-list";
import { Once } from "../lists/shared-response";
import { Connection, Seen } from "./connection";
import * as kinds from "./kinds";
import { type ClusterKind, listRequest, Requests, type SharedKind, spelled, type Versioned } from "./requests";
import type { Kept } from "./wire";

export type { AuthMethod, AuthMethodInput, AuthMethodStub, AuthMethodUpdate, Locality, MethodType } from "./auth-method";
export type { BindingRule, BindingRuleInput, BindingRuleStub, BindType } from "./binding-rule";
export type { JobAcl, Policy, PolicyInput, PolicyStub } from "./policy";
export type { Role, RoleInput } from "./role";
export type { ChosenIds, Token, TokenInput, TokenStub } from "./token";

/** The data that all views of one client share. */
class Shared {
  readonly seen = new Seen();
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

/** The requests to a cluster: for its ACL, auth methods, roles, binding rules, policies and tokens, and for any other kind by `of`. */
export class ClusterClient {
  private readonly connection: Connection;

  /** @param snapshotMs how long the `recent...` reads may use one list, in milliseconds; 0: not at all */
  constructor(
    private readonly http: Http,
    private readonly snapshotMs = 0,
    context: RequestOptions = {},
    private readonly shared = new Shared(),
  ) {
    this.connection = new Connection(http, context, shared.seen);
  }

  /** The same client with other options: where retries are reported, and the signal that stops it. */
  with(context: RequestOptions): ClusterClient {
    return new ClusterClient(this.http, this.snapshotMs, context, this.shared);
  }

  /** The same client, whose errors repeat none of these texts. */
  hiding(secrets: readonly string[]): ClusterClient {
    return this.with({ ...this.connection.context, secrets });
  }

  /** The server: its address, and the region if one is configured. */
  get server(): string {
    const region = this.http.query.region;
    return region ? `${this.http.address} region ${region}` : this.http.address;
  }

  /** The index of the store at the first call: no older role has a higher one. */
  indexAtStart(): Promise<number> {
    const { context } = this.connection;
    const read = async (signal: AbortSignal) => {
      const roles = await this.with({ ...context, signal }).roles.list();
      return this.shared.seen.lastIndex ?? roles.reduce((highest, { modifyIndex }) => Math.max(highest, modifyIndex), 0);
    };
    return this.shared.indexAtStart.get(read, context.signal);
  }

  get methods() {
    return this.of(kinds.methods);
  }

  get roles() {
    return this.of(kinds.roles);
  }

  get rules() {
    return this.of(kinds.rules);
  }

  get policies() {
    return this.of(kinds.policies);
  }

  get tokens() {
    return this.of(kinds.tokens);
  }

  /** The requests for a kind. */
  of<Whole extends Kept & Versioned, Item extends Versioned, Create, Update, Written extends Whole | undefined>(
    kind: ClusterKind<Whole, Item, Create, Update, Written>,
  ): Requests<Whole, Item, Create, Update, Written> {
    const shared = this.shared.of<Whole, Item>(
      kind,
      (writes, progress) =>
        new SharedList({
          take: (context) => this.with(context).connection.send(listRequest(kind)),
          keyOf: (item: Item) => spelled(kind, kind.keyOf(item)),
          writes,
          progress,
          keepMs: this.snapshotMs,
          clock: this.http.clock,
        }),
    );
    return new Requests(this.connection, kind, shared);
  }

  /** Whether a secret is that of the token by which this client sends its requests. */
  usesToken(secret: string): boolean {
    return this.http.usesToken(secret);
  }
}

function isOf<Whole, Item>(shared: { readonly kind: object }, kind: object): shared is SharedKind<Whole, Item> {
  return shared.kind === kind;
}
