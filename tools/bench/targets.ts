import { type AdapterName, adapterNames } from "../engines/engine";
import { table } from "../markdown";
import { median, type OperationName, operations, type Sample, shown } from "./figures";
import { targeted } from "./lives";
import { totalAt } from "./workload";

/** A figure of this provider, and its limit. `measured` is undefined if nothing was measured under the target's conditions. */
type Target = readonly [what: string, most: number, measured: number | undefined, digits: number];
type Pick = (sample: Sample) => number | undefined;

const wallMs: Pick = (sample) => sample.wallMs;
const cpuMs: Pick = ({ usage }) => usage?.provider.cpuMs;
const peakMiB: Pick = ({ usage }) => usage?.provider.peakMiB;

/** The targets for a stack of this size, and whether each is met. */
export function targetsTable(samples: readonly Sample[], size: number): string {
  const targets = adapterNames.flatMap((adapter) => targetsOf(new Medians(samples, adapter, size)));
  return table(
    ["target", "at most", "measured", "met"],
    targets.map(([what, most, measured, digits]) => {
      const met = measured === undefined ? "not measured" : measured <= most ? "yes" : "NO";
      return [what, shown(most, digits), shown(measured, digits), met];
    }),
  );
}

function targetsOf(medians: Medians): Target[] {
  const { adapter, size } = medians;
  const requests = (operation: OperationName, most: number): Target => {
    return [`requests of ${operation}, ${adapter}`, most, medians.of((sample) => sample.requests, { operation }), 0];
  };
  const time = (operation: OperationName, most: number, conditions: Partial<Sample> = {}, more = ""): Target => {
    return [`time of ${operation}${more} / no-op's, ${adapter}`, most, medians.overNoop(wallMs, { operation, ...conditions }), 2];
  };
  const [own, noop] = (["own", "no-op"] as const).map((provider) => medians.of(cpuMs, { operation: "up", provider }));
  const perCreate = own === undefined || noop === undefined ? undefined : (own - noop) / totalAt(size);
  return [
    requests("refresh", 6),
    requests("refresh, 10 drifted", 26),
    requests("up", Math.round((totalAt(size) * 1300) / 1200)),
    requests("destroy", Math.round((totalAt(size) * 1310) / 1200)),
    ...targeted.map((operation) => time(operation, operation === "up" || operation === "destroy" ? 1 : 1.1)),
    time("refresh", 1.5, { latencyMs: 100 }, " with 100 ms of latency"),
    ...targeted.map((operation) => time(operation, 1.15, { checkpoints: false }, " without checkpoints")),
    [`processor time of a create - no-op's, ${adapter}, ms`, 1, perCreate, 2],
    [`state / no-op's, ${adapter}`, 0.89, medians.overNoop(({ stateBytes }) => stateBytes, { operation: "up" }), 2],
    [`peak memory, ${adapter}, MiB`, adapter === "plugin" ? 140 : 200, medians.peak(), 0],
    [`processor time of 10 N / of N, ${adapter}`, 11, ratio(medians.total(10 * size), medians.total(size)), 1],
  ];
}

/** The medians of an adapter's samples; by default of this provider, with checkpoints and without latency. */
class Medians {
  constructor(
    private readonly samples: readonly Sample[],
    readonly adapter: AdapterName,
    readonly size: number,
  ) {}

  of(pick: Pick, conditions: Partial<Sample>): number | undefined {
    const { adapter, size } = this;
    const wanted = Object.entries({ provider: "own", adapter, size, latencyMs: 0, checkpoints: true, ...conditions });
    const isWanted = (sample: Sample) => {
      const values = new Map<string, unknown>(Object.entries(sample));
      return wanted.every(([name, value]) => values.get(name) === value);
    };
    return median(this.samples.filter(isWanted).flatMap((sample) => pick(sample) ?? []));
  }

  overNoop(pick: Pick, conditions: Partial<Sample>): number | undefined {
    return ratio(this.of(pick, conditions), this.of(pick, { ...conditions, provider: "no-op" }));
  }

  /** The highest peak memory of all operations. */
  peak(): number | undefined {
    const peaks = operations.flatMap((operation) => this.of(peakMiB, { operation }) ?? []);
    return peaks.length > 0 ? Math.max(...peaks) : undefined;
  }

  /** The processor time of all targeted operations together, without checkpoints. */
  total(size: number): number | undefined {
    const all = targeted.flatMap((operation) => this.of(cpuMs, { operation, size, checkpoints: false }) ?? []);
    return all.length === targeted.length ? all.reduce((sum, one) => sum + one) : undefined;
  }
}

function ratio(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || !b ? undefined : a / b;
}
