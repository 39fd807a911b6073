/** The most similar name; undefined when none is similar. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = simple(name);
  const similar = known.flatMap((one) => {
    const distance = simple(one) === wanted ? 0 : editDistance(simple(one), wanted);
    return distance <= MOST ? [{ one, distance }] : [];
  });
  return similar.sort((a, b) => a.distance - b.distance)[0]?.one;
}

/** The maximal number of letters that a typing error adds, omits or changes. */
const MOST = 2;

function simple(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function editDistance(a: string, b: string): number {
  // Names with very different lengths are not compared: they are not typing errors, and the comparison takes time.
  if (Math.abs(a.length - b.length) > MOST) return MOST + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
