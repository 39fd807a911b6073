import { CommandError } from "../command-line";
import type { Language } from "./languages";
import type { Expression, Program } from "./program";

/** What a language makes of the keys of a map that it takes for more than keys; undefined where it takes them as they are. */
type Mistaken = (keys: readonly string[]) => { readonly key: string; readonly effect: string } | undefined;

const none: Mistaken = () => undefined;

const mistaken: Readonly<Record<Language, Mistaken>> = {
  typescript: (keys) => (keys.includes("__proto__") ? { key: "__proto__", effect: "Pulumi's SDK loses it" } : undefined),
  python: none,
  go: none,
  yaml(keys) {
    const [first = "", ...others] = keys;
    if (others.length === 0 && /^fn::/i.test(first)) return { key: first, effect: "it calls a function" };
    // Also where it is quoted.
    return keys.includes("<<") ? { key: "<<", effect: "it merges maps" } : undefined;
  },
};

/** To look at a Pulumi.yaml the Pulumi CLI writes all of it anew: it can't read what it then makes of such a text, as a key or a value. */
export const lostInYaml = /^\t[\s\S]*\n/;

/**
 * Looks at the keys that are the user's, such as names of claims, and for YAML at all texts.
 *
 * @throws CommandError for what the language can't express: the first update would take it from the server
 */
export function refuseTexts({ declarations }: Program, language: Language): void {
  for (const { kind, object, properties } of declarations) {
    const lost =
      language === "yaml" && properties.some(({ name, value }) => [name, ...textsIn(value)].some((text) => lostInYaml.test(text)));
    if (lost) {
      const what = `${kind} ${JSON.stringify(object.name)}: a text of several lines that begins with a tab can't be written in yaml, where the Pulumi CLI does not read it.`;
      throw new CommandError(`${what} Give another --language, or --exclude this object. Nothing was written.`);
    }
    for (const keys of properties.flatMap(({ value }) => keysIn(value))) {
      const found = mistaken[language](keys);
      if (!found) continue;
      const what = `${kind} ${JSON.stringify(object.name)}: the key ${JSON.stringify(found.key)} can't be written in ${language}, where ${found.effect}.`;
      throw new CommandError(`${what} Give another --language, or --exclude this object. Nothing was written.`);
    }
  }
}

/** The keys of each map in a value. */
function keysIn(value: Expression): string[][] {
  if (value.kind === "map") return [value.properties.map(({ name }) => name)];
  return value.kind === "object" ? value.properties.flatMap((property) => keysIn(property.value)) : [];
}

/** All texts in a value, keys among them. */
function textsIn(value: Expression): string[] {
  switch (value.kind) {
    case "literal":
      return typeof value.value === "string" ? [value.value] : [];
    case "list":
      return value.items.flatMap(textsIn);
    case "object":
    case "map":
      return value.properties.flatMap(({ name, value: inner }) => [name, ...textsIn(inner)]);
    default:
      return [];
  }
}
