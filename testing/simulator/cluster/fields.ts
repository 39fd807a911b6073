import { InvalidDuration, readDuration } from "../../../common/durations";
import { formatDuration } from "./durations";
import type { Json } from "./go-json";
import { JsonError, parseJson } from "./go-json";
import { Refusal } from "./refusal";

/** Keeps the first error in a body: the server decodes the whole body, and reports the first error. */
class Problems {
  first: string | undefined;

  add(message: string): void {
    this.first ??= message;
  }
}

/**
 * Decodes a body as the server does: the letter case of keys does not matter, the last of equal keys wins, null leaves a
 * field as it was, unknown keys are ignored, and a value of the wrong type is an error.
 *
 * @throws Refusal 400 with the server's message.
 */
export function decodeBody<Value>(body: string, root: { type: string; path: string }, read: (fields: Fields) => Value): Value {
  if (body === "") throw new Refusal(400, "Request body is empty");
  let json: Json;
  try {
    json = parseJson(body);
  } catch (error) {
    if (error instanceof JsonError) throw new Refusal(400, error.message);
    throw error;
  }
  const problems = new Problems();
  if (json.kind !== "object" && json.kind !== "null") {
    problems.add(`json: cannot unmarshal ${json.kind} into Go value of type ${root.type}`);
  }
  const value = read(new Fields(json, root.path, problems));
  if (problems.first !== undefined) throw new Refusal(400, problems.first);
  return value;
}

/** The fields of one object in a body. */
export class Fields {
  private readonly members = new Map<string, Json>();

  constructor(
    json: Json,
    private readonly path: string,
    private readonly problems: Problems,
  ) {
    if (json.kind !== "object") return;
    for (const [key, value] of json.members) {
      if (value.kind !== "null") this.members.set(key.toLowerCase(), value);
    }
  }

  string(name: string): string {
    return this.optionalString(name) ?? "";
  }

  /** Undefined when it is left out, or null. */
  optionalString(name: string): string | undefined {
    const value = this.member(name);
    if (value?.kind === "string") return value.value;
    if (value) this.wrongType(name, value.kind, "string");
    return undefined;
  }

  boolean(name: string): boolean {
    const value = this.member(name);
    if (value?.kind === "bool") return value.value;
    if (value) this.wrongType(name, value.kind, "bool");
    return false;
  }

  /** A number that the server validates but does not use. */
  ignoredIndex(name: string): void {
    const value = this.member(name);
    if (value === undefined) return;
    if (value.kind !== "number") this.wrongType(name, value.kind, "uint64");
    else if (!/^\d+$/.test(value.literal)) this.wrongType(name, `number ${value.literal}`, "uint64");
  }

  /** Bytes that the server does not use; it validates only that they are base64. */
  ignoredBytes(name: string): void {
    const value = this.member(name);
    if (value === undefined) return;
    if (value.kind !== "string") this.wrongType(name, value.kind, "[]uint8");
    else if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value.value)) {
      const foreign = value.value.search(/[^A-Za-z0-9+/=]/);
      this.problems.add(`illegal base64 data at input byte ${foreign < 0 ? value.value.length - (value.value.length % 4) : foreign}`);
    }
  }

  /** RFC 3339, or undefined when it is not given. */
  time(name: string): string | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    if (value.kind !== "string") {
      this.problems.add("Time.UnmarshalJSON: input is not a JSON string");
      return undefined;
    }
    const text = value.value;
    const valid = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
    if (!valid)
      this.problems.add(
        `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(text)} as "2006"`,
      );
    return text.replace(/\.(\d+)/, (_, digits: string) => withoutLastZeros(digits));
  }

  /** "1h0m0s" of a text, or of a number of nanoseconds; "" for none. */
  duration(name: string, options: { emptyText: "unset" | "invalid"; otherTypes: "ignored" | "invalid" }): string {
    const value = this.member(name);
    if (value === undefined) return "";
    if (value.kind === "number") return durationText(this.nanoseconds(value.literal));
    if (value.kind !== "string") {
      if (options.otherTypes === "invalid") this.problems.add(`unexpected ${name} type: ${goText(value)}`);
      return "";
    }
    if (value.value === "" && options.emptyText === "unset") return "";
    try {
      return durationText(readDuration(value.value));
    } catch (error) {
      if (!(error instanceof InvalidDuration)) throw error;
      this.problems.add(error.message);
      return "";
    }
  }

  /** A number is read as one of 64 bits with a fraction, and made one without. What is too large for that becomes the smallest there is. */
  private nanoseconds(literal: string): bigint {
    const read = Number(literal);
    if (!Number.isFinite(read)) this.problems.add(`json: cannot unmarshal number ${literal} into Go value of type float64`);
    return Math.abs(read) < 2 ** 63 ? BigInt(Math.trunc(read)) : -(2n ** 63n);
  }

  strings(name: string): string[] | null {
    const value = this.member(name);
    if (value === undefined) return null;
    if (value.kind !== "array") {
      this.wrongType(name, value.kind, "[]string");
      return null;
    }
    return value.items.map((item) => this.text(name, item));
  }

  stringMap(name: string): Record<string, string> | null {
    const value = this.member(name);
    if (value === undefined) return null;
    if (value.kind !== "object") {
      this.wrongType(name, value.kind, "map[string]string");
      return null;
    }
    const entries = new Map(value.members.map(([key, item]) => [key, this.text(name, item)]));
    return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The fields of an object, or null when it is not given. `within` is what the server's messages call the place. */
  object(name: string, type: string, within = `${this.path}.${name}`): Fields | null {
    const value = this.member(name);
    if (value === undefined) return null;
    if (value.kind !== "object") this.wrongType(name, value.kind, type);
    return new Fields(value, within, this.problems);
  }

  objects(name: string, listType: string, type: string): Fields[] {
    const value = this.member(name);
    if (value === undefined) return [];
    if (value.kind !== "array") {
      this.wrongType(name, value.kind, listType);
      return [];
    }
    return value.items.map((item) => {
      if (item.kind !== "object" && item.kind !== "null") this.wrongType(name, item.kind, type);
      return new Fields(item, `${this.path}.${name}`, this.problems);
    });
  }

  private member(name: string): Json | undefined {
    return this.members.get(name.toLowerCase());
  }

  private text(name: string, value: Json): string {
    if (value.kind === "string") return value.value;
    if (value.kind !== "null") this.wrongType(name, value.kind, "string");
    return "";
  }

  private wrongType(name: string, found: string, wanted: string): void {
    this.problems.add(`json: cannot unmarshal ${found} into Go struct field ${this.path}.${name} of type ${wanted}`);
  }
}

/** An object in which nothing is set. */
export const noFields = new Fields({ kind: "null" }, "", new Problems());

/** A fraction without the zeros at its end. No expression, because one would look for them from every zero. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return end === 0 ? "" : `.${digits.slice(0, end)}`;
}

function durationText(nanoseconds: bigint): string {
  return nanoseconds === 0n ? "" : formatDuration(nanoseconds);
}

/** How Go prints a decoded value. */
function goText(value: Json): string {
  switch (value.kind) {
    case "null":
      return "<nil>";
    case "bool":
      return String(value.value);
    case "number":
      return value.literal;
    case "string":
      return value.value;
    case "array":
      return `[${value.items.map(goText).join(" ")}]`;
    case "object":
      return `map[${value.members
        .map(([key, item]) => `${key}:${goText(item)}`)
        .sort()
        .join(" ")}]`;
  }
}
