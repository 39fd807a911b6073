/** Tables, targets, the plot and the documents from invented figures. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { documents, root } from "../repository";
import type { Figures, OperationName, Sample } from "./figures";
import { figuresIn, mergedFigures } from "./figures-file";
import { plotOf } from "./plot";
import { withFigures } from "./readme";
import { growthTable, operationsTables, ratio, settingsTable, sortedRows } from "./table";
import { targetResults } from "./targets";

const wallMs = { own: 1150, "no-op": 1000, naive: 3000 };

/** All three providers at some sizes, through both adapters. */
function samplesOf(operation: OperationName, sizes: readonly number[], more: Partial<Sample> = {}): Sample[] {
  return sizes.flatMap((size) =>
    (["dynamic", "plugin"] as const).flatMap((adapter) =>
      (["own", "no-op", "naive"] as const).map((provider): Sample => {
        const requests = provider === "no-op" ? 0 : size;
        const usage = { cpuMs: size, peakMiB: provider === "own" ? 110 : 90 };
        return { engine: "cli", provider, adapter, size, latencyMs: 0, operation, requests, wallMs: wallMs[provider], usage, ...more };
      }),
    ),
  );
}

const figures: Figures = {
  date: "2026-01-02T03:04:05Z",
  machine: { platform: "Linux", processors: 2, load: 0.25, node: "v20.19.0", cli: "v3.0.0" },
  engine: "cli",
  samples: [
    ...samplesOf("up", [10, 100, 1000], { stateBytes: 12_000 }),
    ...samplesOf("refresh", [10, 100, 1000]),
    ...samplesOf("refresh", [10, 100, 1000], { latencyMs: 100 }),
    ...samplesOf("up", [1_000, 10_000], { engine: "none" }),
    ...samplesOf("refresh", [1_000], { engine: "no checkpoints", wallMs: 900 }),
    ...samplesOf("refresh", [1_000], { wallMs: 1100 })
      .slice(0, 1)
      .map((one): Sample => ({ ...one, provider: "carrying", adapter: "plugin" })),
  ],
  starts: [
    { what: "own plugin", portMs: [190, 210, 205], responseMs: [300] },
    { what: "no-op dynamic", portMs: [600], responseMs: [700] },
    { what: "own dynamic", portMs: [620], responseMs: [720] },
  ],
  settings: [{ setting: "--parallel 64", operation: "refresh", size: 1000, latencyMs: 100, requests: 3, wallMs: 2500 }],
};

function resultOf(target: string) {
  const found = targetResults(figures).find((one) => one.target === target);
  if (!found) throw new Error(`no target ${target}`);
  return found;
}

describe("tables", () => {
  const cellsOf = (line: string | undefined) => line?.split("|").map((cell) => cell.trim());
  const linesUnder = (title: string) => operationsTables(sortedRows(figures)).split(`### ${title}\n`)[1]?.split("\n") ?? [];

  test("show this provider, the no-op and the naive one, and the ratios to the no-op", () => {
    const [times, processes] = linesUnder("N = 1,000").filter((line) => /0 ms +\| plugin +\| up /.test(line));
    expect(cellsOf(times)).toEqual(["", "0 ms", "plugin", "up", "1 · 1 · 1", "1,000 · 0 · 1,000", "1.15 · 1.00 · 3.00", "1.15 · 3.00", ""]);
    expect(cellsOf(processes)).toEqual(["", "0 ms", "plugin", "up", "1.00 · 1.00 · 1.00", "110 · 90 · 90", ""]);
    expect(cellsOf(linesUnder("The state after up").find((line) => /1,000 +\| plugin/.test(line)))).toEqual([
      "",
      "1,000",
      "plugin",
      "10 · 10 · 10",
      "1.00 · 1.00",
      "",
    ]);
  });

  test("show how the time of an up grows with the stack, with and without checkpoints", () => {
    expect(
      growthTable({ ...figures, samples: [...figures.samples, ...samplesOf("up", [1000], { engine: "no checkpoints", wallMs: 900 })] }),
    ).toMatch(/\| 1,000 \| 1,200 +\| 1\.2 · 1\.0 · 3\.0 +\| 0\.9 · 0\.9 · 0\.9 +\|$/);
  });

  test("compare a setting with the same operation without it", () => {
    expect(settingsTable(figures)).toMatch(/\| 1,000 +\| 100 ms +\| refresh +\| --parallel 64 \| 1,000 · 3 +\| 1\.2 · 2\.5 +\|$/);
  });

  test("have no ratio to a missing figure", () => {
    expect(ratio(3, 2)).toBe(1.5);
    expect(ratio(3, 0)).toBeUndefined();
    expect(ratio(undefined, 2)).toBeUndefined();
  });
});

describe("figures of earlier runs", () => {
  test("are read from what --json has written, and joined under the last run's date", () => {
    const read = figuresIn(JSON.stringify(figures), "a.json");
    expect(read).toEqual(figures);
    const merged = mergedFigures([read, { ...figures, date: "2026-02-03T04:05:06Z", starts: [] }]);
    expect(merged).toMatchObject({ date: "2026-02-03T04:05:06Z", starts: figures.starts });
    expect(merged.samples).toHaveLength(2 * figures.samples.length);
  });

  test("are refused where a file has something else", () => {
    expect(() => figuresIn("{}", "b.json")).toThrow(/^--from b\.json: these are no figures of a bench: /);
  });
});

describe("targets", () => {
  test("are met by a figure that equals the limit", () => {
    expect(resultOf("time of refresh without checkpoints, plugin")).toMatchObject({ most: "1.15", measured: "1.00", isMet: true });
    expect(resultOf("CPU of a create over the no-op's, plugin, ms")).toMatchObject({ most: "1.00", measured: "0.00", isMet: true });
  });

  test("are missed above the limit", () => {
    expect(resultOf("time of up over the no-op's, plugin")).toMatchObject({ most: "1.00", measured: "1.15", isMet: false });
    expect(resultOf("requests of refresh, plugin")).toMatchObject({ most: "6", measured: "1,000", isMet: false });
    expect(resultOf("start to the printed port, plugin, ms")).toMatchObject({ measured: "205", isMet: false });
  });

  test("show the figure of a provider that only returns outputs as large", () => {
    expect(resultOf("time of refresh over the no-op's, plugin")).toMatchObject({ measured: "1.15", floor: "1.10" });
    expect(resultOf("time of refresh over the no-op's, dynamic")).toMatchObject({ floor: "–" });
  });

  test("are neither met nor missed where nothing was measured", () => {
    expect(resultOf("time of destroy over the no-op's, plugin")).toMatchObject({ measured: "–", isMet: undefined });
  });

  test("compare the dynamic host with the bare one", () => {
    expect(resultOf("peak memory, dynamic, MiB (the host with the no-op, and 20)")).toMatchObject({ most: "110", isMet: true });
    expect(resultOf("start to the printed port, dynamic, ms (the bare host, and 20)")).toMatchObject({ most: "620", isMet: true });
  });

  test("compare the CPU time with that of ten times as many objects", () => {
    expect(resultOf("CPU from N = 1,000 to 10,000, plugin, times")).toMatchObject({ measured: "10.0", isMet: true });
  });
});

describe("the plot", () => {
  const svg = plotOf(figures);

  test("is well-formed: every element is closed, and every attribute is quoted", () => {
    const open: string[] = [];
    const rest = svg.replace(
      /<(\/?)([a-z]+)((?: [a-zA-Z0-9-]+="[^"<&]*")*)(\/?)>/g,
      (_, end: string, name: string, _attributes, empty: string) => {
        if (end) expect(open.pop()).toBe(name);
        else if (!empty) open.push(name);
        return "";
      },
    );
    expect(open).toEqual([]);
    expect(rest).not.toMatch(/[<>&]/);
  });

  test("has titles, units, axes and a legend, and colours for dark pages", () => {
    for (const text of ["Refresh: requests", "seconds", "N (roles of the stack)", "this provider", "naive provider"]) {
      expect(svg).toContain(`>${text}<`);
    }
    expect(svg.match(/class="axis"/g)).toHaveLength(4);
    expect(svg).toContain("prefers-color-scheme: dark");
  });

  test("has one tick per power of ten", () => {
    const [line] = svg.match(/<path class="line own" d="[^"]*"/) ?? [];
    const spots = [...(line ?? "").matchAll(/(\d+(?:\.\d+)?) (\d+(?:\.\d+)?)/g)].map(([, x, y]) => [Number(x), Number(y)]);
    const steps = spots.slice(1).map(([x = 0, y = 0], index) => [x - (spots[index]?.[0] ?? 0), y - (spots[index]?.[1] ?? 0)]);
    expect(steps).toHaveLength(2);
    expect(steps[0]?.[0]).toBeGreaterThan(0);
    expect(steps[0]?.[1]).toBeLessThan(0);
    expect(steps[1]?.[0]).toBeCloseTo(steps[0]?.[0] ?? 0, 0);
    expect(steps[1]?.[1]).toBeCloseTo(steps[0]?.[1] ?? 0, 0);
  });

  test("has no NaN, even where figures are missing", () => {
    expect(plotOf({ ...figures, samples: [] })).not.toMatch(/NaN|Infinity|undefined/);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe("a document", () => {
  test("gets the figures between its markers, and keeps the rest", () => {
    const readme = "before\n<!-- bench conditions -->\nold\n<!-- end -->\nafter\n<!-- table roles -->\nkept\n<!-- end -->\n";
    expect(withFigures(readme, figures)).toBe(
      "before\n<!-- bench conditions -->\nMeasured 2026-01-02, 2 processors (load before the start: 0.3), Linux, Node v20.19.0, Pulumi CLI v3.0.0.\n<!-- end -->\nafter\n<!-- table roles -->\nkept\n<!-- end -->\n",
    );
  });

  test.each(documents())("has the parts that %s names", (path) => {
    expect(() => withFigures(readFileSync(join(root, path), "utf8"), figures)).not.toThrow();
  });

  test("can't name an unknown part", () => {
    expect(() => withFigures("<!-- bench weather -->\n<!-- end -->", figures)).toThrow('names the unknown part "weather"');
  });

  test("has a page with all figures, and a short table", () => {
    const parts = ["operations", "settings", "starts", "targets"].map((name) => `<!-- bench ${name} -->\n<!-- end -->`);
    const page = withFigures(parts.join("\n"), figures);
    for (const text of ["without an engine", "--parallel 64", "own plugin", "NO"]) expect(page).toContain(text);
    expect(withFigures("<!-- bench summary -->\n<!-- end -->", figures)).toMatch(
      /\n\| up +\| 1,000 +\| 1,000 +\| 1\.2 +\| 3\.0 +\| 1\.0 +\|\n/,
    );
  });
});
