import { resources } from "../../provider/resources";
import * as all from "./all";
import type { Sample } from "./kind";

export * from "./all";
export type { Sample } from "./kind";

/** Every kind of the provider, in the provider's order. */
export const samples: readonly Sample[] = resources.map(({ kind }) => sampleOf(kind));

export function sampleOf(kind: string): Sample {
  const found = Object.values(all).find((sample) => sample.kind === kind);
  if (!found) throw new Error(`test/kinds has nothing about ${kind}: add a file for it, and name the file in test/kinds/all.ts`);
  return found;
}
