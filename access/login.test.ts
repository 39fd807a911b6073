// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import { type Access, evaluateLogin, type LoginRule } from "./login";

const access: Access = {
  method: { name: "sso", type: "OIDC", tokenLocality: "global", claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } },
  rules: [],
  roles: { deployers: ["deploy"], "team-ops": [] },
  policies: ["deploy", "read"],
};

const role = (bindName: string, selector = ""): LoginRule => ({ selector, bindType: "role", bindName });

function loginWith(rules: readonly LoginRule[], claims: Parameters<typeof evaluateLogin>[1] = {}, method: Partial<Access["method"]> = {}) {
  return evaluateLogin({ ...access, method: { ...access.method, ...method }, rules }, claims);
}

describe("a login", () => {
  it("gets the roles and policies of all matching rules, each once", () => {
    const rules = [
      role("deployers", '"ops" in list.groups'),
      role("deployers"),
      { bindType: "policy", bindName: "read", selector: 'value.team == "ops"' } as const,
      role("others", '"others" in list.groups'),
    ];
    expect(loginWith(rules, { groups: ["ops"], team: "ops" })).toMatchObject({
      ok: true,
      token: { name: "OIDC-sso", type: "client", roles: ["deployers"], policies: ["read"], global: true },
    });
  });

  it("reads half characters in names and values of claims as a server's JSON parser does", () => {
    const claims = JSON.parse('{"te\\ud800m":"\\udc00","groups":["\\ud800a"],"team":"\\ud83d\\ude00"}');
    const mappings = { "te\ufffdm": "half", team: "team" };
    const selectors = ['value.half == "\ufffd"', '"\ufffda" in list.groups', 'value.team == "\u{1f600}"'];
    const { rules } = loginWith(
      selectors.map((selector) => role("deployers", selector)),
      claims,
      { claimMappings: mappings },
    );
    expect(rules.map(({ matches }) => matches)).toEqual([true, true, true]);
  });

  it("takes deeply nested claims: as a text, in an error, and without a mapping", () => {
    const depth = 1_000;
    const lists = JSON.parse("[".repeat(depth) + "]".repeat(depth));
    const maps = JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
    const rules = [role("deployers", 'value.deep matches "^[[]+[]]+$"')];
    const method = { claimMappings: { deep: "deep" } };
    expect(loginWith(rules, { deep: lists, other: maps }, method)).toMatchObject({ ok: true, token: { roles: ["deployers"] } });
    expect(loginWith(rules, { groups: [maps] })).toMatchObject({
      status: 500,
      error: `value ${"map[a:".repeat(depth)}1${"]".repeat(depth)} in "groups" list claim could not be parsed as string`,
    });
  });

  it("names the grant of each matching rule, and the part of the selector that excludes the login from each other rule", () => {
    const selector = '"ops" in list.groups and (value.team == "x" or not list.groups is not empty)';
    expect(loginWith([role("deployers"), role("gone"), role("deployers", selector)], { groups: ["ops"] }).rules).toMatchObject([
      { matches: true, gives: { kind: "role", name: "deployers", policies: ["deploy"] } },
      { matches: true, gives: { kind: "nothing", name: "gone" } },
      {
        matches: false,
        because: [
          { part: 'value.team == "x"', found: "the login has no value.team" },
          { part: "list.groups is not empty", found: 'list.groups is ["ops"]' },
        ],
      },
    ]);
  });

  it("fails if no rule gives anything", () => {
    expect(loginWith([role("gone"), role("deployers", "value.team == x")])).toMatchObject({
      ok: false,
      status: 400,
      error: "no role or policy bindings matched",
    });
  });

  it("is management by one rule, and has no roles and policies then", () => {
    const rules = [role("deployers"), { bindType: "management" } as const, role("${value.nobody}")];
    const login = loginWith(rules);
    expect(login).toMatchObject({ ok: true, token: { type: "management", roles: [], policies: [] } });
    expect(login.rules.at(-1)).toMatchObject({ gives: { kind: "unused" } });
  });

  it("fails as a whole if a bind name interpolates an unmapped claim", () => {
    expect(loginWith([role("deployers"), role("team-${value.nobody}")])).toMatchObject({
      ok: false,
      status: 500,
      error: 'cannot compute "role" bind name for bind target: 1:8: unknown variable accessed: value.nobody',
    });
  });

  it("fails if the token's name interpolates a missing claim, although a bind name may", () => {
    const rules = [role("deployers"), role("team-ops${value.team}")];
    expect(loginWith(rules)).toMatchObject({ ok: true, token: { roles: ["deployers", "team-ops"] } });
    expect(loginWith(rules, {}, { tokenNameFormat: "t-${value.team}" })).toMatchObject({
      ok: false,
      status: 500,
      error: "failed to generate ACL token name: 1:5: unknown variable accessed: value.team",
    });
  });

  it("interpolates bind names in lower case, and the token's name with the claim's own letter case", () => {
    expect(loginWith([role("team-${value.team}")], { team: "OPS" }, { tokenNameFormat: "${value.team}" })).toMatchObject({
      token: { name: "OPS", roles: ["team-ops"] },
    });
  });

  it("expires after the method's duration, if the time of the login is given", () => {
    const limited = { ...access, method: { ...access.method, maxTokenTtl: "1h30m" }, rules: [role("deployers")] };
    expect(evaluateLogin(limited, {}, { at: new Date("2030-01-01T00:00:00Z") })).toMatchObject({
      token: { expirationTime: "2030-01-01T01:30:00.000Z" },
    });
    expect(evaluateLogin(limited, {})).not.toHaveProperty("token.expirationTime");
  });

  it("has two outcomes if servers may try a new rule before or after the one for management", () => {
    const broken = { ...role("team-${value.nobody}"), isNew: true };
    const login = loginWith([{ id: "b", bindType: "management" }, broken]);
    expect(login).toMatchObject({ ok: true, token: { type: "management" }, otherwise: [{ ok: false, status: 500 }] });
  });

  it("has one outcome if the order of new rules does not matter", () => {
    expect(loginWith([role("deployers"), { ...role("team-ops"), isNew: true }])).not.toHaveProperty("otherwise");
  });

  it.each([
    ["an object", { team: { a: 1 } }, "error converting claim 'team' to string from unknown type map[string]interface {}"],
    [
      "a list with an object",
      { groups: [{ b: 1.5, a: [null] }] },
      'value map[a:[<nil>] b:1.5] in "groups" list claim could not be parsed as string',
    ],
    ["an object for a list", { groups: {} }, '"groups" list claim could not be converted to string list'],
  ])("fails if a mapped claim is %s", (_, claims, error) => {
    expect(loginWith([role("deployers")], claims)).toMatchObject({ ok: false, status: 500, error });
  });
});

describe("a claim with the name of an inherited property", () => {
  it("is missing if the token lacks it", () => {
    const method = { claimMappings: { constructor: "team", "/groups/length": "x" }, listClaimMappings: { toString: "groups" } };
    const rules = [role("deployers", "value.team is nil and value.x is nil and list.groups is nil")];
    expect(loginWith(rules, { groups: [] }, method)).toMatchObject({ ok: true });
    expect(loginWith([role("constructor")], {})).toMatchObject({ ok: false, status: 400 });
  });
});

/** Logins that were recorded on a running server. They are not part of the package. */
const folder = resolve(__dirname, "../../shared/conformance");
const recording = z.object({
  roles: z.record(z.string(), z.array(z.string())),
  policies: z.array(z.string()),
  cases: z.array(
    z.object({
      method: z.object({
        name: z.string(),
        type: z.enum(["OIDC", "JWT"]),
        tokenLocality: z.enum(["local", "global"]),
        tokenNameFormat: z.string().optional(),
        claimMappings: z.record(z.string(), z.string()),
        listClaimMappings: z.record(z.string(), z.string()),
      }),
      rules: z.array(
        z.object({ Selector: z.string().default(""), BindType: z.enum(["role", "policy", "management"]), BindName: z.string().optional() }),
      ),
      logins: z.array(z.object({ claims: z.record(z.string(), z.json()), status: z.number(), result: z.unknown() })),
    }),
  ),
});

function recordings() {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".json")) : [];
  return files.flatMap((file) => {
    const read = recording.safeParse(JSON.parse(readFileSync(join(folder, file), "utf8")));
    return read.success ? [{ file, ...read.data }] : [];
  });
}

describe("recorded logins on a running server", () => {
  const known = recordings();
  if (known.length === 0) {
    it("are not available here, so nothing is replayed", () => {
      console.log(`No logins were replayed: there are no recordings of logins in ${folder}.`);
      expect(known).toEqual([]);
    });
    return;
  }

  it.each(known)("$file: every login gets the recorded token or error", ({ cases, roles, policies }) => {
    const wrong = cases.flatMap(({ method, rules, logins }) =>
      logins.filter(({ claims, status, result }) => {
        const named = rules.map(({ Selector, BindType, BindName }) => ({ selector: Selector, bindType: BindType, bindName: BindName }));
        const login = evaluateLogin({ method, rules: named, roles, policies }, claims);
        const sorted = (token: { policies: readonly string[]; roles: readonly string[] }) => ({
          ...token,
          policies: [...new Set(token.policies)].sort(),
          roles: [...new Set(token.roles)].sort(),
        });
        const expected =
          status === 200 ? sorted(z.looseObject({ policies: z.array(z.string()), roles: z.array(z.string()) }).parse(result)) : result;
        const found = login.ok ? sorted(login.token) : login.error;
        return status !== (login.ok ? 200 : login.status) || JSON.stringify(ordered(found)) !== JSON.stringify(ordered(expected));
      }),
    );
    expect(wrong).toEqual([]);
  });
});

function ordered(value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}
