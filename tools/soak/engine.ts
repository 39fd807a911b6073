import { dynamicProviders, providerKey, providerText } from "../../provider/adapters/dynamic";
import type { Clock } from "../../provider/apis/http/clock";
import { dynamicType } from "../../provider/context/tokens";
import type { RehearseResult, StackState } from "../../testing/rehearsal";
import { DynamicHost } from "../../testing/rehearsal/dynamic-handlers";
import type { ProviderHost } from "../../testing/rehearsal/engine/provider";
import { withoutSecrets } from "../../testing/rehearsal/engine/without-secrets";
import { rehearseWith } from "../../testing/rehearsal/in-process";
import type { Simulator } from "../../testing/simulator";
import type { Kill, OperationCommand } from "./commands";
import { type Declared, register, type Spelling } from "./program";

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
  private readonly clock = new InstantClock();

  constructor(private readonly adapter: Adapter) {}

  async run({ command, declarations, replace, state, config, secretConfig }: Run): Promise<Ran> {
    const { adapter, clock } = this;
    const { do: what, refresh, parallel, kill } = command;
    const log: string[] = [];
    const { host, close } = await adapter.open({ clock, log: (message) => log.push(message) });
    try {
      const { state: saved, ...result } = await rehearseWith(kill && "call" in kill ? killable(host, kill) : host, {
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
      });
      return { state: saved, result, log };
    } finally {
      close();
    }
  }
}

/** The clock and the log of a provider's process. */
export interface Surroundings {
  readonly clock: Clock;
  readonly log: (message: string) => void;
}

/** One of the provider's two adapters. */
export interface Adapter extends Spelling {
  /** A provider process for one operation. */
  open(surroundings: Surroundings): Promise<{ readonly host: ProviderHost; readonly close: () => void }>;
}

export const dynamicAdapter: Adapter = {
  type: dynamicType,
  inputs: (kind, given) => ({ ...given, [providerKey]: providerText(kind) }),
  async open(surroundings) {
    const providers = Object.entries(dynamicProviders({ ...surroundings, env: {} })).map(
      ([type, provider]) => [type, () => provider] as const,
    );
    return { host: withoutSecrets(new DynamicHost(Object.fromEntries(providers), "rehearsed")), close: () => {} };
  },
};

/** A clock whose time advances only in `sleep`, which returns at once. */
export class InstantClock implements Clock {
  private time = Date.parse("2030-01-01T00:00:00Z");

  now(): number {
    return this.time;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.time += ms;
    // Pending callbacks run, as in a real sleep. In a long one, messages between two processes arrive, too.
    const turns = ms < 5_000 ? 1 : 200;
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }

  random(): number {
    return 0;
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
