import { InstantClock } from "../../test/support/clock";
import { OperationState } from "./operation-state";

const operation = () => new OperationState(new InstantClock());

test("a warning is new once", () => {
  const one = operation();
  expect([one.firstTime("x"), one.firstTime("y"), one.firstTime("x")]).toEqual([true, true, false]);
});

test("the index at the start is read once, also for many calls at once", async () => {
  const one = operation();
  let reads = 0;
  const read = async () => {
    reads += 1;
    return 41 + reads;
  };
  expect(await Promise.all([one.indexAtStart.get(read), one.indexAtStart.get(read), one.indexAtStart.get(read)])).toEqual([42, 42, 42]);
  expect(await one.indexAtStart.get(read)).toBe(42);
  expect(reads).toBe(1);
});

test("an index that could not be read is an error of that call, and the next call reads it again", async () => {
  const one = operation();
  await expect(one.indexAtStart.get(() => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await one.indexAtStart.get(async () => 7)).toBe(7);
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
