import { adapterNames } from "../engines/engine";
import { table } from "../markdown";
import {
  type Cell,
  type Figures,
  isEngine,
  median,
  type OperationName,
  operations,
  type Row,
  type Runner,
  rowsOf,
  type Start,
} from "./figures";
import { type ProviderName, providerNames } from "./subjects";
import { totalAt } from "./workload";

/** The cell of a missing figure. */
const none = "–";

type Column = readonly [title: string, cell: (row: Row) => string];

const conditionsOf: readonly Column[] = [
  ["latency", ({ latencyMs }) => `${latencyMs} ms`],
  ["adapter", ({ adapter }) => adapter],
  ["operation", ({ operation }) => operation],
];

const times: readonly Column[] = [
  ...conditionsOf,
  ["runs", (row) => each(row, ({ runs }) => runs, 0)],
  ["requests", (row) => each(row, ({ requests }) => requests, 0)],
  ["time, s", (row) => each(row, ({ wallMs }) => wallMs / 1000, 2)],
  ["time / no-op", (row) => ratios(row, ({ wallMs }) => wallMs)],
];

const processes: readonly Column[] = [
  ...conditionsOf,
  ["CPU, s", (row) => each(row, ({ cpuMs }) => cpuMs && cpuMs / 1000, 2)],
  ["memory, MiB", (row) => each(row, ({ peakMiB }) => peakMiB, 0)],
];

const states: readonly Column[] = [
  ["N", ({ size }) => size.toLocaleString("en")],
  ["adapter", ({ adapter }) => adapter],
  ["bytes per resource", (row) => each(row, ({ bytesPerResource }) => bytesPerResource, 0)],
  ["bytes / no-op", (row) => ratios(row, ({ bytesPerResource }) => bytesPerResource)],
];

/** All operations by the size of the stack. A cell has this provider, the no-op and the naive one. */
export function operationsTables(rows: readonly Row[]): string {
  const parts = [...new Set(rows.map(groupOf))].map((title) => {
    const group = rows.filter((row) => groupOf(row) === title);
    return `### ${title}\n\n${tableOf(times, group)}\n\n${tableOf(processes, group)}`;
  });
  const withState = rows.filter((row) => isEngine(row) && row.latencyMs === 0 && row.cells.own?.bytesPerResource !== undefined);
  return [...parts, `### The state after up\n\n${tableOf(states, withState)}`].join("\n\n");
}

function groupOf({ size, engine }: Row): string {
  const runner = { none: ", without an engine", "no checkpoints": ", without checkpoints", cli: "", rehearsal: "" }[engine];
  return `N = ${size.toLocaleString("en")}${runner}`;
}

function tableOf(columns: readonly Column[], rows: readonly Row[]): string {
  return table(
    columns.map(([title]) => title),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  );
}

const inShort: readonly string[] = ["up", "second up", "preview", "refresh", "update of 10 %", "destroy"] satisfies OperationName[];

/** The short table, through the plugin: the cost of an operation with this provider, a naive one, and one that does nothing. */
export function summaryTable(rows: readonly Row[]): string {
  const isShown = ({ operation, latencyMs }: Row) =>
    inShort.includes(operation) && (latencyMs === 0 || (operation === "refresh" && latencyMs === 100));
  const through = rows.filter((row) => row.adapter === "plugin" && isEngine(row) && isShown(row));
  const requests = (name: ProviderName) => (row: Row) => shown(row.cells[name]?.requests, 0);
  const time = (name: ProviderName) => (row: Row) =>
    shown(
      value(row, name, ({ wallMs }) => wallMs / 1000),
      1,
    );
  const columns: readonly Column[] = [
    ["operation", ({ operation, latencyMs }) => (latencyMs > 0 ? `${operation}, ${latencyMs} ms of latency` : operation)],
    ["requests", requests("own")],
    ["naive", requests("naive")],
    ["time, s", time("own")],
    ["naive", time("naive")],
    ["no-op", time("no-op")],
  ];
  return tableOf(columns, through);
}

export const legend =
  "N roles, N / 10 auth methods and N / 10 binding rules. In each cell: this provider · a no-op provider · a naive one (a request per object, a read after each write). " +
  "Medians of as many runs as `runs` says; CPU and memory (VmHWM) are those of the provider's process, taken from /proc, and its peak. The state is measured after up. " +
  "`carrying`: a provider that does nothing either, and returns outputs as large as this one's. Without an engine: the calls of one, sent straight to the provider's process, and its CPU without its start.";

function each(row: Row, pick: (cell: Cell) => number | undefined, digits: number): string {
  return joined(providerNames.map((name) => shown(value(row, name, pick), digits)));
}

/** This provider's and the naive one's value over that of the no-op. */
function ratios(row: Row, pick: (cell: Cell) => number | undefined): string {
  const base = value(row, "no-op", pick);
  return joined((["own", "naive"] as const).map((name) => shown(ratio(value(row, name, pick), base), 2)));
}

function value(row: Row, provider: ProviderName, pick: (cell: Cell) => number | undefined): number | undefined {
  const cell = row.cells[provider];
  return cell && pick(cell);
}

export function ratio(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || !b ? undefined : a / b;
}

function shown(number: number | undefined, digits: number): string {
  if (number === undefined) return none;
  return number.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function joined(cells: readonly string[]): string {
  return cells.every((cell) => cell === none) ? none : cells.join(" · ");
}

export function startsTable(starts: readonly Start[]): string {
  const ms = (values: readonly number[]) => shown(median(values), 0);
  return table(
    ["start", "runs", "to the printed port, ms", "to the first response, ms"],
    starts.map(({ what, portMs, responseMs }) => [what, String(portMs.length), ms(portMs), ms(responseMs)]),
  );
}

/** The time of an up through the plugin by the size of the stack, with and without checkpoints. */
export function growthTable(figures: Figures): string {
  const rows = sortedRows(figures).filter(
    ({ operation, adapter, latencyMs }) => operation === "up" && adapter === "plugin" && latencyMs === 0,
  );
  const sizes = [...new Set(rows.filter(({ engine }) => engine !== "none").map(({ size }) => size))].sort((a, b) => a - b);
  const seconds = (row: Row | undefined) => (row ? each(row, ({ wallMs }) => wallMs / 1000, 1) : none);
  return table(
    ["N", "resources", "with checkpoints, s", "without checkpoints, s"],
    sizes.map((size) => {
      const own = rows.filter((row) => row.size === size);
      const without = own.find(({ engine }) => engine === "no checkpoints");
      return [size.toLocaleString("en"), totalAt(size).toLocaleString("en"), seconds(own.find(isEngine)), seconds(without)];
    }),
  );
}

/** The effect of settings. A cell has the figure without and with the setting. */
export function settingsTable({ samples, settings }: Figures): string {
  const rows = rowsOf(samples).filter((row) => isEngine(row) && row.adapter === "plugin");
  return table(
    ["N", "latency", "operation", "setting", "requests", "time, s"],
    settings.map(({ size, latencyMs, operation, setting, requests, wallMs }) => {
      const row = rows.find((one) => one.size === size && one.latencyMs === latencyMs && one.operation === operation);
      const usual = row?.cells.own;
      const pair = (before: number | undefined, after: number, digits: number) => `${shown(before, digits)} · ${shown(after, digits)}`;
      const cells = [pair(usual?.requests, requests, 0), pair(usual && usual.wallMs / 1000, wallMs / 1000, 1)];
      return [size.toLocaleString("en"), `${latencyMs} ms`, operation, setting, ...cells];
    }),
  );
}

/** "2026-11-21, 2 processors (load before the start: 0.1), Linux, Node v20.20.2, Pulumi CLI v3.259.0" */
export function conditions({ date, machine, engine }: Figures): string {
  const { processors, load, platform, node, cli } = machine;
  const engineName = engine === "cli" ? `Pulumi CLI ${cli}` : "rehearsal engine (which shares a process with the simulated servers)";
  return `${date.slice(0, 10)}, ${processors} processors (load before the start: ${shown(load, 1)}), ${platform}, Node ${node}, ${engineName}`;
}

/** Every row of the figures, the largest stack first; those of the provider alone at the end. */
export function sortedRows({ samples }: Figures): Row[] {
  const rank = ({ engine, size, latencyMs, adapter, operation }: Row) => [
    runners.indexOf(engine),
    -size,
    latencyMs,
    adapterNames.indexOf(adapter),
    operations.indexOf(operation),
  ];
  return rowsOf(samples).sort((a, b) => compare(rank(a), rank(b)));
}

const runners: readonly Runner[] = ["cli", "rehearsal", "no checkpoints", "none"];

function compare([first = 0, ...others]: readonly number[], [other = 0, ...rest]: readonly number[]): number {
  return first - other || (others.length > 0 ? compare(others, rest) : 0);
}
