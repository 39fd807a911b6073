import type { AccessChanges } from "../../access/changes";
import type { Gap } from "../inventory/inventory";
import type { Comparable } from "./comparable";
import type { Pair, Rename } from "./pairs";
import type { Uncompared } from "./references";
import type { PolicyChanges } from "./rights-changes";
import type { VerificationChange } from "./verification";

/** Both sides, and the results of comparing them. */
export interface Compared extends Comparable {
  readonly changes: AccessChanges;
  readonly verification: readonly VerificationChange[];
  readonly policies: PolicyChanges;
  /** Objects paired with their counterparts. Where possible, the objects before the change already have the new names of renamed roles. */
  readonly pairs: readonly Pair[];
  readonly renames: readonly Rename[];
  /** Kinds that could not be read. */
  readonly gaps: readonly Gap[];
  /** The objects of the later side that are not compared, and may refer to compared ones. */
  readonly uncompared: readonly Uncompared[];
  /** Parts that the preview leaves out although they may matter, in words. */
  readonly unchecked: string | undefined;
}
