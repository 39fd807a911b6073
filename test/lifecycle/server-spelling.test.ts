/** The output `server` is compared by meaning, and versions by their index. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { toStruct } from "../../testing/rehearsal/processes/grpc";
import { Simulator } from "../../testing/simulator";
import { type Sample, samples } from "../kinds";
import { TestPlugin, urnOf } from "../support/plugin";
import { only, type TestStack, toEveryServer } from "./harness";
import { oidc, rule } from "./samples";

const addressKey = ({ kind }: Sample) => (kind === "AgentPool" ? "poolsAddress" : "clusterAddress");

toEveryServer("another spelling of the server's address", (start) => {
  const begin = async (sample: Sample) => {
    const stack = await start();
    sample.prepare(stack);
    await stack.up(only(sample.kind, sample.inputs));
    const key = addressKey(sample);
    const config = { [key]: `${stack.simulator[key].replace("http:", "HTTP:")}/` };
    return { stack, config };
  };

  test.each(samples)("$kind: an unchanged up and a refresh keep the state's spelling", async (sample) => {
    const { stack, config } = await begin(sample);
    const before = stack.properties();
    expect((await stack.up(only(sample.kind, sample.inputs), { config })).changes).toEqual([]);
    expect((await stack.refresh({ config })).changes).toEqual([]);
    expect(stack.properties()).toEqual(before);
  });
});

toEveryServer("a leader's clock that was set back", (start) => {
  const kinds = [
    {
      kind: "AclAuthMethod",
      inputs: oidc(),
      change: (stack: TestStack) => stack.simulator.cluster.methods.put({ ...past, Name: "sso", MaxTokenTTL: "2h" }),
    },
    {
      kind: "AclBindingRule",
      inputs: rule(),
      change: (stack: TestStack) => stack.simulator.cluster.rules.put({ ...past, ID: stack.entry().id, Description: "theirs" }),
    },
  ] as const;
  const past = { ModifyTime: "2001-01-01T00:00:00Z" };

  test.each(kinds)(
    "$kind: a change of others with a higher index is drift, in spite of its earlier time",
    async ({ kind, inputs, change }) => {
      const stack = await start();
      if (kind === "AclBindingRule") stack.simulator.cluster.methods.put({ Name: "sso" });
      await stack.up(only(kind, inputs));
      change(stack);
      expect((await stack.refresh()).changes).toEqual([`refresh update ${kind} it`]);
      await stack.up(only(kind, inputs));
      expect((await stack.preview(only(kind, inputs), { refresh: true })).changes).toEqual([]);
    },
  );
});

describe("a resource whose provider the engine compares with another one (a new version of the plugin, an explicit one)", () => {
  let simulator: Simulator;
  let plugin: TestPlugin;
  beforeEach(async () => {
    [simulator, plugin] = await Promise.all([Simulator.start(), TestPlugin.start()]);
    simulator.cluster.policies.put("read");
  });
  afterEach(async () => {
    plugin.stop();
    await simulator.stop();
  });

  /** Makes a role with one configuration of the provider. @returns the diff of the unchanged role with another configuration */
  async function diffAfter(made: Record<string, string>, moved: Record<string, string>) {
    const [urn, developers] = [urnOf("AclRole"), { name: "dev", policies: ["read"] }];
    const base = { clusterAddress: simulator.clusterAddress, clusterToken: simulator.clusterToken };
    await plugin.configure({ ...base, ...made }, "default_0_1_0");
    const { inputs } = await plugin.check(urn, developers);
    const { id, outputs } = await plugin.create(urn, inputs);
    await plugin.configure({ ...base, ...moved }, "default_0_2_0");
    const request = new messages.DiffRequest()
      .setUrn("urn:pulumi:test::trial::pulumi:providers:agentpool-acl::default_0_2_0")
      .setOlds(toStruct({ ...base, ...made }))
      .setNews(toStruct({ ...base, ...moved }));
    await plugin.call((client, done) => client.diffConfig(request, done));
    await plugin.check(urn, developers, inputs);
    return plugin.diff(urn, id, outputs, inputs);
  }

  test.each([
    ["a region that is set", {}, { clusterRegion: "global" }],
    ["a region that is removed", { clusterRegion: "global" }, {}],
    ["another region", { clusterRegion: "global" }, { clusterRegion: "eu" }],
  ])("%s replaces nothing", async (_, made, moved) => {
    expect(await diffAfter(made, moved)).toMatchObject({ changes: false, replaces: [] });
  });

  test("another spelling of the address replaces nothing", async () => {
    const clusterAddress = `${simulator.clusterAddress.replace("http:", "HTTP:")}/v1/`;
    expect(await diffAfter({}, { clusterAddress })).toMatchObject({ changes: false, replaces: [] });
  });

  test("another name of the host is another server", async () => {
    const clusterAddress = simulator.clusterAddress.replace("127.0.0.1", "localhost");
    expect(await diffAfter({}, { clusterAddress })).toMatchObject({ changes: true, replaces: ["server"] });
  });
});
