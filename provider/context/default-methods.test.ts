import { ImpatientClock } from "../../test/support/session";
import { DefaultMethods } from "./default-methods";

describe("the hand-over of the default", () => {
  test("knows what a diff has said already", async () => {
    const defaults = new DefaultMethods(new ImpatientClock());
    defaults.saw("sso", { leaves: true, method: { createTime: "then" } });
    expect(await defaults.diffOf("sso")).toEqual({ leaves: true, method: { createTime: "then" } });
  });

  test("waits for a diff that is on its way", async () => {
    const defaults = new DefaultMethods(systemClockThatNeverEnds());
    const verdict = defaults.diffOf("sso");
    defaults.saw("other", { leaves: false, method: {} });
    defaults.saw("sso", { leaves: true, method: {} });
    expect(await verdict).toEqual({ leaves: true, method: {} });
  });

  test("has no verdict when no diff comes, and has waited ten seconds for it", async () => {
    const clock = new ImpatientClock();
    expect(await new DefaultMethods(clock).diffOf("sso")).toBeUndefined();
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
