import { availableParallelism } from "node:os";
import { types } from "node:util";
import type { ProviderHost } from "./provider";
import type { Report } from "./report";
import type { ConfigValue, StackState } from "./state";
import { Snapshot } from "./state";

const commands = ["preview", "up", "refresh", "destroy"] as const;
export type RehearseCommand = (typeof commands)[number];

export interface OperationOptions {
  command: RehearseCommand;
  state: StackState;
  /** The configuration of the provider. An update stores it. */
  config: Record<string, ConfigValue>;
  provider: ProviderHost;
  /** Called with the state after every change of it; never in a preview. */
  save: (state: StackState) => void;
  /** URNs to replace without the provider's diff. */
  replace?: string[] | undefined;
  /** The number of resources that are processed at a time. Default: 4 x processors. */
  parallel?: number | undefined;
  report: Report;
  now?: (() => Date) | undefined;
}

/** The context of one preview, update, refresh or destroy. */
export class Operation {
  readonly preview: boolean;
  readonly parallel: number;
  readonly replace: ReadonlySet<string>;
  readonly snapshot: Snapshot;
  readonly provider: ProviderHost;
  readonly report: Report;
  readonly now: () => Date;
  /**
   * The URNs of the resources that this operation deletes. A replacement adds its resources before they are deleted. The end of the
   * operation adds all others before the first of them is deleted.
   */
  readonly deletes = new Set<string>();

  constructor(private readonly options: OperationOptions) {
    // A test in JavaScript may give another word, which would run without a program and delete all resources.
    if (!commands.includes(options.command)) throw new TypeError(`the command must be one of ${commands.join(", ")}`);
    this.preview = options.command === "preview";
    this.parallel = options.parallel ?? 4 * availableParallelism();
    this.replace = new Set(options.replace);
    // A copy, because the engine marks resources in place, even in a preview.
    this.snapshot = new Snapshot(structuredClone(options.state.resources));
    this.provider = options.provider;
    this.report = options.report;
    this.now = options.now ?? (() => new Date());
  }

  get stack(): string {
    return this.options.state.stack;
  }

  get project(): string {
    return this.options.state.project;
  }

  /** Saves the snapshot as the new state. Does nothing in a preview. */
  save(): void {
    const { command, config, state } = this.options;
    const { project, stack } = state;
    const kept = command === "up" ? config : state.config;
    if (!this.preview) this.options.save({ project, stack, config: kept, resources: this.snapshot.resources() });
  }
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
