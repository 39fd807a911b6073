/** Formats rows as columns: two spaces between them, and none at the end of a line. */
export function table(rows: readonly (readonly string[])[], indent = ""): string[] {
  const shown = rows.map((row) => row.map(printable));
  const columns = Math.max(0, ...shown.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, index) => Math.max(...shown.map((row) => [...(row[index] ?? "")].length)));
  const padded = (text: string, index: number) => text + " ".repeat(Math.max(0, (widths[index] ?? 0) - [...text].length));
  return shown.map((row) => `${indent}${row.map(padded).join("  ")}`.trimEnd());
}

/** A text of a server with control characters and line breaks escaped, so a terminal executes none. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
