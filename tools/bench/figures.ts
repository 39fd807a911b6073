import type { AdapterName, EngineName } from "../engines/engine";
import type { Taken } from "./stack";
import { carryingName, type ProviderName, providerNames } from "./subjects";
import { totalAt } from "./workload";

/** How many objects others change before the refresh with drift. */
export const drifted = 10;

/** The measured operations, in the order of a stack's life. */
export const operations = [
  "up",
  "second up",
  "preview",
  "preview with refresh",
  "refresh",
  "update of 10 %",
  `refresh, ${drifted} drifted`,
  "destroy",
] as const;
export type OperationName = (typeof operations)[number];

/**
 * What runs the operation: an engine; "no checkpoints": the CLI, which then writes the state once, at the end; "none": nothing, the calls of
 * an engine are sent to the provider.
 */
export type Runner = EngineName | "no checkpoints" | "none";

export const isEngine = ({ engine }: { readonly engine: Runner }): boolean => engine !== "none" && engine !== "no checkpoints";

/** One operation, measured once. */
export interface Sample extends Taken {
  readonly engine: Runner;
  readonly provider: ProviderName;
  readonly adapter: AdapterName;
  readonly size: number;
  /** Milliseconds by which the servers delay each response. */
  readonly latencyMs: number;
  readonly operation: OperationName;
  /** Bytes of the state afterwards, where they were measured. */
  readonly stateBytes?: number | undefined;
}

/** The medians of one provider's samples. */
export interface Cell {
  readonly runs: number;
  readonly requests: number;
  readonly wallMs: number;
  readonly cpuMs: number | undefined;
  readonly peakMiB: number | undefined;
  readonly bytesPerResource: number | undefined;
}

/** An operation under the same conditions, by provider. */
export interface Row extends Pick<Sample, "engine" | "size" | "latencyMs" | "adapter" | "operation"> {
  readonly cells: Readonly<Partial<Record<ProviderName, Cell>>>;
}

/** Undefined for no values. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/** The samples in rows, in their order. Samples that differ only in provider and run share a row. */
export function rowsOf(samples: readonly Sample[]): Row[] {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { engine, size, latencyMs, adapter, operation } = sample;
    const key = [engine, size, latencyMs, adapter, operation].join();
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { engine, size, latencyMs, adapter, operation } = first;
    const cells = [...providerNames, carryingName].flatMap((provider) => {
      const own = group.filter((sample) => sample.provider === provider);
      return own.length > 0 ? [[provider, cellOf(own)] as const] : [];
    });
    return [{ engine, size, latencyMs, adapter, operation, cells: Object.fromEntries(cells) }];
  });
}

function cellOf(samples: readonly Sample[]): Cell {
  const of = (pick: (sample: Sample) => number | undefined) => median(samples.flatMap((sample) => pick(sample) ?? []));
  const total = totalAt(samples[0]?.size ?? 0);
  return {
    runs: samples.length,
    requests: of(({ requests }) => requests) ?? 0,
    wallMs: of(({ wallMs }) => wallMs) ?? 0,
    cpuMs: of(({ usage }) => usage?.cpuMs),
    peakMiB: of(({ usage }) => usage?.peakMiB),
    bytesPerResource: of(({ stateBytes }) => stateBytes && stateBytes / total),
  };
}

/** Figures of all parts, as `--json` writes them. */
export interface Figures {
  /** ISO 8601. */
  readonly date: string;
  readonly machine: Machine;
  readonly engine: EngineName;
  readonly samples: readonly Sample[];
  readonly starts: readonly Start[];
  readonly settings: readonly SettingTrial[];
}

export interface Machine {
  readonly platform: string;
  readonly processors: number;
  /** The load average of the minute before the start. Times are not reliable where it is not far below `processors`. */
  readonly load: number;
  readonly node: string;
  /** Version of the Pulumi CLI, where that was the engine. */
  readonly cli: string | undefined;
}

/** Milliseconds from the start of a process to the port that it prints, and to its first response. */
export interface Start {
  readonly what: string;
  readonly portMs: readonly number[];
  readonly responseMs: readonly number[];
}

/** One operation of this provider's plugin with a setting that the samples don't have. */
export interface SettingTrial extends Pick<Sample, "operation" | "size" | "latencyMs" | "requests" | "wallMs"> {
  readonly setting: string;
}
