/** An own property of the object, never an inherited one ("constructor", "__proto__"). */
export function ownProperty<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

export function pick(from: Record<string, unknown>, names: Iterable<string>): Record<string, unknown> {
  return defined(Object.fromEntries([...names].map((name) => [name, ownProperty(from, name)])));
}

export function defined(properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}
