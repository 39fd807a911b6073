import { CommandError } from "../command-line";
import { titleOf } from "../inventory/inventory";
import type { Language } from "./languages";
import type { Expression, Program } from "./program";

/** What a language can't hold of the keys of a map, or of a text, and what it makes of it; undefined if it takes them as they are. */
interface Limits {
  readonly ofKeys?: (keys: readonly string[]) => Unwritable | undefined;
  readonly ofText?: (text: string) => Unwritable | undefined;
}

interface Unwritable {
  readonly what: string;
  /** What comes of it there, as a clause. */
  readonly effect: string;
}

const key = (name: string, effect: string): Unwritable => ({ what: `the key ${JSON.stringify(name)}`, effect });

/** To look at a Pulumi.yaml the Pulumi CLI writes all of it anew: it can't read what it then makes of such a text, as a key or a value. */
export const lostInYaml = /^\t[\s\S]*\n/;

const limits: Readonly<Record<Language, Limits>> = {
  typescript: { ofKeys: (keys) => (keys.includes("__proto__") ? key("__proto__", "Pulumi's SDK loses it") : undefined) },
  python: {},
  go: {},
  yaml: {
    ofKeys(keys) {
      const [first = "", ...others] = keys;
      if (others.length === 0 && /^fn::/i.test(first)) return key(first, "it calls a function");
      // Also if it is quoted.
      return keys.includes("<<") ? key("<<", "it merges maps") : undefined;
    },
    ofText: (text) =>
      lostInYaml.test(text)
        ? { what: "a text of several lines that begins with a tab", effect: "the Pulumi CLI does not read it" }
        : undefined,
  },
};

/**
 * Looks at all texts, and at the keys that are the user's, such as names of claims.
 *
 * @throws CommandError for what the language can't hold: the first update would take it from the server
 */
export function refuseTexts({ declarations }: Program, language: Language): void {
  const { ofKeys, ofText } = limits[language];
  for (const { object, properties } of declarations) {
    const values = properties.map(({ value }) => value);
    const first = <T>(of: T[], look: ((one: T) => Unwritable | undefined) | undefined) => look && of.flatMap((one) => look(one) ?? [])[0];
    const problem = first(values.flatMap(textsIn), ofText) ?? first(values.flatMap(keysIn), ofKeys);
    if (!problem) continue;
    const what = `${titleOf(object)}: ${problem.what} can't be written in ${language}: ${problem.effect}.`;
    throw new CommandError(`${what} Give another --language, or --exclude this object. Nothing was written.`);
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
