import type { Stored } from "./objects";

/** A kind of objects: their key, and the effect of a test's change. */
export interface StoredKind<Row extends Stored, Change = never> {
  keyOf(row: Row): string;
  changed(change: Change, table: Table<Row>): Row;
  /** The objects that every server has from the start. */
  readonly builtIn?: readonly Row[];
  /** Whether a write of identical content counts as a change, whatever the dialect says. */
  readonly countsIdentical?: true;
}

/** The objects of one kind in one region. */
export class Table<Row extends Stored> {
  private rows = new Map<string, Row>();
  /** The region's index at the last write that changed something here. */
  index = 0;

  constructor(readonly kind: StoredKind<Row>) {
    for (const row of kind.builtIn ?? []) this.upsert(row, 1, false);
  }

  get(key: string): Row | undefined {
    return this.rows.get(key);
  }

  /** All rows in the order of their keys, in which the server lists all kinds but tokens. */
  list(): Row[] {
    return [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }

  /** Unsorted, which is faster. */
  values(): Iterable<Row> {
    return this.rows.values();
  }

  /**
   * Writes at an index of the region. Identical content changes nothing if the dialect keeps it and the kind does not count it.
   *
   * @returns the stored object
   */
  upsert(row: Row, index: number, keepsIdentical: boolean): Row {
    const key = this.kind.keyOf(row);
    const existing = this.rows.get(key);
    if (keepsIdentical && !this.kind.countsIdentical && existing && existing.Hash === row.Hash) return existing;
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
    const copy = new Table<Row>(this.kind);
    copy.rows = new Map(this.rows);
    copy.index = this.index;
    return copy;
  }
}

/** All objects of a region, by their kinds. */
export class Tables {
  private readonly all = new Map<object, Table<Stored>>();

  of<Row extends Stored>(kind: StoredKind<Row>): Table<Row> {
    const known = this.all.get(kind);
    if (known && isOf(known, kind)) return known;
    const table = new Table(kind);
    this.all.set(kind, table);
    return table;
  }

  copy(): Tables {
    const copy = new Tables();
    for (const [kind, table] of this.all) copy.all.set(kind, table.copy());
    return copy;
  }
}

function isOf<Row extends Stored>(table: Table<Stored>, kind: StoredKind<Row>): table is Table<Row> {
  return table.kind === kind;
}
