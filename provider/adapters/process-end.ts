import { endLogins } from "../configuration/cluster-login";

/**
 * Deletes the tokens of logins before this process ends. At the end of an operation the engine sends SIGINT to its providers, and kills those
 * that still run five seconds later.
 */
export function endLoginsBySignals(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      void endLogins().finally(() => {
        // Without another listener the signal ends the process, as if this one had never been there.
        if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
      });
    });
  }
}
