import type { AgentPoolsClient } from "../apis/agent-pools/client";
import type { ClusterClient } from "../apis/cluster/client";
import { type Clock, systemClock } from "../apis/http/clock";
import type { Clients } from "../configuration/clients";
import type { Settings } from "../configuration/config";
import { OperationState } from "./operation-state";

/** The functions by which a call reports warnings and progress, and the signal that ends the call early. */
export interface CallOptions {
  /** Reports a warning to the user. */
  readonly warn: (message: string) => void;
  /** Reports information that is no warning, such as the reason for a wait. */
  readonly progress: (message: string) => void;
  readonly signal?: AbortSignal;
}

/** The context of one call of the engine. All calls of the operation share `operation`. */
export interface CallContext {
  readonly settings: Settings;
  readonly operation: OperationState;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  pools(): AgentPoolsClient;
  cluster(): ClusterClient;
  /** The warning for a service without a token, and without a possible login; undefined otherwise. */
  missingToken(api: "pools" | "cluster"): string | undefined;
  warn(message: string): void;
  progress(message: string): void;
  /** The same call, except that its updates fail as outdated once `isOutdated` returns true. */
  sendingUnless(isOutdated: () => boolean): CallContext;
}

/** One operation in one process: one configuration, one set of connections, and the data that its calls share. */
export class Session {
  readonly operation = new OperationState();

  constructor(
    readonly connections: Clients,
    private readonly clock: Clock = systemClock,
  ) {}

  call(options: CallOptions, isOutdated?: () => boolean): CallContext {
    const { connections, operation, clock } = this;
    const { progress: report, signal } = options;
    const context = { report, ...(signal ? { signal } : {}), ...(isOutdated ? { isOutdated } : {}) };
    return {
      get settings() {
        return connections.settings;
      },
      operation,
      clock,
      signal: options.signal,
      pools: () => connections.pools().with(context),
      cluster: () => connections.cluster().with(context),
      missingToken: (api) => connections.missingToken(api),
      warn: (message) => {
        if (operation.firstTime(message)) options.warn(message);
      },
      progress: options.progress,
      sendingUnless: (isOld) => this.call(options, isOld),
    };
  }
}
