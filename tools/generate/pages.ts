import * as z from "zod";
import { configuration } from "../../provider/configuration/config";
import { functions } from "../../provider/functions";
import { type Field, type Fields, mayBeLeftOut, propertiesOf } from "../../provider/model/fields";
import { resources } from "../../provider/resources";
import { wrapped } from "../markdown";
import { exampleOf, languages } from "./examples";
import { providerArguments } from "./provider-arguments";
import { explicitProvider, functionText, leafType, resourceText } from "./pulumi";

/** The reader of a page: the repository, with plain Markdown, or Pulumi's registry, with front matter and a choice of languages. */
type Reader = "repository" | "registry";

/**
 * The reference pages, by their file names: the provider, each resource and function, the way from an empty cluster to a login, and an
 * index.
 */
export function referencePages(reader: Reader = "repository"): ReadonlyMap<string, string> {
  const page = (...args: PageParts) => pageFor(reader, ...args);
  const pages = [
    page("Provider", explicitProvider, [
      section("Keys of the configuration", propertiesOf(configuration)),
      section("Arguments of an explicit provider", providerArguments),
    ]),
    ...resources.map((resource) => {
      const outputs = new Map([...resource.outputs].filter(([name]) => !resource.inputs.has(name)));
      const sections = [
        section("Inputs", resource.inputs, (field) => !mayBeLeftOut(field)),
        section("Outputs, besides the inputs", outputs),
      ];
      return page(resource.kind, resourceText(resource), sections);
    }),
    ...functions.map((definition) => {
      const sections = [section("Arguments", definition.inputs, (field) => !field.optional), section("Result", definition.outputs)];
      return page(definition.name, functionText(definition), sections);
    }),
  ];
  return new Map([...pages, ["from-nothing.md", fromNothing()], ["README.md", index()]]);
}

/** The page of one program from an empty cluster to a login, in every language. */
function fromNothing(): string {
  const head = [
    "One program for a cluster whose ACL was just bootstrapped: policies, roles that wait for them, an auth method whose identity provider publishes its keys, the rules that say which login gets which role, and an agent pool with its token.",
    "[examples/from-nothing](../../examples/from-nothing) has the files of policies, all commands up to a login, and what two people get.",
    installation,
  ].map((text) => wrapped(text));
  const programs = headed("from-nothing", Object.keys(languages), "##");
  return `${["# From an empty cluster to a login", generated, ...head, ...programs].join("\n\n")}\n`;
}

function index(): string {
  const items = [
    wrapped("- [Provider](Provider.md): The keys of the configuration.", 140),
    wrapped("- [From an empty cluster to a login](from-nothing.md): One program for all of it, in five languages.", 140),
    ...resources.map(({ kind, description }) => link(kind, description)),
    ...functions.map(({ name, description }) => link(name, description)),
  ];
  return `# Reference\n\n${generated}\n\n${items.join("\n")}\n`;
}

function link(name: string, description: string): string {
  return wrapped(`- [${name}](${name}.md): ${description.replace(/\. [\s\S]*$|\n[\s\S]*$/, "").replace(/\.?$/, ".")}`, 140);
}

const generated =
  "<!-- Generated from schema.json by `npm run generate`. Edit the descriptions in provider, and the examples in tools/generate/examples. -->";

type PageParts = [name: string, description: string, sections: readonly string[]];

function pageFor(reader: Reader, ...[name, description, sections]: PageParts): [string, string] {
  const [text = "", after = ""] = description.split(/\n\n\{\{% examples %\}\}[\s\S]*\{\{% \/examples %\}\}/);
  const [summary = ""] = text.split("\n");
  const parts = [
    reader === "registry" ? `---\ntitle: ${name}\nmeta_desc: ${JSON.stringify(summary)}\n---` : "",
    generated,
    `# ${name}`,
    text
      .split("\n")
      .map((line) => wrapped(line))
      .join("\n"),
    example(name, reader),
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

/** The example of a resource or function in every language; "" if there is none. */
function example(name: string, reader: Reader): string {
  const shown = exampleOf(name);
  if (!shown) return "";
  const head = [`## Example: ${shown.title}`, wrapped(installation)];
  if (reader === "repository") return [...head, ...headed(name, Object.keys(languages), "###")].join("\n\n");
  const texts = Object.keys(languages).map(
    (language) => `{{% choosable language ${language} %}}\n\n${codeOf(name, language)}\n\n{{% /choosable %}}`,
  );
  return [...head, `{{< chooser language "${Object.keys(languages).join(",")}" >}}`, ...texts, "{{< /chooser >}}"].join("\n\n");
}

/** The example in some languages, each under a heading. */
function headed(name: string, some: readonly string[], level: string): string[] {
  return some.map((language) => `${level} ${languageNames[language] ?? language}\n\n${codeOf(name, language)}`);
}

const languageNames: Readonly<Record<string, string>> = {
  typescript: "TypeScript",
  python: "Python",
  go: "Go",
  csharp: "C#",
  yaml: "YAML",
};

/** The example in one language, as a block. */
function codeOf(name: string, language: string): string {
  return `\`\`\`${language}\n${exampleOf(name)?.texts.get(language) ?? ""}\n\`\`\``;
}

/** @param isRequired whether to mark a property as required */
function section(title: string, fields: Fields, isRequired: (field: Field) => boolean = () => false): string {
  return fields.size === 0 ? "" : `## ${title}\n\n${list(fields, isRequired, "")}`;
}

/** The properties with their types, and the properties of objects below them. */
function list(fields: Fields, isRequired: (field: Field) => boolean, indent: string): string {
  const items = [...fields].map(([name, field]) => {
    const { description, defaultValue, traits } = field;
    const notes = [typeName(field), isRequired(field) && "required", traits.secret && "secret"].filter((part) => part);
    const hasDefault = defaultValue !== undefined && typeof defaultValue !== "object" && !description.includes("Default:");
    const sentences = [
      description,
      hasDefault && `Default: \`${JSON.stringify(defaultValue)}\`.`,
      traits.replaces && "A change needs a new object.",
    ].filter((part) => part);
    const line = wrapped(`- \`${name}\` (${notes.join(", ")}): ${sentences.join(" ")}`).replace(/^/gm, indent);
    const inner = objectOf(field);
    return inner ? `${line}\n${list(inner, (child) => !child.optional, `${indent}  `)}` : line;
  });
  return items.join("\n");
}

/** The properties of a property's object, or of its items. */
function objectOf({ shape }: Field): Fields | undefined {
  switch (shape.kind) {
    case "object":
      return shape.properties;
    case "list":
      return objectOf(shape.items);
    case "map":
      return objectOf(shape.values);
    case "leaf":
      return undefined;
  }
}

function typeName({ shape, schema }: Field): string {
  switch (shape.kind) {
    case "object":
      return "object";
    case "list":
      return `list of ${typeName(shape.items)}`;
    case "map":
      return `map of ${typeName(shape.values)}`;
    case "leaf": {
      if (schema instanceof z.ZodEnum) return schema.options.map((value) => `\`${value}\``).join(" or ");
      const { type = "object", oneOf = [{ type }] } = leafType(schema);
      return oneOf.map((option) => option.type).join(" or ");
    }
  }
}
