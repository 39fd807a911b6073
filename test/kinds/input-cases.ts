import type { Traits } from "../../provider/model/fields";

/** The expectations of one input. The tests put each value at the input's path in the resource's example. */
export interface InputCase {
  /** The result of leaving it out: a default, nothing, or a failure. */
  readonly leftOut: { readonly value: unknown } | { readonly fails: string };
  /** Accepted values, which check does not change, including the limits. */
  readonly accepts: readonly unknown[];
  /** Refused values with the reason, and the path below the input if only a part is wrong. */
  readonly refuses: readonly (readonly [value: unknown, reason: string, below?: string])[];
  /** Pairs of spellings with one meaning: no difference. */
  readonly same: readonly (readonly [unknown, unknown])[];
  /** One real change, its kind, and its path below the input. */
  readonly change: { readonly from: unknown; readonly to: unknown; readonly kind?: "add" | "delete" | "update"; readonly below?: string };
  /** The traits of the input, such as `secret` or `replaces`. */
  readonly traits?: Omit<Traits, "missingReason" | "form" | "meaning">;
}

export const nothing = { value: undefined };
export const notEmpty = "must not be empty";
export const required = { fails: "is required" };

/** The reason of a value of a wrong type. */
export const wrongType = (type: string, got: string) => `is invalid: expected ${type}, received ${got}`;

/** Allowed and refused values of a text with a form. */
interface Form {
  readonly right: readonly [string, string];
  readonly wrong: readonly (readonly [string, string])[];
}

/** An optional text. Without a form, any text is accepted. */
export function text(traits: InputCase["traits"] = {}, form?: Form): InputCase {
  return {
    leftOut: nothing,
    accepts: form ? ["", ...form.right] : ["a", "", "ä".repeat(300)],
    refuses: [
      [1, wrongType("string", "number")],
      [["a"], wrongType("string", "array")],
      [{ a: "b" }, wrongType("string", "object")],
      ...(form?.wrong ?? []),
    ],
    same: [
      [undefined, ""],
      [null, ""],
    ],
    change: { from: "a", to: "b" },
    traits,
  };
}

/** A text of at most 256 bytes or characters, empty by default. */
export function shortText(unit: "bytes" | "characters"): InputCase {
  const letter = unit === "bytes" ? "\u00e9" : "\u{1f600}";
  const most = unit === "bytes" ? 128 : 256;
  return {
    leftOut: { value: "" },
    accepts: ["", "x".repeat(256), letter.repeat(most)],
    refuses: [
      ["x".repeat(257), `must be at most 256 ${unit} long`],
      [letter.repeat(most + 1), `must be at most 256 ${unit} long`],
      [1, wrongType("string", "number")],
    ],
    same: [
      [undefined, ""],
      [null, ""],
    ],
    change: { from: "a", to: "" },
  };
}

/** An optional set of texts, each of a form or without limits. */
export function texts({ right: [a, b], wrong }: Form = { right: ["a", "b"], wrong: [] }): InputCase {
  return {
    leftOut: nothing,
    accepts: [[], [a], [b, a, b]],
    refuses: [
      [a, "must be a list, not a string"],
      [{ 0: a }, "must be a list, not an object"],
      [[a, 1], wrongType("string", "number"), "[1]"],
      [[a, null], "is required", "[1]"],
      ...wrong.map(([value, reason]) => [[a, value], reason, "[1]"] as const),
    ],
    same: [
      [
        ["a", "b"],
        ["b", "a", "b"],
      ],
      [undefined, []],
    ],
    change: { from: ["a", "b"], to: ["a", "b", "c"], kind: "add", below: "[2]" },
    traits: { set: true },
  };
}

/** An optional map of texts. */
export function map(): InputCase {
  return {
    leftOut: nothing,
    accepts: [{}, { a: "1", A: "2", "https://x/y": "3" }, Object.fromEntries([["__proto__", "p"]])],
    refuses: [
      ["a", "must be a map, not a string"],
      [["a"], "must be a map, not a list"],
      [{ "a b": 1 }, wrongType("string", "number"), '["a b"]'],
    ],
    same: [
      [
        { a: "1", b: "2" },
        { b: "2", a: "1" },
      ],
      [undefined, {}],
    ],
    change: { from: { a: "1", b: "2" }, to: { a: "1", b: "3" }, below: ".b" },
  };
}

/** A flag that is off unless set. */
export function flag(traits: InputCase["traits"] = {}): InputCase {
  return {
    leftOut: traits.local ? nothing : { value: false },
    accepts: [true, false],
    refuses: [
      ["true", wrongType("boolean", "string")],
      [0, wrongType("boolean", "number")],
    ],
    same: [
      [undefined, false],
      [null, false],
    ],
    change: { from: false, to: true },
    traits,
  };
}

const notADuration = 'must be a duration like "60s", "5m" or "1h0m0s"';

/** A length of time. */
export function duration(leftOut: InputCase["leftOut"], alsoSame: InputCase["same"] = []): InputCase {
  return {
    leftOut,
    accepts: ["60s", "5m", "1h0m0s", "1.5h", "-1s", "0"],
    refuses: [
      ["", notADuration],
      ["60", notADuration],
      ["1 hour", notADuration],
      ["2562048h", notADuration],
      [60, wrongType("string", "number")],
    ],
    same: [["60m", "1h0m0s"], ["90s", "1m30s"], ["-1s", "-1000ms"], ...alsoSame],
    change: { from: "1h", to: "1h1s" },
    traits: { duration: true },
  };
}

/** A length of time that servers refuse if it is 0 or less. */
export function ttl(leftOut: InputCase["leftOut"]): InputCase {
  const any = duration(leftOut);
  const wrong = ["0", "0s", "-0s", "-1s", "-1h"].map((value) => [value, "must be more than 0"] as const);
  return { ...any, accepts: ["60s", "5m", "1h0m0s", "1.5h", "1ns"], refuses: [...any.refuses, ...wrong] };
}

/** The input `adopt`. */
export const adopt: InputCase = {
  leftOut: nothing,
  accepts: [true, false, "overwrite"],
  refuses: [
    ["yes", 'must be true, false or "overwrite"'],
    [1, 'must be true, false or "overwrite"'],
  ],
  same: [
    [undefined, false],
    [null, false],
  ],
  change: { from: false, to: "overwrite" },
  traits: { local: true },
};

/** One of a few words. */
export function word(accepts: readonly string[], reason: string, leftOut: InputCase["leftOut"] = required): InputCase {
  const [from, to] = accepts;
  return {
    leftOut,
    accepts,
    refuses: [
      ["", reason],
      [accepts.join(""), reason],
      [from?.toUpperCase() === from ? from?.toLowerCase() : from?.toUpperCase(), reason],
      [1, reason],
    ],
    same: [[from, from]],
    change: { from, to },
  };
}
