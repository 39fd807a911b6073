/** The start of a text, of so many UTF-16 units at most: a character of two is not cut in half. */
export function startOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}
