import * as z from "zod";
import { defined, ownProperty } from "../../common/own-property";
import { isRecord } from "../../common/unknown";
import { sameMeaning } from "./diff";
import type { Field } from "./fields";
import type { Properties } from "./remote";

/** The schema of a state's inputs and outputs. Any may be missing, because an older version may have written the state. */
export function stateSchema<I extends z.ZodRawShape, O extends z.ZodRawShape>(inputs: z.ZodObject<I>, outputs: z.ZodObject<O>) {
  return z.object({ ...inputs.partial().shape, ...outputs.partial().shape });
}

export type StateOf<I extends z.ZodObject, O extends z.ZodObject> = z.output<ReturnType<typeof stateSchema<I["shape"], O["shape"]>>>;

/** A state in this version's form. A value that another version wrote in a different form counts as missing. */
export function parseState<S extends z.ZodObject>(schema: S, olds: Properties): z.output<S> {
  const whole = schema.safeParse(olds);
  if (whole.success) return whole.data;
  const foreign = new Set(whole.error.issues.map((issue) => issue.path[0]));
  return schema.parse(Object.fromEntries(Object.entries(olds).filter(([name]) => !foreign.has(name))));
}

/**
 * A value without the properties that have their defaults; undefined if the value is a default itself. A value of a field with the trait
 * `emptyMatters` stays.
 */
export function withoutDefaults(field: Field, value: unknown): unknown {
  if (field.optional && !field.traits.emptyMatters && sameMeaning(field, value, undefined)) return undefined;
  const { shape } = field;
  if (shape.kind !== "object" || !isRecord(value)) return value;
  return defined(
    Object.fromEntries([...shape.properties].map(([name, child]) => [name, withoutDefaults(child, ownProperty(value, name))])),
  );
}
