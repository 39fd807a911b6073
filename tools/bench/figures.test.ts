import { median, rowsOf, type Sample } from "./figures";

const sample: Sample = {
  engine: "cli",
  provider: "own",
  adapter: "plugin",
  size: 10,
  latencyMs: 0,
  operation: "up",
  requests: 12,
  wallMs: 100,
  usage: { cpuMs: 40, peakMiB: 90 },
};

test("the median is the middle value, or half way between the two in the middle", () => {
  expect(median([9])).toBe(9);
  expect(median([10, 9, 2])).toBe(9);
  expect(median([4, 1, 100, 2])).toBe(3);
});

test("the median of no values is undefined", () => {
  expect(median([])).toBeUndefined();
});

test("runs of the same operation become one row, with the median of each figure by provider", () => {
  const rows = rowsOf([
    { ...sample, wallMs: 300, stateBytes: 1200 },
    { ...sample, provider: "no-op", requests: 0, wallMs: 50 },
    { ...sample, wallMs: 100 },
    { ...sample, wallMs: 110, usage: { cpuMs: 60, peakMiB: 95 } },
  ]);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.cells.own).toEqual({ runs: 3, requests: 12, wallMs: 110, cpuMs: 40, peakMiB: 90, bytesPerResource: 100 });
  expect(rows[0]?.cells["no-op"]).toMatchObject({ runs: 1, requests: 0, wallMs: 50 });
  expect(rows[0]?.cells.naive).toBeUndefined();
});

test("samples that differ in adapter, size, latency, operation or engine have separate rows", () => {
  const others: Partial<Sample>[] = [
    {},
    { adapter: "dynamic" },
    { size: 100 },
    { latencyMs: 20 },
    { operation: "refresh" },
    { engine: "none" },
  ];
  expect(rowsOf(others.map((other) => ({ ...sample, ...other })))).toHaveLength(others.length);
});

test("a figure that was not measured is empty, and not zero", () => {
  const [row] = rowsOf([{ ...sample, usage: undefined }]);
  expect(row?.cells.own).toMatchObject({ cpuMs: undefined, peakMiB: undefined, bytesPerResource: undefined });
});
