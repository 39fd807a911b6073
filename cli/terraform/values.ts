import * as z from "zod";
import { ownProperty } from "../../common/own-property";
import { record } from "../../common/record";
import { isRecord, recordOf } from "../../common/unknown";
import type { Field, Fields, Properties, Resource } from "../../provider/internal";

/** Paths of inputs with special values in Terraform's resource. */
interface Paths {
  /** Secrets that the state holds and the API does not return. */
  readonly hidden: string[];
  /** Texts that are sensitive in Terraform, although the API returns them. Words of enumerations are in `marked`. */
  readonly sensitive: string[];
  /** Other values that are sensitive in Terraform. */
  readonly marked: string[];
  /** Values of an unexpected type. */
  readonly strange: string[];
}

export interface TerraformValues extends Paths {
  /** The inputs, without secret and sensitive values. */
  readonly inputs: Properties;
}

/** Reads inputs. Their names equal Terraform's except for case and underscores: `oidc_disable_userinfo` is `oidcDisableUserInfo`. */
export function readValues(resource: Resource, values: Properties, marks: unknown): TerraformValues {
  const paths: Paths = { hidden: [], sensitive: [], marked: [], strange: [] };
  return { ...paths, inputs: propertiesOf(resource.inputs, { value: values, mark: marks, path: "" }, paths) };
}

/** A value, Terraform's marks for sensitive parts of it, and its path. */
interface ValuePlace {
  readonly value: unknown;
  readonly mark: unknown;
  readonly path: string;
}

function propertiesOf(properties: Fields, { value, mark, path }: ValuePlace, paths: Paths): Record<string, unknown> {
  const values = recordOf(value);
  const keys = new Map(Object.keys(values).map((key) => [folded(key), key]));
  const entries = [...properties].flatMap(([name, field]): [string, unknown][] => {
    const key = keys.get(folded(name)) ?? name;
    const below = {
      value: ownProperty(values, key),
      mark: isRecord(mark) ? ownProperty(mark, key) : mark,
      path: path === "" ? name : `${path}.${name}`,
    };
    if (field.traits.secret) {
      // For a write-only secret, the state has only a version number.
      if (below.value || typeof ownProperty(values, `${key}_wo_version`) === "number") paths.hidden.push(below.path);
      return [];
    }
    const read = readValue(field, below, paths);
    return read === undefined ? [] : [[name, read]];
  });
  return Object.fromEntries(entries);
}

function readValue(field: Field, place: ValuePlace, paths: Paths): unknown {
  const { shape, schema, defaultValue } = field;
  if (shape.kind === "object") return objectOf(shape.properties, place, paths);
  const { value, mark, path } = place;
  if (value === undefined || value === null) return defaultValue;
  // A Pulumi state lacks the values of secrets, so their form is unknown.
  if (mark !== true && !form(shape.kind, schema).safeParse(value).success) {
    paths.strange.push(path);
    return undefined;
  }
  if (!isMarked(mark)) return value;
  // A text of the configuration can't replace a list, or a word of an enumeration.
  (form(shape.kind, schema) instanceof z.ZodString && !(schema instanceof z.ZodEnum) ? paths.sensitive : paths.marked).push(path);
  return undefined;
}

/** A block, which is a list with one item in older versions of the providers. */
function objectOf(properties: Fields, { value, mark, path }: ValuePlace, paths: Paths): unknown {
  const [only, ...more] = Array.isArray(value) ? value : [value];
  if (only === undefined || only === null) return undefined;
  if (isRecord(only) && more.length === 0) {
    return propertiesOf(properties, { value: only, mark: Array.isArray(mark) ? mark[0] : mark, path }, paths);
  }
  (mark === true && !isRecord(only) ? paths.marked : paths.strange).push(path);
  return undefined;
}

const texts = z.array(z.string());
const map = record(z.string());

function form(kind: Exclude<Field["shape"]["kind"], "object">, schema: z.ZodType): z.ZodType {
  if (kind === "list") return texts;
  if (kind === "map") return map;
  return schema instanceof z.ZodBoolean || schema instanceof z.ZodNumber ? schema : z.string();
}

/** Whether any part is sensitive in Terraform. */
export function isMarked(mark: unknown): boolean {
  return mark === true || (typeof mark === "object" && mark !== null && Object.values(mark).some(isMarked));
}

function folded(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
