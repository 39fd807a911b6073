import type { AccessChanges } from "../../access/changes";
import type { Gap } from "../inventory/inventory";
import type { Comparable } from "./comparable";
import type { Pair, Rename } from "./pairs";
import type { PolicyChanges } from "./rights-changes";
import type { VerificationChange } from "./verification";

/** Both sides, and what the comparisons of them find. */
export interface Compared extends Comparable {
  readonly changes: AccessChanges;
  readonly verification: readonly VerificationChange[];
  readonly policies: PolicyChanges;
  /** Which object is which, with the new names of roles on both sides. */
  readonly pairs: readonly Pair[];
  readonly renames: readonly Rename[];
  /** What could not be read. */
  readonly gaps: readonly Gap[];
  /** What the preview leaves out although it may matter, in words. */
  readonly unchecked: string | undefined;
}
