/** How many columns a terminal shows. */
const width = 120;

/** A table with aligned columns, readable in a terminal. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${widths.map((size, column) => (row[column] ?? "").padEnd(size)).join(" | ")} |`;
  const [first = [], ...others] = cells;
  return [first, widths.map((size) => "-".repeat(size)), ...others].map(line).join("\n");
}

/** Names and their meanings: a table where a terminal can show it, otherwise a list. */
export function glossary(head: readonly [string, string], entries: readonly (readonly [string, string])[]): string {
  const short = table(head, entries);
  if (short.split("\n").every((line) => line.length <= width)) return short;
  return entries.map(([name, meaning]) => wrapped(`- ${name}: ${meaning}`)).join("\n");
}

/**
 * An item of a list, wrapped. The text of a link stays on one line, because the formatter moves its second one.
 * @param columns by default those of a terminal
 */
export function wrapped(item: string, columns = width): string {
  const lines: string[] = [];
  let line = "";
  for (const word of item.split(/ (?![^[\]]*\]\()/)) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = ` `;
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
