import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import type { Claims } from "./claims";
import { evaluateLogin } from "./login";
import { checkToken, tokenRefusal } from "./token-check";
import type { TokenRequirements } from "./token-requirements";

const now = 1_800_000_000;
const jwt = (claims: Claims, method: Partial<TokenRequirements> = {}) => tokenRefusal({ type: "JWT", ...method }, claims, now) ?? "taken";
const valid = { exp: now + 300, iat: now };

describe("a token of a JWT method", () => {
  const bound = { boundAudiences: ["nomad", "other"] };
  const noAudience = expect.stringContaining("audience claim does not match any expected audience");
  const notAudience = expect.stringContaining("expected string or array value to unmarshal to Audience");

  it.each([
    ["nomad", "taken"],
    [["app", "nomad"], "taken"],
    ["NOMAD", noAudience],
    ["", noAudience],
    [[], noAudience],
    [undefined, noAudience],
    [null, notAudience],
    [5, notAudience],
    [["nomad", 5], notAudience],
    [{ nomad: true }, notAudience],
  ])("needs one of boundAudiences; with the audience %j it is: %s", (aud, said) => {
    expect(jwt({ ...valid, ...(aud !== undefined && { aud }) }, bound)).toEqual(said);
  });

  it("may have any readable audience if boundAudiences is empty", () => {
    expect([jwt(valid), jwt({ ...valid, aud: "x" }, { boundAudiences: [] })]).toEqual(["taken", "taken"]);
    expect(jwt({ ...valid, aud: 5 })).toEqual(notAudience);
  });

  it("needs one of boundIssuer, which is checked last", () => {
    const method = { boundIssuer: ["https://idp.test"] };
    expect(jwt({ ...valid, iss: "https://idp.test" }, method)).toBe("taken");
    expect(jwt({ ...valid, iss: "https://evil.test" }, method)).toBe(
      "unable to validate provided token: invalid JWT issuer: https://evil.test",
    );
    expect(jwt(valid, method)).toMatch(/does not contain issuer information$/);
    expect(jwt({ iss: "https://evil.test", exp: now - 100 }, method)).toMatch(/token is expired$/);
  });

  it("needs one of iat, nbf and exp, which may be neither 0 nor null", () => {
    const timeless: readonly Claims[] = [{}, { exp: 0 }, { exp: null, iat: 0.9, nbf: -0.5 }];
    for (const claims of timeless) expect(jwt(claims)).toMatch(/no issued at \(iat\)/);
  });

  it.each([
    [{ exp: now - 60 }, {}, "taken"],
    [{ exp: now - 61 }, {}, "expired"],
    [{ exp: now - 61 }, { clockSkewLeeway: "2m" }, "taken"],
    [{ exp: now - 1, iat: now - 100 }, { clockSkewLeeway: "-1s" }, "expired"],
    [{ nbf: now + 60 }, {}, "taken"],
    [{ nbf: now + 61 }, {}, "not yet valid"],
    [{ nbf: now, iat: now + 61 }, {}, "issued in the future"],
    // A missing exp is the later of iat and nbf, plus 150 s.
    [{ iat: now - 210 }, {}, "taken"],
    [{ iat: now - 211 }, {}, "expired"],
    [{ iat: now - 500, nbf: now - 210 }, {}, "taken"],
    [{ iat: now - 61 }, { expirationLeeway: "-1s" }, "expired"],
    [{ iat: now - 360 }, { expirationLeeway: 300e9 }, "taken"],
    [{ exp: now - 61 }, { expirationLeeway: "1h" }, "expired"],
    // A missing nbf is iat, otherwise exp less 150 s.
    [{ exp: now + 210 }, {}, "taken"],
    [{ exp: now + 211 }, {}, "not yet valid"],
    [{ exp: now + 211, iat: now }, {}, "taken"],
    [{ exp: now + 211 }, { notBeforeLeeway: "5m" }, "taken"],
    [{ exp: now + 61 }, { notBeforeLeeway: "-1s" }, "not yet valid"],
    [{ exp: 2 ** 63, iat: now }, {}, "expired"],
    [{ exp: String(now + 60) }, {}, "expected number value"],
    [{ iat: true, exp: now }, {}, "expected number value"],
    [{ ...valid, EXP: "soon" }, {}, "expected number value"],
    [{ ...valid, "\u017fub": 5 }, {}, "cannot unmarshal number into Go struct field Claims.sub of type string"],
    [{ ...valid, sub: 5 }, {}, "cannot unmarshal number into Go struct field Claims.sub of type string"],
  ])("with %j, for a method of %j, is: %s", (claims, method, said) => {
    expect(jwt(claims, method)).toContain(said);
  });
});

describe("a token of an OIDC method", () => {
  const method = { type: "OIDC", oidcDiscoveryUrl: "https://idp.test", oidcClientId: "app", oidcDisableUserInfo: true };
  const idToken = { iss: "https://idp.test", sub: "x", aud: "app", exp: now + 300 };
  const check = (claims: Claims, more: Partial<TokenRequirements> = {}) =>
    checkToken({ ...method, ...more }, { claims: { ...idToken, ...claims }, isToken: true, now });

  it("ignores boundIssuer and the leeways of the method", () => {
    expect(check({}, { boundIssuer: ["https://other.test"] })).toEqual({ notChecked: [] });
    expect(check({ exp: now - 1 }, { clockSkewLeeway: "1h", expirationLeeway: "1h" }).refusal).toMatchObject({ by: "times", status: 500 });
    expect(check({ nbf: now + 300 })).toEqual({ notChecked: [] });
    expect(check({ nbf: now + 301 }).refusal?.by).toBe("times");
    expect(check({ iat: now + 61 }).refusal?.by).toBe("times");
  });

  it.each([
    [{}, true],
    [{ aud: ["app"] }, true],
    [{ aud: "other" }, false],
    [{ aud: "other", azp: "app" }, true],
    [{ aud: ["app", "other"] }, false],
    [{ aud: ["app", "other"], azp: "app" }, true],
    [{ aud: ["one", "other"], azp: "app" }, false],
    [{ azp: "other" }, false],
    [{ azp: null }, false],
    [{ aud: [] }, false],
    [{ aud: 5 }, false],
    [{ iss: "https://evil.test" }, false],
    [{ sub: "" }, false],
    [{ exp: null }, false],
  ])("needs the method's client and identity provider; with %j it is taken: %s", (claims, isTaken) => {
    expect(check(claims).refusal === undefined).toBe(isTaken);
  });

  it("needs one of boundAudiences, too", () => {
    expect(check({}, { boundAudiences: ["other"] }).refusal?.by).toBe("audience");
    expect(check({ aud: ["app", "other"], azp: "app" }, { boundAudiences: ["other"] }).refusal).toBeUndefined();
  });

  it("may get further claims from UserInfo, unless the method does not ask for it", () => {
    expect(check({}, { oidcDisableUserInfo: false }).notChecked).toEqual(["UserInfo"]);
  });
});

describe("an object of claims, which may be incomplete", () => {
  const part = (claims: Claims, method: Partial<TokenRequirements> = {}) =>
    checkToken({ type: "JWT", boundAudiences: ["nomad"], boundIssuer: ["https://idp.test"], ...method }, { claims, isToken: false, now });

  it("is not checked for missing claims", () => {
    expect(part({})).toEqual({ notChecked: ["audience", "issuer", "times"] });
    expect(part({}, { boundAudiences: [], boundIssuer: [] })).toEqual({ notChecked: ["times"] });
    expect(part({ aud: "nomad", iss: "https://idp.test", iat: now, exp: now + 300 })).toEqual({ notChecked: [] });
    expect(part({ groups: [] }, { type: "OIDC" }).notChecked).toEqual(["audience", "issuer", "times"]);
    expect(part({ groups: [] }, { type: "SAML" }).notChecked).toEqual(["audience", "issuer", "times"]);
  });

  it("is refused for wrong claims", () => {
    expect(part({ aud: "other" }).refusal).toMatchObject({
      by: "audience",
      because: 'its aud is ["other"], and boundAudiences is ["nomad"]',
    });
    expect(part({ iss: "https://evil.test" }).refusal?.by).toBe("issuer");
    expect(part({ exp: now - 100 }).refusal?.by).toBe("times");
    expect(part({ nbf: now + 100 }).refusal?.by).toBe("times");
    // A token without nbf is refused for this, but the object may lack the token's nbf.
    expect(part({ exp: now + 1_000 }).refusal).toBeUndefined();
  });

  it("is not checked by hidden properties of the method, and neither is a token", () => {
    const hidden = ["boundAudiences", "boundIssuer", "clockSkewLeeway"] as const;
    const claims = { aud: "other", iss: "x", exp: now - 1_000 };
    const given = { claims, isToken: true, now };
    expect(checkToken({ type: "JWT", hidden }, given)).toEqual({ notChecked: ["audience", "issuer", "times"] });
    // expirationLeeway has no effect on a token that has exp.
    expect(checkToken({ type: "JWT", hidden: ["expirationLeeway"] }, given).refusal?.by).toBe("times");
    const oidc = { type: "OIDC", hidden: ["oidcClientId", "oidcDiscoveryUrl", "oidcDisableUserInfo"] } as const;
    expect(checkToken(oidc, { ...given, claims: { ...claims, sub: "x", exp: now + 1 } }).notChecked).toEqual([
      "audience",
      "issuer",
      "UserInfo",
    ]);
  });
});

test("a login with a token that its method refuses fails before any rule", () => {
  const method = { name: "ci", type: "JWT", tokenLocality: "local", boundAudiences: ["nomad"] };
  const access = { method, rules: [{ bindType: "management", selector: "" }], roles: {}, policies: [] } as const;
  expect(evaluateLogin(access, { aud: "other" })).toMatchObject({ ok: false, status: 401, refused: { by: "audience" }, rules: [] });
  expect(evaluateLogin(access, {}, { isToken: true })).toMatchObject({ ok: false, status: 401, refused: { by: "audience" } });
  expect(evaluateLogin(access, {})).toMatchObject({ ok: true, notChecked: ["audience", "times"] });
  const expired = { aud: "nomad", exp: now - 100 };
  expect(evaluateLogin(access, expired, { isToken: true, now: new Date(now * 1000) })).toMatchObject({
    ok: false,
    refused: { by: "times" },
  });
  expect(evaluateLogin(access, expired, { isToken: true })).toMatchObject({ ok: true, notChecked: ["times"] });
});

/** Tokens that a running server took or refused. They are not part of the package. */
const folder = resolve(__dirname, "../../shared/conformance");
const recording = z.object({
  cases: z.array(
    z.object({
      method: z.looseObject({ type: z.literal("JWT") }),
      logins: z.array(
        z.object({
          claims: z.record(z.string(), z.json()),
          times: z.record(z.string(), z.number()),
          status: z.number(),
          error: z.string().optional(),
        }),
      ),
    }),
  ),
});

test("every recorded token is taken or refused in the words of the recorded server", () => {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".json")) : [];
  const known = files.flatMap((file) => recording.safeParse(JSON.parse(readFileSync(join(folder, file), "utf8"))).data?.cases ?? []);
  if (known.length === 0) console.log(`No tokens were checked: there are no recordings of them in ${folder}.`);
  const wrong = known.flatMap(({ method, logins }) =>
    logins.filter(({ claims, times, error }) => {
      const dated = Object.fromEntries(Object.entries(times).map(([claim, seconds]) => [claim, now + seconds]));
      return tokenRefusal(method, { ...claims, ...dated }, now) !== error;
    }),
  );
  expect(wrong).toEqual([]);
});
