import * as z from "zod";
import { record, valuesIn } from "../../common/record";

/**
 * The schema without limits, for values of a server: they are kept and sent back unchanged, even if this version would refuse them in a
 * program.
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
  const values = valuesIn(schema);
  if (values) return record(loose(values));
  // A newer server has additional values, and some servers return an empty text for an unset field.
  if (schema instanceof z.ZodEnum) return z.string();
  return schema.clone({ ...schema.def, checks: [] });
}

function loose<T>(schema: T): T {
  return schema instanceof z.ZodType ? withoutLimits(schema) : schema;
}
