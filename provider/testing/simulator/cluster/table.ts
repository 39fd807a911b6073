import type { AuthMethod, BindingRule, Policy, Role, Stored } from "./objects";

/** The objects of one kind in one region. */
export class Table<Row extends Stored> {
  private rows = new Map<string, Row>();
  /** The region's index at the last write that changed something here. */
  index = 0;

  constructor(readonly keyOf: (row: Row) => string) {}

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

  /** Writes at an index of the region. Identical content changes nothing where the dialect keeps it. @returns the stored object. */
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

  /** Rows are replaced and never modified, so that a copy of the map is enough. */
  copy(): Table<Row> {
    const copy = new Table<Row>(this.keyOf);
    copy.rows = new Map(this.rows);
    copy.index = this.index;
    return copy;
  }
}

/** All objects of a region. */
export class Tables {
  constructor(
    readonly methods = new Table<AuthMethod>((method) => method.Name),
    readonly roles = new Table<Role>((role) => role.ID),
    readonly rules = new Table<BindingRule>((rule) => rule.ID),
    readonly policies = new Table<Policy>((policy) => policy.Name),
  ) {}

  copy(): Tables {
    return new Tables(this.methods.copy(), this.roles.copy(), this.rules.copy(), this.policies.copy());
  }
}
