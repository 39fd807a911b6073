import type { Place } from "./peg";

/** What a selector says, as a tree. Each part has its place in the text. */
export type Condition = Place &
  (
    | { readonly kind: "or" | "and"; readonly left: Condition; readonly right: Condition }
    | { readonly kind: "not"; readonly of: Condition }
    | {
        readonly kind: "any" | "all";
        readonly of: Path;
        /** What `inner` calls the index or key, and the value; a single name is the value of a list, and the key of a map. */
        readonly names: { readonly single?: string; readonly index?: string; readonly value?: string };
        readonly inner: Condition;
      }
    | { readonly kind: "match"; readonly operator: Comparison; readonly path: Path; readonly value: string }
    | { readonly kind: "state"; readonly operator: StateOperator; readonly path: Path }
  );

/** `x contains y` is another way to say `y in x`. */
export type Comparison = "==" | "!=" | "in" | "not in" | "matches" | "not matches";
export type StateOperator = "is empty" | "is not empty" | "is nil" | "is not nil";

/** `value.team` and `list["a b"].0`, or a JSON pointer in quotes. */
export interface Path {
  readonly kind: "names" | "pointer";
  readonly steps: readonly string[];
}

/** A part of a selector, as its text has it. Places count characters, which are two units of the text if they are beyond 16 bits. */
export function textAt(selector: string, { start, end }: Place): string {
  const isSimple = !/[\ud800-\udfff]/.test(selector);
  return isSimple ? selector.slice(start, end) : [...selector].slice(start, end).join("");
}

/** A path as selectors have it. */
export function spelled({ kind, steps }: Path): string {
  return kind === "names" ? steps.join(".") : `"/${steps.join("/")}"`;
}
