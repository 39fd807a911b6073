import type { Resource } from "../../provider/lifecycle/resource";
import { resources } from "../../provider/resources";
import type { DialectName } from "../../testing/simulator";
import { isFull } from "../support/extent";
import * as all from "./all";
import type { Sample } from "./kind";

export * from "./all";
export type { Sample } from "./kind";

/** Every kind with updates, in the order of the provider. The others have tests of their own. */
export const samples: readonly Sample[] = resources.filter(isUpdatable).map(({ kind }) => sampleOf(kind));

/** The kinds whose existing objects can be found by the program's inputs, and adopted. */
export const adoptable = samples.filter(({ resource }) => resource.inputs.has("adopt"));

/** The kinds for which a dialect has behaviour of its own; in `npm run test:full` all. */
export function samplesFor(dialect: DialectName): readonly Sample[] {
  return isFull || dialect === "measured" ? samples : samples.filter(({ isUndocumented }) => !isUndocumented);
}

export function sampleOf(kind: string): Sample {
  const found = Object.values(all).find((sample) => sample.kind === kind);
  if (!found) throw new Error(`test/kinds has nothing about ${kind}: add a file for it, and name the file in test/kinds/all.ts`);
  return found;
}

function isUpdatable({ inputs }: Resource): boolean {
  return [...inputs.values()].some(({ traits }) => !traits.replaces && !traits.local);
}
