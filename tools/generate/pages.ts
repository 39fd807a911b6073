import * as z from "zod";
import { namespace } from "../../provider/configuration/config";
import { wrapped } from "../markdown";
import { exampleOf, languages } from "./examples";

const type = z.object({
  $ref: z.string().optional(),
  type: z.string().optional(),
  items: z.json().optional(),
  additionalProperties: z.json().optional(),
  oneOf: z.array(z.json()).optional(),
});

const property = type.extend({
  description: z.string().optional(),
  default: z.json().optional(),
  secret: z.boolean().optional(),
  replaceOnChanges: z.boolean().optional(),
  deprecationMessage: z.string().optional(),
});
type Property = z.infer<typeof property>;

const properties = z.record(z.string(), property).default({});
const object = z.object({ properties, required: z.array(z.string()).default([]) });
const named = object.extend({
  description: z.string().optional(),
  enum: z.array(z.object({ value: z.string() })).optional(),
});
type Named = z.infer<typeof named>;

/** The part of a schema that the pages show. */
const schema = z.object({
  provider: z.object({ description: z.string(), inputProperties: properties }),
  resources: z.record(
    z.string(),
    z.object({
      description: z.string(),
      inputProperties: properties,
      requiredInputs: z.array(z.string()).default([]),
      properties,
    }),
  ),
  functions: z.record(z.string(), z.object({ description: z.string(), inputs: object, outputs: object })),
  types: z.record(z.string(), named),
});

/** A page for the provider, each resource and each function, and their index, by the name of its file. @param given the package's schema */
export function referencePages(given: unknown): ReadonlyMap<string, string> {
  const { provider, resources, functions, types } = schema.parse(given);
  const pages = [
    page("Provider", provider.description, [section("Keys of the configuration, and arguments", provider.inputProperties, [], types)]),
    ...Object.entries(resources).map(([token, resource]) => {
      const sections = [
        section("Inputs", resource.inputProperties, resource.requiredInputs, types),
        section("Outputs, besides the inputs", without(resource.properties, resource.inputProperties), [], types),
      ];
      return page(nameOf(token), resource.description, sections);
    }),
    ...Object.entries(functions).map(([token, { description, inputs, outputs }]) => {
      const sections = [section("Arguments", inputs.properties, inputs.required, types), section("Result", outputs.properties, [], types)];
      return page(nameOf(token), description, sections);
    }),
  ];
  return new Map([...pages, ["from-nothing.md", fromNothing()], ["README.md", index(resources, functions)]]);
}

/** The program of docs/from-nothing.md in the languages that it does not show, each under a heading that it links to. */
function fromNothing(): string {
  const names: Readonly<Record<string, string>> = { python: "Python", go: "Go", csharp: "C#", yaml: "YAML" };
  const programs = Object.entries(names).map(([language, name]) => `## ${name}\n\n${codeOf("from-nothing", language)}`);
  const head =
    "[The program](../from-nothing.md) in other languages. The files of [policies](../../examples/from-nothing/policies) stand beside it.";
  return `${["# From an empty cluster to a login", generated, wrapped(head), wrapped(installation), ...programs].join("\n\n")}\n`;
}

type Described = Readonly<Record<string, { readonly description: string }>>;

function index(resources: Described, functions: Described): string {
  const list = (all: Described) => Object.entries(all).map(([token, { description }]) => link(nameOf(token), description));
  const items = [
    wrapped("- [Provider](Provider.md): The keys of the configuration.", 140),
    wrapped("- [From an empty cluster to a login](from-nothing.md): One program for all of it, in Python, Go, C# and YAML.", 140),
    ...list(resources),
    ...list(functions),
  ];
  return `# Reference\n\n${generated}\n\n${items.join("\n")}\n`;
}

function link(name: string, description: string): string {
  return wrapped(`- [${name}](${name}.md): ${description.replace(/\. [\s\S]*$|\n[\s\S]*$/, "").replace(/\.?$/, ".")}`, 140);
}

const generated =
  "<!-- Generated from schema.json by `npm run generate`. Edit the descriptions in provider, and the examples in tools/generate/examples. -->";

function page(name: string, description: string, sections: readonly string[]): [string, string] {
  const [text = "", after = ""] = description.split(/\n\n\{\{% examples %\}\}[\s\S]*\{\{% \/examples %\}\}/);
  const [summary = ""] = text.split("\n");
  const parts = [
    `---\ntitle: ${name}\nmeta_desc: ${JSON.stringify(summary)}\n---`,
    generated,
    `# ${name}`,
    text
      .split("\n")
      .map((line) => wrapped(line))
      .join("\n"),
    chooser(name),
    ...sections,
    after
      .trim()
      .split("\n")
      .map((line) => wrapped(line))
      .join("\n"),
  ];
  return [`${name}.md`, `${parts.filter((part) => part !== "").join("\n\n")}\n`];
}

const installation =
  "Programs in Python, Go, C# and YAML name the plugin in Pulumi.yaml: [installation](../installation-configuration.md#installation).";

/** The example of a resource or function, in the language that a reader of the registry chooses; "" where there is none. */
function chooser(name: string): string {
  const example = exampleOf(name);
  return example ? `## Example: ${example.title}\n\n${wrapped(installation)}\n\n${choices(name)}` : "";
}

/** The same without a heading. */
function choices(name: string): string {
  const texts = Object.keys(languages).map(
    (language) => `{{% choosable language ${language} %}}\n\n${codeOf(name, language)}\n\n{{% /choosable %}}`,
  );
  return [`{{< chooser language "${Object.keys(languages).join(",")}" >}}`, ...texts, "{{< /chooser >}}"].join("\n\n");
}

/** The example in one language, as a block. */
export function codeOf(name: string, language: string): string {
  return `\`\`\`${language}\n${exampleOf(name)?.texts.get(language) ?? ""}\n\`\`\``;
}

function section(title: string, given: Readonly<Record<string, Property>>, required: readonly string[], types: Types): string {
  if (Object.keys(given).length === 0) return "";
  return `## ${title}\n\n${list(given, required, types, "")}`;
}

type Types = Readonly<Record<string, Named>>;

/** The properties, each with its type, and those of objects below them. */
function list(given: Readonly<Record<string, Property>>, required: readonly string[], types: Types, indent: string): string {
  const items = Object.entries(given).map(([name, one]) => {
    const traits = [typeName(one, types), required.includes(name) && "required", one.secret && "secret"].filter((part) => part);
    const sentences = [
      one.description,
      one.default !== undefined && !one.description?.includes("Default:") && `Default: \`${JSON.stringify(one.default)}\`.`,
      one.replaceOnChanges && "A change needs a new object.",
      one.deprecationMessage && `Deprecated: ${one.deprecationMessage}`,
    ].filter((part) => part);
    const line = wrapped(`- \`${name}\` (${traits.join(", ")}): ${sentences.join(" ")}`).replace(/^/gm, indent);
    const inner = objectOf(one, types);
    return inner ? `${line}\n${list(inner.properties, inner.required, types, `${indent}  `)}` : line;
  });
  return items.join("\n");
}

/** The object that a property, or each item of it, is. */
function objectOf(one: z.infer<typeof type>, types: Types): Named | undefined {
  const found = one.$ref ? types[one.$ref.replace("#/types/", "")] : undefined;
  if (found) return found.enum ? undefined : found;
  const item = one.items ?? one.additionalProperties;
  return item === undefined ? undefined : objectOf(type.parse(item), types);
}

function typeName(one: z.infer<typeof type>, types: Types): string {
  if (one.$ref) {
    const found = types[one.$ref.replace("#/types/", "")];
    return found?.enum ? found.enum.map(({ value }) => `\`${value}\``).join(" or ") : "object";
  }
  if (one.oneOf) return one.oneOf.map((option) => typeName(type.parse(option), types)).join(" or ");
  if (one.items !== undefined) return `list of ${typeName(type.parse(one.items), types)}`;
  if (one.additionalProperties !== undefined) return `map of ${typeName(type.parse(one.additionalProperties), types)}`;
  return one.type ?? "any value";
}

function without(all: Readonly<Record<string, Property>>, left: Readonly<Record<string, Property>>): Record<string, Property> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !(name in left)));
}

/** "agentpool-acl:index:AclRole" is AclRole. */
function nameOf(token: string): string {
  return token.replace(`${namespace}:index:`, "");
}
