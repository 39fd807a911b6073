/** The same function, which remembers its last results: to read a text takes longer than to use what it says. */
export function remembering<T>(most: number, read: (text: string) => T): (text: string) => T {
  const results = new Map<string, { readonly result: T }>();
  return (text) => {
    const known = results.get(text);
    if (known) return known.result;
    const result = read(text);
    // All at once: what is in use is soon there again.
    if (results.size >= most) results.clear();
    results.set(text, { result });
    return result;
  };
}
