import type { ClusterDialect } from "./cluster/dialect";
import { documented } from "./cluster/documented";
import { measured } from "./cluster/measured";
import type { PoolsDialect } from "./pools/dialect";
import { documentedPools } from "./pools/documented";
import { servicePools } from "./pools/service";

/** How both services behave. */
interface Dialect {
  readonly cluster: ClusterDialect;
  readonly pools: PoolsDialect;
}

/** The kinds of services that the simulator can be: DIFFERENCES.md has a section for each. */
export const dialects = {
  measured: { cluster: measured, pools: servicePools },
  documented: { cluster: documented, pools: documentedPools },
} satisfies Record<string, Dialect>;

export type DialectName = keyof typeof dialects;
