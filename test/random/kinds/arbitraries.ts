import * as fc from "fast-check";
import type { Kind } from "../../support/stack";
import type { Slot } from "./kind";

export const slotOf = (kind: Kind, slots: number): fc.Arbitrary<Slot> =>
  fc.integer({ min: 1, max: slots }).map((number): Slot => `${kind}${number}`);

export const name = fc.constantFrom("a", "b", "c");

export const maybe = <T>(values: fc.Arbitrary<T>, freq = 1) => fc.option(values, { nil: undefined, freq });

/** The options of any kind. */
export const options = {
  adopt: fc.constantFrom<(boolean | "overwrite")[]>(false, false, false, true, "overwrite"),
  deleteBeforeReplace: fc.constantFrom(false, false, false, true),
};
