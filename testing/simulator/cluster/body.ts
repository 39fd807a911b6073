import * as z from "zod";
import { InvalidDuration, readDuration } from "../../../common/durations";
import { fromTime, toTime } from "./clock";
import { formatDuration } from "./durations";
import { Refusal } from "./refusal";

/** Decodes a body. @throws Refusal 400 */
export function decodeBody<Value>(form: z.ZodType<Value>, body: string): Value {
  if (body === "") throw new Refusal(400, "Request body is empty");
  const parsed = form.safeParse(jsonIn(body));
  if (parsed.success) return parsed.data;
  throw new Refusal(400, `invalid body: ${parsed.error.issues.map(({ path, message }) => [...path, message].join(": ")).join("; ")}`);
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, "the body is not JSON");
  }
}

/** An object as the server reads it: the letter case of keys does not matter, null is left out, and unknown keys are ignored. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]));
  const known = (given: unknown) => {
    if (typeof given !== "object" || Array.isArray(given)) return given;
    return Object.fromEntries(
      Object.entries(given ?? {}).flatMap(([key, value]) => {
        const name = names.get(key.toLowerCase());
        return name === undefined || value === null ? [] : [[name, value]];
      }),
    );
  };
  return z.preprocess(known, z.object(shape));
}

export const optionalText = z.string().optional();
export const text = z.string().default("");
export const flag = z.boolean().default(false);

const item = z
  .string()
  .nullable()
  .transform((given) => given ?? "");
/** A list of texts; null for a missing one. */
export const texts = z.array(item).nullable().default(null);

/** A map with any keys, sorted by key; null for a missing one. */
export const textMap = z
  .custom<object>((given) => typeof given === "object" && !Array.isArray(given), "must be an object")
  .transform((given) => Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)))
  .pipe(z.array(z.tuple([z.string(), item])))
  .transform((entries): Record<string, string> => Object.fromEntries(entries))
  .nullable()
  .default(null);

/** A time in RFC 3339. */
export const time = z.iso
  .datetime({ offset: true })
  .transform((given) => toTime(fromTime(given)))
  .optional();

/**
 * A duration in the server's form, such as "1h0m0s", from a text or a number of nanoseconds; "" if it is missing or 0. @param isEmptyValid
 * whether an empty text counts as missing
 */
export function duration({ isEmptyValid }: { isEmptyValid: boolean }) {
  return z
    .union([z.number(), z.string()])
    .transform((given, context) => {
      if (given === "" && isEmptyValid) return "";
      try {
        const nanoseconds = typeof given === "string" ? readDuration(given) : toInt64(given);
        return nanoseconds === 0n ? "" : formatDuration(nanoseconds);
      } catch (error) {
        if (!(error instanceof InvalidDuration)) throw error;
        context.addIssue(error.message);
        return z.NEVER;
      }
    })
    .default("");
}

/** Converts a number to an int64 as Go does: numbers beyond 64 bits become the lowest int64. */
function toInt64(given: number): bigint {
  const whole = BigInt(Math.trunc(given));
  return BigInt.asIntN(64, whole) === whole ? whole : -(2n ** 63n);
}
