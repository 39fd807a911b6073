/** The tokens that `who --can` finds, and its message about sources without tokens. */

import { whoInTests } from "../test/support/who";
import { Simulator } from "../testing/simulator";
import { secretMarker } from "./inventory/inventory";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start();
  simulator.cluster.roles.put({ Name: "dev" });
});
afterAll(() => simulator.stop());
const { file, command, onCluster } = whoInTests(() => simulator);

const policies = [
  { name: "deploy", rules: 'namespace "prod" { policy = "write" }' },
  { name: "power", rules: 'operator { policy = "write" }' },
  { name: "deny", rules: 'namespace "prod" { policy = "deny" }' },
];
const client = (name: string, more: object) => ({ name, type: "client", global: false, policies: [], roles: [], ...more });
const content = {
  format: 1,
  objects: {
    AclAuthMethod: [{ name: "sso", type: "JWT", tokenLocality: "local", maxTokenTtl: "1h", config: {} }],
    AclBindingRule: [{ authMethod: "sso", selector: "", bindType: "role", bindName: "deployers" }],
    AclRole: [{ name: "deployers", policies: ["deploy"] }],
    AclPolicy: policies,
    AclToken: [
      client("by-role", { roles: ["deployers"] }),
      client("by-policy", { policies: ["deploy"], expirationTime: "2999-01-01T00:00:00Z" }),
      client("expired", { policies: ["deploy", "power"], expirationTime: "2020-01-01T00:00:00Z" }),
      client("denied", { roles: ["deployers"], policies: ["deny"] }),
      client("equal", { policies: ["power"] }),
      client("secret", { policies: [secretMarker] }),
      client("typed", { type: secretMarker }),
      { name: "boss", type: "management", global: true },
    ],
  },
};
const found = async (...args: string[]) => {
  const { tokens, notLookedAt } = JSON.parse((await command(...args, "--export", file(content), "--json")).out);
  expect(notLookedAt).toEqual([]);
  return Object.fromEntries(tokens.map(({ name, gives, allows }: Record<string, unknown>) => [name, [gives, allows]]));
};
const undecided = { secret: ["not known: policies", "undecided"], typed: ["not known: type", "undecided"] };

test.each([{ policies: [{ name: "power" }] }, { roles: [7] }, { type: "Management" }])(
  "a token with %j is undecided, not an error",
  async (odd) => {
    const objects = { ...content.objects, AclToken: [client("odd", odd)] };
    const { status, out } = await command("--can", "management", "--export", file({ ...content, objects }), "--json");
    expect([status, JSON.parse(out).tokens]).toMatchObject([0, [{ name: "odd", allows: "undecided" }]]);
  },
);

test("tokens are among the ways to a right, with all their policies combined, and expired tokens are not", async () => {
  expect(await found("--can", "submit-job", "--namespace", "prod")).toEqual({
    "by-role": ["submit-job by deploy", true],
    "by-policy": ["submit-job by deploy", true],
    boss: ["management", true],
    ...undecided,
  });
  const { out } = await command("--can", "submit-job", "--namespace", "prod", "--export", file(content));
  expect(out).toMatch(
    /These tokens get there without a login:\n {2}TOKEN .* UNTIL +NOTE\n(.*\n)* {2}by-policy .* submit-job by deploy +2999-01-01T00:00:00Z/,
  );
  expect(out).not.toContain("Not looked at");
});

test("the end of a token is not known from its lifetime alone", async () => {
  const AclToken = [client("short", { policies: ["power"], expirationTtl: "24h0m0s" }), client("equal", { policies: ["power"] })];
  const args = ["--can", "management", "--export", file({ ...content, objects: { ...content.objects, AclToken } })];
  const { out } = await command(...args);
  expect(out).toMatch(/ short .* not known: 24h0m0s after it was made/);
  expect(out).toMatch(/ equal .* without an end/);
  const { tokens } = JSON.parse((await command(...args, "--json")).out);
  expect(tokens).toMatchObject([{ name: "equal" }, { name: "short", expirationTtl: "24h0m0s" }]);
});

test("tokens are among the ways to management, a role and a policy", async () => {
  expect(await found("--can", "management")).toEqual({
    equal: ["operator:write by power", true],
    boss: ["management", true],
    ...undecided,
  });
  const ofRole = { "by-role": ["the role deployers", true], denied: ["the role deployers", true] };
  expect(await found("--role", "deployers")).toEqual({ ...ofRole, typed: undecided.typed });
  const names = ["by-role", "by-policy", "denied"].map((name) => [name, ["the policy deploy", true]]);
  expect(await found("--policy", "deploy")).toEqual({ ...Object.fromEntries(names), ...undecided });
});

describe("in a state", () => {
  const [held, missing] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
  const entry = (kind: string, id: string, outputs: object) => ({ urn: id, type: `agentpool-acl:index:${kind}`, id, outputs });
  const given = async (role: object, ...args: string[]) => {
    const linked = { roles: ["old"], linkedRoles: [{ id: held, name: "old" }] };
    const resources = [
      ...policies.map((policy) => entry("AclPolicy", policy.name, policy)),
      entry("AclRole", held, { policies: ["power"], ...role }),
      entry("AclRole", "33333333-3333-4333-8333-333333333333", { name: "old", policies: ["deny"] }),
      entry("AclToken", "linked", client("linked", linked)),
      entry("AclToken", "open", client("open", { roles: [missing] })),
    ];
    const state = file({ version: 3, deployment: { resources } });
    const { tokens } = JSON.parse((await command(...args, "--state", state, "--json")).out);
    return Object.fromEntries(tokens.map(({ name, gives, allows }: Record<string, unknown>) => [name, [gives, allows]]));
  };
  const open = { open: [`not known: role ${missing}`, "undecided"] };

  test("a token has the roles with its IDs, whatever their names were, and an ID of no known role may be any role", async () => {
    const role = { name: "new" };
    expect(await given(role, "--can", "management")).toEqual({ linked: ["operator:write by power", true], ...open });
    expect(await given(role, "--role", "new")).toEqual({ linked: ["the role new", true], ...open });
    expect(await given(role, "--role", "old")).toEqual(open);
  });

  test("a role with a secret name may be any role, also if its description is another role's name", async () => {
    const role = { name: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" }, description: "old" };
    const linked = [`not known: role ${held}`, "undecided"];
    for (const target of [
      ["--can", "management"],
      ["--role", "new"],
      ["--role", "old"],
      ["--policy", "power"],
    ])
      expect(await given(role, ...target)).toEqual({ linked, ...open });
  });
});

test("the last line, and JSON, name the kinds that a source lacks", async () => {
  const rest = file({ format: 1, objects: { AclPolicy: policies, AclRole: [{ name: "deployers", policies: ["deploy"] }] } });
  const { out } = await command("--can", "management", "--export", rest);
  expect(out.split("\n").at(-1)).toMatch(/^Not looked at: AclAuthMethod, AclBindingRule, AclToken \(\S+ has none\)\.$/);
  const { out: ofCluster } = await onCluster("--can", "management");
  expect(ofCluster.split("\n").at(-1)).toMatch(
    /^Not looked at: AclToken \(a cluster's tokens are not read\. To include them, write an export with `--full`, /,
  );
  expect(JSON.parse((await onCluster("--can", "management", "--json")).out).notLookedAt).toEqual(["AclToken"]);
});
