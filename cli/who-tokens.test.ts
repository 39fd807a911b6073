/** The checks of `who` on tokens: audience, issuer and times. */
import { whoInTests } from "../test/support/who";
import { Simulator } from "../testing/simulator";
import { explain } from "./access/explain";
import { toAccessModel } from "./access/read-model";
import { parseExport } from "./inventory/export";
import { secretMarker } from "./inventory/inventory";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await Simulator.start();
  const { cluster } = simulator;
  cluster.roles.put({ Name: "developers" });
  cluster.methods.put({ Name: "sso", Type: "OIDC", Config: { ListClaimMappings: { groups: "groups" } } });
  cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "developers", Selector: "engineering in list.groups" });
  const Config = { BoundAudiences: ["nomad"], BoundIssuer: ["https://idp.test"], ListClaimMappings: { groups: "groups" } };
  cluster.methods.put({ Name: "ci", Type: "JWT", Config });
  cluster.rules.put({ AuthMethod: "ci", BindType: "management", Selector: "admins in list.groups" });
});
afterAll(() => simulator.stop());
const { file, onCluster } = whoInTests(() => simulator);

const tokenOf = (claims: object) =>
  ["{}", JSON.stringify(claims), "signature"].map((part) => Buffer.from(part).toString("base64url")).join(".");
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

test("a token is decoded without being trusted, and the output names the missing checks", async () => {
  const token = tokenOf({ sub: "x", aud: "app", exp: inSeconds(300), groups: ["engineering"] });
  const { out } = await onCluster("--method", "sso", "--claims-file", file(`${token}\n`));
  expect(out).toContain("role developers");
  expect(out).toContain("Not checked: audience, issuer, what the identity provider adds to the claims (UserInfo).");
  expect(out).not.toContain(token);
});

describe("for a method with an audience and an issuer", () => {
  const claims = { aud: "nomad", iss: "https://idp.test", groups: ["admins"] };
  const ci = (content: unknown, ...args: string[]) => onCluster("--method", "ci", "--claims-file", file(content), ...args);

  test("a token of the method gets the grants of its rules, and all checks are done", async () => {
    const { out } = await ci(tokenOf({ ...claims, exp: inSeconds(300), iat: inSeconds(0) }));
    expect(out).toContain("gets a management token");
    expect(out).not.toContain("Not checked");
  });

  test.each([
    ["another audience", { aud: "another-app" }, 'its aud is ["another-app"], and boundAudiences is ["nomad"].'],
    ["no audience", { aud: undefined }, 'it has no aud, and boundAudiences is ["nomad"].'],
    ["another issuer", { iss: "https://evil.test" }, 'its iss is "https://evil.test", and boundIssuer is ["https://idp.test"].'],
    ["no time", { exp: undefined }, "a token needs iat, nbf or exp."],
  ])("a token with %s gets nothing, and the output says why", async (_, changes, reason) => {
    const { out } = await ci(tokenOf({ ...claims, exp: inSeconds(100), ...changes }));
    expect(out).toContain("a login of ci with these claims fails: 401 unable to validate provided token: ");
    expect(out).toContain(`The token is refused before any rule is tried: ${reason}`);
    expect(out).not.toContain("management");
  });

  test("an expired token is refused, with its grants at another time; --at chooses one", async () => {
    const token = tokenOf({ ...claims, iat: 1_799_999_000, exp: 1_800_000_000 });
    const late = await ci(token, "--at", "2027-01-15T09:00:00Z");
    expect(late.out).toMatch(
      /^\S+ a login of ci with these claims fails: 401 .*token is expired\n\n.*it was valid until 2027-01-15T08:00:00Z\./,
    );
    expect(late.out).toMatch(/\n\nAt a time when the token is valid, a login of ci with these claims gets a management token/);
    const inTime = await ci(token, "--at", "1800000000");
    expect(inTime.out).toMatch(/^\S+ a login of ci with these claims gets a management token/);
    expect(JSON.parse((await ci(token, "--at", "2027-01-16", "--json")).out)).toMatchObject({
      ok: false,
      refused: { by: "times" },
      whenValid: { ok: true, token: { type: "management" } },
    });
    expect(await ci(token, "--at", "tomorrow")).toMatchObject({
      status: 2,
      errors: expect.stringMatching(/^--at tomorrow: must be a time like/),
    });
  });

  test("in an object of claims, existing claims are checked, and missing ones are named", async () => {
    expect((await ci({ groups: ["admins"] })).out).toMatch(/gets a management token.*Not checked: audience, issuer, times\./s);
    expect((await ci({ ...claims, aud: "another-app" })).out).toContain("fails: 401");
    expect(JSON.parse((await ci(claims, "--json")).out)).toMatchObject({ ok: true, notChecked: ["times"] });
  });

  test("an object with a repeated name is refused, because servers differ in the value that they take", async () => {
    const { status, errors } = await ci('{"aud": "other", "\\u0061ud": "nomad", "groups": ["admins"]}');
    expect([status, errors]).toEqual([1, expect.stringContaining("has an object with a duplicate name")]);
  });
});

test("the output names the checks that secret properties of a method prevent", async () => {
  const config = { boundAudiences: [secretMarker], boundIssuer: ["https://idp.test"], expirationLeeway: secretMarker };
  const AclAuthMethod = [{ name: "ci", type: "JWT", tokenLocality: "local", maxTokenTtl: "1h", config }];
  const AclBindingRule = [{ authMethod: "ci", selector: "", bindType: "management" }];
  const model = toAccessModel(parseExport(JSON.stringify({ format: 1, objects: { AclAuthMethod, AclBindingRule } }), "export.json"));
  const given = { claims: { aud: "x", iss: "https://idp.test", iat: inSeconds(0) }, isToken: true };
  expect(explain(model, "ci", given, new Date()).login).toMatchObject({ ok: true, notChecked: ["audience", "times"] });
});
