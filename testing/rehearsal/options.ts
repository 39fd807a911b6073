import type { RehearsalEvent } from "./engine/report";

export interface RehearseOptions {
  /** The folder of the project: where Pulumi.yaml is. */
  program: string;
  /** The file of the stack's state, made by the first `up`. Secrets in it are encrypted. */
  state: string;
  /** Keys without a namespace are the project's. Refresh and destroy use what the last up had, unless a key is given here. */
  config?: Record<string, string>;
  secretConfig?: Record<string, string>;
  /** Default: "rehearsal". */
  stack?: string;
  /** Reads all resources before a preview or an up. */
  refresh?: boolean;
  /** URNs of resources to replace, whatever the provider's diff is. */
  replace?: string[];
  /** How many resources are processed at a time. Default: 4 x processors. */
  parallel?: number;
  /**
   * Added to the environment of the program and of the provider, which have the variables of this process. PULUMI_NODEJS_* and those that
   * configure the services (NOMAD_*, TFE_*, AGENTPOOL_ACL_*) are not inherited, so that a test never uses the services of a shell: give them
   * here.
   */
  env?: Record<string, string>;
  /** Shows secret outputs in the result. */
  showSecrets?: boolean;
  onEvent?: (event: RehearsalEvent) => void;
  /** Ends the operation: the provider's running calls are cancelled and awaited, and the state is kept. */
  signal?: AbortSignal;
}
