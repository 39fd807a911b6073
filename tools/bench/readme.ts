import type { Figures, Row } from "./figures";
import { conditions, growthTable, operationsTables, settingsTable, sortedRows, startsTable, summaryTable } from "./table";
import { largestSize, targetsTable } from "./targets";

/** A document with the parts between `<!-- bench NAME -->` and `<!-- end -->` regenerated. @throws for an unknown part */
export function withFigures(document: string, figures: Figures): string {
  const rows = sortedRows(figures);
  const isLargest = ({ size }: Row) => size === largestSize(rows);
  const parts = new Map([
    ["conditions", `Measured ${conditions(figures)}.`],
    ["summary", summaryTable(rows.filter(isLargest))],
    ["operations", operationsTables(rows)],
    ["targets", targetsTable(figures)],
    ["growth", growthTable(figures)],
    ["settings", settingsTable(figures)],
    ["starts", startsTable(figures.starts)],
  ]);
  return document.replace(/(<!-- bench (.+?) -->\n)[\s\S]*?(<!-- end -->)/g, (_, start: string, name: string, end: string) => {
    const text = parts.get(name);
    if (text === undefined)
      throw new Error(`a document names the unknown part ${JSON.stringify(name)}; known are ${[...parts.keys()].join(", ")}`);
    return `${start}${text}\n${end}`;
  });
}
