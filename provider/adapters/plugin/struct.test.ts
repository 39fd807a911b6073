import fc from "fast-check";
import { cases } from "../../../test/support/seed";
import { BinaryReader, BinaryWriter, Struct } from "./grpc";
import { type Struct as Properties, readStruct, type Value, writeStruct } from "./struct";

const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom("", "\ufeff", "\ufffd", "\0", "\ud800", "constructor"));
// The generated class would take the value of `__proto__` as the prototype.
const key = text.filter((name) => name !== "__proto__");
const { properties } = fc.letrec<{ value: Value; properties: Properties }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("properties"),
  ),
  properties: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));

const theirBytes = (value: Properties) => Struct.fromJavaScript(value).serializeBinary();
const theirValue = (bytes: Uint8Array) => Struct.deserializeBinary(bytes).toJavaScript();
const ourValue = (bytes: Uint8Array) => readStruct(new BinaryReader(bytes));
function ourBytes(value: Properties): Uint8Array {
  const writer = new BinaryWriter();
  writeStruct(value, writer);
  return writer.getResultBuffer();
}

/** The text of the value shows the order of the properties, too; JSON has no NaN. */
const shown = (value: unknown) =>
  JSON.stringify(value, (_, item) => (typeof item === "number" ? `number ${Object.is(item, -0) ? "-0" : item}` : item));
const shownOrError = (read: (bytes: Uint8Array) => unknown, bytes: Uint8Array) => {
  try {
    return shown(read(bytes));
  } catch {
    return "an error";
  }
};

test("properties are written as by the generated class, except for their order", () => {
  fc.assert(
    fc.property(properties, (given) => {
      expect(ourBytes(given)).toHaveLength(theirBytes(given).length);
      expect(shown(theirValue(ourBytes(given)))).toBe(shown(theirValue(theirBytes(given))));
    }),
    cases(),
  );
});

test("properties are read as by the generated class, in the same order", () => {
  fc.assert(
    fc.property(properties, (given) => expect(shown(ourValue(theirBytes(given)))).toBe(shown(theirValue(theirBytes(given))))),
    cases(),
  );
});

test("bytes that end early are read as by the generated class, wherever they end", () => {
  fc.assert(
    fc.property(properties, fc.nat(), (given, place) => {
      const whole = theirBytes(given);
      const bytes = whole.slice(0, place % (whole.length + 1));
      expect(shownOrError(ourValue, bytes)).toBe(shownOrError(theirValue, bytes));
    }),
    cases({ numRuns: 1000 }),
  );
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [Number.NEGATIVE_INFINITY], [-0], [2 ** 53 + 2], [5e-324]])(
  "%p is the same on both sides",
  (value) => {
    expect(ourValue(theirBytes({ value }))).toStrictEqual({ value });
    expect(theirValue(ourBytes({ value }))).toStrictEqual({ value });
  },
);

test("deeply nested and long values are the same as with the generated class", () => {
  let deep: Properties = { "": [[], {}], end: "x".repeat(100_000) };
  for (let depth = 0; depth < 200; depth++) deep = { [`level ${depth}`]: [deep] };
  expect(shown(ourValue(ourBytes(deep)))).toBe(shown(theirValue(theirBytes(deep))));
});

test("__proto__ is a name like any other", () => {
  const given = Object.fromEntries([["__proto__", { polluted: true }]]);
  expect(Object.entries(ourValue(ourBytes(given)))).toEqual([["__proto__", { polluted: true }]]);
});

describe("other encodings that the engine may send:", () => {
  /** Fields that the message does not have, of each wire type: a varint, eight bytes, a text, a group with a field in it, four bytes. */
  const strangers = ["78ffffffffffffffffff01", "790102030405060708", "7a020aff", "7b0a01617c", "7d01020304"];
  const bytesOf = (hex: string) => Buffer.from(hex, "hex");
  const field = (number: number, ...parts: Uint8Array[]) => {
    const writer = new BinaryWriter();
    writer.writeBytes(number, new Uint8Array(Buffer.concat(parts)));
    return writer.getResultBuffer();
  };
  const [name, yes, no] = [field(1, Buffer.from("a")), bytesOf("2001"), bytesOf("2000")];
  const concat = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

  test.each(strangers)("the unknown field %s is skipped anywhere", (hex) => {
    const stranger = bytesOf(hex);
    const value = field(2, stranger, yes, stranger);
    const bytes = concat(stranger, field(1, name, value), stranger);
    expect(theirValue(bytes)).toEqual({ a: true });
    expect(ourValue(bytes)).toEqual({ a: true });
    // Between the name and the value of a property, the generated class does not skip it.
    expect(ourValue(field(1, stranger, name, stranger, value, stranger))).toEqual({ a: true });
    expect(ourValue(field(1, name, field(2, field(6, stranger, field(1, yes)))))).toEqual({ a: [true] });
  });

  test.each([
    ["the last one of two properties with a name counts", concat(field(1, field(2, no), name), field(1, name, field(2, yes)))],
    ["the last kind of a value counts", field(1, name, field(2, field(3, Buffer.from("x")), yes))],
    ["a varint may be longer than necessary", field(1, name, field(2, bytesOf("2081808000")))],
  ])("%s", (_, bytes) => {
    expect(theirValue(bytes)).toEqual({ a: true });
    expect(ourValue(bytes)).toEqual({ a: true });
  });

  test("a property without its name has the empty one", () => {
    expect(theirValue(field(1, field(2, yes)))).toEqual({ "": true });
    expect(ourValue(field(1, field(2, yes)))).toEqual({ "": true });
  });

  test.each([
    ["bytes that are no UTF-8", field(1, name, field(2, field(3, bytesOf("61ffc3"))))],
    ["a value without a kind", field(1, name, field(2))],
    ["a property without a value", field(1, name)],
    ["a number that does not end", new Uint8Array(20).fill(0xff)],
    ["a length beyond the end", concat(name, bytesOf("0a7f"))],
  ])("%s are an error for both", (_, bytes) => {
    expect(() => theirValue(bytes)).toThrow();
    expect(() => ourValue(bytes)).toThrow();
  });
});
