import { formatDuration, parseDuration } from "./durations";

describe("durations as Go reads and writes them", () => {
  it.each([
    ["60s", "1m0s"],
    ["5m", "5m0s"],
    ["1h0m0s", "1h0m0s"],
    ["1h30m5.5s", "1h30m5.5s"],
    ["-1s", "-1s"],
    ["+.5s", "500ms"],
    ["1500us", "1.5ms"],
    ["1.5µs", "1.5µs"],
    ["999ns", "999ns"],
    ["0", "0s"],
    ["24h", "24h0m0s"],
    ["1h1h", "2h0m0s"],
  ])("%s is %s", (text, written) => {
    expect(formatDuration(parseDuration(text))).toBe(written);
  });

  it.each([
    ["banana", 'time: invalid duration "banana"'],
    ["", 'time: invalid duration ""'],
    ["-", 'time: invalid duration "-"'],
    [".s", 'time: invalid duration ".s"'],
    ["5", 'time: missing unit in duration "5"'],
    ["1d", 'time: unknown unit "d" in duration "1d"'],
    ["2562048h", 'time: invalid duration "2562048h"'],
  ])("%s is refused", (text, message) => {
    expect(() => parseDuration(text)).toThrow(message);
  });
});
