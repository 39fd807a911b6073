import type { Place } from "./peg";

/** What a selector says, as a tree. The places are those in its text. */
export type Condition =
  | { readonly kind: "or" | "and"; readonly left: Condition; readonly right: Condition; readonly place: Place }
  | { readonly kind: "not"; readonly of: Condition; readonly place: Place }
  | {
      readonly kind: "any" | "all";
      readonly of: Path;
      /** What `inner` calls the index or key, and the value; a single name is the value of a list, and the key of a map. */
      readonly names: { readonly single?: string; readonly index?: string; readonly value?: string };
      readonly inner: Condition;
      readonly place: Place;
    }
  | { readonly kind: "match"; readonly operator: Comparison; readonly path: Path; readonly value: Value; readonly place: Place }
  | { readonly kind: "state"; readonly operator: State; readonly path: Path; readonly place: Place };

/** `x contains y` is another way to say `y in x`. */
export type Comparison = "==" | "!=" | "in" | "not in" | "matches" | "not matches";
export type State = "is empty" | "is not empty" | "is nil" | "is not nil";

/** `value.team` and `list["a b"].0`, or a JSON pointer in quotes. */
export interface Path {
  readonly kind: "names" | "pointer";
  readonly steps: readonly string[];
  readonly place: Place;
}

export interface Value {
  readonly text: string;
  readonly place: Place;
}
