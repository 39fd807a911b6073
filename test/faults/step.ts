import type { DialectName, JournalEntry } from "../../testing/simulator";

/** The purpose of a request. */
export type Role =
  | "read"
  /** A read of a written object, after a response without it. */
  | "read back"
  | "create"
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
  /** How many equal requests come before this one in the operation. */
  readonly occurrence: number;
  readonly role: Role;
  readonly status: number | undefined;
  readonly sendsSecret: boolean;
  /** Whether the request is sent before the response to the previous one has arrived. */
  readonly overlaps: boolean;
}

/** An operation without faults. */
export interface Recording {
  readonly dialect: DialectName;
  readonly steps: readonly Step[];
  /** The stack's objects on the server before each request, and at the end. */
  readonly stages: readonly string[];
  /** The stack's objects on the server after one more up. */
  readonly settled: string;
}
