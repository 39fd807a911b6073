import { configuration } from "../../provider/context/config";
import { functions } from "../../provider/functions";
import { type Field, propertiesOf } from "../../provider/model/fields";
import { resources } from "../../provider/resources";
import { glossary, wrapped } from "../markdown";
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
    ["reference", resources.map(({ kind }) => pageLink(kind)).join("\n")],
    ["errors of requests", requestErrors()],
    ["errors", otherErrors()],
    ["functions", functions.map(({ name, description }) => wrapped(`${pageLink(name)}: ${firstSentence(description)}`, 140)).join("\n")],
  ]);
  return document.replace(/(<!-- table (.+?) -->\n)[\s\S]*?(<!-- end -->)/g, (_, start: string, name: string, end: string) => {
    const text = tables.get(name);
    if (text === undefined)
      throw new Error(`a document names the unknown table ${JSON.stringify(name)}; known are ${[...tables.keys()].join(", ")}`);
    return `${start}${text}\n${end}`;
  });
}

/** An item that leads to the page of a resource or function. */
function pageLink(name: string): string {
  return `- [${name}](reference/${name}.md)`;
}

function firstSentence(text: string): string {
  return text.replace(/\. [\s\S]*$/, ".");
}

/** What a key of the configuration means. */
function meaning({ description, defaultValue }: Field): string {
  return defaultValue === undefined || description.includes("Default:")
    ? description
    : `${description} Default: ${code(JSON.stringify(defaultValue))}.`;
}

function code(text: string): string {
  return `\`${text}\``;
}
