import { hasCli } from "../../tools/engines/engines";

/** Whether all tests run in full (`npm run test:full`), or a share of them (`npm test`). */
export const isFull = process.env.TESTS === "full";

/** A number of cases: that of `npm test`, or that of `npm run test:full`. */
export function sizeOf({ quick, full }: { readonly quick: number; readonly full: number }): number {
  return isFull ? full : quick;
}

/** Why nothing runs on the Pulumi CLI, where each operation takes seconds; undefined where it does. */
export function whyWithoutCli(): string | undefined {
  if (!isFull) return "this is left to npm run test:full";
  return hasCli() ? undefined : "there is no pulumi on PATH";
}
