import * as z from "zod";

/** What a property means beyond its type. Check, diff, both adapters and schema.json are driven by it. */
export interface Traits {
  /** Never shown: marked as a secret without being asked. */
  readonly secret?: true;
  /** A change can't be made in place: it needs a new object. */
  readonly replaces?: true;
  /** The order and the repeats of a list mean nothing. */
  readonly set?: true;
  /** Compared as a length of time: 60m is 1h0m0s. */
  readonly duration?: true;
  /** Read by this provider alone and never sent to the API. */
  readonly local?: true;
  /** Check fills it in from elsewhere when the program leaves it out; this is told when that gives nothing. */
  readonly filledIn?: string;
  /** Of an output: an update leaves it as it is, so that a preview can promise it. */
  readonly stable?: true;
  /** The section of the API's document that describes it. The reference names it; what a program's editor shows does not. */
  readonly source?: string;
  /** It is an older name of another property, or goes away: what to use instead. */
  readonly deprecated?: string;
  /** Leaving the property out is something else than giving it empty, which an import therefore writes out. */
  readonly emptyMatters?: true;
  /**
   * What is certainly wrong with the form of a text; of a list, of its texts joined by line breaks. What the last update had is not asked about:
   * a server took it, and may know more than this version.
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

/** A property as check, diff and the schema see it: a tree read off the zod schema. */
export interface Field {
  readonly schema: z.ZodType;
  readonly description: string;
  readonly traits: Traits;
  readonly optional: boolean;
  /** What leaving the property out means, where that is something. */
  readonly defaultValue: unknown;
  readonly shape: Shape;
}

export type Shape =
  | { readonly kind: "leaf" }
  | { readonly kind: "list"; readonly items: Field }
  | { readonly kind: "map"; readonly values: Field }
  | { readonly kind: "object"; readonly properties: ReadonlyMap<string, Field> };

/** Whether a program may leave a property out: because it is optional, has a default, or is filled in from elsewhere. */
export function mayBeLeftOut({ optional, traits }: Field): boolean {
  return optional || traits.filledIn !== undefined;
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
export function propertiesOf(schema: z.ZodObject): ReadonlyMap<string, Field> {
  const { shape } = fieldOf(schema);
  return shape.kind === "object" ? shape.properties : new Map();
}

/** The sections of the API's documents that describe these properties and those within them, each with their paths. */
export function sourcesOf(properties: ReadonlyMap<string, Field>, above = ""): ReadonlyMap<string, readonly string[]> {
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
  if (schema instanceof z.ZodRecord) return { kind: "map", values: fieldOf(classic(schema.valueType)) };
  return { kind: "leaf" };
}

function classic(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError("a field's schema must be a classic zod schema");
}
