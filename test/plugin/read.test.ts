/** Imports and `get` with the ids that users give, and the lists of these ids, by real messages over a real connection. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Simulator } from "../../testing/simulator";
import { TestPlugin, urnOf } from "../support/plugin";
import { configurationOf } from "../support/session";

let simulator: Simulator;
let plugin: TestPlugin;

beforeEach(async () => {
  simulator = await Simulator.start();
  plugin = await TestPlugin.start({});
  await plugin.configure(configurationOf(simulator));
});
afterEach(async () => {
  plugin.stop();
  await simulator.stop();
});

const read = (id: string) => plugin.read(urnOf("AgentPool"), id);

test("a pool without an organization in its response is an error outside of the configured organization, because a refresh would count it as gone", async () => {
  await simulator.stop();
  simulator = await Simulator.start({ dialect: "documented" });
  await plugin.configure(configurationOf(simulator));
  simulator.pools.addOrganization("other-org");
  const pool = simulator.pools.put({ organization: "other-org", name: "build" });
  await expect(read(pool.id)).rejects.toThrow(
    `Agent pool "build" (${pool.id}) is not in organization "${simulator.organization}", and a response does not say which one it is in. Import it as ORGANIZATION/build.`,
  );
  expect(await read("other-org/build")).toMatchObject({ id: pool.id, inputs: { organization: "other-org" } });
});

test("a pool's bare name is an error that shows the form of an ID", async () => {
  simulator.pools.put({ organization: simulator.organization, name: "build" });
  await expect(read("build")).rejects.toThrow('There is no agent pool "build". Give its ID, apool-..., or ORGANIZATION/POOL-NAME.');
});

test("a token with an absolute end is imported with its lifetime as expirationTtl, without a difference, and its replacement ends, too", async () => {
  const urn = urnOf("AclToken");
  simulator.cluster.clock = () => Date.UTC(2030, 0, 1);
  const ends = "2030-01-01T01:00:00Z";
  await fetch(`${simulator.clusterAddress}/v1/acl/token`, {
    method: "POST",
    headers: { "X-Nomad-Token": simulator.clusterToken },
    body: JSON.stringify({ Name: "ci", Type: "client", Policies: ["read"], ExpirationTime: ends }),
  });
  const [theirs] = simulator.cluster.tokens.list();
  expect(theirs).toMatchObject({ ExpirationTTL: "", ExpirationTime: ends });
  const { id, inputs, outputs } = await plugin.read(urn, theirs?.AccessorID ?? "");
  expect(inputs).toMatchObject({ name: "ci", expirationTtl: "3600s" });
  const { inputs: checked } = await plugin.check(urn, inputs);
  expect((await plugin.diff(urn, id, outputs, checked)).changes).toBe(false);
  expect(await plugin.read(urn, id, outputs)).toMatchObject({ inputs: { expirationTtl: "3600s" }, outputs });
  const renamed = { ...checked, name: "cd" };
  expect(await plugin.update(urn, id, outputs, renamed)).toMatchObject({ expirationTtl: "3600s", expirationTime: ends });
  expect(simulator.cluster.tokens.list()).toMatchObject([{ Name: "cd", ExpirationTTL: "", ExpirationTime: ends }]);
  const ended = { ...outputs, expirationTime: "2020-01-01T00:00:00Z" };
  expect((await plugin.diff(urn, id, ended, checked)).replaces).toEqual(["expirationTime"]);
  const next = await plugin.create(urn, checked);
  expect(simulator.cluster.tokens.get(next.id)).toMatchObject({ ExpirationTTL: "1h0m0s" });
});

describe("a binding rule", () => {
  const readRule = (id: string) => plugin.read(urnOf("AclBindingRule"), id);
  const put = (rule: { Description: string; Selector: string; BindType?: string; BindName?: string }) =>
    simulator.cluster.rules.put({ AuthMethod: "sso", BindType: "policy", BindName: "read-only", ...rule });

  beforeEach(() => {
    simulator.cluster.policies.put("read-only");
    for (const name of ["sso", "other"]) simulator.cluster.methods.put({ Name: name });
  });

  test("is found by its method and its description, and the state gets its ID", async () => {
    const rule = put({ Description: "Engineers / on call", Selector: "engineering in list.groups" });
    put({ Description: "Others", Selector: "" });
    expect(await readRule("sso/Engineers / on call")).toMatchObject({
      id: rule.ID,
      inputs: { authMethod: "sso", selector: rule.Selector },
    });
  });

  test("is found by its method and its selector if no rule of the method has that description", async () => {
    const rule = put({ Description: "", Selector: '"a/b" in list.groups' });
    put({ Description: "", Selector: "" });
    expect(await readRule('sso/"a/b" in list.groups')).toMatchObject({ id: rule.ID });
  });

  test("is one of several: the error lists them, and nothing is read by chance", async () => {
    const rules = [put({ Description: "Same", Selector: "a in list.groups" }), put({ Description: "Same", Selector: "b in list.groups" })];
    const error = await readRule("sso/Same").catch(({ message }: Error) => message);
    expect(error).toContain('There are 2 ACL binding rules of auth method "sso" with the description or the selector "Same": ');
    for (const { ID, Selector } of rules) expect(error).toContain(`${ID} ("Same", selector "${Selector}", binds policy "read-only")`);
  });

  test("is one of several with the same selector: the error lists the grant of each", async () => {
    const read = put({ Description: "One", Selector: "" });
    const all = put({ Description: "Two", Selector: "", BindType: "management", BindName: "" });
    const error = await readRule("sso/").catch(({ message }: Error) => message);
    expect(error).toContain('There are 2 ACL binding rules of auth method "sso" with an empty description or selector: ');
    expect(error).toContain(`${read.ID} ("One", the empty selector, binds policy "read-only")`);
    expect(error).toContain(`${all.ID} ("Two", the empty selector, binds management)`);
  });

  test("without a description is found by METHOD/, or else the one with the empty selector", async () => {
    const everyone = put({ Description: "Everyone", Selector: "" });
    expect(await readRule("sso/")).toMatchObject({ id: everyone.ID });
    const bare = put({ Description: "", Selector: "a in list.groups" });
    expect(await readRule("sso/")).toMatchObject({ id: bare.ID });
  });

  test("of a method without rules is an error that names the methods with rules", async () => {
    put({ Description: "Engineers", Selector: "" });
    await expect(readRule("SSO/Engineers")).rejects.toThrow(
      `There is no ACL binding rule of an auth method "SSO" on ${simulator.clusterAddress}. There are rules of "sso". Give the rule's ID, METHOD/DESCRIPTION or METHOD/SELECTOR.`,
    );
  });

  test("named by a bare description is an error that shows the forms", async () => {
    put({ Description: "Engineers", Selector: "" });
    await expect(readRule("Engineers")).rejects.toThrow(
      `There is no ACL binding rule "Engineers". Give the rule's ID, METHOD/DESCRIPTION or METHOD/SELECTOR.`,
    );
  });

  test("is missing: the error lists the rules of that method only", async () => {
    const rule = put({ Description: "Engineers", Selector: "" });
    const error = await readRule("sso/Engineer").catch(({ message }: Error) => message);
    expect(error).toContain(`Its rules are ${rule.ID} ("Engineers", the empty selector, binds policy "read-only"). Give the ID of one.`);
    await expect(readRule("other/Engineers")).rejects.toThrow(
      `no ACL binding rule of an auth method "other" on ${simulator.clusterAddress}`,
    );
  });
});

describe("List", () => {
  const list = (request: messages.ListRequest) =>
    new Promise<{ id: string; name: string }[]>((resolve, reject) => {
      const found: { id: string; name: string }[] = [];
      const call = plugin.client.list(request);
      call.on("data", (response: messages.ListResponse) => {
        const result = response.getResult();
        if (result) found.push({ id: result.getId(), name: result.getName() });
      });
      call.on("error", reject);
      call.on("end", () => resolve(found));
    });

  test("returns every object with the id for an import, up to the limit", async () => {
    const ids = ["a", "b", "c"].map((Name) => ({ id: simulator.cluster.roles.put({ Name, Policies: [{ Name: "read" }] }).ID, name: Name }));
    const request = () => new messages.ListRequest().setToken("agentpool-acl:index:AclRole");
    expect((await list(request())).sort((x, y) => (x.name < y.name ? -1 : 1))).toEqual(ids);
    expect(await list(request().setLimit(2))).toHaveLength(2);
  });
});
