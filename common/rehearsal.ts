import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<object>();
let running = 0;

/**
 * The rehearsal in this process that calls a provider, as an object to compare; undefined for calls by the engine. Rehearsals can share a
 * provider, while the engine has a process for each operation.
 */
export function currentRehearsal(): object | undefined {
  return current.getStore();
}

/** Runs a rehearsal in this process. */
export async function asRehearsal<T>(work: () => Promise<T>): Promise<T> {
  running++;
  try {
    return await current.run({}, work);
  } finally {
    running--;
    // Up to Node 22, an unused storage makes all promises of the process slower.
    if (running === 0) current.disable();
  }
}
