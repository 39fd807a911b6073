import { resources } from "../../provider/resources";
import * as all from "./all";
import type { Sample } from "./kind";

export * from "./all";
export type { Sample } from "./kind";

/** Every kind whose objects can be adopted and updated, in the order of the provider. The others have tests of their own. */
export const samples: readonly Sample[] = resources.filter(({ inputs }) => inputs.has("adopt")).map(({ kind }) => sampleOf(kind));

export function sampleOf(kind: string): Sample {
  const found = Object.values(all).find((sample) => sample.kind === kind);
  if (!found) throw new Error(`test/kinds has nothing about ${kind}: add a file for it, and name the file in test/kinds/all.ts`);
  return found;
}
