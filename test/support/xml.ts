/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The element's own text, without the texts of its children. */
  readonly text: string;
}

const NAME = "[A-Za-z_][\\w:.-]*";
const TOKEN = new RegExp(`<(/?)(${NAME})((?:\\s+${NAME}="[^"<]*")*)\\s*(/?)>|([^<]+)`, "y");
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d+));|(&)/g;
const meanings: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Reads XML of elements and texts. @throws if it is not well-formed */
export function parseXml(document: string): XmlElement {
  type Open = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string };
  const stack: Open[] = [{ name: "", attributes: {}, children: [], text: "" }];
  const fail = (at: number, why: string) => new Error(`not well-formed at ${at} (${document.slice(at, at + 40)}): ${why}`);
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < document.length; ) {
    const at = TOKEN.lastIndex;
    const [, close, name, attributes = "", selfClosing, text] = TOKEN.exec(document) ?? [];
    const top = stack.at(-1);
    if (!top || (name === undefined && text === undefined)) throw fail(at, "no tag and no text");
    if (text !== undefined) {
      if (text.includes("]]>")) throw fail(at, "]]> in a text");
      top.text += meaningOf(text);
    } else if (close) {
      if (top.name !== name || stack.length < 2) throw fail(at, `the end of ${name} within ${top.name}`);
      stack.pop();
    } else if (name !== undefined) {
      const pairs = [...attributes.matchAll(new RegExp(`(${NAME})="([^"]*)"`, "g"))].map(([, key = "", value = ""]) => [
        key,
        meaningOf(value),
      ]);
      if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw fail(at, "an attribute twice");
      const element: Open = { name, attributes: Object.fromEntries(pairs), children: [], text: "" };
      top.children.push(element);
      if (!selfClosing) stack.push(element);
    }
  }
  const [root, more] = stack[0]?.children ?? [];
  if (!root || more || stack.length > 1) throw fail(document.length, "not one whole element");
  return root;
}

function meaningOf(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(text)) throw new Error("a character that XML can't hold");
  return text.replace(ENTITY, (_, name: string | undefined, code: string | undefined, bare: string | undefined) => {
    if (bare) throw new Error(`an & that begins nothing: ${text}`);
    return name === undefined ? String.fromCodePoint(Number(code)) : (meanings[name] ?? "");
  });
}

/** All elements of a name, in the order of the document. */
export function elementsIn(element: XmlElement, name: string): XmlElement[] {
  return [...(element.name === name ? [element] : []), ...element.children.flatMap((child) => elementsIn(child, name))];
}
