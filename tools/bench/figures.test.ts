import { median, operationsTable, type Sample } from "./figures";
import { canWatch, ProcessWatch, usageOf } from "./process-watch";
import { targetsTable } from "./targets";

describe("the usage of processes", () => {
  if (!canWatch) {
    test("without Linux nothing is measured", () => {
      expect(new ProcessWatch("plugin").soFar()).toBeUndefined();
    });
  } else {
    test("returns the processor time and the peak memory of a process", () => {
      const before = usageOf(process.pid);
      const cpu = process.cpuUsage();
      const until = cpu.user + cpu.system + 200_000;
      for (let now = cpu; now.user + now.system < until; now = process.cpuUsage());
      const after = usageOf(process.pid);
      expect((after?.cpuMs ?? 0) - (before?.cpuMs ?? 0)).toBeGreaterThanOrEqual(180);
      expect(after?.peakMiB).toBeGreaterThanOrEqual(Math.floor(process.memoryUsage.rss() / 1024 / 1024) - 64);
    });

    test("returns nothing for a process that does not exist", () => {
      expect(usageOf(2 ** 22 + 1)).toBeUndefined();
    });

    test("fails if it finds no process of a provider", () => {
      const watch = new ProcessWatch("plugin");
      expect(() => watch.soFar()).toThrow("no process of a provider was seen");
      watch.stop();
    });
  }
});

describe("targets", () => {
  const usage = { provider: { cpuMs: 2_200, peakMiB: 140 }, all: { cpuMs: 3_000, peakMiB: 160 } };
  const sample: Sample = {
    provider: "own",
    adapter: "plugin",
    size: 1_000,
    latencyMs: 0,
    checkpoints: true,
    operation: "up",
    requests: 1_300,
    wallMs: 1_150,
    usage,
    stateBytes: 880,
  };
  const noop: Sample = {
    ...sample,
    provider: "no-op",
    requests: 0,
    wallMs: 1_000,
    usage: { ...usage, provider: { cpuMs: 1_000, peakMiB: 90 } },
  };

  function lineOf(what: string, samples: readonly Sample[]): string[] | undefined {
    const lines = targetsTable(samples, 1_000).split("\n");
    const cells = lines.map((line) => line.split("|").map((cell) => cell.trim()));
    return cells.find(([, title]) => title === what)?.slice(2, 5);
  }

  test("the median is the middle value, or half way between the two in the middle", () => {
    expect(median([9])).toBe(9);
    expect(median([10, 9, 2])).toBe(9);
    expect(median([4, 1, 100, 2])).toBe(3);
    expect(median([])).toBeUndefined();
  });

  test("a target is met by a figure that equals the limit", () => {
    expect(lineOf("requests of up, plugin", [sample])).toEqual(["1,300", "1,300", "yes"]);
    expect(lineOf("peak memory, plugin, MiB", [sample])).toEqual(["140", "140", "yes"]);
    expect(lineOf("processor time of a create - no-op's, plugin, ms", [sample, noop])).toEqual(["1.00", "1.00", "yes"]);
  });

  test("a target is missed above the limit, by the median of the runs", () => {
    const samples = [sample, noop, { ...sample, wallMs: 5_000 }, { ...sample, wallMs: 900 }];
    expect(lineOf("time of up / no-op's, plugin", samples)).toEqual(["1.00", "1.15", "NO"]);
    expect(lineOf("state / no-op's, plugin", samples)).toEqual(["0.89", "1.00", "NO"]);
  });

  test("a target is neither met nor missed if nothing was measured under its conditions", () => {
    const others: Partial<Sample>[] = [
      { adapter: "dynamic" },
      { size: 100 },
      { latencyMs: 20 },
      { operation: "refresh" },
      { checkpoints: false },
    ];
    const samples = others.flatMap((other) => [sample, noop].map((one) => ({ ...one, ...other })));
    expect(lineOf("time of up / no-op's, plugin", samples)).toEqual(["1.00", "–", "not measured"]);
  });

  test("the growth compares the processor time of the targeted operations for N and for ten times N objects", () => {
    const samples = (["up", "preview", "preview with refresh", "refresh", "destroy"] as const).flatMap((operation) =>
      [1_000, 10_000].map((size): Sample => {
        const cpuMs = size * (operation === "up" ? 2 : 1);
        return { ...sample, size, operation, checkpoints: false, usage: { ...usage, provider: { cpuMs, peakMiB: 100 } } };
      }),
    );
    expect(lineOf("processor time of 10 N / of N, plugin", samples)).toEqual(["11.0", "10.0", "yes"]);
    expect(lineOf("processor time of 10 N / of N, plugin", samples.slice(1))).toEqual(["11.0", "–", "not measured"]);
  });

  test("the table has a row for each operation under the same conditions, with the providers' medians", () => {
    const other: Sample = { ...sample, provider: "other", wallMs: 900, usage: undefined };
    const table = operationsTable([sample, { ...sample, wallMs: 2_150 }, other, { ...sample, latencyMs: 100 }]);
    expect(table).toMatch(/^Medians of own · other\n/);
    expect(table).toMatch(
      /\| 1,000 +\| yes +\| 0 ms +\| plugin +\| up +\| 1,300 · 1,300 +\| 1\.65 · 0\.90 +\| 3\.00 · – +\| 2\.20 · – +\| 140 · – +\|/,
    );
    expect(table).toMatch(/\| 100 ms +\| plugin +\| up +\| 1,300 · – +\|/);
  });
});
