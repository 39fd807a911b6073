/**
 * Logins with random tokens to a real scheduler on this machine, if its executable is on PATH: the scheduler must accept the tokens that
 * `tokenRefusal` accepts, and no others.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import type { Claims, TokenRequirements } from "../../access";
import { tokenRefusal } from "../../access";
import { sizeOf } from "../support/extent";
import { withAgent } from "../support/scheduler";
import { cases, chosenSeed } from "../support/seed";

jest.setTimeout(600_000);

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

function tokenOf(claims: Claims): string {
  const [header, payload] = [{ alg: "ES256", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signature = sign("sha256", Buffer.from(`${header}.${payload}`), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${header}.${payload}.${signature.toString("base64url")}`;
}

const leeway = fc.constantFrom(undefined, "", "-1s", "0s", "1ns", "1s", "60s", "150s", "5m", "24h", -1, 0, 150e9, 300e9, 0.5e9);
const methods: fc.Arbitrary<Omit<TokenRequirements, "type">> = fc.record({
  boundAudiences: fc.constantFrom(undefined, [], ["nomad"], ["nomad", "other"], [""]),
  boundIssuer: fc.constantFrom(undefined, [], ["https://idp.test"], ["https://idp.test", "https://b.test"], [""]),
  expirationLeeway: leeway,
  notBeforeLeeway: leeway,
  clockSkewLeeway: leeway,
});

/** Draws mostly values that methods accept, so that the later checks are reached, too. */
const often = <T>(usual: readonly T[], odd: readonly T[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
type Claim = Claims[string];

/** Makes the claim of a token from the time of its signature. */
type Dated = (now: number) => Claim;
const fixed =
  (value: Claim): Dated =>
  () =>
    value;
const oddTimes = [0, -1, 0.5, 1e18, 2 ** 63, 1e300, -1e300, null, "1800000000", true, [], {}].map(fixed);
const time: fc.Arbitrary<Dated> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.integer({ min: -700, max: 700 }).map(
      (offset): Dated =>
        (now) =>
          Math.floor(now) + offset,
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...oddTimes) },
);
const claims: fc.Arbitrary<Record<string, Dated>> = fc.record(
  {
    aud: often<Claim>(["nomad", ["nomad", "other"]], ["NOMAD", "", [], [""], 5, null, ["nomad", 5], { nomad: 1 }, "other"]).map(fixed),
    iss: often<Claim>(["https://idp.test"], ["https://b.test", "https://idp.test/", "", null, 5, ["https://idp.test"]]).map(fixed),
    sub: often<Claim>(["x"], [5, null]).map(fixed),
    exp: time,
    nbf: time,
    iat: time,
    // Servers ignore the case of letters in the names of JSON fields, so they take these two claims for exp and sub.
    EXP: often<Claim>([null], ["soon"]).map(fixed),
    "\u017fub": often<Claim>(["x"], [5]).map(fixed),
  },
  { requiredKeys: [] },
);

test("tokenRefusal accepts and refuses random tokens like a real scheduler, with the same words", async () => {
  const [methodCount, tokenCount] = [sizeOf({ quick: 5, full: 100 }), sizeOf({ quick: 20, full: 50 })];
  await withAgent(async ({ address, token }) => {
    const call = async (path: string, body: object) => {
      const headers = { "X-Nomad-Token": token };
      const response = await fetch(`${address}/v1/acl/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: response.status, text: await response.text() };
    };
    const counts = { taken: 0, refused: 0 };
    for (const [index, method] of fc.sample(methods, cases({ numRuns: methodCount })).entries()) {
      const Name = `ci-${index}`;
      const Config = {
        JWTValidationPubKeys: [publicKey.export({ type: "spki", format: "pem" })],
        SigningAlgs: ["ES256"],
        BoundAudiences: method.boundAudiences,
        BoundIssuer: method.boundIssuer,
        ExpirationLeeway: method.expirationLeeway,
        NotBeforeLeeway: method.notBeforeLeeway,
        ClockSkewLeeway: method.clockSkewLeeway,
      };
      const made = await call("auth-method", { Name, Type: "JWT", TokenLocality: "local", MaxTokenTTL: "1h", Config });
      expect(made).toMatchObject({ status: 200 });
      await call("binding-rule", { AuthMethod: Name, BindType: "management", Selector: "" });
      for (const drawn of fc.sample(claims, cases({ numRuns: tokenCount, seed: chosenSeed("PROPERTY_SEED") + index }))) {
        const before = Date.now() / 1000;
        const dated = Object.fromEntries(Object.entries(drawn).map(([name, claim]) => [name, claim(before)]));
        const login = await call("login", { AuthMethodName: Name, LoginToken: tokenOf(dated) });
        const said = [before, Date.now() / 1000].map((now) => tokenRefusal({ type: "JWT", ...method }, dated, now));
        const server = login.status === 200 ? undefined : login.text;
        // A new second may have begun while the server checked the token, so the words for either second are right.
        expect({ method, dated, said }).toEqual({ method, dated, said: said.includes(server) ? said : [server, server] });
        counts[server === undefined ? "taken" : "refused"]++;
      }
    }
    console.log(`The scheduler took ${counts.taken} of ${counts.taken + counts.refused} tokens.`);
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(0);
  });
});
