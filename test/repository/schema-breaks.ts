import * as z from "zod";

/** A type, as a property of schema.json has it. */
interface Type {
  readonly type?: string | undefined;
  readonly $ref?: string | undefined;
  readonly items?: Type | undefined;
  readonly additionalProperties?: Type | undefined;
  readonly oneOf?: readonly Type[] | undefined;
  /** Whether programs must give the value itself, and no output. */
  readonly plain?: boolean | undefined;
}

const type: z.ZodType<Type> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    $ref: z.string().optional(),
    items: type.optional(),
    additionalProperties: type.optional(),
    oneOf: z.array(type).optional(),
    plain: z.boolean().optional(),
  }),
);
const facts = z.object({ default: z.json().optional(), secret: z.boolean().default(false), replaceOnChanges: z.boolean().default(false) });
const property = z.intersection(type, facts);
const properties = z.record(z.string(), property).default({});
const names = z.array(z.string()).default([]);
const object = z.object({ properties, required: names }).default({ properties: {}, required: [] });

const schema = z.object({
  name: z.string(),
  config: z.object({ variables: properties, required: names }),
  provider: z.object({ inputProperties: properties, requiredInputs: names }),
  resources: z.record(
    z.string(),
    z.object({
      inputProperties: properties,
      requiredInputs: names,
      properties,
      required: names,
      aliases: z.array(z.object({ type: z.string() })).default([]),
    }),
  ),
  functions: z.record(z.string(), z.object({ inputs: object, outputs: object })),
  types: z.record(
    z.string(),
    z.object({
      type: z.string(),
      properties,
      required: names,
      enum: z.array(z.object({ name: z.string().optional(), value: z.json() })).optional(),
    }),
  ),
  language: z.record(z.string(), z.record(z.string(), z.json())).default({}),
});

type Schema = z.output<typeof schema>;
type Fields = z.output<typeof object>;
/** Programs give inputs, and read outputs: what breaks one does not break the other. */
type Direction = "input" | "output";

/** The settings of a language that change how its SDK is packed. All others change what programs import, or the types of the SDK. */
const unseenSettings = new Set(["respectSchemaVersion", "pyproject", "readme", "packageDescription"]);

/**
 * What a program or a state of the older schema's release finds missing or different in the newer one, a sentence each. Both are the text of
 * a schema.json.
 *
 * @throws when one of them is not a schema
 */
export function breaks(older: string, newer: string): string[] {
  const [before, after] = [older, newer].map((text) => schema.parse(JSON.parse(text)));
  return before && after ? new Comparison(before, after).breaks() : [];
}

/** Whether semantic versioning allows breaks between two versions: a new major version, or before 1.0.0 a new minor one. */
export function allowsBreaks(from: string, to: string): boolean {
  const [older, newer] = [from, to].map((version) => version.split(".").map(Number));
  const [[fromMajor = 0, fromMinor = 0] = [], [toMajor = 0, toMinor = 0] = []] = [older, newer];
  return toMajor > fromMajor || (toMajor === 0 && fromMajor === 0 && toMinor > fromMinor);
}

/** One comparison of two schemas. */
class Comparison {
  private readonly found = new Set<string>();
  /** Named types that are compared already, for each direction. */
  private readonly compared = new Set<string>();

  constructor(
    private readonly before: Schema,
    private readonly after: Schema,
  ) {}

  breaks(): string[] {
    const { before, after } = this;
    if (before.name !== after.name) this.found.add(`the package ${before.name} is called ${after.name}`);
    const settings = ({ variables, required }: Schema["config"]) => ({ properties: variables, required });
    this.fields("configuration", settings(before.config), settings(after.config), "input");
    this.fields("provider", inputsOf(before.provider), inputsOf(after.provider), "input");
    this.each("resource", before.resources, after.resources, (token, old, now) => {
      this.fields(token, inputsOf(old), inputsOf(now), "input");
      this.fields(token, old, now, "output");
      for (const alias of old.aliases.filter((one) => !now.aliases.some((other) => other.type === one.type)))
        this.found.add(`${token}: the alias ${alias.type} is missing`);
    });
    this.each("function", before.functions, after.functions, (token, old, now) => {
      this.fields(token, old.inputs, now.inputs, "input");
      this.fields(token, old.outputs, now.outputs, "output");
    });
    for (const [language, settingsBefore] of Object.entries(before.language)) {
      const settingsAfter = after.language[language] ?? {};
      const all = new Set([...Object.keys(settingsBefore), ...Object.keys(settingsAfter)]);
      for (const name of [...all].filter((one) => !unseenSettings.has(one))) {
        const [old, now] = [settingsBefore[name], settingsAfter[name]].map((value) => JSON.stringify(value) ?? "none");
        if (old !== now) this.found.add(`${language}: ${name} was ${old}, and is ${now}`);
      }
    }
    return [...this.found];
  }

  private each<Item>(
    what: string,
    before: Record<string, Item>,
    after: Record<string, Item>,
    compare: (token: string, old: Item, now: Item) => void,
  ) {
    for (const [token, old] of Object.entries(before)) {
      const now = after[token];
      if (now === undefined) this.found.add(`the ${what} ${token} is missing`);
      else compare(token, old, now);
    }
  }

  private fields(owner: string, before: Fields, after: Fields, direction: Direction): void {
    this.each(`${direction}`, prefixed(owner, before), prefixed(owner, after), (path, old, now) => {
      this.type(path, old, now, direction);
      if (old.secret && !now.secret) this.found.add(`the ${direction} ${path} is no secret any more`);
      if (direction === "output") return;
      if (!old.replaceOnChanges && now.replaceOnChanges) this.found.add(`the input ${path} causes a replacement`);
      const [was, is] = [old.default, now.default].map((value) => JSON.stringify(value) ?? "none");
      if (was !== is) this.found.add(`the default of the input ${path} was ${was}, and is ${is}`);
    });
    const [stricter, laxer] = direction === "input" ? [after, before] : [before, after];
    const what = direction === "input" ? "is required" : "may have no value";
    for (const name of stricter.required.filter((one) => !laxer.required.includes(one))) {
      if (direction === "input" || name in after.properties) this.found.add(`the ${direction} ${owner}.${name} ${what}`);
    }
  }

  private type(path: string, old: Type, now: Type, direction: Direction): void {
    if (old.oneOf || now.oneOf) {
      this.alternatives(path, old.oneOf ?? [old], now.oneOf ?? [now], direction);
    } else if (shapeOf(old) !== shapeOf(now)) {
      this.found.add(`the type of the ${direction} ${path} was ${nameOf(old)}, and is ${nameOf(now)}`);
    }
    if (direction === "input" && !old.plain !== !now.plain)
      this.found.add(`the input ${path} ${now.plain ? "can't be an output any more" : "is not plain any more"}`);
    if (old.$ref) this.named(old.$ref.replace("#/types/", ""), direction);
    if (old.items && now.items) this.type(`${path}[]`, old.items, now.items, direction);
    if (old.additionalProperties && now.additionalProperties)
      this.type(`${path}.*`, old.additionalProperties, now.additionalProperties, direction);
  }

  /** An input must take what it took, and an output must not be what it never was. */
  private alternatives(path: string, old: readonly Type[], now: readonly Type[], direction: Direction): void {
    const [needed, given] = direction === "input" ? [old, now] : [now, old];
    const missing = needed.filter((one) => !given.some((other) => JSON.stringify(one) === JSON.stringify(other)));
    const change = direction === "input" ? "can't be" : "may be";
    for (const one of missing) this.found.add(`the ${direction} ${path} ${change} ${nameOf(one)}`);
  }

  private named(token: string, direction: Direction): void {
    if (this.compared.has(`${direction} ${token}`)) return;
    this.compared.add(`${direction} ${token}`);
    const [old, now] = [this.before.types[token], this.after.types[token]];
    if (!old) return;
    if (!now) {
      this.found.add(`the type ${token} is missing`);
      return;
    }
    if (old.type !== now.type) this.found.add(`the type ${token} was ${old.type}, and is ${now.type}`);
    this.fields(token, old, now, direction);
    for (const { name, value } of old.enum ?? []) {
      const [text, other] = [JSON.stringify(value), now.enum?.find((one) => one.value === value)];
      if (!other) this.found.add(`the type ${token} lacks the value ${text}`);
      // SDKs name it so.
      else if (name !== other.name)
        this.found.add(`the value ${text} of the type ${token} was called ${name}, and is called ${other.name}`);
    }
  }
}

function inputsOf({ inputProperties, requiredInputs }: { inputProperties: Fields["properties"]; requiredInputs: string[] }): Fields {
  return { properties: inputProperties, required: requiredInputs };
}

function prefixed(owner: string, { properties: fields }: Fields): Fields["properties"] {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${owner}.${name}`, field]));
}

/** What it is, without what its items or values are, which are compared by themselves. */
function shapeOf({ type: name, $ref, items, additionalProperties }: Type): string {
  return JSON.stringify([name, $ref, items !== undefined, additionalProperties !== undefined]);
}

function nameOf({ type: name, $ref, oneOf, items, additionalProperties }: Type): string {
  if (items) return `array of ${nameOf(items)}`;
  if (additionalProperties) return `map of ${nameOf(additionalProperties)}`;
  return $ref ?? (oneOf ? oneOf.map(nameOf).join(" or ") : (name ?? "any"));
}
