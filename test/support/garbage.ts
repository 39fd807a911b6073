import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

/** Collects garbage repeatedly until the promise has settled, or these milliseconds have passed. */
export async function collectingGarbage<T>(promise: Promise<T>, atMostMs = 10_000): Promise<T> {
  if (typeof collect !== "function") throw new Error("this Node gives no way to collect garbage");
  let hasSettled = false;
  const settled = promise.finally(() => {
    hasSettled = true;
  });
  settled.catch(() => undefined);
  const end = performance.now() + atMostMs;
  while (!hasSettled) {
    if (performance.now() > end) throw new Error(`no result within ${atMostMs} ms, while garbage was collected`);
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return settled;
}
