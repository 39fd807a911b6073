import * as z from "zod";
import { enumName, singular } from "../../cli/import/names";
import { capitalized } from "../../common/label";
import { configuration, namespace } from "../../provider/configuration/config";
import { dynamicType, pluginToken } from "../../provider/configuration/tokens";
import { functions } from "../../provider/functions";
import type { ProviderFunction } from "../../provider/functions/definition";
import type { Resource } from "../../provider/lifecycle/resource";
import {
  type Field,
  type Fields,
  isInOutputs,
  isInResults,
  mayBeLeftOut,
  mayBeUnwritten,
  propertiesOf,
  sourcesOf,
} from "../../provider/model/fields";
import { resources } from "../../provider/resources";
import { exampleSection, withExamples } from "./examples";
import { languageSettings } from "./languages";
import { providerArguments } from "./provider-arguments";
import { readSource } from "./source";

/** A JSON value. A property that is undefined is left out. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** The facts about the package in package.json. */
export const packageFacts = z.object({
  version: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.string(),
});

export const explicitProvider =
  "An explicit provider: another address, organization or token than the stack's configuration has, for some of a program's resources.";

/** The package's schema in Pulumi's form, from which SDKs and registry pages are generated. */
export function pulumiSchema(facts: z.infer<typeof packageFacts>, source = readSource()): Json {
  const types = new Types();
  // The settings have no defaults from the environment, which an SDK would write into the state. The plugin reads the variables itself.
  const settings = types.properties("", propertiesOf(configuration));
  return {
    name: namespace,
    displayName: "Agent pools (HCP Terraform) and cluster ACL (Nomad)",
    version: facts.version,
    description: facts.description,
    keywords: [...facts.keywords, "kind/native", "category/infrastructure"],
    license: facts.license,
    ...(source && {
      homepage: source.homepage,
      repository: source.homepage,
      // The logo is for the registry's page, and for NuGet packages, which take no SVG. The address has the tag, because users also
      // generate SDKs of old versions.
      logoUrl: `${source.files}/v${facts.version}/docs/logo.png`,
      publisher: source.owner,
      pluginDownloadURL: source.pluginDownloadUrl,
    }),
    config: { variables: settings },
    provider: {
      description: explicitProvider,
      inputProperties: types.properties("", providerArguments),
    },
    resources: Object.fromEntries(resources.map((resource) => [pluginToken(resource.kind), resourceSchema(resource, types)])),
    functions: Object.fromEntries(functions.map((definition) => [pluginToken(definition.name), functionSchema(definition, types)])),
    types: types.all(),
    language: languageSettings,
  };
}

/** A resource's text, with examples, import commands, and sections of the API's documents. */
export function resourceText({ kind, description, inputs }: Resource): string {
  return `${withExamples(kind, description)}\n\n${documented(sourcesOf(inputs))}`;
}

/** A function's text, with examples and the section of the API's document. */
export function functionText({ name, description, source }: ProviderFunction): string {
  return `${description}${exampleSection(name)}\n\n${documented(new Map([[source, []]]))}`;
}

function resourceSchema(resource: Resource, types: Types): Json {
  const { kind, inputs, outputs } = resource;
  const all = new Map([...inputs, ...outputs]);
  return {
    description: resourceText(resource),
    inputProperties: types.properties(kind, inputs),
    requiredInputs: required(inputs, (field) => !mayBeLeftOut(field)),
    properties: types.properties(kind, all),
    required: required(all, isInOutputs),
    aliases: [{ type: dynamicType(kind) }],
  };
}

function functionSchema(definition: ProviderFunction, types: Types): Json {
  const { name, inputs, outputs } = definition;
  const base = capitalized(name);
  return {
    description: functionText(definition),
    inputs: { type: "object", properties: types.properties(base, inputs), required: required(inputs, (field) => !field.optional) },
    outputs: { type: "object", properties: types.properties(base, outputs), required: required(outputs, isInResults) },
  };
}

/** The beginning of sources in the service's public reference, which the API's document lacks. */
const publicReference = "Public reference";

/** The sections of the API's documents, each with the inputs that it describes. */
function documented(sources: ReadonlyMap<string, readonly string[]>): string {
  const sections = [...sources].map(
    ([source, names]) => `_${source}_${names.length > 0 ? ` (${names.map((name) => `\`${name}\``).join(", ")})` : ""}`,
  );
  const isBeyond = (section: string) => section.startsWith(`_${publicReference}`);
  const [beyond, within] = [sections.filter(isBeyond), sections.filter((section) => !isBeyond(section))];
  return [
    ...(within.length > 0 ? [`In the API's document: ${within.join("; ")}.`] : []),
    ...(beyond.length > 0 ? [`Beyond the API's document: ${beyond.join("; ")}.`] : []),
  ].join(" ");
}

function required(properties: Fields, isRequired: (field: Field) => boolean): string[] {
  return [...properties].filter(([, field]) => isRequired(field)).map(([name]) => name);
}

/** The named types that properties refer to: objects and enumerations. */
class Types {
  private readonly named = new Map<string, Json>();

  all(): Json {
    return Object.fromEntries([...this.named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  properties(owner: string, fields: Fields): Json {
    return Object.fromEntries([...fields].map(([name, field]) => [name, this.property(owner, name, field)]));
  }

  private property(owner: string, name: string, field: Field) {
    const { description, defaultValue, traits } = field;
    const type = this.typeOf(owner + capitalized(name), field);
    const isPrimitive = typeof defaultValue === "string" || typeof defaultValue === "number" || typeof defaultValue === "boolean";
    // SDKs send the defaults they know, as if a program had written them. Go's generator writes invalid code for the default of a property
    // of several types.
    const isInWords = isPrimitive && (mayBeUnwritten(field) || traits.emptyMatters || "oneOf" in type);
    return {
      ...type,
      description: isInWords ? `${description} Default: \`${JSON.stringify(defaultValue)}\`.` : description,
      ...(isPrimitive && !isInWords ? { default: defaultValue } : {}),
      ...(traits.secret ? { secret: true } : {}),
      ...(traits.replaces ? { replaceOnChanges: true } : {}),
    };
  }

  private typeOf(name: string, field: Field): { readonly [key: string]: Json } {
    const { shape, schema, description } = field;
    switch (shape.kind) {
      case "object":
        return this.add(name, {
          type: "object",
          description,
          properties: this.properties(name, shape.properties),
          required: required(shape.properties, (child) => !child.optional),
        });
      case "list":
        return { type: "array", items: this.typeOf(singular(name), shape.items) };
      case "map":
        return { type: "object", additionalProperties: this.typeOf(name, shape.values) };
      case "leaf":
        if (schema instanceof z.ZodEnum) {
          const values = schema.options.map((value) => ({ name: enumName(String(value)), value }));
          return this.add(name, { type: "string", description, enum: values });
        }
        return leafType(schema);
    }
  }

  private add(name: string, type: Json): { readonly [key: string]: Json } {
    this.named.set(pluginToken(name), type);
    return { $ref: `#/types/${pluginToken(name)}` };
  }
}

/** The type of a value that is no object, list, map or enumeration. */
export function leafType(schema: z.ZodType): {
  readonly type?: string;
  readonly $ref?: string;
  readonly oneOf?: readonly { type?: string }[];
} {
  if (schema instanceof z.ZodBoolean) return { type: "boolean" };
  if (schema instanceof z.ZodNumber) return { type: schema.format?.includes("int") ? "integer" : "number" };
  if (schema instanceof z.ZodString) return { type: "string" };
  if (schema instanceof z.ZodLiteral) return { type: "string" };
  if (schema instanceof z.ZodPipe) return { type: "boolean" };
  // A lazy schema stands for any JSON.
  if (schema instanceof z.ZodLazy) return { $ref: "pulumi.json#/Any" };
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map((option) => leafType(z.instanceof(z.ZodType).parse(option)));
    const [first] = options;
    return options.every((option) => option.type === first?.type) && first ? first : { oneOf: options };
  }
  throw new TypeError(`no type in the schema for a ${schema.def.type}`);
}
