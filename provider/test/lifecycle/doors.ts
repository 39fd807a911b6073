import type { Clock } from "../../apis/clock";
import type { Environment } from "../../config";
import { dynamicProviders, providerKey, providerText } from "../../doors/dynamic";
import { dynamicType } from "../../doors/tokens";
import { type InProcessOptions, type RehearseResult, rehearseInProcess, type StackState } from "../../rehearsal";

/** What the provider's process gets from its surroundings. */
export interface ProviderProcess {
  readonly clock: Clock;
  readonly env: Environment;
  readonly log: (message: string) => void;
}

/** A way into the provider. The suite passes every one of them, and knows nothing else of it. */
export interface Door {
  readonly name: string;
  /** The type token of a kind. */
  type(kind: string): string;
  /** The inputs as the door's classes register them. */
  inputs(kind: string, given: Record<string, unknown>): Record<string, unknown>;
  /** Runs one operation with a provider process of its own. */
  run(options: Omit<InProcessOptions, "providers">, process: ProviderProcess): Promise<RehearseResult & { state: StackState }>;
}

const dynamic: Door = {
  name: "dynamic",
  type: dynamicType,
  inputs: (kind, given) => ({ ...given, [providerKey]: providerText(kind) }),
  run(options, process) {
    const providers = Object.entries(dynamicProviders(process)).map(([type, provider]) => [type, () => provider] as const);
    return rehearseInProcess({ ...options, providers: Object.fromEntries(providers) });
  },
};

export const doors: readonly Door[] = [dynamic];
