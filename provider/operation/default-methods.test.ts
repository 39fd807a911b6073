import { InstantClock } from "../../test/support/clock";
import { DefaultMethods } from "./default-methods";

describe("the diff of the default method", () => {
  test("has a diff that came already", async () => {
    const defaults = new DefaultMethods(new InstantClock());
    defaults.recordDiff("sso", { leaves: true, method: { createTime: "then" } });
    expect(await defaults.diffOf("sso")).toEqual({ leaves: true, method: { createTime: "then" } });
  });

  test("waits for a diff that is on its way", async () => {
    const defaults = new DefaultMethods(systemClockThatNeverEnds());
    const diff = defaults.diffOf("sso");
    defaults.recordDiff("other", { leaves: false, method: {} });
    defaults.recordDiff("sso", { leaves: true, method: {} });
    expect(await diff).toEqual({ leaves: true, method: {} });
  });

  test("has no diff when none comes, and has waited ten seconds for it", async () => {
    const clock = new InstantClock();
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
