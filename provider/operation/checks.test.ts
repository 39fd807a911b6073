import { Checks } from "./checks";

describe("a diff", () => {
  const diff = (checks: Checks, content: string, isPartlyUnknown = false) => checks.isOfUpdate("AclRole", "id", content, isPartlyUnknown);

  test("of inputs that a check returned is that of an update, also right after a refresh without one", () => {
    const checks = new Checks();
    checks.recordRead("AclRole", "id");
    checks.recordCheck("AclRole", "a");
    expect(diff(checks, "a")).toBe(true);
  });

  test("after a read ends a refresh, once for each read; the next one is that of an update, whatever its inputs", () => {
    const checks = new Checks();
    checks.recordRead("AclRole", "id");
    expect(diff(checks, "a")).toBe(false);
    checks.recordCheck("AclRole", "a");
    expect(diff(checks, "a, mended by a policy pack")).toBe(true);
  });

  test("with unknown values that no check returned is no update's: something that it depends on is to be deleted", () => {
    const checks = new Checks();
    checks.recordCheck("AclRole", "a");
    expect(diff(checks, "b", true)).toBe(false);
    checks.recordCheck("AclRole", "b");
    expect(diff(checks, "b", true)).toBe(true);
  });
});

test("what a check returned is taken once for each check, by kind and content", () => {
  const checks = new Checks();
  checks.recordCheck("AclRole", "a");
  checks.recordCheck("AclRole", "a");
  checks.recordCheck("AclRole", "b");
  expect(checks.consumeCheck("AclBindingRule", "a")).toBe(false);
  expect(["a", "a", "a", "b", "b"].map((content) => checks.consumeCheck("AclRole", content))).toEqual([true, true, false, true, false]);
});
