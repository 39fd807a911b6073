/** The engine configures the plugin, by real messages. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { toStruct } from "../../testing/rehearsal/processes/grpc";
import { Simulator } from "../../testing/simulator";
import { TestPlugin, urnOf } from "../support/plugin";

let simulator: Simulator;
let plugin: TestPlugin | undefined;
beforeEach(async () => {
  simulator = await Simulator.start();
});
afterEach(async () => {
  plugin?.stop();
  await simulator.stop();
});

/** Configures the plugin like an engine before 3.154, which does not give the provider's name. */
async function configureWithoutName(env: Record<string, string>, args: Record<string, string>): Promise<TestPlugin> {
  const started = await TestPlugin.start(env);
  plugin = started;
  const request = new messages.ConfigureRequest().setArgs(toStruct(args)).setAcceptsecrets(true);
  await started.call((client, done) => client.configure(request, done));
  return started;
}

test("an engine that gives no name configures the default provider: the overriding variable takes precedence over a stale token", async () => {
  const { ID } = simulator.cluster.roles.put({ Name: "dev" });
  const env = { AGENTPOOL_ACL_CLUSTER_TOKEN: simulator.clusterToken };
  const started = await configureWithoutName(env, { clusterAddress: simulator.clusterAddress, clusterToken: "stale" });
  expect(await started.read(urnOf("AclRole"), ID)).toMatchObject({ id: ID });
});

test("an engine that gives no name configures the default provider: the usual variables replace missing keys", async () => {
  const { ID } = simulator.cluster.roles.put({ Name: "dev" });
  const started = await configureWithoutName({ NOMAD_TOKEN: simulator.clusterToken }, { clusterAddress: simulator.clusterAddress });
  expect(await started.read(urnOf("AclRole"), ID)).toMatchObject({ id: ID });
});

test("the header of an explicit provider is checked and used", async () => {
  const { ID } = simulator.cluster.roles.put({ Name: "dev" });
  const started = await TestPlugin.start();
  plugin = started;
  const given = (clusterAuthHeader: string) => ({
    clusterAddress: simulator.clusterAddress,
    clusterToken: simulator.clusterToken,
    clusterAuthHeader,
  });
  const check = (header: string) => {
    const request = new messages.CheckRequest()
      .setUrn("urn:pulumi:test::trial::pulumi:providers:agentpool-acl::west")
      .setNews(toStruct(given(header)));
    return started.call<messages.CheckResponse>((client, done) => client.checkConfig(request, done));
  };
  expect((await check("X Token")).getFailuresList().map((failure) => failure.getReason())).toEqual([
    "clusterAuthHeader must be the name of an HTTP header",
  ]);
  expect((await check("X-Nomad-Token")).getFailuresList()).toEqual([]);
  await started.configure(given("X-Nomad-Token"), "explicit");
  simulator.journal.clear();
  expect(await started.read(urnOf("AclRole"), ID)).toMatchObject({ id: ID });
  for (const { headers } of simulator.journal.entries.filter(({ path }) => path !== "/v1/regions")) {
    expect(Object.keys(headers).filter((name) => name.endsWith("-token"))).toEqual(["x-nomad-token"]);
  }
});

test.each(["default_0_1_0", "mine"])("an address with a password is refused for the provider %s, and is not in the error", async (name) => {
  const started = await TestPlugin.start();
  plugin = started;
  const failuresOf = async (news: Record<string, string>) => {
    const request = new messages.CheckRequest().setUrn(`urn:pulumi:test::trial::pulumi:providers:agentpool-acl::${name}`);
    request.setNews(toStruct(news));
    const response = await started.call<messages.CheckResponse>((client, done) => client.checkConfig(request, done));
    return response.getFailuresList().map((failure) => failure.toObject());
  };
  const rule = "must be like https://host.example.com:4646, with http or https and without user, query or fragment";
  expect(await failuresOf({ clusterAddress: "https://user:sesame@cluster.test", poolsAddress: "pools.test/sesame" })).toEqual([
    { property: "", reason: `poolsAddress ${rule}` },
    { property: "", reason: `clusterAddress ${rule}` },
  ]);
  expect(started.logged).toEqual([]);
  expect(await failuresOf({ clusterAddress: "http://127.0.0.1:4646/proxy/v1/", poolsAddress: "https://pools.test/api/v2" })).toEqual([]);
});
