import { table } from "../markdown";
import { type Cell, drifted, type Figures, isEngine, median, type OperationName, operations, type Row, rowsOf } from "./figures";
import { ratio } from "./table";
import { totalAt } from "./workload";

/** A figure of this provider, and its limit. */
export interface TargetResult {
  readonly target: string;
  readonly most: string;
  readonly measured: string;
  /** The same of a provider that does nothing but return outputs as large: the lowest possible value. */
  readonly floor: string;
  /** Undefined where it was not measured. */
  readonly isMet: boolean | undefined;
}

const adapters = ["dynamic", "plugin"] as const;
type Adapter = (typeof adapters)[number];

/** The targets' results, for the largest stack that was measured on an engine. */
export function targetResults(figures: Figures): TargetResult[] {
  const rows = rowsOf(figures.samples);
  const size = largestSize(rows);
  const findAmong =
    (candidates: readonly Row[]): Find =>
    (operation, adapter, latencyMs = 0) =>
      candidates.find((row) => row.size === size && row.operation === operation && row.adapter === adapter && row.latencyMs === latencyMs);
  const find = findAmong(rows.filter(isEngine));
  return [
    ...requestResults(find, size),
    ...timeResults(find),
    ...journalResults(findAmong(rows.filter(({ engine }) => engine === "no checkpoints"))),
    ...processResults(find, size),
    ...sizeResults(find),
    ...startResults(figures),
    ...growthResults(rows),
  ];
}

type Find = (operation: OperationName, adapter: Adapter, latencyMs?: number) => Row | undefined;

function requestResults(find: Find, size: number): TargetResult[] {
  const most: readonly (readonly [OperationName, number])[] = [
    ["refresh", 6],
    [`refresh, ${drifted} drifted`, 6 + 2 * drifted],
    ["up", Math.round((totalAt(size) * 1300) / 1200)],
    ["destroy", Math.round((totalAt(size) * 1310) / 1200)],
  ];
  return adapters.flatMap((adapter) =>
    most.map(([operation, limit]) =>
      resultOf(`requests of ${operation}, ${adapter}`, limit, find(operation, adapter)?.cells.own?.requests, 0),
    ),
  );
}

const timeTargets = [
  ["up", 1],
  ["destroy", 1],
  ["preview", 1.1],
  ["refresh", 1.1],
  ["preview with refresh", 1.1],
] as const;

/** What remains of an operation's time where the engine does not write the state at every step. */
function journalResults(find: Find): TargetResult[] {
  return adapters.flatMap((adapter) =>
    timeTargets.map(([operation]) => {
      const { own, "no-op": noop } = find(operation, adapter)?.cells ?? {};
      return resultOf(`time of ${operation} without checkpoints, ${adapter}`, 1.15, ratio(own?.wallMs, noop?.wallMs), 2);
    }),
  );
}

/** Milliseconds of processor time for each created object, more than the no-op's. */
function processResults(find: Find, size: number): TargetResult[] {
  return adapters.map((adapter) => {
    const { own, "no-op": noop } = find("up", adapter)?.cells ?? {};
    const more = own?.cpuMs === undefined || noop?.cpuMs === undefined ? undefined : (own.cpuMs - noop.cpuMs) / totalAt(size);
    return resultOf(`CPU of a create over the no-op's, ${adapter}, ms`, 1, more, 2);
  });
}

function timeResults(find: Find): TargetResult[] {
  const over = (row: Row | undefined, provider: "own" | "carrying" = "own") =>
    ratio(row?.cells[provider]?.wallMs, row?.cells["no-op"]?.wallMs);
  return adapters.flatMap((adapter) => [
    ...timeTargets.map(([operation, most]) =>
      resultOf(
        `time of ${operation} over the no-op's, ${adapter}`,
        most,
        over(find(operation, adapter)),
        2,
        over(find(operation, adapter), "carrying"),
      ),
    ),
    resultOf(
      `the same of refresh with 100 ms of latency, ${adapter}`,
      1.5,
      over(find("refresh", adapter, 100)),
      2,
      over(find("refresh", adapter, 100), "carrying"),
    ),
  ]);
}

function sizeResults(find: Find): TargetResult[] {
  const over = (adapter: Adapter, pick: (cell: Cell) => number | undefined) => {
    const { own, "no-op": noop } = find("up", adapter)?.cells ?? {};
    return ratio(own && pick(own), noop && pick(noop));
  };
  const peak = (adapter: Adapter, provider: "own" | "no-op") => {
    const peaks = operations.flatMap((operation) => find(operation, adapter)?.cells[provider]?.peakMiB ?? []);
    return peaks.length > 0 ? Math.max(...peaks) : undefined;
  };
  const bytes = (cell: Cell) => cell.bytesPerResource;
  const bare = peak("dynamic", "no-op");
  return [
    resultOf("state over the no-op's, plugin", 0.89, over("plugin", bytes), 2),
    resultOf("state over the no-op's, dynamic", 0.89, over("dynamic", bytes), 2),
    resultOf("peak memory, plugin, MiB", 105, peak("plugin", "own"), 0),
    resultOf("peak memory, dynamic, MiB (the host with the no-op, and 20)", bare && bare + 20, peak("dynamic", "own"), 0),
  ];
}

function startResults({ starts }: Figures): TargetResult[] {
  const port = (what: string) => median(starts.find((start) => start.what === what)?.portMs ?? []);
  const bare = port("no-op dynamic");
  return [
    resultOf("start to the printed port, plugin, ms", 200, port("own plugin"), 0),
    resultOf("start to the printed port, dynamic, ms (the bare host, and 20)", bare && bare + 20, port("own dynamic"), 0),
  ];
}

/** CPU time of all operations together, from the smallest to the largest size that was measured without an engine. */
function growthResults(rows: readonly Row[]): TargetResult[] {
  return adapters.map((adapter) => {
    const alone = rows.filter((row) => row.engine === "none" && row.adapter === adapter && row.cells.own?.cpuMs !== undefined);
    const total = (size: number) => alone.filter((row) => row.size === size).reduce((sum, { cells }) => sum + (cells.own?.cpuMs ?? 0), 0);
    const [from, to] = [1_000, 10_000];
    const isThere = [from, to].every((size) => alone.some((row) => row.size === size));
    return resultOf(`CPU from N = 1,000 to 10,000, ${adapter}, times`, 11, isThere ? ratio(total(to), total(from)) : undefined, 1);
  });
}

function resultOf(target: string, most: number | undefined, measured: number | undefined, digits: number, floor?: number): TargetResult {
  const text = (value: number | undefined) =>
    value?.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }) ?? "–";
  return {
    target,
    most: text(most),
    measured: text(measured),
    floor: text(floor),
    isMet: most === undefined || measured === undefined ? undefined : measured <= most,
  };
}

/** The largest N that was measured on an engine; 0 when there is none. */
export function largestSize(rows: readonly Row[]): number {
  return Math.max(0, ...rows.filter(isEngine).map(({ size }) => size));
}

export function targetsTable(figures: Figures): string {
  const word = ({ isMet }: TargetResult) => (isMet === undefined ? "not measured" : isMet ? "yes" : "NO");
  return table(
    [`target, at N = ${largestSize(rowsOf(figures.samples)).toLocaleString("en")}`, "at most", "measured", "carrying", "met"],
    targetResults(figures).map((one) => [one.target, one.most, one.measured, one.floor, word(one)]),
  );
}
