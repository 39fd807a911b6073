/** Caches the last results of a function, because parsing a text takes longer than using the result. */
export function remembering<T>(most: number, read: (text: string) => T): (text: string) => T {
  const results = new Map<string, { readonly result: T }>();
  return (text) => {
    const known = results.get(text);
    if (known) return known.result;
    const result = read(text);
    // The whole cache is cleared, because the results in use are soon computed again.
    if (results.size >= most) results.clear();
    results.set(text, { result });
    return result;
  };
}
