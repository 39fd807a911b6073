/** The start of a text with at most `most` UTF-16 units. A character with two units is not cut in half. */
export function startOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}
