/** The index of the store that an answer came from, where it tells one. The header is called X-Nomad-Index in the field. */
export function storeIndex(headers: ReadonlyMap<string, string>): number | undefined {
  for (const [name, value] of headers) {
    if (/^x-[a-z]+-index$/.test(name) && /^\d+$/.test(value)) return Number(value);
  }
  return undefined;
}
