import fc from "fast-check";
import { hostileMarkup as hostile } from "../../test/support/hostile-texts";
import { cases } from "../../test/support/seed";
import { parseXml } from "../../test/support/xml";
import { printable } from "../table";
import { dotText, scriptJson, xmlText } from "./escape";

/** The lines of a text of Graphviz's language, as Graphviz reads it; undefined if it is anything else, or more. */
function dotLines(written: string): string[] | undefined {
  if (!/^"(?:[^"\\]|\\[\s\S])*"$/.test(written)) return undefined;
  const meanings = new Map([["\\n", "\n"]]);
  const read = written.slice(1, -1).replace(/\\([\s\S])/g, (pair, character: string) => meanings.get(pair) ?? character);
  if (/&(?!amp;)/.test(read)) return undefined;
  return read.replaceAll("&amp;", "&").split("\n");
}

test("whatever a text is, in XML and HTML it is a text and an attribute, and nothing else", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { children, ...element } = parseXml(`<a b="${xmlText(text)}">${xmlText(text)}</a>`);
      const shown = printable(text).replace(/[\p{Surrogate}\ufffe\uffff]/gu, "\ufffd");
      expect({ children, ...element }).toEqual({ name: "a", attributes: { b: shown }, text: shown, children: [] });
    }),
    cases({ numRuns: 2_000 }),
  );
});

test("whatever texts are, in Graphviz's language they are the lines of one text", () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 3 }), (lines) => {
      expect(dotLines(dotText(...lines))).toEqual(lines.map(printable));
    }),
    cases({ numRuns: 2_000 }),
  );
});

test("whatever JSON holds, within a script it is the same JSON, of characters that can be printed, and ends no script", () => {
  fc.assert(
    fc.property(fc.dictionary(hostile, fc.array(hostile, { maxLength: 3 }), { maxKeys: 3 }), (value) => {
      const written = scriptJson(value);
      expect(written).not.toMatch(/[<>&\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    cases({ numRuns: 2_000 }),
  );
});
