import { startTimer, systemClock, withTimeLimit } from "./clock";

it("a timer of more than 24 days ends after 24 days, although Node's own timers would end at once", async () => {
  jest.useFakeTimers();
  try {
    const day = 24 * 3600 * 1000;
    let isOver = false;
    startTimer(60 * day, () => {
      isOver = true;
    });
    await jest.advanceTimersByTimeAsync(24 * day);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(day);
    expect(isOver).toBe(true);
  } finally {
    jest.useRealTimers();
  }
});

it("a sleep ends as soon as the signal aborts, or at once if it has aborted before", async () => {
  const controller = new AbortController();
  const interrupted = systemClock.sleep(60_000, controller.signal);
  controller.abort(new Error("enough"));
  const aborted = { name: "AbortError", cause: controller.signal.reason };
  await expect(interrupted).rejects.toMatchObject(aborted);
  await expect(systemClock.sleep(60_000, controller.signal)).rejects.toMatchObject(aborted);
});

it("the signal of work with a time limit aborts at the limit", async () => {
  const work = withTimeLimit(10, new AbortController().signal, (limited) => systemClock.sleep(60_000, limited));
  await expect(work).rejects.toMatchObject({ cause: { message: "The time is over." } });
});

it("work with a time limit is aborted from the start if its caller has aborted before, and leaves no listener behind", async () => {
  const controller = new AbortController();
  const [added, removed] = [jest.spyOn(controller.signal, "addEventListener"), jest.spyOn(controller.signal, "removeEventListener")];
  for (const ms of [1000, Number.POSITIVE_INFINITY]) {
    expect(await withTimeLimit(ms, controller.signal, async ({ aborted }) => aborted)).toBe(false);
  }
  expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  controller.abort(new Error("enough"));
  await expect(withTimeLimit(1000, controller.signal, async (limited) => limited.throwIfAborted())).rejects.toThrow("enough");
});
