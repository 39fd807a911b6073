// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
import { evaluateLogin } from "./login";
import { sentencesOf, unmappedClaims, unmappedInTokenName } from "./unmapped";

const mapped = { value: new Set(["team", "mail"]), list: new Set(["groups"]) };
const of = (selector: string, bindName = "dev") => unmappedClaims({ selector, bindName }, mapped);

test.each([
  ["value.tean == ops", "value.tean", "the selector matches no login, and the rule gives nothing", "value.team"],
  ["value.tean != ops", "value.tean", "the selector matches every login of the method", "value.team"],
  ["ops in list.group", "list.group", "the selector matches no login, and the rule gives nothing", "list.groups"],
  ["ops not in list.group", "list.group", "the selector matches every login of the method", "list.groups"],
  ["value.team == ops and value.nobody != x", "value.nobody", "value.nobody != x holds for every login", undefined],
  ["value.team == ops or ops in value.groups", "value.groups", "ops in value.groups holds for no login", "list.groups"],
  ["team == ops", "team", "the selector matches no login, and the rule gives nothing", "value.team"],
  [
    "value.team == ops or value.tean.x == y",
    "value.tean.x",
    "value.tean.x == y can't be evaluated, and where a login gets to it",
    "value.team",
  ],
  ["any list.groups as g { g == value.tean }", undefined, "", undefined],
  ["any list.groups as g { g == ops and value.tean != ops }", "value.tean", "value.tean != ops holds for every login", "value.team"],
  ["any list.group as g { g == ops }", "list.group", "the selector matches no login", "list.groups"],
  ["list.groups.0 == ops and value is not empty", undefined, "", undefined],
  ["this is no selector (", undefined, "", undefined],
  ["", undefined, "", undefined],
])("of the selector %j, %s is not mapped: %s", (selector, claim, consequence, nearest) => {
  const found = of(selector);
  expect(found.map((one) => one.claim)).toEqual(claim === undefined ? [] : [claim]);
  if (claim !== undefined)
    expect(found).toMatchObject([{ property: "selector", consequence: expect.stringContaining(consequence), nearest }]);
});

test.each([
  ["", "team-${value.tean}", "value.tean", "every login of the method fails", "value.team"],
  ["value.team == ops", "team-${value.tean}", "value.tean", "every login that the selector matches fails", "value.team"],
  ["", "${list.groups}", "list.groups", "every login of the method fails", undefined],
  ["", "${team}", "team", "every login of the method fails", "value.team"],
])("with the selector %j, the bind name %s refers to %s: %s", (selector, bindName, claim, consequence, nearest) => {
  expect(of(selector, bindName)).toMatchObject([
    { property: "bindName", claim, consequence: expect.stringContaining(consequence), nearest },
  ]);
});

test("a bind name that no login reaches breaks none, and one whose claims are mapped is right", () => {
  expect(of("value.tean == ops", "${value.nobody}").map(({ property }) => property)).toEqual(["selector"]);
  expect(of("value.team == ops", "a-${value.team}-$${value.nobody}")).toEqual([]);
});

test("a login does what the consequences say", () => {
  const login = (selector: string, bindName: string) =>
    evaluateLogin(
      {
        method: { name: "sso", type: "JWT", tokenLocality: "local", claimMappings: { team: "team" } },
        rules: [{ selector, bindType: "role", bindName }],
        roles: { dev: [] },
        policies: [],
      },
      { team: "ops", tean: "ops" },
    );
  expect(login("value.tean == ops", "dev")).toMatchObject({ ok: false, status: 400 });
  expect(login("value.tean != ops", "dev")).toMatchObject({ ok: true });
  expect(login("value.team == ops or value.tean.x == y", "dev")).toMatchObject({ ok: true });
  expect(login("value.team == dev or value.tean.x == y", "dev")).toMatchObject({ ok: false, status: 400 });
  expect(login("value.team == ops", "team-${value.tean}")).toMatchObject({ ok: false, status: 500 });
});

test("a token's name may have what the method is called, and the claims that it maps to values", () => {
  expect(unmappedInTokenName("${auth_method_type}-${auth_method_name}-${value.team}", mapped)).toEqual([]);
  expect(unmappedInTokenName("${value.tean}-${list.groups}-${value.tean}", mapped)).toEqual([
    "tokenNameFormat interpolates value.tean, which the method does not map to a value: every login of the method fails as a whole. Did you mean value.team?",
    expect.stringMatching(/^tokenNameFormat interpolates list\.groups, .* fails as a whole\. Only values can be interpolated\./),
  ]);
});

test("the sentences say what to do", () => {
  const sentences = (selector: string, bindName = "dev") => of(selector, bindName).map(sentencesOf);
  expect(sentences("value.nobody == ops")).toEqual([
    "selector looks at value.nobody, which the method does not map: the selector matches no login, and the rule gives nothing. Map the claim in config.claimMappings, or correct the name.",
  ]);
  expect(sentences("ops in list.nobody")).toEqual([
    expect.stringMatching(/Map the claim in config\.listClaimMappings, or correct the name\.$/),
  ]);
  expect(sentences("nobody == ops")).toEqual([expect.stringMatching(/Claims are called value\.NAME and list\.NAME, /)]);
  expect(sentences("", "${list.groups}")).toEqual([
    expect.stringMatching(/^bindName interpolates list\.groups, .* Only values can be interpolated\./),
  ]);
});
