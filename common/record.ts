import * as z from "zod";

const valuesOf = new WeakMap<z.ZodType, z.ZodType>();

/** A map with keys of the user, such as names of claims. zod's own record silently drops the key `__proto__`, which is a valid name. */
export function record<Value extends z.ZodType>(values: Value) {
  const schema = z.unknown().transform((given, context): Record<string, z.output<Value>> => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      context.issues.push({ code: "invalid_type", expected: "record", input: given });
      return z.NEVER;
    }
    const entries = Object.entries(given).flatMap(([key, value]): [string, z.output<Value>][] => {
      const { success, data, error } = values.safeParse(value);
      if (success) return [[key, data]];
      for (const issue of error.issues) context.issues.push({ ...issue, input: value, path: [key, ...issue.path] });
      return [];
    });
    // `fromEntries` makes `__proto__` an own property; an assignment would set the prototype.
    return Object.fromEntries(entries);
  });
  valuesOf.set(schema, values);
  return schema;
}

/** The schema of a record's values; undefined for a schema that is no record. */
export function valuesIn(schema: z.ZodType): z.ZodType | undefined {
  return valuesOf.get(schema);
}
