/** Whether all tests run in full (`npm run test:full`), or a share of them (`npm test`). */
export const isFull = process.env.TESTS === "full";

/** The number of cases: `quick` in `npm test`, and `full` in `npm run test:full`. */
export function sizeOf({ quick, full }: { readonly quick: number; readonly full: number }): number {
  return isFull ? full : quick;
}
