import { nanosecondsNow } from "./clock";
import { contentHash } from "./hash";
import { methods } from "./methods";
import type { AuthMethod, Stored } from "./objects";
import { policies } from "./policies";
import { roles } from "./roles";
import { rules } from "./rules";
import { expiredTokens, tokens } from "./stored-tokens";
import type { StoredKind, Table } from "./table";
import { Tables } from "./table";

export interface ClusterOptions {
  /** The authoritative region, which takes all writes except for local tokens. */
  region: string;
  /** Further regions: replicas with their own indexes. */
  replicas: readonly string[];
  /** The shortest lifetime of a token, in milliseconds. */
  minTokenTtl: number;
  /** The longest lifetime of a token, in milliseconds. */
  maxTokenTtl: number;
  /** Whether a write that changes nothing leaves the ModifyIndex as it is. */
  keepsIdentical: boolean;
  /** Fields of a later version, which are kept as they are sent. */
  newerFields: readonly string[];
  /** Whether the creator of a client token may choose its AccessorID and SecretID. */
  takesChosenTokens: boolean;
}

/** One region's objects, and the counter of its writes. */
interface Region {
  index: number;
  tables: Tables;
}

/** Everything that a cluster holds, at one moment. */
export type ClusterSnapshot = ReadonlyMap<string, Readonly<Region>>;

// Indexes of different regions differ widely, so a test detects a client that confuses them.
const FIRST_INDEX = 10;
const REPLICA_DISTANCE = 1000;

/**
 * The content of the cluster. The collections are for tests: outside of the API, they read the authoritative region, and change all
 * regions. A change is not validated, but sets indexes, times and hash like a real write.
 */
export class ClusterStore {
  readonly methods = this.of(methods);
  readonly roles = this.of(roles);
  readonly rules = this.of(rules);
  readonly policies = this.of(policies);
  readonly tokens = this.of(tokens);
  /** The shortest lifetime of a token, in nanoseconds. */
  readonly minTokenTtl: bigint;
  /** The longest lifetime of a token, in nanoseconds. */
  readonly maxTokenTtl: bigint;
  readonly takesChosenTokens: boolean;
  /** The clock for creation and expiration of tokens, in milliseconds. A test may set it. Default: the machine's. */
  clock: (() => number) | undefined;

  /** The fields of a later version that the write under way has. */
  private newer: object | undefined;
  private readonly authoritative: Region;
  private readonly regions: Map<string, Region>;

  constructor(private readonly options: ClusterOptions) {
    this.minTokenTtl = BigInt(options.minTokenTtl) * 1_000_000n;
    this.maxTokenTtl = BigInt(options.maxTokenTtl) * 1_000_000n;
    this.takesChosenTokens = options.takesChosenTokens;
    this.authoritative = { index: FIRST_INDEX, tables: new Tables() };
    const replicas = options.replicas.map((name, position): [string, Region] => [
      name,
      { index: FIRST_INDEX + REPLICA_DISTANCE * (position + 1), tables: new Tables() },
    ]);
    this.regions = new Map([[options.region, this.authoritative], ...replicas]);
  }

  /** The name of the authoritative region. */
  get region(): string {
    return this.options.region;
  }

  /** The index of the authoritative region's last write. */
  get index(): number {
    return this.authoritative.index;
  }

  /** The names of all regions. */
  get regionNames(): string[] {
    return [...this.regions.keys()];
  }

  /** The authoritative region's objects. */
  get tables(): Tables {
    return this.authoritative.tables;
  }

  /** The objects of a region (default: the authoritative one); undefined when there is no such region. */
  tablesOf(region = this.options.region): Tables | undefined {
    return this.regions.get(region)?.tables;
  }

  /** The collection of any kind. */
  of<Row extends Stored, Change>(kind: StoredKind<Row, Change>): Collection<Row, Change> {
    return new Collection(this, kind);
  }

  /** Runs a write, which stores the fields of a later version that its body has. */
  withNewerFields<Result>(body: string, write: () => Result): Result {
    const given: object = JSON.parse(body);
    this.newer = Object.fromEntries(Object.entries(given).filter(([name]) => this.options.newerFields.includes(name)));
    try {
      return write();
    } finally {
      this.newer = undefined;
    }
  }

  /** Nanoseconds since 1970. */
  now(): bigint {
    return this.clock ? BigInt(this.clock()) * 1_000_000n : nanosecondsNow();
  }

  /**
   * Writes in the authoritative region and in all replicas.
   *
   * @param only the one region that the object is in
   * @returns the object that the authoritative region, or the given one, stores
   */
  upsert<Row extends Stored>(kind: StoredKind<Row>, row: Row, only?: string): Row {
    const whole = this.withNewer(row);
    const [stored] = this.inRegions(only, (region) => region.tables.of(kind).upsert(whole, region.index, this.options.keepsIdentical));
    if (stored === undefined) throw new Error("a cluster without regions");
    return stored;
  }

  /** @returns false when there was none: like on a server, the attempt takes an index nevertheless. */
  remove<Row extends Stored>(kind: StoredKind<Row>, key: string, only?: string): boolean {
    return this.inRegions(only, (region) => region.tables.of(kind).delete(key, region.index)).some(Boolean);
  }

  /** Deletes the tokens that expired an hour ago, as a server does from time to time. */
  collectExpiredTokens(): void {
    for (const [name, { tables }] of this.regions) {
      for (const { AccessorID } of expiredTokens(tables, this.now())) this.remove(tokens, AccessorID, name);
    }
  }

  /** Sets a new client secret, as after a rotation at the identity provider. @throws for a missing method */
  rotateClientSecret(name: string, secret: string): AuthMethod {
    if (!this.methods.get(name)) throw new Error(`no auth method "${name}" in the simulator`);
    return this.methods.put({ Name: name, Config: { OIDCClientSecret: secret } });
  }

  /** The present content of all regions, for `restore`. */
  snapshot(): ClusterSnapshot {
    return new Map([...this.regions].map(([name, { index, tables }]) => [name, { index, tables: tables.copy() }]));
  }

  /** Restores the server from a backup: objects, indexes and times go back. */
  restore(snapshot: ClusterSnapshot): void {
    for (const [name, { index, tables }] of snapshot) {
      const region = this.regions.get(name);
      if (!region) throw new Error(`no region "${name}" in the simulator`);
      Object.assign(region, { index, tables: tables.copy() });
    }
  }

  /**
   * The row with the later version's fields of the current write. Fields that the write leaves out are lost. A change by a test keeps them.
   */
  private withNewer<Row extends Stored>(row: Row): Row {
    if (this.options.newerFields.length === 0 || !this.newer) return row;
    const lost = Object.fromEntries(this.options.newerFields.map((name) => [name, undefined]));
    return { ...row, ...lost, ...this.newer, Hash: contentHash(row.Hash, JSON.stringify(this.newer)) };
  }

  /** Runs a write in all regions, the authoritative one first, or in one region only. */
  private inRegions<Result>(only: string | undefined, write: (region: Region) => Result): Result[] {
    const chosen = [...this.regions].filter(([name]) => only === undefined || name === only);
    return chosen.map(([, region]) => {
      region.index++;
      return write(region);
    });
  }
}

/** The objects of one kind in the authoritative region. All results are copies. */
export class Collection<Row extends Stored, Change> {
  constructor(
    private readonly store: ClusterStore,
    private readonly kind: StoredKind<Row, Change>,
  ) {}

  /** The object with a key: its name (auth methods, policies), its ID (roles, rules) or its AccessorID (tokens). */
  get(key: string): Row | undefined {
    return structuredClone(this.peek(key));
  }

  list(): Row[] {
    return structuredClone(this.table.list());
  }

  /** A write by others: the given fields replace the stored ones, the rest stays. Creates a missing object. */
  put(change: Change): Row {
    return structuredClone(this.write(this.kind.changed(change, this.table)));
  }

  /** A delete by others. @throws for a missing object */
  delete(key: string): void {
    if (!this.remove(key)) throw new Error(`nothing with the key "${key}" in the simulator`);
  }

  /** The stored object itself, for the API. It is never modified. */
  peek(key: string): Row | undefined {
    return this.table.get(key);
  }

  /** The stored objects themselves, for the API, in no order. */
  all(): Row[] {
    return [...this.table.values()];
  }

  write(row: Row): Row {
    return this.store.upsert(this.kind, row);
  }

  remove(key: string): boolean {
    return this.store.remove(this.kind, key);
  }

  private get table(): Table<Row> {
    return this.store.tables.of(this.kind);
  }
}
