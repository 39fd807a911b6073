// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
import fc from "fast-check";
import { cases } from "../test/support/seed";
import { interpolate, TemplateError } from "./interpolate";

const variables = new Map([
  ["value.team", "ops"],
  ["value.t_1", ""],
  ["value.x", "${value.team} $$ $1"],
]);

/** With a text in quotes, which is empty, only the whole grammar reads it. */
const byGrammar = (template: string) => interpolate(`\${""}${template}`, variables);

const outcome = (read: () => string) => {
  try {
    return read();
  } catch (error) {
    return `fails: ${error instanceof TemplateError}`;
  }
};

test("claims alone are interpolated as the whole grammar does it", () => {
  const part = fc.constantFrom(
    "${value.team}",
    "${value.t_1}",
    "${value.x}",
    "${value.nobody}",
    "a",
    "\\n",
    '"',
    "{",
    "}",
    "$",
    "$$",
    "${1 + 2}",
    "é",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const template = parts.join("");
      // Servers leave a text without an interpolation as it is.
      fc.pre(template.includes("${"));
      expect(outcome(() => interpolate(template, variables))).toBe(outcome(() => byGrammar(template)));
    }),
    cases({ numRuns: 500 }),
  );
});

test.each([
  ["team-${value.team}-${value.t_1}x", "team-ops-x"],
  ["${value.x}", "${value.team} $$ $1"],
  ["$${value.team}", "${value.team}"],
  ["a$b", "a$b"],
])("%s becomes %s", (template, text) => {
  expect(interpolate(template, variables)).toBe(text);
});
