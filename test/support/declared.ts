import type * as handlers from "../../provider/dynamic";

/** What a program of the tests declares. */
export type Kind = keyof typeof handlers;
export type Inputs = Record<string, unknown>;
