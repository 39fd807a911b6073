// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
import { interpolate, textsOf } from "./template";

const variables = new Map([
  ["value.team", "ops"],
  ["value.t_1", ""],
  ["value.x", "${value.team} $$ $1"],
]);

test.each([
  ["team-${value.team}-${ value.t_1 }x", "team-ops-x"],
  ["${value.x}", "${value.team} $$ $1"],
  ["$${value.team}", "$${value.team}".replace("$$", "$")],
  ["a$b", "a$b"],
])("%s becomes %s", (template, text) => {
  expect(interpolate(template, variables)).toBe(text);
});

test.each([
  ['${value.team == "ops" ? "admin" : "dev"}', "1:3"],
  ["a-${1 + 2}", "1:5"],
  ['${"${value.team}"}', "1:3"],
  ["${upper(value.team)}", "1:3"],
  ["${value.team[0]}", "1:3"],
  ["${true}", "1:3"],
  ["${1}", "1:3"],
  ["${ 1.0 }", "1:3"],
  ["${-(1)}", "1:3"],
  ['${f("}${g("}")}")}', "1:3"],
])("%s is left to servers, and may become any text", (template, place) => {
  const message = `${place}: only servers compute numbers, operators, quotes and calls`;
  expect(() => interpolate(template, variables)).toThrow(message);
  const texts = textsOf(template, new Set(variables.keys()));
  expect([texts.isComputed, texts.test("a-admin")]).toEqual([true, true]);
});

test.each([
  ["${value.nobody}", "1:3: unknown variable accessed: value.nobody"],
  ["a\n${value.team}${value.nobody}", "2:16: unknown variable accessed: value.nobody"],
  ["${value.team", "parse error at 1:13: "],
  ["${1e5}", "parse error at 1:3: "],
  ["${1.2.3}", "parse error at 1:3: "],
])("%s fails at every login", (template, message) => {
  expect(() => interpolate(template, variables)).toThrow(message);
  expect(() => textsOf(template, new Set(variables.keys()))).toThrow(message);
});
