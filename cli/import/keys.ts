import { CommandError } from "../command-line";
import { titleOf } from "../inventory/inventory";
import type { Language } from "./names";
import type { Expression, Program } from "./program";

/** Texts that the Pulumi CLI loses, as keys or values: it rewrites Pulumi.yaml before reading it, and can't read the result for these. */
export const lostInYaml = /^\t[\s\S]*\n/;

/** The texts that a language can't hold, as keys of a map or anywhere. */
const unwritable: readonly { language: Language; isOfKeys: boolean; form: RegExp; what?: string; effect: string }[] = [
  { language: "typescript", isOfKeys: true, form: /^__proto__$/, effect: "Pulumi's SDK loses it" },
  { language: "yaml", isOfKeys: true, form: /^fn::/i, effect: "it calls a function" },
  // YAML merges maps even if the key is quoted.
  { language: "yaml", isOfKeys: true, form: /^<<$/, effect: "it merges maps" },
  {
    ...{ language: "yaml", isOfKeys: false, form: lostInYaml },
    ...{ what: "a text of several lines that begins with a tab", effect: "the Pulumi CLI does not read it" },
  },
];

/**
 * Checks all texts, and the user's own keys, such as names of claims.
 *
 * @throws CommandError for a text that the language can't hold: the program would fail, or the first update would change it on the server
 */
export function refuseTexts({ declarations }: Program, language: Language): void {
  for (const { object, properties } of declarations) {
    const texts = properties.flatMap(({ value }) => textsIn(value));
    for (const { isOfKeys, form, effect, ...one } of unwritable.filter((all) => all.language === language)) {
      const found = texts.find(({ text, isKey }) => (isKey || !isOfKeys) && form.test(text));
      if (!found) continue;
      const what = `${titleOf(object)}: ${one.what ?? `the key ${JSON.stringify(found.text)}`} can't be written in ${language}: ${effect}.`;
      throw new CommandError(`${what} Give another --language, or --exclude this object. Nothing was written.`);
    }
  }
}

/** All texts in a value, keys of maps among them. */
function textsIn(value: Expression): { text: string; isKey: boolean }[] {
  switch (value.kind) {
    case "literal":
      return typeof value.value === "string" ? [{ text: value.value, isKey: false }] : [];
    case "list":
      return value.items.flatMap(textsIn);
    case "object":
    case "map":
      return value.properties.flatMap((one) => [{ text: one.name, isKey: value.kind === "map" }, ...textsIn(one.value)]);
    default:
      return [];
  }
}
