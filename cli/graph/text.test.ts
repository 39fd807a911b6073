import fc from "fast-check";
import { modelOf } from "../../test/support/access-example";
import { cases } from "../../test/support/seed";
import { printable } from "../table";
import { arranged } from "./boxes";
import { pictureOf } from "./picture";
import { widthOf, wrapped } from "./text";

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(..."aW ,.é中😀\u0301\u202e\n"), maxLength: 60 }),
);
const font = { size: 12, isCode: true };

test("lines are never wider than their room, and there are never more than asked for", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 40, max: 200 }), fc.integer({ min: 1, max: 4 }), (text, room, most) => {
      const lines = wrapped(text, font, room, most);
      expect(lines.length).toBeLessThanOrEqual(most);
      for (const line of lines) expect(widthOf(line, font)).toBeLessThanOrEqual(room);
    }),
    cases(),
  );
});

test("nothing of a text is lost but the spaces at which it breaks, and where an ellipsis stands", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 40, max: 200 }), (text, room) => {
      const withoutSpaces = (shown: string) => shown.replaceAll(" ", "");
      expect(withoutSpaces(wrapped(text, font, room, 1_000).join(""))).toBe(withoutSpaces(printable(text)));
      const [line = ""] = wrapped(text, font, room, 1);
      const isWhole = widthOf(printable(text), font) <= room;
      expect(line).toEqual(isWhole ? printable(text) : expect.stringMatching(/…$/));
    }),
    cases(),
  );
});

test("a text that just fits stands on one line, whole", () => {
  const justFits = (text: string) => expect(wrapped(text, font, widthOf(printable(text), font), 1).join("")).toBe(printable(text));
  justFits("ꜢʹЀʹЀϢЀ");
  fc.assert(fc.property(texts, justFits), cases());
});

test("a text breaks after a space, and never before a mark of the letter before it", () => {
  expect(wrapped("engineering in list.groups", font, widthOf("engineering in li", font), 3)).toEqual(["engineering in", "list.groups"]);
  for (const line of wrapped("e\u0301".repeat(40), font, 60, 100)) expect(line).not.toMatch(/^\p{M}/u);
});

test("the ID of a rule without a description stands on one line", () => {
  const id = "00000000-0000-4000-8000-000000000000";
  const picture = pictureOf({ ...modelOf({ format: 1, objects: {} }), rules: [{ id, authMethod: "sso", bindType: "management" }] });
  const rule = arranged(picture).boxes.find(({ node }) => node.kind === "rule");
  expect(rule?.lines[0]?.text).toBe(id);
});
