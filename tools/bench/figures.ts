import { commandLine } from "../engines/cli-engine";
import type { AdapterName } from "../engines/engine";
import { table } from "../markdown";
import type { OperationUsage } from "./process-watch";

/** The measured operations in the order of a stack's life, and the CLI's arguments for each. */
const steps = [
  ["up", commandLine("up")],
  ["second up", commandLine("up")],
  ["preview", commandLine("preview")],
  ["preview with refresh", commandLine("preview", { refresh: true })],
  ["refresh", commandLine("refresh")],
  ["update of 10 %", commandLine("up")],
  ["refresh, 10 drifted", commandLine("refresh")],
  ["destroy", commandLine("destroy")],
] as const;
export const operations = steps.map(([name]) => name);
export type OperationName = (typeof operations)[number];
export const commands: ReadonlyMap<OperationName, readonly string[]> = new Map(steps);

/** This provider, a variant of it, one that does nothing, and a naive one, which writes and reads each object by a request of its own. */
export const providerNames = ["own", "other", "no-op", "naive"] as const;

/** One operation, measured once. */
export interface Sample {
  readonly provider: (typeof providerNames)[number];
  readonly adapter: AdapterName;
  readonly size: number;
  readonly operation: OperationName;
  /** The servers' delay of each response, in milliseconds. */
  readonly latencyMs: number;
  /** Whether the engine writes the whole state at every step, as the CLI does with a file. */
  readonly checkpoints: boolean;
  readonly requests: number;
  readonly wallMs: number;
  /** The processor time and memory of the processes; undefined if this system can't measure them. */
  readonly usage: OperationUsage | undefined;
  /** Bytes of the state after the first up. */
  readonly stateBytes?: number | undefined;
}

/** The median; undefined if there are no values. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/** A number in a table; a dash for none. */
export function shown(number: number | undefined, digits: number): string {
  return number?.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }) ?? "–";
}

/** A row for each operation and condition. Each cell has the medians of the providers. */
export function operationsTable(samples: readonly Sample[]): string {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { size, checkpoints, latencyMs, adapter, operation } = sample;
    const conditions = [shown(size, 0), checkpoints ? "yes" : "no", `${latencyMs} ms`, adapter, operation].join("|");
    groups.set(conditions, [...(groups.get(conditions) ?? []), sample]);
  }
  const present = providerNames.filter((name) => samples.some(({ provider }) => provider === name));
  const rows = [...groups].map(([conditions, group]) => {
    const cell = (digits: number, pick: (sample: Sample) => number | undefined) =>
      present.map((name) => shown(median(group.flatMap((one) => (one.provider === name ? (pick(one) ?? []) : []))), digits)).join(" · ");
    return [
      ...conditions.split("|"),
      cell(0, ({ requests }) => requests),
      cell(2, ({ wallMs }) => wallMs / 1000),
      cell(2, ({ usage }) => usage && usage.all.cpuMs / 1000),
      cell(2, ({ usage }) => usage && usage.provider.cpuMs / 1000),
      cell(0, ({ usage }) => usage?.provider.peakMiB),
    ];
  });
  const head = ["N", "checkpoints", "latency", "adapter", "operation", "requests", "time, s", "CPU, s", "provider's, s", "its memory, MiB"];
  return `Medians of ${present.join(" · ")}\n\n${table(head, rows)}`;
}
