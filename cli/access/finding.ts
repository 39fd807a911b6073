import type { Sentence } from "./markup";

/** What a change may be. `--fail-on` names them. */
export const findingKinds = ["management", "widened", "narrowed", "undecided", "dangling", "failing"] as const;
export type FindingKind = (typeof findingKinds)[number];

/** A sentence about a change, and what it is. */
export interface Finding {
  readonly kinds: readonly FindingKind[];
  readonly sentence: Sentence;
}
