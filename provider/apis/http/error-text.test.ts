import { oneLine } from "./error-text";

test("what stands for a secret is not searched for others, as short as they may be and however often they are named", () => {
  expect(oneLine("unknown token: secret, e", ["secret", "e", "e", "t"])).toBe("unknown <secret>ok<secret>n: <secret>, <secret>");
  expect(oneLine("a\0b", ["a b"])).toBe("<secret>");
});
