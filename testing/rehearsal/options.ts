import type { RehearseCommand } from "./engine/operation";
import type { RehearsalEvent } from "./engine/report";
import type { ConfigValue, StackState } from "./engine/state";

/** The options of every rehearsal. */
export interface CommonOptions {
  /** Keys without a namespace are the project's. Refresh and destroy use the last up's configuration, with these keys replaced. */
  config?: Record<string, string>;
  secretConfig?: Record<string, string>;
  /** The name of the stack. Default: "rehearsal". */
  stack?: string;
  /** Reads all resources before a preview, an up or a destroy. */
  refresh?: boolean;
  /** URNs of resources to replace, independent of the provider's diff. */
  replace?: string[];
  /** The number of resources that are processed at a time. Default: 4 x processors. */
  parallel?: number;
  /** Shows secret outputs in the result. */
  showSecrets?: boolean;
  onEvent?: (event: RehearsalEvent) => void;
  /** Ends the operation: the provider's running calls are cancelled and awaited, and the state is kept. */
  signal?: AbortSignal;
}

export interface RehearseOptions extends CommonOptions {
  /** The folder of the project: where Pulumi.yaml is. */
  program: string;
  /** The file of the stack's state, made by the first `up`. Secrets in it are encrypted. */
  state: string;
  /**
   * Added to the environment of the program and of the provider, which inherit this process's variables. PULUMI_NODEJS_* and variables for
   * the services (NOMAD_*, TFE_*, AGENTPOOL_ACL_*) are not inherited, so a test never uses the services of a shell: give them here.
   */
  env?: Record<string, string>;
}

/** An update and a preview use the given configuration. A refresh and a destroy use the last update's, with the given keys replaced. */
export function effectiveConfig(
  command: RehearseCommand,
  project: string,
  state: StackState,
  given: Pick<CommonOptions, "config" | "secretConfig">,
): Record<string, ConfigValue> {
  const full = (key: string): string => (key.includes(":") ? key : `${project}:${key}`);
  const config: Record<string, ConfigValue> = command === "refresh" || command === "destroy" ? { ...state.config } : {};
  for (const [key, value] of Object.entries(given.config ?? {})) config[full(key)] = { value };
  for (const [key, value] of Object.entries(given.secretConfig ?? {})) config[full(key)] = { value, secret: true };
  return config;
}
