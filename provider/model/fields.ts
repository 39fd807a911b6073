import * as z from "zod";
import { parseDuration } from "../../common/durations";
import { valuesIn } from "../../common/record";

/** The meaning of a property beyond its type, for check, diff, both adapters and schema.json. */
export interface Traits {
  /** Always a secret, even if the program does not mark it. */
  readonly secret?: true;
  /** A change needs a new object. */
  readonly replaces?: true;
  /** A change to this value needs a new object. */
  readonly replacesTo?: string;
  /** A list whose order and repeats have no meaning. */
  readonly set?: true;
  /** Compared as a duration: 60m is 1h0m0s. */
  readonly duration?: true;
  /**
   * The meaning of a text, for comparisons: two texts with one meaning are equal. Undefined for a text without a meaning, which equals only
   * itself.
   */
  readonly meaning?: (text: string) => string | undefined;
  /** Read by this provider only, and never sent to the API. Its default is not written to the inputs. */
  readonly local?: true;
  /**
   * It has a meaning only if another input of the resource has this value. With another value there, the default of this one is not written
   * to the inputs.
   */
  readonly onlyWhere?: { readonly input: string; readonly is: string };
  /** For an input that check computes if the program leaves it out: the error if check can't. */
  readonly missingReason?: string;
  /** For an output: an update does not change it, so a preview knows it. */
  readonly stable?: true;
  /** For an output: a response may leave it out, such as a secret that only a create returns. Then it stays as the state has it. */
  readonly kept?: true;
  /**
   * The section of the API's document, or of the service's public reference, that describes the property. The package's reference names
   * the section; the descriptions in an editor don't.
   */
  readonly source?: string;
  /** An empty value differs from one that is left out, so an import writes it out. */
  readonly emptyMatters?: true;
  /**
   * The check of a text's form, which reports an error only if it is certain. For a list, it gets the texts joined by line breaks. It is
   * not called for values of the last update: a server has accepted them, and may support more than this version.
   */
  readonly form?: ((text: string) => string | undefined) | undefined;
}

interface Meta extends Traits {
  readonly description: string;
}

const registry = z.registry<Meta>();

/** Gives a schema its description (Markdown; it is also the text in schema.json) and its traits. */
export function field<S extends z.ZodType>(schema: S, description: string, traits: Traits = {}): S {
  registry.add(schema, { description, ...traits });
  return schema;
}

/** A duration in Go's syntax. */
export const duration = z.string().refine((value) => parseDuration(value) !== undefined, 'must be a duration like "60s", "5m" or "1h0m0s"');

/** A property for check, diff and the schema: a tree derived from the zod schema. */
export interface Field {
  readonly schema: z.ZodType;
  readonly description: string;
  readonly traits: Traits;
  readonly optional: boolean;
  /** The default of the property, if it has one. */
  readonly defaultValue: unknown;
  readonly shape: Shape;
}

/** The properties of an object by their names. */
export type Fields = ReadonlyMap<string, Field>;

export type Shape =
  | { readonly kind: "leaf" }
  | { readonly kind: "list"; readonly items: Field }
  | { readonly kind: "map"; readonly values: Field }
  | { readonly kind: "object"; readonly properties: Fields };

/** Whether a program may leave a property out: because it is optional, has a default, or is computed. */
export function mayBeLeftOut({ optional, traits }: Field): boolean {
  return optional || traits.missingReason !== undefined;
}

/** Whether check may leave the property's default out of the inputs. */
export function mayBeUnwritten({ defaultValue, traits }: Field): boolean {
  return defaultValue !== undefined && (traits.local === true || traits.onlyWhere !== undefined);
}

/** Whether a function's result always has the property: because it is required, or has a default. */
export function isInResults({ optional, defaultValue }: Field): boolean {
  return !optional || defaultValue !== undefined;
}

/** Whether a resource's outputs, which echo the inputs, always have the property. */
export function isInOutputs(field: Field): boolean {
  return isInResults(field) && !mayBeUnwritten(field);
}

const fields = new WeakMap<z.ZodType, Field>();

/** The field tree of a schema. */
export function fieldOf(schema: z.ZodType): Field {
  const known = fields.get(schema);
  if (known) return known;
  const made = describe(schema);
  fields.set(schema, made);
  return made;
}

/** The fields of an object schema by name. */
export function propertiesOf(schema: z.ZodObject): Fields {
  const { shape } = fieldOf(schema);
  return shape.kind === "object" ? shape.properties : new Map();
}

/** The sections of the API's documents, each with the paths of the properties that it describes, including nested ones. */
export function sourcesOf(properties: Fields, above = ""): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, readonly string[]>();
  const add = (source: string, paths: readonly string[]) => sources.set(source, [...(sources.get(source) ?? []), ...paths]);
  for (const [name, { traits, shape }] of properties) {
    if (traits.source) add(traits.source, [above + name]);
    if (shape.kind === "object") for (const [source, paths] of sourcesOf(shape.properties, `${above}${name}.`)) add(source, paths);
  }
  return sources;
}

function describe(schema: z.ZodType): Field {
  let inner = schema;
  let optional = false;
  let defaultValue: unknown;
  let meta = registry.get(inner);
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) {
    optional = true;
    if (inner instanceof z.ZodDefault) defaultValue = inner.def.defaultValue;
    const next = inner.def.innerType;
    if (!(next instanceof z.ZodType)) throw new TypeError("a field's schema must be a classic zod schema");
    inner = next;
    meta ??= registry.get(inner);
  }
  const { description = "", ...traits } = meta ?? {};
  return { schema: inner, description, traits, optional, defaultValue, shape: shapeOf(inner) };
}

function shapeOf(schema: z.ZodType): Shape {
  if (schema instanceof z.ZodObject) {
    return { kind: "object", properties: new Map(Object.entries(schema.shape).map(([name, child]) => [name, fieldOf(classic(child))])) };
  }
  if (schema instanceof z.ZodArray) return { kind: "list", items: fieldOf(classic(schema.element)) };
  const values = valuesIn(schema);
  if (values) return { kind: "map", values: fieldOf(values) };
  return { kind: "leaf" };
}

function classic(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError("a field's schema must be a classic zod schema");
}
