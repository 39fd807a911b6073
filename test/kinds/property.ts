import type { Inputs } from "../support/declared";

/** One input of a kind: two values that it can have, and what the server makes of them. */
export interface Property {
  readonly path: string;
  readonly first: unknown;
  readonly second: unknown;
  /** Where the simulator's store has it; left out for what is never sent. */
  readonly stored?: string;
  /** The two values in the store's words, where these are others than the program's. */
  readonly storedAs?: readonly [unknown, unknown];
  /** What becomes of the store's value when the program leaves the property out: a value, the old one, or check or the server refuses it. */
  readonly leftOut: { readonly becomes: unknown } | "kept" | "refused" | "refused there";
  /** The inputs that it stands among. */
  readonly among: Inputs;
  /** A change needs a new object. Nobody else can change such a property of the one that is there. */
  readonly replaces?: true;
  /** A change of it takes one of other inputs, too: the kind's own suite has it. */
  readonly bound?: true;
  /** What of it is otherwise with documented servers; "lacks" where they do not have it, or never change it. */
  readonly documented?: Partial<Property> | "lacks";
  /** Nobody sees when others change it. */
  readonly hidden?: true;
}
