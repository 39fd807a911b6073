/** Whether two texts of policies have the same content. */
import type { Block, NamespaceBlock } from "./decode";
import { decode, namedKinds } from "./decode";
import type { Item, Value } from "./syntax";
import { PolicyError, textOf } from "./syntax";

/**
 * Whether two rules are equal by content. White space, comments, the order of blocks, names and capabilities, and the choice of HCL or JSON
 * make no difference. A shorthand and what it stands for do: a newer server may read more into it. What can't be read is compared as text.
 */
export function equalRules(a: string, b: string): boolean {
  if (a === b) return true;
  const one = rulesContent(a);
  return one !== undefined && one === rulesContent(b);
}

/** One text for all rules of the same content; undefined for unreadable rules, and for none. */
export function rulesContent(rules: string): string | undefined {
  if (rules === "") return undefined;
  try {
    const { single, ignored, strange, ...named } = decode(rules);
    return JSON.stringify([
      namedKinds.map((kind) => sorted(named[kind].map(namedContent))),
      sorted(Object.entries(single).map(([kind, block]) => [kind, ...blockContent(block)])),
      sorted(ignored.map(({ block, item }) => [block, itemContent(item)])),
      sorted(strange.map(itemContent)),
    ]);
  } catch (error) {
    if (error instanceof PolicyError) return undefined;
    throw error;
  }
}

type Content = string | readonly Content[];

function blockContent({ policy, capabilities }: Block): Content[] {
  return [policy?.text ?? "", [...new Set(capabilities.map(({ text }) => text))].sort()];
}

function namedContent({ name, ...block }: NamespaceBlock): Content {
  return [name.text, ...blockContent(block), sorted((block.variables?.paths ?? []).map(namedContent))];
}

function itemContent({ keys, value }: Item): Content {
  return [keys.map(textOf), valueContent(value)];
}

function valueContent(value: Value): Content {
  if (value.kind === "object") return ["object", sorted(value.items.map(itemContent))];
  if (value.kind === "list") return ["list", value.values.map(valueContent)];
  return [value.token.kind === "heredoc" ? "text" : value.token.kind, textOf(value.token)];
}

function sorted(contents: readonly Content[]): Content[] {
  const texts = new Map(contents.map((one) => [one, JSON.stringify(one)]));
  return [...contents].sort((a, b) => compareTexts(texts.get(a), texts.get(b)));
}

function compareTexts(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
