import type { RehearseResult, StackState } from "../../testing/rehearsal";
import type { ProviderHost } from "../../testing/rehearsal/engine/provider";
import type { Simulator } from "../../testing/simulator";
import { type Adapter, operate } from "../in-process/adapters";
import { InstantClock } from "../in-process/clock";
import type { Kill, OperationCommand } from "./commands";
import { type Declared, register } from "./program";

/** One operation, for an engine to run. */
export interface Run {
  readonly command: OperationCommand;
  readonly declarations: readonly Declared[];
  readonly state: StackState | undefined;
  /** The URN of the resource whose replacement is forced. */
  readonly replace: string | undefined;
  readonly config: Record<string, string>;
  readonly secretConfig: Record<string, string>;
  readonly simulator: Simulator;
}

export interface Ran {
  readonly state: StackState | undefined;
  readonly result: Pick<RehearseResult, "ok" | "steps" | "diagnostics">;
  /** The provider's log. */
  readonly log: readonly string[];
}

/** Runs the operations of one stack. */
export interface Engine {
  run(run: Run): Promise<Ran>;
}

/** The rehearsal engine in this process, with a provider behind one of its adapters. */
export class InProcess implements Engine {
  private readonly clock = new InstantClock(200);

  constructor(private readonly adapter: Adapter) {}

  async run({ command, declarations, replace, state, config, secretConfig }: Run): Promise<Ran> {
    const { adapter, clock } = this;
    const { do: what, refresh, parallel, kill } = command;
    const log: string[] = [];
    const { state: saved, ...result } = await operate(
      adapter,
      { clock, log: (message) => log.push(message) },
      {
        command: what,
        state,
        program: (stack) => {
          register(stack, declarations, adapter);
          return {};
        },
        refresh,
        parallel,
        ...(replace && { replace: [replace] }),
        config,
        secretConfig,
      },
      (host) => (kill && "call" in kill ? killable(host, kill) : host),
    );
    return { state: saved, result, log };
  }
}

/**
 * The host in a process that is killed at one of its calls. Running calls still take effect on the servers, as when only the engine is
 * killed, but their results are lost.
 */
export function killable(host: ProviderHost, kill: Extract<Kill, { call: number }>): ProviderHost {
  let calls = 0;
  let isKilled = false;
  const whileAlive = async <T>(call: () => Promise<T>): Promise<T> => {
    calls++;
    const isLast = calls === kill.call;
    if (isLast && !kill.done) isKilled = true;
    if (isKilled) throw new Ended();
    try {
      return await call();
    } finally {
      if (isLast) isKilled = true;
      // biome-ignore lint/correctness/noUnsafeFinally: the result, or the error, is lost with the process
      if (isKilled) throw new Ended();
    }
  };
  return {
    supportsPreview: host.supportsPreview,
    configure: (config) => host.configure(config),
    check: (request) => host.check(request),
    diff: (request) => host.diff(request),
    create: (request) => whileAlive(() => host.create(request)),
    read: (request) => whileAlive(() => host.read(request)),
    update: (request) => whileAlive(() => host.update(request)),
    delete: (request) => whileAlive(() => host.delete(request)),
    cancel: () => host.cancel(),
    stop: () => host.stop(),
  };
}

class Ended extends Error {
  constructor() {
    super("the process has ended");
  }
}
