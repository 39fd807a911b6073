import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { nearest } from "../../common/nearest";
import { defined, ownProperty } from "../../common/own-property";
import { record, valuesIn } from "../../common/record";
import { isRecord, recordOf, unknown } from "../../common/unknown";
import { type Field, type Fields, mayBeUnwritten } from "./fields";
import { withoutLimits } from "./limits";
import { labelInProgram } from "./text";

/** An invalid property: its path ("config.allowedRedirectUris[0]"), and the requirement that it breaks. */
export interface CheckFailure {
  readonly path: string;
  readonly reason: string;
}

export type Path = readonly (string | number)[];

/**
 * Collects failures, which are reported together. `isOld` marks values that the old inputs also have. They are not the program's mistake: a
 * server accepted them, or a refresh found them, and the engine uses them for inputs that the program ignores.
 */
export type Fail = (path: Path, reason: string, isOld?: boolean) => void;

/**
 * Checks a value against a field and applies the defaults. An unknown value of a preview is accepted anywhere, and everything around it is
 * checked. `old` is the value of the last update or refresh. If both are equal, a broken limit is reported with `isOld`, and the form is
 * not checked.
 */
export function checkField(field: Field, value: unknown, path: Path, fail: Fail, old?: unknown): unknown {
  if (value === unknown) return unknown;
  if (value === undefined || value === null) {
    if (field.defaultValue !== undefined) return structuredClone(field.defaultValue);
    if (!field.optional) fail(path, field.traits.missingReason ?? "is required");
    return undefined;
  }
  switch (field.shape.kind) {
    case "object":
      return checkObject(field.shape.properties, value, path, fail, old);
    case "list": {
      const { items } = field.shape;
      if (!Array.isArray(value)) return refused(value, path, `must be a list, not ${kindOf(value)}`, fail);
      checkLeaf(withoutItems(field.schema), value, path, fail, old);
      checkForm(field, value, path, fail, old);
      return value.map((item, index) => checkField(items, item, [...path, index], fail, old));
    }
    case "map": {
      const { values } = field.shape;
      if (!isRecord(value)) return refused(value, path, `must be a map, not ${kindOf(value)}`, fail);
      checkLeaf(withoutItems(field.schema), value, path, fail, old);
      const items = Object.entries(value).map(([key, item]): [string, unknown] => {
        return [key, checkField(values, item, [...path, key], fail, ownProperty(recordOf(old), key))];
      });
      return defined(Object.fromEntries(items));
    }
    case "leaf":
      checkLeaf(field.schema, value, path, fail, old);
      checkForm(field, value, path, fail, old);
      return value;
  }
}

/** Checks the form of a text, or of a list of texts. A value of another type has already failed. */
function checkForm({ shape, traits }: Field, value: unknown, path: Path, fail: Fail, old: unknown): void {
  const texts = shape.kind === "list" && Array.isArray(value) ? value : [value];
  if (!traits.form || !texts.every((item) => typeof item === "string")) return;
  if (isUnchanged(value, old)) return;
  const problem = traits.form(texts.join("\n"));
  // Several items may be parts of one text, so no single item is at fault.
  if (problem !== undefined) fail(shape.kind === "list" && texts.length === 1 ? [...path, 0] : path, problem);
}

/** Whether the old inputs have the value, too. For an item of a list, `old` is the whole old list: its order may differ. */
function isUnchanged(value: unknown, old: unknown): boolean {
  return isDeepStrictEqual(value, old) || (Array.isArray(old) && old.includes(value));
}

/** Whether the old inputs fail in the same way: then the program is not at fault. */
export function failsAsBefore(olds: object, rules: (fail: Fail) => void): (path: Path, reason: string) => boolean {
  const before = new Set<string>();
  // A new resource has no old inputs.
  if (Object.keys(olds).length > 0) rules((path, reason) => before.add(JSON.stringify([path, reason])));
  return (path, reason) => before.has(JSON.stringify([path, reason]));
}

/** The warning for an invalid value that is kept, because the old inputs have it. */
export function leftAsItIs(label: string, { name }: Record<string, unknown>, { path, reason }: CheckFailure): string {
  return (
    `${labelInProgram(label, name)}: ${path} ${reason}. The state has this value from the last update or refresh, and the program keeps or ignores it, ` +
    "so it is not changed. The server may refuse an update because of it: correct it there, or give it in the program, and remove it from ignoreChanges if that lists it."
  );
}

/** Checks the properties of an object, and refuses a property that its schema lacks. */
export function checkObject(
  properties: Fields,
  value: unknown,
  path: Path,
  fail: Fail,
  old?: unknown,
): Record<string, unknown> | undefined {
  if (!isRecord(value)) return void fail(path, `must be an object, not ${kindOf(value)}`);
  for (const key of Object.keys(value)) {
    if (!properties.has(key)) fail([...path, key], unexpected(key, [...properties.keys()]));
  }
  const olds = recordOf(old);
  const checked = [...properties].map(([name, field]) => {
    return [name, checkField(field, ownProperty(value, name), [...path, name], fail, ownProperty(olds, name))];
  });
  return defined(Object.fromEntries(checked));
}

/**
 * The checked inputs without defaults that have no effect on the object: the defaults of the provider's own settings, and of inputs without
 * a meaning for this type of object. So a preview of a create does not show them. Properties of the old inputs are kept, so existing
 * states stay as they are.
 */
export function withoutIdleDefaults(
  properties: Fields,
  checked: Record<string, unknown>,
  given: { readonly written: unknown; readonly olds: unknown },
  inputs = checked,
): Record<string, unknown> {
  const kept = Object.entries(checked).flatMap(([name, value]): [string, unknown][] => {
    const field = properties.get(name);
    const [written, olds] = [ownProperty(recordOf(given.written), name), ownProperty(recordOf(given.olds), name)];
    if (!field || (isIdle(field, inputs) && (written ?? olds ?? undefined) === undefined)) return [];
    if (field.shape.kind !== "object" || !isRecord(value)) return [[name, value]];
    return [[name, withoutIdleDefaults(field.shape.properties, value, { written, olds }, inputs)]];
  });
  return Object.fromEntries(kept);
}

function isIdle(field: Field, inputs: Record<string, unknown>): boolean {
  const { onlyWhere } = field.traits;
  const decisive = onlyWhere && inputs[onlyWhere.input];
  return mayBeUnwritten(field) && !(onlyWhere && (decisive === onlyWhere.is || decisive === unknown));
}

/**
 * A path as a text, such as `config.allowedRedirectUris[0]`. Keys that are not names are quoted: `config.claimMappings["https://x/user"]`.
 */
export function formatPath(path: Path, quote: (key: string) => string = JSON.stringify): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `[${quote(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}

/**
 * Reports a value of the wrong type, and returns it like any other invalid value, so the rules between properties don't count it as left
 * out.
 */
function refused(value: unknown, path: Path, reason: string, fail: Fail): unknown {
  fail(path, reason);
  return value;
}

/** The schema of a list or map with any items. The items are checked one by one, each under its own path. */
function withoutItems(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: z.unknown() });
  if (valuesIn(schema)) return record(z.unknown());
  return schema;
}

function checkLeaf(schema: z.ZodType, value: unknown, path: Path, fail: Fail, old: unknown): void {
  const result = schema.safeParse(value);
  if (result.success) return;
  const isOld = isUnchanged(value, old) && withoutLimits(schema).safeParse(value).success;
  for (const issue of result.error.issues) {
    const own = issue.path.filter((step) => typeof step !== "symbol");
    fail([...path, ...own], issue.message.replace(/^Invalid (?:input|option): /, "is invalid: "), isOld);
  }
}

function unexpected(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return `is not a property here${near ? `; did you mean ${near}?` : `; the properties are ${known.join(", ")}`}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return isRecord(value) ? "an object" : `a ${typeof value}`;
}
