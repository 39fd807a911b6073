import { unknown } from "../model/unknown";
import { fromEngine, recordFromEngine, recordToEngine, toEngine } from "./values";

const marker = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

test("the engine's marker for the unknown and the core's symbol stand for each other, at any depth", () => {
  const engine = { a: marker, b: [marker, "x"], c: { d: [{ e: marker }] }, f: null, g: 1, h: true };
  const core = { a: unknown, b: [unknown, "x"], c: { d: [{ e: unknown }] }, f: null, g: 1, h: true };
  expect(recordFromEngine(engine)).toEqual(core);
  expect(recordToEngine(core)).toEqual(engine);
  expect(fromEngine(marker)).toBe(unknown);
  expect(toEngine(unknown)).toBe(marker);
});

test("a text that holds the marker is a text", () => {
  expect(fromEngine(` ${marker}`)).toBe(` ${marker}`);
});

test("undefined, which the engine's messages can't hold, is left out of objects and is null in lists", () => {
  expect(recordToEngine({ a: undefined, b: { c: undefined, d: 1 }, e: [undefined, 1] })).toStrictEqual({ b: { d: 1 }, e: [null, 1] });
});

test.each(["__proto__", "constructor"])("%s is a key like any other", (key) => {
  const record = Object.fromEntries([[key, "v"]]);
  expect(Object.entries(recordFromEngine({ map: record }).map ?? {})).toEqual([[key, "v"]]);
  expect(Object.entries(recordToEngine({ map: record }).map ?? {})).toEqual([[key, "v"]]);
});
