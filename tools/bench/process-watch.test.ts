import { canWatch, ProcessWatch, usageOf } from "./process-watch";

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

  test("returns nothing for a process that has ended", () => {
    expect(usageOf(2 ** 22 + 1)).toBeUndefined();
  });

  test("fails when it has found no process of a provider", () => {
    const watch = new ProcessWatch("plugin");
    expect(() => watch.soFar()).toThrow("no process of a provider was seen");
    watch.stop();
  });
}
