/** The columns of a terminal. */
const width = 120;

/** A table with aligned columns, readable in a terminal. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${widths.map((size, column) => (row[column] ?? "").padEnd(size)).join(" | ")} |`;
  const [first = [], ...others] = cells;
  return [first, widths.map((size) => "-".repeat(size)), ...others].map(line).join("\n");
}

/**
 * A paragraph or an item of a list, wrapped. The text of a link stays on one line, because the formatter moves a second line.
 *
 * @param columns by default those of a terminal
 */
export function wrapped(item: string, columns = width): string {
  const lines: string[] = [];
  const indent = item.startsWith("- ") ? " " : undefined;
  let line = "";
  for (const word of item.split(/ (?![^[\]]*\]\()/)) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent ?? "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
