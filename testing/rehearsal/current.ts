import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<object>();
let running = 0;

/** The rehearsal that the running code belongs to, as an object to compare; undefined outside of rehearsals. */
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
