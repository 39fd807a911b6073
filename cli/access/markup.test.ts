import fc from "fast-check";
import { hostileMarkup as hostile } from "../../test/support/hostile-texts";
import { cases } from "../../test/support/seed";
import { codeSpan, markdown, mermaidLabel, plainText } from "./markup";

/** The content of a code span as CommonMark reads it; undefined if the text is anything else, or more. */
function spanIn(text: string): string | undefined {
  const [quotes = ""] = /^`+/.exec(text) ?? [];
  const runs = [...text.matchAll(/`+/g)].filter(({ 0: run }) => run.length === quotes.length);
  const end = runs[1]?.index;
  if (quotes === "" || end === undefined || end + quotes.length !== text.length) return undefined;
  const inner = text.slice(quotes.length, end);
  return /^ .*[^ ].* $/s.test(inner) ? inner.slice(1, -1) : inner;
}

test("whatever a text is, in Markdown it is one code span on one line, with nothing but the text", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const span = codeSpan(text);
      expect(span).not.toMatch(/[\n\r]/);
      const shown = plainText([{ code: text }]).slice(1, -1);
      expect(spanIn(span)).toBe(shown === "" ? " " : shown);
      expect(markdown(["a ", { code: text }, " b"])).toBe(`a ${span} b`);
    }),
    cases({ numRuns: 2_000 }),
  );
});

test("whatever texts are, in Mermaid they are the lines of one label", () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 3 }), (lines) => {
      const whole = mermaidLabel(...lines).slice(1, -1);
      const each = lines.map((line) => mermaidLabel(line).slice(1, -1));
      expect(whole.split("<br/>").map((line) => line || " ")).toEqual(each);
    }),
    cases(),
  );
});

test("whatever a text is, in Mermaid it is a label of letters, digits, spaces and codes of characters, which mean the text", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const label = mermaidLabel(text);
      expect(label).toMatch(/^"(?:[\p{L}\p{N} ]|#\d+;)+"$/u);
      const meant = label.slice(1, -1).replace(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
      expect(meant).toBe(plainText([{ code: text }]).slice(1, -1) || " ");
    }),
    cases({ numRuns: 2_000 }),
  );
});
