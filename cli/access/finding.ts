import type { Sentence } from "./markup";

/** What a change may be. `--fail-on` names them. */
export const findingKinds = ["management", "widened", "narrowed", "undecided", "dangling", "failing"] as const;
export type FindingKind = (typeof findingKinds)[number];

/** A sentence about a change, and what it is. */
export interface Finding {
  readonly kinds: readonly FindingKind[];
  readonly sentence: Sentence;
  /** The objects whose accounts it closes, by {@link keyOf}, and parts of them that are not known, by {@link partOf}. */
  readonly about?: readonly string[];
}

/** What an account is found by: a method, a role or a policy by its name, a rule by its ID, and what is not known by what people call it. */
export function keyOf(kind: "method" | "role" | "policy" | "rule" | "token" | "object", name: string): string {
  return `${kind} ${name}`;
}

export function partOf(key: string, part: string): string {
  return `${key}: ${part}`;
}
