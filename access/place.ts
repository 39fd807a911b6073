/** A range of a text: the indexes of its start and end. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** The line and column of an index, counted in characters from 1. */
export function positionIn(text: string, at: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
}

/** A position with its character, for a message. The rest of the text may be a secret of the program, so it is not quoted. */
export function whereIn(text: string, at: number): string {
  const { line, column } = positionIn(text, at);
  const place = text.includes("\n") ? `line ${line}, column ${column}` : `column ${column}`;
  const code = text.codePointAt(at);
  return code === undefined ? `at its end (${place})` : `at ${place} (${JSON.stringify(String.fromCodePoint(code))})`;
}
