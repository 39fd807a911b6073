import type { Inputs } from "../support/declared";

/** One input of a kind: two values, and their stored form. */
export interface Property {
  readonly path: string;
  readonly first: unknown;
  readonly second: unknown;
  /** The path of the property in the simulator's store. Left out if the property is never sent. */
  readonly stored?: string;
  /** The two stored values, if they differ from the program's. */
  readonly storedAs?: readonly [unknown, unknown];
  /** The result of leaving it out: a stored value, the old one, or a refusal by check or by the server. */
  readonly leftOut: { readonly becomes: unknown } | "kept" | "refused" | "refused there";
  /** The other inputs of the resource. */
  readonly among: Inputs;
  /** A change needs a new object. Others can't change such a property of an existing one. */
  readonly replaces?: true;
  /** A change needs changes of other inputs: the kind's own suite covers it. */
  readonly bound?: true;
  /** Differences with documented servers; "lacks" if they do not have it, or never change it. */
  readonly documented?: Partial<Property> | "lacks";
  /** Whether changes by others are invisible, because no response shows the property. */
  readonly hidden?: true;
}
