import { type Adapter as AnyAdapter, dynamicAdapter, pluginAdapterBy } from "../../tools/in-process/adapters";
import type { Connect } from "../../tools/in-process/plugin";
import { connect, connectInProcess } from "../support/connect";

/** A way into the provider. The suite passes every one of them, and knows nothing else of it. */
export interface Adapter extends AnyAdapter {
  /** Whether an input that is left out may be the resource's name, which only some adapters know. */
  readonly knowsNames: boolean;
  /** Whether the state must hold the way back to the provider, which an update adds where it is missing. */
  readonly needsProviderText: boolean;
}

export const dynamic: Adapter = { ...dynamicAdapter, knowsNames: false, needsProviderText: true };

const pluginBy = (connection: Connect): Adapter => ({ ...pluginAdapterBy(connection), knowsNames: true, needsProviderText: false });

export const adapters: readonly Adapter[] = [dynamic, pluginBy(connect)];

/** The same without HTTP/2 and sockets also in the full tests, for those with so many cases that these would take most of the time. */
export const adaptersInProcess: readonly Adapter[] = [dynamic, pluginBy(connectInProcess)];
