/** "name, policies[1] and description" */
export function listOf(items: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(items);
}
