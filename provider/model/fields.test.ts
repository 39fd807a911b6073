import * as z from "zod";
import { record } from "../../common/record";
import { field, fieldOf, propertiesOf } from "./fields";

test("a field is what stands below optional and default, and knows both", () => {
  const text = fieldOf(field(z.string().default("x"), "A text."));
  expect(text).toMatchObject({ description: "A text.", optional: true, defaultValue: "x", shape: { kind: "leaf" } });
  expect(text.schema).toBeInstanceOf(z.ZodString);
  expect(fieldOf(field(z.string(), ""))).toMatchObject({ optional: false, defaultValue: undefined });
  expect(fieldOf(field(z.string().optional(), ""))).toMatchObject({ optional: true, defaultValue: undefined });
});

test("the outermost description and traits count", () => {
  const inner = field(z.string(), "inner", { secret: true });
  expect(fieldOf(field(inner.optional(), "outer", { replaces: true }))).toMatchObject({ description: "outer", traits: { replaces: true } });
  expect(fieldOf(inner.optional())).toMatchObject({ description: "inner", traits: { secret: true } });
});

test("what nobody has described has no description and no traits", () => {
  expect(fieldOf(z.string())).toMatchObject({ description: "", traits: {} });
});

test("objects, lists and maps are read to their depth", () => {
  const schema = z.object({
    list: field(z.array(field(z.number(), "An item.")), "A list.", { set: true }),
    map: field(record(z.boolean()), "A map."),
    below: field(z.object({ deep: field(z.string(), "Deep.", { secret: true }) }).optional(), "Below."),
  });
  const properties = propertiesOf(schema);
  expect([...properties.keys()]).toEqual(["list", "map", "below"]);
  expect(properties.get("list")).toMatchObject({ traits: { set: true }, shape: { kind: "list", items: { description: "An item." } } });
  expect(properties.get("map")).toMatchObject({ shape: { kind: "map", values: { shape: { kind: "leaf" } } } });
  const below = properties.get("below");
  expect(below?.shape.kind === "object" && below.shape.properties.get("deep")?.traits).toEqual({ secret: true });
});

test("the tree of a schema is made once", () => {
  const schema = z.object({ a: z.string() });
  expect(fieldOf(schema)).toBe(fieldOf(schema));
});
