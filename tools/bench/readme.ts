import type { Figures } from "./figures";
import { conditions, legend, operationsTable, settingsTable, sortedRows, startsTable } from "./table";
import { largestSize, targetsTable } from "./targets";

/** A document with what stands between `<!-- bench NAME -->` and `<!-- end -->` written anew. @throws when it asks for what there is not */
export function withFigures(document: string, figures: Figures): string {
  const rows = sortedRows(figures);
  const largest = largestSize(rows);
  const parts = new Map([
    ["conditions", `Measured ${conditions(figures)}.`],
    ["operations", operationsTable(rows.filter(({ engine, size }) => engine !== "none" && size === largest))],
    ["targets", targetsTable(figures)],
    ["settings", settingsTable(figures)],
  ]);
  return document.replace(/(<!-- bench (.+?) -->\n)[\s\S]*?(<!-- end -->)/g, (_, start: string, name: string, end: string) => {
    const text = parts.get(name);
    if (text === undefined)
      throw new Error(`a document asks for the part ${JSON.stringify(name)}; there are ${[...parts.keys()].join(", ")}`);
    return `${start}${text}\n${end}`;
  });
}

/** Everything that was measured, for docs/speed-figures.md. */
export function allFigures(figures: Figures): string {
  return `# Figures

Written by \`npm run bench -- --readme\`. ${conditions(figures)}.

${legend}

${operationsTable(sortedRows(figures))}

## Starts

${startsTable(figures.starts)}

## Settings for large stacks

${settingsTable(figures)}

## Targets

${targetsTable(figures)}
`;
}
