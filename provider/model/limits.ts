import * as z from "zod";

/**
 * The schema without limits, for values that a server has: they are kept and sent back as they are, also where this version would not let a program give them.
 */
export function withoutLimits<S extends z.ZodType>(schema: S): S;
export function withoutLimits(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(Object.entries(schema.def.shape).map(([name, child]) => [name, loose(child)]));
    return schema.clone({ ...schema.def, shape });
  }
  if (schema instanceof z.ZodOptional) return schema.clone({ ...schema.def, innerType: loose(schema.def.innerType) });
  if (schema instanceof z.ZodDefault) return schema.clone({ ...schema.def, innerType: loose(schema.def.innerType) });
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: loose(schema.def.element), checks: [] });
  if (schema instanceof z.ZodRecord) return schema.clone({ ...schema.def, valueType: loose(schema.def.valueType), checks: [] });
  // A newer server knows more values than this version does, and another one answers an empty text for what is not set.
  if (schema instanceof z.ZodEnum) return z.string();
  return schema.clone({ ...schema.def, checks: [] });
}

function loose<T>(schema: T): T {
  return schema instanceof z.ZodType ? withoutLimits(schema) : schema;
}
