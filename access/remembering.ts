/** Caches the last results of a function, because parsing a text takes longer than using the result. */
export function remembering<T>(most: number, read: (text: string) => T): (text: string) => T {
  return rememberingBy(most, (text: string) => text, read);
}

/** Like {@link remembering}, for a function of any input. @param keyOf must return different keys for inputs with different results */
export function rememberingBy<I, T>(most: number, keyOf: (input: I) => string, read: (input: I) => T): (input: I) => T {
  const results = new Map<string, { readonly result: T }>();
  return (input) => {
    const key = keyOf(input);
    const known = results.get(key);
    if (known) return known.result;
    const result = read(input);
    // The whole cache is cleared, because the results in use are soon computed again.
    if (results.size >= most) results.clear();
    results.set(key, { result });
    return result;
  };
}
