import { equal, markLike, plain, redact, reveal, secret, UNKNOWN } from "./values";

const resource = (parts: Record<string, string>) => ({ "4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e", ...parts });

it("marks a secret once", () => {
  expect(secret(secret("x"))).toEqual(secret("x"));
});

it("reveals and hides secrets at any depth", () => {
  const map = { a: secret("x"), b: [{ c: secret({ d: secret(1) }) }], e: UNKNOWN };
  expect(reveal(map)).toEqual({ a: "x", b: [{ c: { d: 1 } }], e: UNKNOWN });
  expect(redact(map)).toEqual({ a: "[secret]", b: [{ c: "[secret]" }], e: "[unknown]" });
});

it("gives a provider without resources the id of one, or else its URN", () => {
  expect(plain({ a: resource({ urn: "u", id: "i" }), b: [resource({ urn: "u" })], c: secret("x") })).toEqual({ a: "i", b: ["u"], c: "x" });
});

it("marks by name: objects deeply, lists as a whole, and only returned properties", () => {
  const model = { a: secret("x"), b: { c: secret("x"), d: 1 }, e: [secret("x"), "y"], f: secret("x") };
  expect(markLike({ a: 1, b: { c: 2, d: 3 }, e: ["y", "x"], g: 4 }, model)).toEqual({
    a: secret(1),
    b: { c: secret(2), d: 3 },
    e: secret(["y", "x"]),
    g: 4,
  });
});

it("compares JSON without regard to the order of keys", () => {
  expect(equal({ a: 1, b: [null, { c: "" }] }, { b: [null, { c: "" }], a: 1 })).toBe(true);
  for (const [a, b] of [
    [{ a: 1 }, { a: 1, b: 2 }],
    [[1], { 0: 1 }],
    [null, {}],
    [{ a: undefined }, { b: undefined }],
    ["1", 1],
  ])
    expect(equal(a, b)).toBe(false);
});
