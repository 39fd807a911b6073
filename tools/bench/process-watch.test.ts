import { canWatch, ProcessWatch, usageOf } from "./process-watch";

if (!canWatch) {
  test("without Linux nothing is measured, and nothing is made up", () => {
    expect(new ProcessWatch("plugin").soFar()).toBeUndefined();
  });
} else {
  test("tells the time and the highest memory of a process", () => {
    const before = usageOf(process.pid);
    const cpu = process.cpuUsage();
    const until = cpu.user + cpu.system + 200_000;
    for (let now = cpu; now.user + now.system < until; now = process.cpuUsage());
    const after = usageOf(process.pid);
    expect((after?.cpuMs ?? 0) - (before?.cpuMs ?? 0)).toBeGreaterThanOrEqual(180);
    expect(after?.peakMiB).toBeGreaterThanOrEqual(Math.floor(process.memoryUsage.rss() / 1024 / 1024) - 64);
  });

  test("knows nothing of a process that has ended", () => {
    expect(usageOf(2 ** 22 + 1)).toBeUndefined();
  });

  test("does not pass over a provider that it has not seen", () => {
    const watch = new ProcessWatch("plugin");
    expect(() => watch.soFar()).toThrow("no process of a provider was seen");
    watch.stop();
  });
}
