/** The address in a text; undefined if there is none. `URL.canParse` of Node 20 refuses letters such as ü once its caller is compiled. */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
