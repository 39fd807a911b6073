import type { AuthMethod, BindingRule, Policy, Role, Stored } from "./objects";

/** The objects of one kind in one region. */
export class Table<Row extends Stored> {
  private rows = new Map<string, Row>();
  /** The region's index at the last write that changed something here. */
  index = 0;

  constructor(private readonly keyOf: (row: Row) => string) {}

  get(key: string): Row | undefined {
    return this.rows.get(key);
  }

  /** In the order of their keys, as the server lists them. */
  list(): Row[] {
    return [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }

  /** Unsorted, which is faster. */
  values(): Iterable<Row> {
    return this.rows.values();
  }

  /** Writes at an index of the region. Identical content changes nothing if the dialect keeps it. @returns the stored object. */
  upsert(row: Row, index: number, keepsIdentical: boolean): Row {
    const key = this.keyOf(row);
    const existing = this.rows.get(key);
    if (keepsIdentical && existing && existing.Hash === row.Hash) return existing;
    const stored = { ...row, CreateIndex: existing?.CreateIndex ?? index, ModifyIndex: index };
    this.rows.set(key, stored);
    this.index = index;
    return stored;
  }

  /** @returns false when there is none. */
  delete(key: string, index: number): boolean {
    if (!this.rows.delete(key)) return false;
    this.index = index;
    return true;
  }

  /** Rows are replaced and never modified, so a copy of the map is enough. */
  copy(): Table<Row> {
    const copy = new Table<Row>(this.keyOf);
    copy.rows = new Map(this.rows);
    copy.index = this.index;
    return copy;
  }
}

/** All objects of a region. */
export interface Tables {
  readonly methods: Table<AuthMethod>;
  readonly roles: Table<Role>;
  readonly rules: Table<BindingRule>;
  readonly policies: Table<Policy>;
}

/** The table of one kind. */
export type TableOf<Row extends Stored> = (tables: Tables) => Table<Row>;

export function emptyTables(): Tables {
  const byName = ({ Name }: { Name: string }) => Name;
  const byId = ({ ID }: { ID: string }) => ID;
  return {
    methods: new Table<AuthMethod>(byName),
    roles: new Table<Role>(byId),
    rules: new Table<BindingRule>(byId),
    policies: new Table<Policy>(byName),
  };
}

export function copyOf({ methods, roles, rules, policies }: Tables): Tables {
  return { methods: methods.copy(), roles: roles.copy(), rules: rules.copy(), policies: policies.copy() };
}
