import { startTimer, systemClock, withTimeLimit } from "./clock";

const day = 24 * 3600 * 1000;

/** Node's own timers fire at once when they are set for more than 2^31 ms, which is not quite 25 days. */
describe("a time of 60 days", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
  const is = (promise: Promise<unknown>) => Promise.race([promise.then(() => "over"), Promise.resolve().then(() => "not over")]);

  it("is waited for to its end", async () => {
    let calls = 0;
    startTimer(60 * day, () => {
      calls += 1;
    });
    jest.advanceTimersByTime(60 * day - 1);
    expect(calls).toBe(0);
    jest.advanceTimersByTime(1);
    expect(calls).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([1, 30])("can be given up after %i days, and leaves no timer", (days) => {
    let calls = 0;
    const cancel = startTimer(60 * day, () => {
      calls += 1;
    });
    jest.advanceTimersByTime(days * day);
    cancel();
    jest.advanceTimersByTime(60 * day);
    expect([calls, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it("is slept to its end, or until the signal aborts", async () => {
    const slept = systemClock.sleep(60 * day);
    await jest.advanceTimersByTimeAsync(60 * day - 1);
    expect(await is(slept)).toBe("not over");
    await jest.advanceTimersByTimeAsync(1);
    expect(await is(slept)).toBe("over");
    const controller = new AbortController();
    const interrupted = systemClock.sleep(60 * day, controller.signal);
    controller.abort(new Error("enough"));
    await expect(interrupted).rejects.toThrow("enough");
    await expect(systemClock.sleep(60 * day, controller.signal)).rejects.toThrow("enough");
    expect(jest.getTimerCount()).toBe(0);
  });

  it("limits work, whose signal aborts when it is over and not before", async () => {
    let signal: AbortSignal | undefined;
    const work = withTimeLimit(60 * day, new AbortController().signal, async (limited) => {
      signal = limited;
      await systemClock.sleep(100 * day, limited);
    });
    const failed = expect(work).rejects.toThrow("The time is over.");
    await jest.advanceTimersByTimeAsync(60 * day - 1);
    expect(signal?.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await failed;
    expect(jest.getTimerCount()).toBe(0);
  });
});

it("work with a time limit begins aborted when its caller has aborted already, and leaves no listener behind when it has ended", async () => {
  const controller = new AbortController();
  const [added, removed] = [jest.spyOn(controller.signal, "addEventListener"), jest.spyOn(controller.signal, "removeEventListener")];
  for (const ms of [1000, Number.POSITIVE_INFINITY]) {
    expect(await withTimeLimit(ms, controller.signal, async ({ aborted }) => aborted)).toBe(false);
  }
  expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  controller.abort(new Error("enough"));
  await expect(withTimeLimit(1000, controller.signal, async (limited) => limited.throwIfAborted())).rejects.toThrow("enough");
});
