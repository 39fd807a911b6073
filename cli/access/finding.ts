import type { Sentence } from "./markup";

/** The kinds of findings, as `--fail-on` names them. */
export const findingKinds = ["management", "widened", "narrowed", "undecided", "dangling", "failing"] as const;
export type FindingKind = (typeof findingKinds)[number];

/** A sentence about a change, and its kinds. */
export interface Finding {
  readonly kinds: readonly FindingKind[];
  readonly sentence: Sentence;
  /** The objects whose accounts the finding closes, by {@link keyOf}, and their unknown parts, by {@link partOf}. */
  readonly about?: readonly string[];
}

/**
 * The key of an account: for a method, role or policy its name, for a rule its ID, for a token `keyOfToken`, and for a partly unknown
 * object the label that people see.
 */
export function keyOf(kind: "method" | "role" | "policy" | "rule" | "token" | "object", name: string): string {
  return `${kind} ${name}`;
}

export function partOf(key: string, part: string): string {
  return `${key}: ${part}`;
}
