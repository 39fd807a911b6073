import type * as handlers from "../../provider/dynamic";

/** Declarations of the tests' programs. */
export type Kind = keyof typeof handlers;
export type Inputs = Record<string, unknown>;
