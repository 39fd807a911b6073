import { installation, otherLanguages } from "./installation";
import { codeOf } from "./pages";
import { readSource } from "./source";
import { otherErrors, requestErrors } from "./troubleshooting";

/**
 * A document with its tables (between `<!-- table NAME -->` and `<!-- end -->`) regenerated from the descriptions. @throws for an unknown
 * table
 */
export function withTables(document: string, source = readSource()): string {
  const tables = new Map([
    ["errors of requests", requestErrors()],
    ["errors", otherErrors()],
    ["installation", installation(source)],
    ["other languages", otherLanguages(source)],
    ["program of from-nothing", codeOf("from-nothing", "typescript")],
  ]);
  return document.replace(/(<!-- table (.+?) -->\n)[\s\S]*?(<!-- end -->)/g, (_, start: string, name: string, end: string) => {
    const text = tables.get(name);
    if (text === undefined)
      throw new Error(`a document names the unknown table ${JSON.stringify(name)}; known are ${[...tables.keys()].join(", ")}`);
    return `${start}${text}\n${end}`;
  });
}
