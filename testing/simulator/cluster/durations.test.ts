import { readDuration } from "../../../common/durations";
import { formatDuration } from "./durations";

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
    expect(formatDuration(readDuration(text))).toBe(written);
  });
});
