import { doorNames } from "../engines/engines";
import { table } from "../markdown";
import { type Cell, type Figures, median, operations, type Row, rowsOf, type Start } from "./figures";
import { type ProviderName, providerNames } from "./subjects";

/** What stands where nothing was measured. */
const none = "–";

const columns: readonly (readonly [string, (row: Row) => string])[] = [
  ["N", ({ size }) => size.toLocaleString("en")],
  ["latency", ({ latencyMs }) => `${latencyMs} ms`],
  ["door", ({ door, engine }) => (engine === "none" ? `${door}, alone` : door)],
  ["operation", ({ operation }) => operation],
  ["runs", (row) => each(row, ({ runs }) => runs, 0)],
  ["requests", (row) => each(row, ({ requests }) => requests, 0)],
  ["time / no-op", (row) => ratios(row, ({ wallMs }) => wallMs)],
  ["state / no-op", (row) => ratios(row, ({ bytesPerResource }) => bytesPerResource)],
  ["time, s", (row) => each(row, ({ wallMs }) => wallMs / 1000, 2)],
  ["CPU, s", (row) => each(row, ({ cpuMs }) => cpuMs && cpuMs / 1000, 2)],
  ["memory, MiB", (row) => each(row, ({ peakMiB }) => peakMiB, 0)],
  ["state, bytes per resource", (row) => each(row, ({ bytesPerResource }) => bytesPerResource, 0)],
];

/** All operations; in a cell this provider, the no-op and the naive one. */
export function operationsTable(rows: readonly Row[]): string {
  return table(
    columns.map(([title]) => title),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  );
}

export const legend =
  "N roles, N / 10 auth methods and N / 10 binding rules. In each cell: this provider · a no-op provider · a naive one (a request per object, a read after each write). " +
  "Medians of as many runs as `runs` says; CPU and memory (VmHWM) are those of the provider's process, taken from /proc, and its highest. State is looked at after up. " +
  "`carrying`: a provider that does nothing either, and answers outputs as large as this one's. `alone`: no engine, the calls of one sent straight to the provider's process, and its CPU without its start.";

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
    ["start", "runs", "to the printed port, ms", "to the first answer, ms"],
    starts.map(({ what, portMs, answerMs }) => [what, String(portMs.length), ms(portMs), ms(answerMs)]),
  );
}

/** What settings do: in a cell without the setting and with it. */
export function settingsTable({ samples, settings }: Figures): string {
  const rows = rowsOf(samples).filter(({ engine, door }) => engine !== "none" && door === "plugin");
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
  const engineTold = engine === "cli" ? `Pulumi CLI ${cli}` : "rehearsal engine (which shares a process with the simulated servers)";
  return `${date.slice(0, 10)}, ${processors} processors (load before the start: ${shown(load, 1)}), ${platform}, Node ${node}, ${engineTold}`;
}

/** Every row of the figures, the largest stack first; those of the provider alone at the end. */
export function sortedRows({ samples }: Figures): Row[] {
  const rank = ({ engine, size, latencyMs, door, operation }: Row) => [
    engine === "none" ? 1 : 0,
    -size,
    latencyMs,
    doorNames.indexOf(door),
    operations.indexOf(operation),
  ];
  return rowsOf(samples).sort((a, b) => compare(rank(a), rank(b)));
}

function compare([first = 0, ...others]: readonly number[], [other = 0, ...rest]: readonly number[]): number {
  return first - other || (others.length > 0 ? compare(others, rest) : 0);
}
