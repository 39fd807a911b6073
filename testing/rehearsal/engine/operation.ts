import { types } from "node:util";
import type { ProviderHost } from "./provider";
import type { Report } from "./report";
import type { Snapshot } from "./state";

/** The context of one preview, update, refresh or destroy. */
export interface Operation {
  stack: string;
  project: string;
  preview: boolean;
  /** How many resources are processed at a time. */
  parallel: number;
  /** URNs to replace without the provider's diff. */
  replace: ReadonlySet<string>;
  snapshot: Snapshot;
  provider: ProviderHost;
  report: Report;
  now(): Date;
  /** Keeps the snapshot. Does nothing in a preview. */
  save(): void;
}

/** An error of the engine about this resource. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly messages: string[];
  constructor(
    readonly urn: string | undefined,
    ...messages: string[]
  ) {
    super(messages.join("\n"));
    this.messages = messages;
  }
}

/** The operation has failed or was cancelled: no new work begins. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  constructor() {
    super("the operation has stopped");
  }
}

export function messageOf(error: unknown): string {
  // Not instanceof: under jest, Node's own errors are of another realm.
  return types.isNativeError(error) ? error.message : String(error);
}
