import { oneLine } from "./error-text";

test("what stands for a secret is not searched for others, as short as they may be and however often they are named", () => {
  expect(oneLine("unknown token: secret, ecre", ["secret", "ecre", "ecre", "<sec"])).toBe("unknown token: <secret>, <secret>");
  expect(oneLine("a\0bcd", ["a bcd"])).toBe("<secret>");
});

test.each(["e", "TTL", "\u00fc"])("a text that holds a secret as short as %s is left out whole, and otherwise stays as it is", (secret) => {
  expect(oneLine("invalid MaxTokenTTL value f\u00fcr 1", [secret])).toMatch(/^\(not shown: /);
  expect(oneLine("no pool", [secret, ""])).toBe("no pool");
});
