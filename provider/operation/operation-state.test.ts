import { OperationState } from "./operation-state";

const operation = () => new OperationState();

test("a warning is new once", () => {
  const one = operation();
  expect([one.firstTime("x"), one.firstTime("y"), one.firstTime("x")]).toEqual([true, true, false]);
});

describe("work under one key", () => {
  /** Work that takes a moment, and when each begins and ends. */
  function recorded() {
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
      return name;
    };
    return { work, steps };
  }

  test("runs one after the other, in the order of the calls", async () => {
    const one = operation();
    const { work, steps } = recorded();
    expect(await Promise.all([one.withLock("k", work("a")), one.withLock("k", work("b")), one.withLock("k", work("c"))])).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  test("waits also for work that waited itself", async () => {
    const one = operation();
    const { work, steps } = recorded();
    const first = one.withLock("k", work("a"));
    const second = one.withLock("k", work("b"));
    await first;
    await Promise.all([second, one.withLock("k", work("c"))]);
    expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  test("goes on after a failure, which only its own caller sees", async () => {
    const one = operation();
    const failing = one.withLock("k", () => Promise.reject(new Error("first")));
    const next = one.withLock("k", async () => "second");
    await expect(failing).rejects.toThrow("first");
    await expect(next).resolves.toBe("second");
  });

  test("does not wait for work under another key", async () => {
    const one = operation();
    const never = one.withLock("a", () => new Promise<never>(() => {}));
    expect(await one.withLock("b", async () => "done")).toBe("done");
    expect(never).toBeInstanceOf(Promise);
  });
});
