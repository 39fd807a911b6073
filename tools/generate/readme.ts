import * as z from "zod";
import { configuration } from "../../provider/context/config";
import { functions } from "../../provider/functions";
import { type Field, mayBeLeftOut, propertiesOf } from "../../provider/model/fields";
import type { Resource } from "../../provider/model/resource";
import { resources } from "../../provider/resources";
import { glossary } from "../markdown";
import { programs } from "./examples";
import { choices } from "./pages";
import { otherErrors, requestErrors } from "./troubleshooting";

/**
 * A document with its tables (between `<!-- table NAME -->` and `<!-- end -->`) regenerated from the descriptions. @throws for an unknown
 * table
 */
export function withTables(document: string): string {
  const tables = new Map([
    [
      "configuration",
      glossary(
        ["Key", "Meaning"],
        [...propertiesOf(configuration)].map(([name, field]) => [code(name), meaning(field)]),
      ),
    ],
    ...resources.flatMap(tablesOf),
    ["reference", [...resources.map(({ kind }) => kind), ...functions.map(({ name }) => name)].map(pageLink).join("\n")],
    ...Object.keys(programs).map((name): [string, string] => [`example ${name}`, choices(name)]),
    ["errors of requests", requestErrors()],
    ["errors", otherErrors()],
    [
      "functions",
      `${glossary(
        ["Function", "What it does"],
        functions.map((f) => [code(`${f.name}(${argumentsOf([...f.inputs.keys()])})`), f.description]),
      )}\n\n${sourcesLine(functions.map(({ source }) => source))}`,
    ],
  ]);
  return document.replace(/(<!-- table (.+?) -->\n)[\s\S]*?(<!-- end -->)/g, (_, start: string, name: string, end: string) => {
    const text = tables.get(name);
    if (text === undefined)
      throw new Error(`a document names the unknown table ${JSON.stringify(name)}; known are ${[...tables.keys()].join(", ")}`);
    return `${start}${text}\n${end}`;
  });
}

/** A resource's inputs, the inputs within them, and its outputs. */
function tablesOf({ kind, inputs, outputs }: Resource): [string, string][] {
  const nested = [...inputs].flatMap(([name, { shape }]): [string, string][] =>
    shape.kind === "object" ? [[`${kind} ${name}`, inputTable(shape.properties)]] : [],
  );
  return [
    [`${kind} inputs`, inputTable(inputs)],
    ...nested,
    [
      `${kind} outputs`,
      glossary(
        ["Output", "Meaning"],
        [...outputs].map(([name, field]) => [code(name), meaning(field)]),
      ),
    ],
  ];
}

function inputTable(inputs: ReadonlyMap<string, Field>): string {
  const rows = [...inputs].map(([name, field]) => [`${code(name)}${mayBeLeftOut(field) ? "" : " (required)"}`, meaning(field)] as const);
  return `${glossary(["Input", "Meaning"], rows)}\n\n${sourcesLine([...inputs.values()].flatMap(({ traits }) => traits.source ?? []))}`;
}

/** Sections of the document, a line each where they are many. */
function sourcesLine(sources: readonly string[]): string {
  const sections = [...new Set(sources)].map((source) => `_${source}_`);
  const line = `In the API's document: ${sections.join(", ")}.`;
  return line.length <= 120 ? line : `In the API's document:\n\n${sections.map((section) => `- ${section}`).join("\n")}`;
}

/** An item that leads to the page of a resource or function. */
function pageLink(name: string): string {
  return `- [${name}](reference/${name}.md)`;
}

function argumentsOf(names: readonly string[]): string {
  return names.length > 0 ? `{ ${names.join(", ")} }` : "";
}

function meaning({ schema, description, defaultValue, traits, shape }: Field): string {
  const parts = [description];
  if (schema instanceof z.ZodEnum) parts.push(`One of ${schema.options.map((option) => code(String(option))).join(", ")}.`);
  if (traits.replaces) parts.push("A change needs a new object.");
  if (shape.kind === "object" && shape.properties.size < 8) parts.push(`Has ${[...shape.properties.keys()].map(code).join(", ")}.`);
  if (defaultValue !== undefined && !description.includes("Default:")) parts.push(`Default: ${code(JSON.stringify(defaultValue))}.`);
  return parts.join(" ");
}

function code(text: string): string {
  return `\`${text}\``;
}
