import { resources } from "../../provider/resources";
import * as all from "./all";
import type { Sample } from "./kind";

export * from "./all";
export type { Sample } from "./kind";

/** Every kind of the provider, in the provider's order. */
export const samples: readonly Sample[] = resources.map((resource) => {
  const known = Object.values(all).find((one) => one.resource === resource);
  if (!known) throw new Error(`test/kinds has nothing about ${resource.kind}: add a file for it, and name the file in test/kinds/all.ts`);
  return known;
});
