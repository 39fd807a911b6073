import { randomBytes, randomUUID } from "node:crypto";
import type { ClusterDialect } from "./cluster/dialect";
import { documented } from "./cluster/documented";
import { measured } from "./cluster/measured";
import { clusterApi } from "./cluster/routes";
import { ClusterStore } from "./cluster/store";
import { ClusterTokens } from "./cluster/tokens";
import { Faults } from "./faults";
import type { ServerContext } from "./http";
import { ApiServer } from "./http";
import type { ApiName } from "./journal";
import { Journal } from "./journal";
import type { PoolsDialect } from "./pools/dialect";
import { documentedPools } from "./pools/documented";
import { poolsApi } from "./pools/routes";
import { servicePools } from "./pools/service";
import { PoolsStore } from "./pools/store";
import { PoolsTokens } from "./pools/tokens";
import type { RateLimitOptions } from "./rate-limit";
import { RateLimit } from "./rate-limit";

export type {
  AuthMethod,
  AuthMethodConfig,
  BindingRule,
  ClientAssertion,
  ClientAssertionKey,
  Policy,
  Role,
  Token,
} from "./cluster/objects";
export type { ClusterSnapshot, Collection } from "./cluster/store";
export { ClusterStore } from "./cluster/store";
export type { ClusterToken } from "./cluster/tokens";
export { ClusterTokens } from "./cluster/tokens";
export type { Fault, FaultRule } from "./faults";
export { Faults } from "./faults";
export type { ApiName, JournalEntry, RequestFilter } from "./journal";
export { Journal } from "./journal";
export type { Agent, AgentStatus, AgentToken, Pool, Project, Workspace } from "./pools/store";
export { PoolsStore } from "./pools/store";
export type { PoolsToken } from "./pools/tokens";
export { PoolsTokens } from "./pools/tokens";
export type { RateLimitOptions } from "./rate-limit";

/** The dialects of the simulator. DIFFERENCES.md describes them. */
export const dialects = {
  measured: { cluster: measured, pools: servicePools },
  documented: { cluster: documented, pools: documentedPools },
} satisfies Record<string, { cluster: ClusterDialect; pools: PoolsDialect }>;

export type DialectName = keyof typeof dialects;

export interface SimulatorOptions {
  /**
   * The simulated services: `measured` behaves like the measured scheduler, and like the service of agent pools as its clients know it;
   * `documented` follows the two API documents to the letter, and usually `measured` where they say nothing. Default `measured`.
   */
  dialect?: DialectName;
  /** The organization that exists at the start. Default `example-org`. */
  organization?: string;
  /** The maximal number of pools in an organization. Default: no limit, and 1 in the documented dialect. */
  poolsPerOrganization?: number;
  /** The authoritative region, which takes all writes except for local tokens. Default `global`. */
  region?: string;
  /** Further regions: replicas with their own indexes. Default none. */
  regions?: string[];
  /** The least MaxTokenTTL of an auth method, and ExpirationTTL of a token, in milliseconds. Default one minute. */
  minTokenTtl?: number;
  /** The greatest MaxTokenTTL of an auth method, and ExpirationTTL of a token, in milliseconds. Default 24 hours. */
  maxTokenTtl?: number;
  /** Whether the creator of a client token may choose its AccessorID and SecretID, as servers from 2.0.3 on let it. Default true. */
  takesChosenTokens?: boolean;
  /** Fields that a later version of the cluster has: they are stored as they are sent, and lost by a write that leaves them out. */
  newerFields?: readonly string[];
  /** The number of requests that the journal keeps, with their bodies: the latest ones. Default: all. */
  journalLength?: number;
  /** The port of the agent pools. Default 0: any port that is free. */
  poolsPort?: number;
  /** The port of the cluster. Default 0: any port that is free. */
  clusterPort?: number;
}

/**
 * Both APIs over real HTTP on 127.0.0.1. The option `dialect` chooses the services that they behave like. DIFFERENCES.md lists the
 * differences.
 *
 * @example
 * const simulator = await Simulator.start();
 * simulator.faults.add({ method: "POST", path: "/v1/acl/role", fault: { kind: "drop-after" } });
 * // ... run what is under test against simulator.clusterAddress ...
 * expect(simulator.cluster.roles.list()).toHaveLength(1);
 * await simulator.stop();
 */
export class Simulator {
  /** A token of the agent pool API that may do everything. It begins with a letter: `pulumi config set --secret` would read a leading dash as an option. */
  readonly poolsToken: string = `p${randomBytes(32).toString("base64url")}`;
  /** A management token of the cluster. */
  readonly clusterToken: string = randomUUID();
  readonly organization: string;
  readonly dialect: DialectName;
  readonly pools: PoolsStore;
  readonly cluster: ClusterStore;
  readonly poolsTokens = new PoolsTokens();
  readonly clusterTokens = new ClusterTokens();
  readonly journal: Journal;
  readonly faults = new Faults();
  /** Milliseconds added to every response. May be set at any time. */
  latencyMs = 0;

  private readonly servers: Record<ApiName, ApiServer>;

  private constructor(options: SimulatorOptions) {
    this.organization = options.organization ?? "example-org";
    this.dialect = options.dialect ?? "measured";
    this.journal = new Journal(options.journalLength);
    const dialect = dialects[this.dialect];
    this.pools = new PoolsStore(options.poolsPerOrganization ?? dialect.pools.poolsPerOrganization);
    this.pools.addOrganization(this.organization);
    this.cluster = new ClusterStore({
      region: options.region ?? "global",
      replicas: options.regions ?? [],
      minTokenTtl: options.minTokenTtl ?? 60_000,
      maxTokenTtl: options.maxTokenTtl ?? 24 * 3_600_000,
      keepsIdentical: dialect.cluster.keepsIdentical,
      takesChosenTokens: options.takesChosenTokens ?? true,
      newerFields: options.newerFields ?? [],
    });
    this.poolsTokens.add({ token: this.poolsToken });
    this.clusterTokens.add({ token: this.clusterToken, type: "management" });
    const context: ServerContext = { journal: this.journal, faults: this.faults, latencyMs: () => this.latencyMs };
    this.servers = {
      pools: new ApiServer("pools", poolsApi(this.pools, this.poolsTokens, dialect.pools), context),
      cluster: new ApiServer("cluster", clusterApi(this.cluster, this.clusterTokens, dialect.cluster), context),
    };
  }

  /** Starts both servers. @throws for a port in use */
  static async start(options: SimulatorOptions = {}): Promise<Simulator> {
    const simulator = new Simulator(options);
    try {
      await simulator.servers.pools.listen(options.poolsPort ?? 0);
      await simulator.servers.cluster.listen(options.clusterPort ?? 0);
    } catch (error) {
      await simulator.stop();
      throw error;
    }
    return simulator;
  }

  /** Such as `http://127.0.0.1:41234`; the API is served under /api/v2. */
  get poolsAddress(): string {
    return this.servers.pools.address;
  }

  /** Such as `http://127.0.0.1:41235`; the API is served under /v1. */
  get clusterAddress(): string {
    return this.servers.cluster.address;
  }

  /** Stops both servers and closes all connections at once. */
  async stop(): Promise<void> {
    await Promise.all([this.unplug("pools"), this.unplug("cluster")]);
  }

  /**
   * From now on an API accepts a limited number of requests per window of time, and responds 429 to the others. Without options the limit
   * is removed.
   */
  limitRate(api: ApiName, options?: RateLimitOptions): void {
    this.servers[api].rateLimit = options && new RateLimit(options);
  }

  /** The number of open connections to an API. */
  connections(api: ApiName): Promise<number> {
    return this.servers[api].connections();
  }

  /** Refuses all connections until `plug`. */
  async unplug(api: ApiName): Promise<void> {
    await this.servers[api].close();
  }

  /** Listens again, on the same port. */
  async plug(api: ApiName): Promise<void> {
    await this.servers[api].listen();
  }
}
