import type { DialectName, JournalEntry } from "../../testing/simulator";

/** What a request does. */
export type Role =
  | "read"
  /** A read of what was written, if the response to the write says nothing of it. */
  | "read back"
  | "create"
  /** A create whose name is taken, so the server refuses it, and the program adopts the holder. */
  | "taken create"
  /** An update by id. */
  | "replace"
  | "delete"
  /** A read after a write, for a warning alone. */
  | "afterthought";

/** One request of an operation, as the recording run found it. */
export interface Step {
  /** "GET /v1/acl/role/:id" */
  readonly name: string;
  readonly api: JournalEntry["api"];
  readonly method: string;
  readonly path: RegExp;
  /** How many like it come before it in the operation. */
  readonly occurrence: number;
  readonly role: Role;
  readonly status: number | undefined;
  readonly sendsSecret: boolean;
  /** It is sent before the response to the previous one has arrived. */
  readonly overlaps: boolean;
}

/** What an operation does without faults. */
export interface Recording {
  readonly dialect: DialectName;
  readonly steps: readonly Step[];
  /** What the server has of ours when each of the requests arrives, and at the end. */
  readonly stages: readonly string[];
  /** What it has after one more up. */
  readonly settled: string;
}
