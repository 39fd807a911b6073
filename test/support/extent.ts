import { hasCli } from "../../tools/engines/engines";

/** Whether everything runs (`npm run test:full`), or what a person waits for while working (`npm test`). */
export const isFull = process.env.TESTS === "full";

/** As many of something as `npm test` has time for, or as `npm run test:full` has. */
export function sizeOf({ quick, full }: { readonly quick: number; readonly full: number }): number {
  return isFull ? full : quick;
}

/** Why nothing runs on the Pulumi CLI; undefined where it does. Each operation there takes seconds. */
export function whyWithoutCli(): string | undefined {
  if (!isFull) return "this is left to npm run test:full";
  return hasCli() ? undefined : "there is no pulumi on PATH";
}
