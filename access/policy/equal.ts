/** Whether two policy texts have the same content. */
import type { Block, NamespaceBlock } from "./decode";
import { decode, namedKinds } from "./decode";
import type { Item, Value } from "./syntax";
import { PolicyError, textOf } from "./syntax";

/**
 * Whether two policy texts are equal by content. White space, comments, the choice of HCL or JSON, and the order of blocks, names and
 * capabilities make no difference. A shorthand differs from its expansion, because a newer server may expand it to more. Unreadable
 * rules and empty rules are compared as text.
 */
export function equalRules(a: string, b: string): boolean {
  if (a === b) return true;
  const one = rulesContent(a);
  return one !== undefined && one === rulesContent(b);
}

/** A key that all rules with the same content share; undefined for unreadable and for empty rules. */
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
