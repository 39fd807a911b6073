import type { ProviderHost } from "../../testing/rehearsal/engine/provider";
import type { Kill } from "./commands";

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
