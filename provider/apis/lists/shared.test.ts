import type { Clock } from "../http/clock";
import { ApiError } from "../http/errors";
import type { RequestOptions } from "../http/request";
import { SharedList, Writes } from "./shared";

interface Item {
  readonly id: string;
  readonly version: number;
}

/** A list with responses that the test controls. */
function listing(keepMs = 10_000, sleep?: Clock["sleep"]) {
  const asked: { respond: (items: readonly Item[]) => void; fail: (error: unknown) => void; context: RequestOptions }[] = [];
  const time = { now: 0 };
  const waits: number[] = [];
  const others = { progress: 0 };
  const writes = new Writes();
  const list = new SharedList<Item>({
    take: (context) =>
      new Promise((respond, fail) => {
        context.signal?.addEventListener("abort", () => fail(new Error("aborted")));
        asked.push({ respond: respond, fail, context });
      }),
    keyOf: ({ id }) => id,
    writes,
    progress: () => others.progress,
    keepMs,
    clock: { now: () => time.now, sleep: sleep ?? (async (ms) => void waits.push(ms)), random: () => 0 },
  });
  return { asked, time, waits, others, writes, list };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));
const one: Item = { id: "a", version: 1 };

describe("a fresh list", () => {
  it("is shared by all callers before its start, and not by later ones", async () => {
    const { asked, list } = listing();
    const [first, second] = [list.fresh({}), list.fresh({})];
    await soon();
    expect(asked).toHaveLength(1);
    const [third, fourth] = [list.fresh({}), list.fresh({})];
    await soon();
    expect(asked).toHaveLength(1);
    asked[0]?.respond([one]);
    expect(await Promise.all([first, second])).toEqual([[one], [one]]);
    await soon();
    expect(asked).toHaveLength(2);
    asked[1]?.respond([]);
    expect(await Promise.all([third, fourth])).toEqual([[], []]);
  });

  /** Takes this number of lists, one after the other, each for one caller. */
  async function takeOneByOne({ asked, list }: ReturnType<typeof listing>, count: number) {
    for (let taken = 0; taken < count; taken++) {
      const one = list.fresh({});
      await soon();
      asked.at(-1)?.respond([]);
      await one;
    }
  }

  it("begins at once for the first four callers, and later waits for more callers while the engine proceeds, for three seconds at most", async () => {
    const all = listing(10_000, async (ms) => {
      all.waits.push(ms);
      all.time.now += ms;
      if (isGoingOn) all.others.progress += 1;
    });
    let isGoingOn = true;
    await takeOneByOne(all, 4);
    expect(all.waits).toEqual([]);
    await takeOneByOne(all, 1);
    expect(all.waits).toEqual(Array.from({ length: 10 }, () => 300));
    isGoingOn = false;
    await takeOneByOne(all, 1);
    expect(all.waits).toHaveLength(11);
    expect(all.asked).toHaveLength(6);
  });

  it("begins at once if four callers wait for it", async () => {
    const untilAborted: Clock["sleep"] = (_, signal) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));
    const all = listing(10_000, untilAborted);
    const { asked, list } = all;
    await takeOneByOne(all, 4);
    const three = [list.fresh({}), list.fresh({}), list.fresh({})];
    await soon();
    expect(asked).toHaveLength(4);
    const fourth = list.fresh({});
    await soon();
    expect(asked).toHaveLength(5);
    asked[4]?.respond([one]);
    expect(await Promise.all([...three, fourth])).toEqual([[one], [one], [one], [one]]);
  });

  it("fails for all waiting callers, and not for later ones", async () => {
    const { asked, list } = listing();
    const [first, second] = [list.fresh({}), list.fresh({})];
    await soon();
    const third = list.fresh({});
    asked[0]?.fail(new Error("down"));
    await expect(first).rejects.toThrow("down");
    await expect(second).rejects.toThrow("down");
    await soon();
    asked[1]?.respond([one]);
    expect(await third).toEqual([one]);
  });

  it("goes on while a caller waits for it, and is aborted with the last one", async () => {
    const { asked, list } = listing();
    const [leaving, staying] = [new AbortController(), new AbortController()];
    const [first, second] = [list.fresh({ signal: leaving.signal }), list.fresh({ signal: staying.signal })];
    await soon();
    leaving.abort(new Error("no patience"));
    await expect(first).rejects.toThrow("no patience");
    expect(asked[0]?.context.signal?.aborted).toBe(false);
    staying.abort(new Error("nor me"));
    await expect(second).rejects.toThrow("nor me");
    expect(asked[0]?.context.signal?.aborted).toBe(true);
  });

  it("that was aborted before its start does not affect the next one", async () => {
    const { asked, list } = listing();
    const leaving = new AbortController();
    const first = list.fresh({});
    await soon();
    const second = list.fresh({ signal: leaving.signal });
    leaving.abort(new Error("no patience"));
    await expect(second).rejects.toThrow("no patience");
    const third = list.fresh({});
    asked[0]?.respond([]);
    await first;
    await soon();
    expect(asked).toHaveLength(2);
    asked[1]?.respond([one]);
    expect(await third).toEqual([one]);
  });
});

/** An engine with a clock of its own. It makes `parallel` objects at once, and writes its state after each create. */
async function runEngine({ parallel, stepMs, creates }: Record<"parallel" | "stepMs" | "creates", number>) {
  const rttMs = 5;
  let [now, lists, written, left, running] = [0, 0, 0, creates, parallel];
  const timers: { readonly at: number; readonly end: () => void }[] = [];
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((end) => {
      const timer = { at: now + ms, end };
      timers.push(timer);
      signal?.addEventListener("abort", () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
        end();
      });
    });
  const writes = new Writes();
  const take = async () => {
    lists += 1;
    await sleep(rttMs);
    return [];
  };
  const clock = { now: () => now, sleep, random: () => 0 };
  const list = new SharedList<Item>({ take, keyOf: ({ id }) => id, writes, progress: () => writes.begun, keepMs: 0, clock });
  const work = async () => {
    for (; left > 0; ) {
      left -= 1;
      await list.fresh({});
      await writes.during(() => sleep(rttMs));
      written = Math.max(now, written) + stepMs;
      await sleep(written - now);
    }
    running -= 1;
  };
  for (let worker = 0; worker < parallel; worker++) void work();
  for (await soon(); running > 0; await soon()) {
    const [next] = timers.sort((a, b) => a.at - b.at).splice(0, 1);
    now = next?.at ?? now;
    next?.end();
  }
  return { lists, ms: now };
}

describe("the number of fresh lists for a hundred creates", () => {
  it.each([60, 150])(
    "is 30 at most for eight creates at a time, and the lists delay no write of the state (%i ms each)",
    async (stepMs) => {
      const { lists, ms } = await runEngine({ parallel: 8, stepMs, creates: 100 });
      expect(lists).toBeLessThanOrEqual(30);
      expect(ms).toBeLessThan(100 * stepMs + 50);
    },
  );
});

describe("a list of the last seconds, which may have objects that were deleted since", () => {
  const isEnough = () => true;

  it("serves callers to whom it is sufficient, and other callers get a fresh one", async () => {
    const { asked, time, list } = listing(10_000);
    const first = list.recentIf(isEnough, {});
    await soon();
    asked[0]?.respond([one]);
    expect(await first).toEqual([one]);
    time.now = 9_999;
    expect(await list.recentIf((items) => items.includes(one), {})).toEqual([one]);
    expect(asked).toHaveLength(1);
    const fresh = list.recentIf((items) => items.length === 0, {});
    await soon();
    asked[1]?.respond([]);
    expect(await fresh).toEqual([]);
  });

  it.each([
    ["when its time is over", ({ time }: ReturnType<typeof listing>) => Object.assign(time, { now: 10_000 }), 2],
    ["after a create or an update of this client", ({ writes }: ReturnType<typeof listing>) => writes.during(async () => {}), 2],
    [
      "not after a delete of this client, but only after its other writes",
      ({ writes }: ReturnType<typeof listing>) => writes.during(async () => {}, true),
      1,
    ],
  ])("is taken again %s", async (_, happens, lists) => {
    const all = listing(10_000);
    const first = all.list.recentIf(isEnough, {});
    await soon();
    all.asked[0]?.respond([one]);
    await first;
    await happens(all);
    void all.list.recentIf(isEnough, {});
    await soon();
    expect(all.asked).toHaveLength(lists);
  });
});

describe("a recent list", () => {
  it("is requested by the second read, and serves all later ones", async () => {
    const { asked, list } = listing();
    expect(await list.recent("a", {})).toBeUndefined();
    expect(asked).toHaveLength(0);
    const reads = ["a", "b", "a"].map((id) => list.recent(id, {}));
    asked[0]?.respond([one]);
    expect(await Promise.all(reads)).toEqual([one, undefined, one]);
    expect(await list.recent("a", {})).toBe(one);
    expect(asked).toHaveLength(1);
  });

  it("is taken anew at the end of its time, counted from its request", async () => {
    const { asked, time, list } = listing(10_000);
    await list.recent("a", {});
    const read = list.recent("a", {});
    time.now = 9_999;
    asked[0]?.respond([one]);
    expect(await read).toBe(one);
    expect(await list.recent("a", {})).toBe(one);
    time.now = 10_000;
    const later = list.recent("a", {});
    asked[1]?.respond([{ id: "a", version: 2 }]);
    expect(await later).toEqual({ id: "a", version: 2 });
  });

  it("is dropped by a write, also by one with a lost response", async () => {
    const { asked, writes, list } = listing();
    await list.recent("a", {});
    const read = list.recent("a", {});
    asked[0]?.respond([one]);
    await read;
    await expect(writes.during(() => Promise.reject(new Error("no response")))).rejects.toThrow("no response");
    expect(await list.recent("a", {})).toBeUndefined();
    expect(asked).toHaveLength(1);
    const again = list.recent("a", {});
    asked[1]?.respond([]);
    expect(await again).toBeUndefined();
  });

  it("serves no read if a write has begun meanwhile, and is not requested during a write", async () => {
    const { asked, writes, list } = listing();
    await list.recent("a", {});
    const read = list.recent("a", {});
    const responded = new AbortController();
    const write = writes.during(() => new Promise<void>((resolve) => responded.signal.addEventListener("abort", () => resolve())));
    asked[0]?.respond([one]);
    expect(await read).toBeUndefined();
    expect(await Promise.all(["a", "a", "a"].map((id) => list.recent(id, {})))).toEqual([undefined, undefined, undefined]);
    expect(asked).toHaveLength(1);
    responded.abort();
    await write;
  });

  it("that fails serves no read, and is not requested again before the end of its time, counted from the failure", async () => {
    const { asked, time, writes, list } = listing(10_000);
    const call = { service: "cluster", operation: "read", method: "GET", path: "/", url: "/", tokenSource: "", tries: 1 } as const;
    await list.recent("a", {});
    const reads = [list.recent("a", {}), list.recent("a", {})];
    time.now = 25_000;
    asked[0]?.fail(new ApiError(call, { kind: "denied", detail: "Permission denied" }));
    expect(await Promise.all(reads)).toEqual([undefined, undefined]);
    expect(await list.recent("a", {})).toBeUndefined();
    time.now = 34_999;
    // The write has changed the objects, but not the reason of the failure.
    await writes.during(async () => undefined);
    expect(await Promise.all([list.recent("a", {}), list.recent("a", {})])).toEqual([undefined, undefined]);
    expect(asked).toHaveLength(1);
    time.now = 35_000;
    const later = list.recent("a", {});
    asked[1]?.respond([one]);
    expect(await later).toBe(one);
  });

  it("that takes longer than its time serves the waiting reads alone", async () => {
    const { asked, time, list } = listing(10_000);
    await list.recent("a", {});
    const read = list.recent("a", {});
    time.now = 10_000;
    expect(await list.recent("a", {})).toBeUndefined();
    expect(asked).toHaveLength(1);
    asked[0]?.respond([one]);
    expect(await read).toBe(one);
    const later = list.recent("a", {});
    expect(asked).toHaveLength(2);
    asked[1]?.respond([]);
    expect(await later).toBeUndefined();
  });

  it("that lost its last caller does not affect the next one", async () => {
    const { asked, list } = listing();
    const leaving = new AbortController();
    await list.recent("a", {});
    const read = list.recent("a", { signal: leaving.signal });
    leaving.abort(new Error("no patience"));
    await expect(read).rejects.toThrow("no patience");
    const later = list.recent("a", {});
    asked[1]?.respond([one]);
    expect(await later).toBe(one);
  });

  it("does not hide a defect of this package", async () => {
    const { asked, list } = listing();
    await list.recent("a", {});
    const read = list.recent("a", {});
    asked[0]?.fail(new TypeError("a mistake"));
    await expect(read).rejects.toThrow("a mistake");
  });
});
