import { type Figures, isEngine, type Row } from "./figures";
import { type ComparedName, providerNames } from "./subjects";
import { sortedRows } from "./table";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Lines over N, both axes logarithmic. */
interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly { readonly provider: ComparedName; readonly points: readonly Point[] }[];
}

const [width, height] = [300, 220];
const margin = { left: 64, right: 22, top: 34, bottom: 44 };
const names: Record<ComparedName, string> = { own: "this provider", "no-op": "no-op provider", naive: "naive provider" };

/** Requests and time against N through the plugin, as an SVG for light and dark pages. */
export function plotOf(figures: Figures): string {
  const rows = sortedRows(figures).filter((row) => isEngine(row) && row.adapter === "plugin");
  const panel = (
    title: string,
    unit: string,
    operation: string,
    latencyMs: number,
    pick: (row: Row, name: ComparedName) => number | undefined,
  ) => {
    const measured = rows.filter((row) => row.operation === operation && row.latencyMs === latencyMs);
    // The last line is drawn on top.
    const lines = [...providerNames].reverse().map((provider) => ({ provider, points: pointsOf(measured, (row) => pick(row, provider)) }));
    return { title, unit, lines: lines.filter(({ points }) => points.length > 0) };
  };
  const requests = (row: Row, name: ComparedName) => (name === "no-op" ? undefined : row.cells[name]?.requests);
  const seconds = (row: Row, name: ComparedName) => {
    const ms = row.cells[name]?.wallMs;
    return ms && ms / 1000;
  };
  return svg([
    panel("Refresh: requests", "requests", "refresh", 0, requests),
    panel("Refresh, 100 ms of latency", "seconds", "refresh", 100, seconds),
    panel("Up: requests", "requests", "up", 0, requests),
    panel("Up, no latency", "seconds", "up", 0, seconds),
  ]);
}

/** A logarithmic axis has no zero: points without a positive value are left out. */
function pointsOf(rows: readonly Row[], pick: (row: Row) => number | undefined): Point[] {
  return rows
    .flatMap((row) => {
      const y = pick(row);
      return y ? [{ x: row.size, y }] : [];
    })
    .sort((a, b) => a.x - b.x);
}

function svg(panels: readonly Panel[]): string {
  const [columns, legendHeight] = [2, 34];
  const [fullWidth, fullHeight] = [columns * width, Math.ceil(panels.length / columns) * height + legendHeight];
  const drawn = panels.map((panel, index) => {
    const [x, y] = [(index % columns) * width, Math.floor(index / columns) * height];
    return `<g transform="translate(${x} ${y})">\n${draw(panel)}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fullWidth} ${fullHeight}" width="${fullWidth}" height="${fullHeight}" role="img" aria-label="Requests and time against N">
<style>
text { font: 11px sans-serif; fill: #57606a; }
.title { font-weight: bold; }
.axis { stroke: #8c959f; fill: none; }
.grid { stroke: #8c959f; stroke-opacity: 0.25; }
.line { fill: none; stroke-width: 2; }
.own { stroke: #0969da; fill: #0969da; }
.no-op { stroke: #8c959f; fill: #8c959f; }
.naive { stroke: #cf6a00; fill: #cf6a00; }
.line.own, .line.no-op, .line.naive { fill: none; }
.no-op.line { stroke-dasharray: 5 3; }
@media (prefers-color-scheme: dark) { text { fill: #c9d1d9; } .own { stroke: #58a6ff; fill: #58a6ff; } .naive { stroke: #f0883e; fill: #f0883e; } }
</style>
${drawn.join("\n")}
${legendAt(fullHeight - legendHeight + 16, fullWidth)}
</svg>
`;
}

function draw({ title, unit, lines }: Panel): string {
  const all = lines.flatMap(({ points }) => points);
  const x = axis(
    all.map((point) => point.x),
    margin.left,
    width - margin.right,
  );
  const y = axis(
    all.map((point) => point.y),
    height - margin.bottom,
    margin.top,
  );
  const [bottom, right] = [height - margin.bottom, width - margin.right];
  return [
    text(margin.left, 20, title, "start", "title"),
    ...y.ticks.flatMap((tick) => [
      `<line class="grid" x1="${margin.left}" x2="${right}" y1="${y.at(tick)}" y2="${y.at(tick)}"/>`,
      text(margin.left - 6, y.at(tick) + 4, label(tick), "end"),
    ]),
    ...x.ticks.map((tick) => text(x.at(tick), bottom + 16, label(tick), "middle")),
    `<path class="axis" d="M${margin.left} ${margin.top}V${bottom}H${right}"/>`,
    text((margin.left + right) / 2, bottom + 34, "N (roles of the stack)", "middle"),
    `<text transform="translate(12 ${(margin.top + bottom) / 2}) rotate(-90)" text-anchor="middle">${unit}</text>`,
    ...lines.flatMap(({ provider, points }) => {
      const spots = points.map((point) => ({ cx: x.at(point.x), cy: y.at(point.y) }));
      return [
        `<path class="line ${provider}" d="M${spots.map(({ cx, cy }) => `${cx} ${cy}`).join("L")}"/>`,
        ...spots.map(({ cx, cy }) => `<circle class="${provider}" cx="${cx}" cy="${cy}" r="3"/>`),
      ];
    }),
  ].join("\n");
}

/** A scale from whole powers of ten to whole powers of ten. */
function axis(values: readonly number[], from: number, to: number): { ticks: number[]; at: (value: number) => number } {
  const logs = values.length > 0 ? values.map(Math.log10) : [0];
  const low = Math.floor(Math.min(...logs));
  const high = Math.max(low + 1, Math.ceil(Math.max(...logs)));
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  const at = (value: number) => Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10;
  return { ticks, at };
}

function legendAt(y: number, fullWidth: number): string {
  const step = fullWidth / providerNames.length;
  return providerNames
    .map((name, index) => {
      const x = index * step + 30;
      return `<path class="line ${name}" d="M${x} ${y - 4}h24"/>\n${text(x + 30, y, names[name], "start")}`;
    })
    .join("\n");
}

function text(x: number, y: number, content: string, anchor: "start" | "middle" | "end", style = ""): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}"${style && ` class="${style}"`}>${content}</text>`;
}

function label(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}
