import type { ClusterDialect } from "./cluster/dialect";
import { documented } from "./cluster/documented";
import { measured } from "./cluster/measured";
import type { PoolsDialect } from "./pools/documents";
import { documentedPools, measuredPools } from "./pools/documents";

/** How both services behave. */
interface Dialect {
  readonly cluster: ClusterDialect;
  readonly pools: PoolsDialect;
}

/** The kinds of services that the simulator can be: DIFFERENCES.md has a section for each. */
export const dialects = {
  measured: { cluster: measured, pools: measuredPools },
  documented: { cluster: documented, pools: documentedPools },
} satisfies Record<string, Dialect>;

export type DialectName = keyof typeof dialects;
