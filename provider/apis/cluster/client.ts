import type { Http } from "../http/http";
import type { RequestOptions } from "../http/request";
import { SharedList, Writes } from "../lists/shared-list";
import { Once } from "../lists/shared-response";
import { Connection, Seen } from "./connection";
import * as kinds from "./kinds";
import { type ReadKind, Requests, type SharedKind, spelled, UpsertRequests } from "./requests";

export type { AuthMethod, AuthMethodInput, AuthMethodStub, AuthMethodUpdate, Locality, MethodType } from "./auth-method";
export type { BindingRule, BindingRuleInput, BindingRuleStub, BindType } from "./binding-rule";
export type { JobAcl, Policy, PolicyInput, PolicyStub } from "./policy";
export type { Role, RoleInput } from "./role";
export type { ChosenIds, Token, TokenInput, TokenStub } from "./token";

type Items = { readonly [K in keyof typeof kinds]: ReturnType<(typeof kinds)[K]["list"]["parse"]>[number] };

/** The data that all views of one client share. */
interface Shared {
  readonly seen: Seen;
  readonly indexAtStart: Once<number>;
  readonly kinds: { readonly [K in keyof Items]: SharedKind<Items[K]> };
  readonly ruleVersions: Map<string, kinds.rules.BindingRule>;
  readonly tokenChoice: kinds.tokens.Choice;
}

/** Auth methods, roles and binding rules ("Access-Control Interface"), and policies and tokens, which the document lacks: measured. */
export class ClusterAclClient {
  private readonly shared: Shared;
  private readonly connection: Connection;

  /** @param snapshotMs how long the `recent...` reads may use one list, in milliseconds; 0: not at all */
  constructor(
    private readonly http: Http,
    private readonly snapshotMs = 0,
    context: RequestOptions = {},
    shared?: Shared,
  ) {
    this.shared = shared ?? this.share();
    this.connection = new Connection(http, context, this.shared.seen);
  }

  /** The same client with other options: where retries are reported, and the signal that stops it. */
  with(context: RequestOptions): ClusterAclClient {
    return new ClusterAclClient(this.http, this.snapshotMs, context, this.shared);
  }

  /** The same client, whose errors repeat none of these texts. */
  hiding(secrets: readonly string[]): ClusterAclClient {
    return this.with({ ...this.connection.context, secrets });
  }

  /** The server: its address, and the region if one is configured. */
  get server(): string {
    const region = this.http.query.region;
    return region ? `${this.http.address} region ${region}` : this.http.address;
  }

  /** The index of the store when this is called first: no role of before has a higher one. */
  indexAtStart(): Promise<number> {
    const { context } = this.connection;
    const read = async (signal: AbortSignal) => {
      const roles = await this.with({ ...context, signal }).roles.list();
      return this.shared.seen.lastIndex ?? roles.reduce((highest, { modifyIndex }) => Math.max(highest, modifyIndex), 0);
    };
    return this.shared.indexAtStart.get(read, context.signal);
  }

  /** A server's create may replace a method of the same name without an error: read it first. The rules of a deleted method stay. */
  get methods() {
    return new Requests(this.connection, kinds.methods, this.shared.kinds.methods);
  }

  get roles() {
    return new kinds.roles.RoleRequests(this.connection, kinds.roles, this.shared.kinds.roles);
  }

  get rules() {
    return new kinds.rules.RuleRequests(this.connection, kinds.rules, this.shared.kinds.rules, this.shared.ruleVersions);
  }

  get policies() {
    return new UpsertRequests(this.connection, kinds.policies, this.shared.kinds.policies);
  }

  /** Measured: the document has none. */
  get tokens() {
    return new kinds.tokens.TokenRequests(this.connection, kinds.tokens, this.shared.kinds.tokens, this.shared.tokenChoice);
  }

  /** Whether a secret is that of the token by which this client sends its requests. */
  usesToken(secret: string): boolean {
    return this.http.usesToken(secret);
  }

  private share(): Shared {
    const writes: Writes[] = [];
    const shared = <Whole, Item>(kind: ReadKind<Whole, Item>): SharedKind<Item> => {
      const own = new Writes();
      writes.push(own);
      const list = new SharedList({
        take: (context) =>
          this.with(context).connection.send({ operation: "read", method: "GET", path: [kind.listPath], response: kind.list }),
        keyOf: (item: Item) => spelled(kind, kind.keyOf(item)),
        writes: own,
        progress: () => writes.reduce((sum, { begun }) => sum + begun, 0),
        keepMs: this.snapshotMs,
        clock: this.http.clock,
      });
      return { list, writes: own };
    };
    return {
      seen: new Seen(),
      indexAtStart: new Once(),
      kinds: {
        methods: shared(kinds.methods),
        roles: shared(kinds.roles),
        rules: shared(kinds.rules),
        policies: shared(kinds.policies),
        tokens: shared(kinds.tokens),
      },
      ruleVersions: new Map(),
      tokenChoice: { isRefused: false },
    };
  }
}
