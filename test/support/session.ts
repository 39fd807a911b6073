import type { Clock } from "../../provider/apis/http/clock";
import { type CallContext, Session } from "../../provider/context/call-context";
import { Clients } from "../../provider/context/clients";
import { resolveConfiguration } from "../../provider/context/config";
import type { Simulator } from "../../testing/simulator";

/** A clock whose waits end at once and advance its time. */
export class ImpatientClock implements Clock {
  readonly waits: number[] = [];
  private time = Date.UTC(2030, 0, 1);

  now(): number {
    return this.time;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.waits.push(ms);
    this.time += ms;
  }

  random(): number {
    return 0;
  }
}

/** One operation of the engine, with its messages to the user. */
export interface TestOperation {
  readonly context: CallContext;
  readonly warnings: string[];
  readonly progress: string[];
  readonly clock: ImpatientClock;
  close(): Promise<void>;
}

/** An operation with this configuration and no environment. */
export function operationWith(configured: Readonly<Record<string, unknown>>): TestOperation {
  const clock = new ImpatientClock();
  const connections = new Clients(() => resolveConfiguration((key) => configured[key], {}), clock);
  const warnings: string[] = [];
  const progress: string[] = [];
  const context = new Session(connections, clock).call({
    warn: (message) => warnings.push(message),
    progress: (message) => progress.push(message),
  });
  return { context, warnings, progress, clock, close: () => connections.close() };
}

/** A configuration for operations that send nothing. */
export const nowhere: Readonly<Record<string, string>> = {
  poolsAddress: "http://127.0.0.1:1",
  poolsToken: "pools-token",
  clusterAddress: "http://127.0.0.1:1",
  clusterToken: "cluster-token",
};

/** The configuration for a simulator. */
export function configurationOf(simulator: Simulator): Record<string, string> {
  return {
    poolsAddress: simulator.poolsAddress,
    poolsToken: simulator.poolsToken,
    organization: simulator.organization,
    clusterAddress: simulator.clusterAddress,
    clusterToken: simulator.clusterToken,
  };
}
