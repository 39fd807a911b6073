import type { UntypedHandleCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { Environment } from "../../context/environment";
import { EngineSiblings } from "../../context/siblings";
import { whenGone } from "./engine";
import { EngineLog } from "./log";
import { pluginService } from "./service";

/** How often it is checked whether the attached engines still run. */
const everyMs = 5_000;

/**
 * The protocol for a process that no engine has started, to which engines attach instead (`PULUMI_DEBUG_PROVIDERS`), one operation after
 * the other, several at once, and with every provider of a program. Messages don't name their provider. But an engine opens a connection
 * for each of its providers, so that each connection gets its own provider, with its own configuration, operation state and cancellation.
 * Providers that share a connection can't be distinguished: there the last Configure counts.
 */
export function attachedService(env: Environment = process.env, lookMs = everyMs): UntypedServiceImplementation {
  const services = new Map<string, UntypedServiceImplementation>();

  const begin = (peer: string) => {
    const log = new EngineLog(undefined);
    const service = pluginService({
      log,
      env,
      siblingsOf: (engineAddress) => {
        const siblings = new EngineSiblings(engineAddress);
        const forget = () => {
          siblings.close();
          log.close();
          if (services.get(peer) === service) services.delete(peer);
        };
        whenGone(engineAddress, forget, lookMs);
        return siblings;
      },
    });
    services.set(peer, service);
    return service;
  };

  const handler =
    (name: string): UntypedHandleCall =>
    (call: { getPeer(): string }, ...rest: unknown[]) => {
      const peer = call.getPeer();
      // A new connection may have the port of an ended one.
      const service = (name === "handshake" ? undefined : services.get(peer)) ?? begin(peer);
      const handle = service[name];
      if (handle) Reflect.apply(handle, undefined, [call, ...rest]);
    };
  const methods = Object.keys(pluginService({ log: new EngineLog(undefined) }));
  return Object.fromEntries(methods.map((name) => [name, handler(name)]));
}
