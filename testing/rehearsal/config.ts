import type { RehearseCommand } from "./engine/operate";
import type { ConfigValue, StackState } from "./engine/state";

/**
 * An update and a preview use the given configuration. A refresh and a destroy use that of the last update, with the given keys in place of
 * its own.
 */
export function effectiveConfig(
  command: RehearseCommand,
  project: string,
  state: StackState,
  given: { config?: Record<string, string> | undefined; secretConfig?: Record<string, string> | undefined },
): Record<string, ConfigValue> {
  const full = (key: string): string => (key.includes(":") ? key : `${project}:${key}`);
  const config: Record<string, ConfigValue> = command === "refresh" || command === "destroy" ? { ...state.config } : {};
  for (const [key, value] of Object.entries(given.config ?? {})) config[full(key)] = { value };
  for (const [key, value] of Object.entries(given.secretConfig ?? {})) config[full(key)] = { value, secret: true };
  return config;
}
