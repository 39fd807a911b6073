import { isRecord, unknown } from "../../common/unknown";
import { samples } from "../../test/kinds";
import { operationWith } from "../../test/support/session";
import type { Resource } from "../lifecycle/resource";
import type { CheckFailure } from "../model/check";
import { formatPath } from "../model/check";
import { changesOf } from "../model/diff";
import type { Field, Fields } from "../model/fields";
import type { Properties } from "../model/remote";

describe.each(samples)("$kind", ({ resource, example, cases }) => {
  test("the table has every input, at any depth", () => {
    expect([...pathsOf(resource.inputs)].sort()).toEqual(Object.keys(cases).sort());
  });

  test("the example is valid", () => {
    expect(check(resource, example).failures).toEqual([]);
  });

  describe.each(Object.entries(cases))("%s", (path, one) => {
    const at = (value: unknown) => withValue(example, path.split("."), value);
    const diff = (from: unknown, to: unknown) => changesOf(resource.inputs, at(from), at(to));

    test("that is left out or null becomes its default, or is refused", () => {
      for (const absent of [undefined, null]) {
        const checked = check(resource, at(absent));
        if ("fails" in one.leftOut) expect(checked.failures).toEqual([{ path, reason: one.leftOut.fails }]);
        else {
          expect(checked.failures).toEqual([]);
          expect(valueAt(checked.inputs, path.split("."))).toEqual(one.leftOut.value);
        }
      }
    });

    test("keeps valid values up to the limits unchanged", () => {
      for (const value of one.accepts) {
        const checked = check(resource, at(value));
        expect({ value, failures: checked.failures }).toEqual({ value, failures: [] });
        expect(JSON.stringify(valueAt(checked.inputs, path.split(".")))).toBe(JSON.stringify(value));
      }
    });

    test("refuses invalid values by their path", () => {
      for (const [value, reason, below = ""] of one.refuses) {
        const failures = check(resource, at(value)).failures;
        expect({ value, failures }).toEqual({ value, failures: [{ path: `${path}${below}`, reason }] });
      }
    });

    test("may be unknown in a preview", () => {
      const checked = check(resource, at(unknown));
      expect(checked.failures).toEqual([]);
      expect(valueAt(checked.inputs, path.split("."))).toBe(unknown);
    });

    test("has traits and a description", () => {
      const field = fieldAt(resource.inputs, path.split("."));
      const { missingReason: __, form: ___, source: ____, meaning: _____, ...traits } = field.traits;
      expect(traits).toEqual(one.traits ?? {});
      expect(field.description).toMatch(/\.$/);
    });

    test("has no change between two spellings of a value", () => {
      for (const [a, b] of one.same) {
        expect({ a, b, changes: diff(a, b) }).toEqual({ a, b, changes: [] });
        expect({ b, a, changes: diff(b, a) }).toEqual({ b, a, changes: [] });
      }
    });

    test("has exactly one change between two values, with the right replacement", () => {
      const { from, to, kind = "update", below = "" } = one.change;
      const changes = diff(from, to).map((change) => ({ ...change, path: formatPath(change.path) }));
      expect(changes).toEqual([{ path: `${path}${below}`, kind, replaces: one.traits?.replaces === true }]);
    });

    test("has a change to an unknown value", () => {
      expect(diff(one.change.to, unknown).map((change) => formatPath(change.path))).toEqual([path]);
    });
  });
});

function check(resource: Resource, inputs: Properties): { inputs: Properties; failures: CheckFailure[] } {
  return resource.check({ context: operationWith({}).context, olds: {}, resourceName: undefined }, inputs);
}

function* pathsOf(properties: Fields, above = ""): Generator<string> {
  for (const [name, { shape }] of properties) {
    yield `${above}${name}`;
    if (shape.kind === "object") yield* pathsOf(shape.properties, `${above}${name}.`);
  }
}

function fieldAt(properties: Fields, [name = "", ...rest]: readonly string[]): Field {
  const field = properties.get(name);
  if (!field) throw new Error(`no input ${name}`);
  return rest.length > 0 && field.shape.kind === "object" ? fieldAt(field.shape.properties, rest) : field;
}

function withValue(properties: Properties, [name = "", ...rest]: readonly string[], value: unknown): Properties {
  const below = properties[name];
  return { ...properties, [name]: rest.length > 0 ? withValue(isRecord(below) ? below : {}, rest, value) : value };
}

function valueAt(properties: Properties, [name = "", ...rest]: readonly string[]): unknown {
  const value = properties[name];
  return rest.length > 0 ? valueAt(isRecord(value) ? value : {}, rest) : value;
}
