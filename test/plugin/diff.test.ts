/** The detailed diffs of the protocol: their paths, and the kind of each change. provider/model/diff.test.ts tests which values differ. */
import { randomUUID } from "node:crypto";
import { enginePath } from "../../provider/adapters/plugin/diff-message";
import type { PropertyMap } from "../../testing/rehearsal/engine/values";
import { secret, UNKNOWN } from "../../testing/rehearsal/engine/values";
import { TestPlugin, urnOf } from "../support/plugin";

let plugin: TestPlugin;
beforeAll(async () => {
  plugin = await TestPlugin.start();
  await plugin.configure({
    clusterAddress: "http://127.0.0.1:9",
    clusterToken: secret("t"),
    poolsAddress: "http://127.0.0.1:9",
    poolsToken: "t",
  });
});
afterAll(() => plugin.stop());

const method = (config: PropertyMap, more: PropertyMap = {}): PropertyMap => ({
  name: "sso",
  type: "OIDC",
  tokenLocality: "local",
  maxTokenTtl: "1h",
  config: { oidcDiscoveryUrl: "https://idp.test", oidcClientId: "cluster", allowedRedirectUris: ["http://a", "http://b"], ...config },
  ...more,
});
const role = (more: PropertyMap = {}): PropertyMap => ({ name: "dev", description: "", policies: ["a", "b"], ...more });
const rule = (more: PropertyMap = {}): PropertyMap => ({ authMethod: "sso", selector: "x", bindType: "role", bindName: "dev", ...more });
const pool = (more: PropertyMap = {}): PropertyMap => ({ name: "build", organization: "org", organizationScoped: true, ...more });

type Golden = readonly [
  what: string,
  kind: string,
  olds: PropertyMap,
  news: PropertyMap,
  detailed: Record<string, string>,
  replaces?: string[],
];

const mappings = (claimMappings: PropertyMap) => method({ claimMappings });
const key = (privateKey: PropertyMap) => method({ oidcClientAssertion: { keySource: "private_key", privateKey } });

const golden: Golden[] = [
  ["a text", "AclRole", role(), role({ name: "ops" }), { name: "UPDATE" }],
  ["an added text", "AclRole", role(), role({ description: "new" }), { description: "UPDATE" }],
  [
    "an item of a list",
    "AclAuthMethod",
    method({}),
    method({ allowedRedirectUris: ["http://a", "http://c"] }),
    { "config.allowedRedirectUris[1]": "UPDATE" },
  ],
  ["a removed nested text", "AclAuthMethod", method({ jwksCaCert: "PEM" }), method({}), { "config.jwksCaCert": "DELETE" }],
  ["a map's value", "AclAuthMethod", mappings({ a: "1", b: "2" }), mappings({ a: "1", b: "3" }), { "config.claimMappings.b": "UPDATE" }],
  [
    "a key with dots and slashes",
    "AclAuthMethod",
    mappings({ "https://x.test/a": "1" }),
    mappings({ "https://x.test/a": "2" }),
    { 'config.claimMappings["https://x.test/a"]': "UPDATE" },
  ],
  [
    "a key that ends with a backslash",
    "AclAuthMethod",
    mappings({ "a\\": "1" }),
    mappings({ "a\\": "2" }),
    { "config.claimMappings": "UPDATE" },
  ],
  ["an added object", "AclAuthMethod", method({}), key({ keyId: "1" }), { "config.oidcClientAssertion": "ADD" }],
  [
    "a property three levels down",
    "AclAuthMethod",
    key({ keyId: "1" }),
    key({ keyId: "2" }),
    { "config.oidcClientAssertion.privateKey.keyId": "UPDATE" },
  ],
  [
    "a secret",
    "AclAuthMethod",
    method({ oidcClientSecret: secret("a") }),
    method({ oidcClientSecret: secret("b") }),
    { "config.oidcClientSecret": "UPDATE" },
  ],
  ["an unknown value", "AclRole", role(), role({ description: UNKNOWN }), { description: "UPDATE" }],
  ["another name of a method", "AclAuthMethod", method({}), method({}, { name: "single" }), { name: "UPDATE_REPLACE" }, ["name"]],
  [
    "a rule that becomes one of management",
    "AclBindingRule",
    rule(),
    { authMethod: "sso", selector: "x", bindType: "management" },
    { bindType: "UPDATE_REPLACE", bindName: "DELETE" },
    ["bindType"],
  ],
];

const cases = golden.map(([what, kind, olds, news, detailed, replaces = []]) => ({ what, kind, olds, news, detailed, replaces }));

test.each(cases)("$what ($kind)", async ({ kind, olds, news, detailed, replaces }) => {
  const diff = await plugin.diff(urnOf(kind), randomUUID(), olds, news);
  const named = Object.fromEntries(Object.entries(detailed).map(([path, change]) => [path, `${change} of the input`]));
  const properties = [...new Set(Object.keys(detailed).map((path) => path.split(/[.[]/)[0]))];
  expect(diff).toMatchObject({ hasDetailedDiff: true, changes: properties.length > 0, detailed: named, replaces });
  expect(Object.keys(diff.detailed).sort()).toEqual(Object.keys(named).sort());
  expect(diff.properties.sort()).toEqual(properties.sort());
});

test("drift is a change of the input, and a value that a server kept in a failed update is a change of the output", async () => {
  const olds = role({ description: "kept by the server" });
  const news = role({ description: "wanted" });
  expect((await plugin.diff(urnOf("AclRole"), randomUUID(), olds, news)).detailed).toEqual({ description: "UPDATE of the input" });
  expect((await plugin.diff(urnOf("AclRole"), randomUUID(), olds, news, news)).detailed).toEqual({ description: "UPDATE of the output" });
});

test("an object that keeps its name is replaced delete-first", async () => {
  const diff = await plugin.diff(urnOf("AgentPool"), randomUUID(), pool(), pool({ organization: "other" }));
  expect(diff.deleteBeforeReplace).toBe(false);
  expect((await plugin.diff(urnOf("AclBindingRule"), randomUUID(), rule(), rule({ authMethod: "ci" }))).deleteBeforeReplace).toBe(false);
  expect((await plugin.diff(urnOf("AclAuthMethod"), randomUUID(), method({}), method({}))).deleteBeforeReplace).toBe(true);
});

test("the dynamic adapter's property in a state is no change", async () => {
  const diff = await plugin.diff(urnOf("AclRole"), randomUUID(), role({ __provider: "exports.handler=..." }), role());
  expect(diff).toMatchObject({ changes: false, detailed: {} });
});

test.each([
  [["a", "b", 0, "c"], "a.b[0].c"],
  [["a", ""], 'a[""]'],
  [["a", "*"], 'a["*"]'],
  [["a", "x]y"], 'a["x]y"]'],
  [["a", 'b"'], 'a["b\\""]'],
  [["a", "b\\c"], 'a["b\\c"]'],
  [["a", "b\\", "c"], "a"],
] as const)("the path %j is written %s, in the engine's form", (path, text) => {
  expect(enginePath(path)).toBe(text);
});
