import { Clients } from "../../provider/configuration/clients";
import { resolveConfiguration } from "../../provider/configuration/config";
import { type CallContext, Session } from "../../provider/operation/call-context";
import type { Simulator } from "../../testing/simulator";
import { InstantClock } from "./clock";

/** One operation of the engine, with its messages to the user. */
export interface TestOperation {
  readonly context: CallContext;
  readonly warnings: string[];
  readonly progress: string[];
  readonly clock: InstantClock;
  close(): Promise<void>;
}

/** An operation with this configuration and no environment. */
export function operationWith(configured: Readonly<Record<string, unknown>>): TestOperation {
  const clock = new InstantClock();
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
