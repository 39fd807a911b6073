import { createHash } from "node:crypto";
import { parseDuration, readDuration } from "./durations";

const second = 1e9;

test.each([
  ["60s", 60 * second],
  ["5m", 300 * second],
  ["1h0m0s", 3600 * second],
  ["60m", 3600 * second],
  ["1h30m", 5400 * second],
  ["90m", 5400 * second],
  ["1.5h", 5400 * second],
  [".5s", second / 2],
  ["1.s", second],
  ["0.1s", second / 10],
  ["100ms", second / 10],
  ["250us", 250_000],
  ["250\u00b5s", 250_000],
  ["250\u03bcs", 250_000],
  ["7ns", 7],
  ["0.3ns", 0],
  ["0.9ns", 0],
  // Go's results for fractions that 64-bit floating point can't represent: m / 60 hours are m minutes, but 1 ns less in 447 of 1440 cases.
  [`${7 / 60}h`, 7 * 60 * second],
  [`${8 / 60}h`, 8 * 60 * second - 1],
  [`-${8 / 60}h`, 1 - 8 * 60 * second],
  ["0.9223372036854775809h", 3_320_413_933_267],
  ["1.00000000000000000000000001h", 3600 * second],
  ["0", 0],
  ["+0", 0],
  ["-0", 0],
  ["0s", 0],
  ["-0s", 0],
  ["+5s", 5 * second],
  ["-1s", -second],
  ["-1.5h", -5400 * second],
  ["1s1s", 2 * second],
  ["1s1h", 3601 * second],
  ["2562047h", 2_562_047 * 3600 * second],
])("%s is %d nanoseconds", (text, nanoseconds) => {
  expect(parseDuration(text)).toBe(BigInt(nanoseconds));
});

/** The values of Go 1.26's time.ParseDuration, one after the other, as a hash. */
test.each<[string, number, (n: number) => string, string]>([
  ["minutes as hours", 1440, (n) => `${n / 60}h`, "3ce1fdc4d4478959"],
  ["negative minutes as hours", 1440, (n) => `-${n / 60}h`, "8a761deca736a9ed"],
  ["seconds as hours", 86_401, (n) => `${n / 3600}h`, "d36439b6c5d186ff"],
  ["seconds as minutes", 3601, (n) => `${n / 60}m`, "39cc3fe7231c2773"],
  ["milliseconds as seconds", 100_001, (n) => `${n / 1000}s`, "beb84714b6a39412"],
  ["negative sevenths of a millisecond", 10_001, (n) => `-${n / 7}ms`, "979cd9e1dcbb06b9"],
  ["hours, minutes and thirds of seconds", 10_001, (n) => `${n % 24}h${n % 60}m${n / 3}s`, "7913da92a8dd7837"],
])("%s (%d of them) are read as Go reads them", (_, count, write, hash) => {
  const read = Array.from({ length: count }, (_, n) => readDuration(write(n)));
  expect(createHash("sha256").update(read.join()).digest("hex").slice(0, 16)).toBe(hash);
});

test.each([
  [9_223_372_036_854_775_807n, "9223372036854775807ns"],
  [-(2n ** 63n), "-9223372036854775808ns"],
  [-(2n ** 63n), "-2562047h47m16.854775808s"],
  // Go does not check these additions for an overflow of 64 bits.
  [0n, "9223372036854775808ns9223372036854775808ns"],
])("at the limit of 64 bits, %d ns are read from %s", (nanoseconds, text) => {
  expect(parseDuration(text)).toBe(nanoseconds);
});

test.each([
  ["banana", 'time: invalid duration "banana"'],
  ["", 'time: invalid duration ""'],
  ["-", 'time: invalid duration "-"'],
  [".s", 'time: invalid duration ".s"'],
  ["5", 'time: missing unit in duration "5"'],
  ["1d", 'time: unknown unit "d" in duration "1d"'],
  ['1"\\\u00b5', String.raw`time: unknown unit "\"\\\xc2\xb5" in duration "1\"\\\xc2\xb5"`],
  ["2562048h", 'time: invalid duration "2562048h"'],
])("%j is refused in the words of Go", (text, message) => {
  expect(() => readDuration(text)).toThrow(message);
});

test.each([
  "",
  " ",
  "s",
  "5",
  "5 s",
  " 5s",
  "5s ",
  "5s\n",
  ".s",
  "1..5s",
  "1e3s",
  "--5s",
  "5d",
  "5M",
  "1h-5m",
  "one hour",
  "Infinity",
  "NaNs",
  "redacted",
])("%p is not a duration", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test.each(["2562048h", "9223372036854775808ns", "-2562048h", "-9223372036854775809ns", "9223372036.854775808s"])(
  "%s is longer than the cluster can hold",
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test("a long invalid text is refused at once", () => {
  const started = performance.now();
  expect(parseDuration(`${"1".repeat(20_000)}x`)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(1_000);
});
