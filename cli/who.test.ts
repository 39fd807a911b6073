import { writeFileSync } from "node:fs";
import { parseClaims } from "../access/claims-text";
import { pluginToken } from "../provider/configuration/tokens";
import { whoInTests } from "../test/support/who";
import { Simulator } from "../testing/simulator";

let simulator: Simulator;
const id = (last: number) => `00000000-0000-4000-8000-00000000000${last}`;

beforeAll(async () => {
  simulator = await Simulator.start();
  const { cluster } = simulator;
  for (const name of ["read-only", "deploy"]) cluster.policies.put(name);
  cluster.roles.put({ Name: "developers", Policies: [{ Name: "read-only" }] });
  cluster.roles.put({ Name: "team-ops", Policies: [{ Name: "deploy" }] });
  cluster.methods.put({
    Name: "sso",
    Type: "OIDC",
    Default: true,
    Config: { ClaimMappings: { team: "team" }, ListClaimMappings: { groups: "groups" } },
  });
  const rule = (last: number, values: object) => cluster.rules.put({ ID: id(last), AuthMethod: "sso", BindType: "role", ...values });
  rule(1, { Selector: "engineering in list.groups", BindName: "developers", Description: "Engineers \u001b[2J\u202e" });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
  rule(2, { Selector: 'value.team != ""', BindName: "team-${value.team}" });
  rule(3, { Selector: "root not in list.grups", BindType: "management", AuthMethod: "left" });
  rule(4, { Selector: "admins in list.groups", BindType: "management" });
});
afterAll(() => simulator.stop());
const { file, pathOf, configured, command, onCluster } = whoInTests(() => simulator);

test("a login on the configured cluster is explained by its grants, their rules, and the reasons of the other rules, without a write", async () => {
  const { status, out, errors } = await onCluster("--claims-file", file({ groups: ["engineering"], team: "Ops" }));
  expect([status, errors]).toEqual([0, ""]);
  expect(out).toContain(`${simulator.clusterAddress}: a login of sso with these claims gets a token`);
  expect(out.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual(
    expect.arrayContaining([
      ["GETS", "POLICIES", "BY RULE", "SELECTOR"],
      ["role developers", "read-only", "Engineers \\u{1b}[2J\\u{202e}", "engineering in list.groups"],
      ["role team-ops", "deploy", id(2), 'value.team != ""'],
      ["management", id(4), 'admins in list.groups, but list.groups is ["engineering"]'],
    ]),
  );
  expect(simulator.journal.entries.every(({ method }) => method === "GET")).toBe(true);
});

test("for scripts, JSON has the same", async () => {
  const { status, out } = await onCluster("--method", "sso", "--json", "--claims-file", file({ groups: ["admins"] }));
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    method: "sso",
    ok: true,
    token: { type: "management" },
    rules: [
      { id: id(1), matches: false, because: [{ part: "engineering in list.groups", found: 'list.groups is ["admins"]' }] },
      { id: id(2), matches: true, gives: { kind: "nothing", name: "team-" } },
      { id: id(4), matches: true, gives: { kind: "management" } },
    ],
    complete: true,
  });
});

test("a failing login does not fail the command, which prints the server's error", async () => {
  const { status, out } = await onCluster("--claims-file", file({ team: "a b", groups: ["engineering"] }));
  expect(status).toBe(0);
  expect(out).toContain('fails: 500 computed "role" bind name for bind target is invalid: "team-a b"');
});

test("the holders of management, a role or a policy are listed by methods and selectors, with a mark for rules that match no login", async () => {
  const rowsOf = async (...args: string[]) =>
    (await onCluster(...args)).out
      .replace(/\n\nNot looked at: AclToken .*/, "")
      .split("\n")
      .map((line) => line.trim().split(/ {2,}/));
  expect(await rowsOf("--can", "management")).toEqual([
    [`${simulator.clusterAddress}: logins get management by`],
    ["METHOD", "SELECTOR", "GIVES", "RULE"],
    ["left", "root not in list.grups", "management", id(3), `${simulator.clusterAddress} has no method left`],
    ["sso", "admins in list.groups", "management", id(4)],
  ]);
  expect(await rowsOf("--role", "team-ops")).toContainEqual([
    "sso",
    'value.team != ""',
    "role team-ops",
    id(2),
    "the claims decide about the name",
  ]);
  expect(await rowsOf("--policy", "read-only")).toContainEqual(
    expect.arrayContaining(["sso", "engineering in list.groups", "role developers"]),
  );
  expect((await onCluster("--role", "nobody")).out).toContain("the role nobody does not exist, so no login gets it.");
});

const created = (kind: string, name: string, inputs: object) => {
  const urn = `urn:pulumi:dev::platform::${pluginToken(kind)}::${name}`;
  return { op: "create", urn, newState: { urn, type: pluginToken(kind), inputs } };
};

test("on a preview, objects outside of it are assumed to exist, and unknown ones are named", async () => {
  const rule = { authMethod: "sso", bindType: "role" };
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const preview = file({
    steps: [
      created("AclAuthMethod", "sso", {
        name: "sso",
        type: "JWT",
        tokenLocality: "local",
        config: { listClaimMappings: { g: "groups" } },
      }),
      created("AclBindingRule", "elsewhere", { ...rule, selector: "dev in list.groups", bindName: "made-elsewhere" }),
      created("AclBindingRule", "half", { ...rule, selector: unknown, bindName: "developers", description: "[secret]" }),
      created("AclBindingRule", "all", { ...rule, selector: "", bindType: "management" }),
    ],
  });
  const claims = pathOf("claims.json");
  writeFileSync(claims, JSON.stringify({ g: ["dev"] }));
  const login = await command("--method", "sso", "--claims-file", claims, "--preview", preview);
  expect([login.status, login.errors]).toEqual([0, ""]);
  expect(login.out).toContain("gets a management token, which may do everything");
  expect(login.out).toContain(`Not taken into account, because a part is secret, or unknown before an update:
  binding rule "half"  selector`);
  const ways = await command("--role", "made-elsewhere", "--preview", preview);
  expect(ways.out).toContain("dev in list.groups");
  expect(ways.out).not.toContain("half");
  expect((await command("--role", "developers", "--preview", preview)).out).toContain('binding rule "half"  selector');
});

test("a login that a half-known rule may match may fail, and the known policies of a half-known role are shown", async () => {
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const config = { listClaimMappings: { g: "groups" } };
  const rule = { authMethod: "sso", bindType: "role", selector: "dev in list.groups" };
  const steps = [
    created("AclAuthMethod", "sso", { name: "sso", type: "JWT", tokenLocality: "local", config }),
    created("AclPolicy", "read", { name: "read", rules: 'namespace "default" { policy = "read" }' }),
    created("AclRole", "half", { name: "half", policies: ["read", unknown] }),
  ];
  const claims = pathOf("claims.json");
  writeFileSync(claims, JSON.stringify({ g: ["dev"] }));
  const login = async (bindName: string) => {
    const preview = file({ steps: [...steps, created("AclBindingRule", "to-it", { ...rule, bindName })] });
    return (await command("--method", "sso", "--claims-file", claims, "--preview", preview)).out;
  };
  expect(await login(unknown)).toMatch(
    /a login of sso with these claims may fail: 400 .*Not taken into account, .*binding rule "to-it" +bindName/s,
  );
  const half = await login("half");
  expect(half).toMatch(/role half +read, unknown ones +to-it/);
  expect(half).toMatch(/The token may:\n +namespace default +.*The permissions of these are unknown: role half\./s);
  expect(half).not.toContain("as if the cluster had them");
});

test("a method with a secret configuration keeps its name, and rules that can't lead to a role are not listed", async () => {
  const resource = (kind: string, name: string, outputs: object) => {
    const type = pluginToken(kind);
    return { urn: `urn:pulumi:dev::p::${type}::${name}`, type, id: name, outputs };
  };
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
  const rule = { authMethod: "company-sso", selector: secret, bindType: "role", bindName: "developers" };
  const resources = [
    resource("AclAuthMethod", "company-sso", { name: "company-sso", type: "JWT", tokenLocality: "local", config: secret }),
    resource("AclRole", "deployers", { name: "deployers", policies: [secret] }),
    resource("AclBindingRule", "to-developers", rule),
    resource("AclBindingRule", "to-anything", { ...rule, bindType: secret }),
    resource("AclBindingRule", "to-management", { ...rule, selector: "", bindType: "management" }),
  ];
  const [first, ...others] = resources;
  const renamed = { ...first, urn: first?.urn.replace(/[^:]*$/, "sso") };
  const state = file({ version: 3, deployment: { resources: [renamed, ...others] } });
  const claims = pathOf("claims.json");
  writeFileSync(claims, "{}");
  const login = await command("--method", "company-sso", "--claims-file", claims, "--state", state);
  expect(login.errors).toContain('does not say what logins of "company-sso" get: config is secret');
  const rowsFor = async (...args: string[]) =>
    (await command(...args, "--state", state)).out.split("\n").map((line) => line.trim().split(/ {2,}/));
  const management = await rowsFor("--can", "management");
  expect(management).toContainEqual([
    "company-sso",
    "(every login)",
    "management",
    "to-management",
    "every login, whatever its claims are; config of the method is secret, or unknown before an update",
  ]);
  expect(management).toContainEqual(['binding rule "to-anything"', "selector"]);
  // The policies of the roles are unknown.
  expect(management).toContainEqual(['binding rule "to-developers"', "selector"]);
  expect(management).toContainEqual(['role "deployers"', "policies"]);
  const developers = await rowsFor("--role", "developers");
  expect(developers.flat()).toEqual(expect.arrayContaining(['binding rule "to-developers"', 'binding rule "to-anything"']));
  expect((await rowsFor("--role", "deployers")).flat()).not.toContain('binding rule "to-developers"');
});

test("a method with a secret name may be a rule's method, and is not identified by the name of its resource", async () => {
  const resource = (kind: string, name: string, outputs: object) => {
    const type = pluginToken(kind);
    return { urn: `urn:pulumi:dev::p::${type}::${name}`, type, id: name, outputs };
  };
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
  const ci = { name: "ci", type: "JWT", tokenLocality: "local", config: {} };
  const management = (authMethod: string) => ({ authMethod, selector: "", bindType: "management", bindName: "" });
  const resources = [
    resource("AclAuthMethod", "ci", { ...ci, name: secret }),
    resource("AclAuthMethod", "other", ci),
    resource("AclBindingRule", "of-ci", management("ci")),
    resource("AclBindingRule", "of-sso", management("sso")),
  ];
  const { out } = await command("--can", "management", "--state", file({ version: 3, deployment: { resources } }));
  const rows = out.split("\n").map((line) => line.trim().split(/ {2,}/));
  const every = "every login, whatever its claims are";
  expect(rows).toContainEqual(["ci", "(every login)", "management", "of-ci", every]);
  const unknown = `${every}; name of the method is secret, or unknown before an update`;
  expect(rows).toContainEqual(["sso", "(every login)", "management", "of-sso", unknown]);
});

describe("a stack with objects of two clusters", () => {
  const [one, two] = ["https://one.example.com:4646", "https://two.example.com:4646"];
  const objects = (server: string, bindType: string): [string, object][] => [
    ["AclAuthMethod", { name: "sso", type: "JWT", tokenLocality: "local", config: {}, server }],
    ["AclRole", { name: "developers", policies: [], server: `${server} region eu` }],
    ["AclBindingRule", { authMethod: "sso", selector: "", bindType, bindName: bindType === "role" ? "developers" : "", server }],
  ];
  const everyone = () => {
    const path = pathOf("claims.json");
    writeFileSync(path, "{}");
    return ["--claims-file", path, "--method", "sso"];
  };

  test("needs --cluster with a state", async () => {
    const all = [...objects(one, "role"), ...objects(two, "management")].map(([kind, outputs], index) => {
      const type = pluginToken(kind);
      return { urn: `urn:pulumi:dev::p::${type}::${index}`, type, id: `id-${index}`, outputs };
    });
    const state = file({ version: 3, deployment: { resources: all } });
    const open = await command(...everyone(), "--state", state);
    expect([open.status, open.out]).toEqual([2, ""]);
    expect(open.errors).toContain(`has objects of 2 clusters: give --cluster with one of ${one}, ${two}\nusage:`);
    expect((await command(...everyone(), "--state", state, "--cluster", `${one}/`)).out).toMatch(
      /one\.example\.com:4646: a login .* gets a token,/,
    );
    expect((await command(...everyone(), "--state", state, "--cluster", two)).out).toContain("gets a management token");
    const strange = await command("--can", "management", "--state", state, "--cluster", "https://three");
    expect(strange.errors).toContain(`--cluster https://three: ${state} has objects of ${one}, ${two}`);
  });

  test("needs --cluster with a preview, and takes addresses and names of new providers", async () => {
    const provider = (name: string, inputs: object) => {
      const urn = `urn:pulumi:dev::p::pulumi:providers:agentpool-acl::${name}`;
      return { op: "create", urn, newState: { urn, type: "pulumi:providers:agentpool-acl", inputs } };
    };
    const steps = (name: string, all: [string, object][], isNew: boolean) =>
      all.map(([kind, { server, ...inputs }]: [string, { server?: string }]) => {
        const type = pluginToken(kind);
        const urn = `urn:pulumi:dev::p::${type}::${name}`;
        const newState = { urn, type, inputs, provider: `urn:pulumi:dev::p::pulumi:providers:agentpool-acl::${name}::some-id` };
        return {
          op: isNew ? "create" : "same",
          urn,
          ...(!isNew && { oldState: { type, id: name, outputs: { ...inputs, server } } }),
          newState,
        };
      });
    const preview = file({
      steps: [
        provider("first", {}),
        provider("second", { clusterAddress: two }),
        provider("third", { clusterAddress: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }),
        ...steps("first", objects(one, "role"), false),
        ...steps("second", objects(two, "management"), true),
        ...steps("third", objects("", "policy"), true),
      ],
    });
    const open = await command("--can", "management", "--preview", preview);
    expect(open.errors).toContain(`has objects of 3 clusters: give --cluster with one of ${one}, ${two}, the provider third\nusage:`);
    expect(await command("--can", "management", "--preview", preview, "--cluster", one)).toMatchObject({
      status: 4,
      out: expect.stringContaining("no rule among what could be read leads to management"),
      errors: expect.stringContaining(
        "AclBindingRule: the address of the provider third is not known, so its objects may be on this cluster",
      ),
    });
    expect((await command("--can", "management", "--preview", preview, "--cluster", two)).out).toContain("(every login)");
  });
});

test("a method with an unknown name may be the chosen one", async () => {
  const type = "agentpool-acl:index:AclAuthMethod";
  const inputs = { name: "[secret]", type: "JWT", tokenLocality: "local", maxTokenTtl: "1h", config: {} };
  const preview = file({ steps: [{ op: "create", urn: `urn:pulumi:dev::p::${type}::m`, newState: { type, inputs } }] });
  const claims = file({}, "claims.json");
  const { errors } = await command("--claims-file", claims, "--method", "sso", "--preview", preview);
  expect(errors).toContain('has no auth method "sso", unless it is auth method "m", whose name is secret, or unknown before an update');
});

test("with unreadable policies, the rest is shown, and the command is incomplete", async () => {
  const denied = { kind: "status", status: 403, body: "Permission denied" } as const;
  simulator.faults.add({ path: "/v1/acl/policies", times: 2, fault: denied });
  const management = await onCluster("--can", "management");
  expect(management).toEqual({
    status: 4,
    out: expect.stringContaining("admins in list.groups"),
    errors: expect.stringMatching(/^incomplete: AclPolicy: .*403/),
  });
  const login = await onCluster("--json", "--claims-file", file({ groups: ["engineering"] }));
  expect([login.status, JSON.parse(login.out)]).toMatchObject([4, { token: { roles: ["developers"] }, complete: false }]);
});

test("a claim may have any name", async () => {
  const config = JSON.parse('{ "claimMappings": { "__proto__": "team" } }');
  const exported = pathOf("export.json");
  const objects = {
    AclAuthMethod: [{ name: "sso", type: "JWT", tokenLocality: "local", config }],
    AclBindingRule: [{ authMethod: "sso", selector: "value.team == ops", bindType: "role", bindName: "developers" }],
  };
  writeFileSync(exported, JSON.stringify({ format: 1, objects }));
  const { out } = await command("--method", "sso", "--export", exported, "--claims-file", file('{ "__proto__": "ops" }'));
  expect(out).toContain("role developers");
});

test("each mistake is one error that names it, without the claims", async () => {
  const claims = file({ groups: [] });
  const wrong: [string[], number, RegExp][] = [
    [[], 2, /^give --claims-file, or one of --can, --role and --policy\nusage:/],
    [["--claims-file", claims, "--role", "x"], 2, /^give --claims-file, or one of/],
    [["--can", "everything"], 2, /^--can everything: It can be management, list-jobs, .*variables:read, .*\nusage:/],
    [["--role", "x", "--state", "a", "--export", "b"], 2, /^give one of --export and --state\nusage:/],
    [
      ["--role", "x", "--state", "a", "--config", "clusterAddress=http://b", "--config-file", "c"],
      2,
      /^--state reads no server: leave out --config and --config-file\nusage:/,
    ],
    [["--claims-file", pathOf("none.json")], 1, /none\.json can't be read: .*ENOENT[^\n]*$/],
    [["--claims-file", claims, "--method", "ssso", "--config-file", configured()], 1, /has no auth method "ssso"; did you mean "sso"\?$/],
  ];
  for (const [args, status, message] of wrong) {
    expect(await command(...args)).toEqual({ status, out: "", errors: expect.stringMatching(message) });
  }
});

test("claims with too many levels are one error", () => {
  const deep = `{"private": ${"[".repeat(6_000)}${"]".repeat(6_000)}}`;
  expect(() => parseClaims(deep, "F")).toThrow("F has a claim that has more than 1000 levels of lists and objects: leave it out.");
});

test.each([
  ["", "F is neither a JSON object of claims nor a token (JWT)."],
  ['{"groups": [private]}', "F is neither a JSON object of claims nor a token (JWT)."],
  ['"private"', "is JSON, but not an object of claims"],
  ["[1]", "is JSON, but not an object of claims"],
  ['{"private": [1e400]}', "F has a claim that is a number beyond 64 bits: a server refuses the whole token."],
  ["private.cHJpdmF0Z.x", "The second part of the token in F is neither"],
  ["private.cHJpdmF0ZQ.x", "The second part of the token in F is neither"],
  ["private.a.b.c.d", "holds an encrypted token"],
])("invalid claims (%j) are refused without their text", (text, message) => {
  let said = "";
  try {
    parseClaims(text, "F");
  } catch (error) {
    said = String(error);
  }
  expect(said).toContain(message);
  expect(said).not.toContain("private");
});
