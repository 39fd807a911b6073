import { ImpatientClock } from "../../test/support/session";
import { OperationState } from "./operation-state";

const operation = () => new OperationState(new ImpatientClock());

const server = "https://cluster.test";

test("a claim is for one kind and one ID", () => {
  const one = operation();
  one.claim({ kind: "AclRole", id: "a", server });
  expect(one.isClaimed({ kind: "AclRole", id: "a", server })).toBe(true);
  expect(one.isClaimed({ kind: "AclBindingRule", id: "a", server })).toBe(false);
  expect(one.isClaimed({ kind: "AclRole", id: "b", server })).toBe(false);
});

test("a deleted object that was made again under its name is another one, and not deleted", () => {
  const one = operation();
  const method = { kind: "AclAuthMethod", id: "sso", server, createTime: "2030-01-01T00:00:00Z" };
  one.markDeleted(method);
  expect(one.isDeleted({ ...method, server: `${server}/ region eu` })).toBe(true);
  expect(one.isDeleted({ ...method, createTime: "2030-01-01T00:00:01Z" })).toBe(false);
  expect(one.isDeleted({ ...method, server: "https://other.test" })).toBe(false);
});

describe("a diff", () => {
  const diff = (one: OperationState, content: string, isPartlyUnknown = false) => one.isOfUpdate("AclRole", "id", content, isPartlyUnknown);

  test("of inputs that a check answered is that of an update, also right after a refresh without one", () => {
    const one = operation();
    one.refreshed("AclRole", "id");
    one.checked("AclRole", "a");
    expect(diff(one, "a")).toBe(true);
  });

  test("after a read ends a refresh, once for each read; the next one is that of an update, whatever its inputs", () => {
    const one = operation();
    one.refreshed("AclRole", "id");
    expect(diff(one, "a")).toBe(false);
    one.checked("AclRole", "a");
    expect(diff(one, "a, mended by a policy pack")).toBe(true);
  });

  test("with unknown values that no check answered is no update's: something that it depends on is to be deleted", () => {
    const one = operation();
    one.checked("AclRole", "a");
    expect(diff(one, "b", true)).toBe(false);
    one.checked("AclRole", "b");
    expect(diff(one, "b", true)).toBe(true);
  });
});

test("what a check answered is taken once for each check, by kind and content", () => {
  const one = operation();
  one.checked("AclRole", "a");
  one.checked("AclRole", "a");
  one.checked("AclRole", "b");
  expect(one.consumeCheck("AclBindingRule", "a")).toBe(false);
  expect(["a", "a", "a", "b", "b"].map((content) => one.consumeCheck("AclRole", content))).toEqual([true, true, false, true, false]);
});

test("a text is told for the first time once", () => {
  const one = operation();
  expect([one.firstTime("x"), one.firstTime("y"), one.firstTime("x")]).toEqual([true, true, false]);
});

test("the index at the start is read once, also when many ask at a time", async () => {
  const one = operation();
  let reads = 0;
  const read = async () => {
    reads += 1;
    return 41 + reads;
  };
  expect(await Promise.all([one.indexAtStart(read), one.indexAtStart(read), one.indexAtStart(read)])).toEqual([42, 42, 42]);
  expect(await one.indexAtStart(read)).toBe(42);
  expect(reads).toBe(1);
});

test("an index that could not be read is an error for who asked, and is read again for the next", async () => {
  const one = operation();
  await expect(one.indexAtStart(() => Promise.reject(new Error("down")))).rejects.toThrow("down");
  expect(await one.indexAtStart(async () => 7)).toBe(7);
});

describe("work under one key", () => {
  test("runs one after the other, in the order of asking", async () => {
    const one = operation();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([one.withLock("k", work("a")), one.withLock("k", work("b")), one.withLock("k", work("c"))])).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  test("waits also for work that waited itself", async () => {
    const one = operation();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
    };
    const first = one.withLock("k", work("a"));
    const second = one.withLock("k", work("b"));
    await first;
    await Promise.all([second, one.withLock("k", work("c"))]);
    expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  test("goes on after a failure, which is told to the one whose it is", async () => {
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

describe("the hand-over of the default", () => {
  test("knows what a diff has said already", async () => {
    const one = operation();
    one.defaults.saw("sso", { leaves: true, method: { createTime: "then" } });
    expect(await one.defaults.diffOf("sso")).toEqual({ leaves: true, method: { createTime: "then" } });
  });

  test("waits for a diff that is on its way", async () => {
    const one = new OperationState({ ...systemClockThatNeverEnds() });
    const verdict = one.defaults.diffOf("sso");
    one.defaults.saw("other", { leaves: false, method: {} });
    one.defaults.saw("sso", { leaves: true, method: {} });
    expect(await verdict).toEqual({ leaves: true, method: {} });
  });

  test("has no verdict when no diff comes, and has waited ten seconds for it", async () => {
    const clock = new ImpatientClock();
    expect(await new OperationState(clock).defaults.diffOf("sso")).toBeUndefined();
    expect(clock.waits).toEqual([10_000]);
  });
});

/** A wait ends by its signal alone, as a real one does long before its time. */
function systemClockThatNeverEnds() {
  return {
    now: () => 0,
    random: () => 0,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted")))),
  };
}
