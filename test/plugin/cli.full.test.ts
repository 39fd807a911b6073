/** What only the Pulumi CLI can show of the plugin. */
import { setTimeout as sleep } from "node:timers/promises";
import type { StoredResource } from "../../tools/engines/engine";
import { configFor, startSimulator } from "../../tools/engines/project";
import { type CliScene, detailedDiff, dynamicModule, platform, pluginModule, requestsOf, testOnCli, warningsIn } from "../support/cli";

const everything = ({ simulator: { pools, cluster } }: CliScene) => [
  ...pools.list(),
  ...cluster.methods.list(),
  ...cluster.roles.list(),
  ...cluster.rules.list(),
];

const byUrn = (resources: readonly StoredResource[]) => Object.fromEntries(resources.map((resource) => [resource.urn, resource]));

testOnCli("a stack of all kinds runs from the first preview to the destroy", platform(pluginModule), async (scene) => {
  const { cli, rewrite } = scene;
  expect(await requestsOf(scene, "preview")).toEqual([]);
  expect((await cli.run("up")).errors).toEqual([]);
  expect(everything(scene)).toHaveLength(4);
  const stored = await cli.resources();
  expect(stored.find(({ type }) => type.endsWith("AclAuthMethod"))?.inputs).toMatchObject({
    config: { oidcClientSecret: { secret: "canary-secret" }, oidcClientId: "cluster" },
  });
  expect(await cli.storedState()).not.toContain("canary-secret");
  // The program looks a role up, and the session asks once for the regions. Nothing else is sent.
  expect(await requestsOf(scene, "up")).toEqual(["GET /v1/regions", expect.stringMatching(/^GET \/v1\/acl\/role\//)]);
  expect((await cli.run("refresh")).changes).toEqual([]);
  expect(byUrn(await cli.resources())).toEqual(byUrn(stored));

  rewrite(platform(pluginModule, { redirect: "http://localhost:9/callback" }));
  expect(await detailedDiff(cli)).toEqual({ sso: { "config.allowedRedirectUris[1]": { kind: "update", inputDiff: true } } });
  rewrite(platform(pluginModule, { ttl: "1h0m0s", groups: "teams" }));
  expect(await detailedDiff(cli)).toEqual({
    sso: { 'config.listClaimMappings["https://example.com/groups"]': { kind: "update", inputDiff: true } },
  });
  expect((await cli.run("up")).changes).toMatchObject([{ op: "update", name: "sso" }]);
  expect((await cli.run("destroy")).errors).toEqual([]);
  expect(everything(scene)).toEqual([]);
});

testOnCli(
  "a stack moves from dynamic resources to the plugin without changes, and back by updates that send nothing",
  platform(dynamicModule),
  async (scene) => {
    const { cli, rewrite, simulator } = scene;
    const writes = () => simulator.journal.requests().filter(({ method }) => method !== "GET").length;
    expect((await cli.run("up")).errors).toEqual([]);
    expect(writes()).toBe(4);
    const before = everything(scene);

    rewrite(platform(pluginModule));
    expect((await cli.run("preview")).changes).toEqual([]);
    expect(await cli.run("up")).toMatchObject({ ok: true, changes: [] });
    expect(await cli.run("refresh")).toMatchObject({ ok: true, changes: [] });
    expect((await cli.resources()).map(({ type }) => type.split(":")[0])).toEqual(["pulumi", ...Array(4).fill("agentpool-acl")]);

    rewrite(platform(dynamicModule));
    const back = await cli.run("up");
    expect(back.errors).toEqual([]);
    expect(back.changes.map(({ op, name }) => `${op} ${name}`).sort()).toEqual([
      "update build",
      "update developers",
      "update engineering",
      "update sso",
    ]);
    expect(await cli.run("refresh")).toMatchObject({ ok: true, changes: [] });
    expect(await cli.run("up")).toMatchObject({ ok: true, changes: [] });
    expect(writes()).toBe(4);
    expect(everything(scene)).toEqual(before);

    rewrite(platform(pluginModule));
    expect(await cli.run("up")).toMatchObject({ ok: true, changes: [] });
    expect((await cli.run("destroy")).errors).toEqual([]);
    expect(everything(scene)).toEqual([]);
  },
);

/** Two clusters in one program. The default provider has a wrong token from the environment; the explicit ones must not use it. */
const twoClusters = {
  "index.js": `const { AclRole, Provider } = require("${pluginModule}");
const pulumi = require("@pulumi/pulumi");
const config = new pulumi.Config();
const cluster = (name) => new Provider(name, {
  clusterAddress: config.require(name + "Address"), clusterToken: config.requireSecret(name + "Token"), requestTimeoutSeconds: 20, allowInsecureHttp: false,
});
for (const name of ["east", "default_1_2_3"]) {
  new AclRole(name, { name: "developers", policies: ["read-only"] }, { provider: cluster(name) });
}
`,
};

testOnCli(
  "explicit providers use their own clusters, also under a name of the engine's, and ignore the overriding variables",
  twoClusters,
  async (scene) => {
    const { cli, simulator } = scene;
    const west = await startSimulator();
    try {
      const settings = {
        eastAddress: simulator.clusterAddress,
        eastToken: simulator.clusterToken,
        // Its address is not the stack's: a provider of such a name and with that address would be taken for the engine's own.
        default_1_2_3Address: west.clusterAddress,
        default_1_2_3Token: west.clusterToken,
      };
      const values = Object.entries(settings).flatMap(([key, value]) => ["--secret", `${key}=${value}`]);
      await cli.command(["config", "set-all", ...values]);
      expect((await cli.run("up")).errors).toEqual([]);
      expect([simulator, west].map(({ cluster }) => cluster.roles.list().map(({ Name }) => Name))).toEqual([
        ["developers"],
        ["developers"],
      ]);
      expect(await cli.storedState()).not.toContain(west.clusterToken);
      expect((await cli.run("refresh")).errors).toEqual([]);
      expect((await cli.run("destroy")).errors).toEqual([]);
      expect([simulator, west].map(({ cluster }) => cluster.roles.list())).toEqual([[], []]);
    } finally {
      await west.stop();
    }
  },
  { env: { AGENTPOOL_ACL_CLUSTER_TOKEN: "not-the-token-of-either" } },
);

const oneRole = {
  "index.js": `const { AclRole } = require("${pluginModule}");\nnew AclRole("developers", { name: "developers", policies: ["read-only"] });\n`,
};

testOnCli(
  "another address replaces nothing, and the preview explains it; another token is not mentioned",
  oneRole,
  async ({ cli, simulator }) => {
    expect((await cli.run("up")).errors).toEqual([]);
    const elsewhere = await startSimulator();
    try {
      const { config, secretConfig } = configFor(elsewhere);
      const values = (flag: string, given: object) => Object.entries(given).flatMap(([key, value]) => [flag, `${key}=${value}`]);
      await cli.command(["config", "set-all", ...values("--secret", secretConfig)]);
      expect((await cli.run("preview")).changes).toEqual([]);
      await cli.command(["config", "set-all", ...values("--plaintext", config)]);
      const moved = await cli.run("preview");
      expect(moved.changes).toEqual([]);
      expect(moved.text).toContain("agentpool-acl:clusterAddress changes. Nothing is replaced");
      // The engine refreshes with the configuration of the last update.
      expect(await cli.run("up")).toMatchObject({ ok: true, changes: [] });
      expect((await cli.run("refresh")).errors.join()).toContain(`is not on ${elsewhere.clusterAddress}`);
      expect((await cli.resources()).map(({ id }) => id)).toContain(simulator.cluster.roles.list()[0]?.ID);
    } finally {
      await elsewhere.stop();
    }
  },
);

testOnCli("a wrong configuration fails in the preview, with the names of its keys", oneRole, async ({ cli, simulator }) => {
  await cli.command(["config", "set", "agentpool-acl:maxRetries", "many"]);
  await cli.command(["config", "set", "agentpool-acl:clusterAdress", "https://cluster.example.com"]);
  const { ok, errors, text } = await cli.run("preview");
  expect(ok).toBe(false);
  expect(errors.join("\n")).toContain("maxRetries must be a whole number");
  expect(warningsIn(text).map(({ message }) => message)).toEqual([
    expect.stringContaining("agentpool-acl:clusterAdress means nothing to this provider. Did you mean agentpool-acl:clusterAddress?"),
  ]);
  expect(simulator.journal.lines()).toEqual([]);
});

const draining = (timeout: string) => ({
  "index.js": `const { AgentPool } = require("${pluginModule}");
new AgentPool("build", { forceDestroy: true, drainTimeoutSeconds: 600 }, { customTimeouts: { delete: "${timeout}" } });
`,
});

testOnCli("customTimeouts end a wait, and the pool stays in the state", draining("2s"), async ({ cli, simulator: { pools } }) => {
  expect((await cli.run("up")).errors).toEqual([]);
  const [pool] = pools.list();
  pools.addAgent(pool?.id ?? "", { name: "builder", status: "busy" });
  const { ok, errors } = await cli.run("destroy");
  expect(ok).toBe(false);
  expect(errors.join("\n")).toContain("This took longer than the 2 s that the resource's customTimeouts allow.");
  expect((await cli.resources()).map(({ id }) => id)).toContain(pool?.id);
  expect(pools.list()).toHaveLength(1);
});

testOnCli(
  "an interruption while agents drain ends cleanly, with the pool in the state",
  draining("10m"),
  async ({ cli, simulator, interrupt }) => {
    const { pools, journal } = simulator;
    expect((await cli.run("up")).errors).toEqual([]);
    const [pool] = pools.list();
    pools.addAgent(pool?.id ?? "", { name: "builder", status: "busy" });
    const destroyed = cli.run("destroy");
    // The wait has begun when the agents have been listed.
    while (!journal.lines().some((line) => line.endsWith("/agents") || line.includes("/agents?"))) await sleep(50);
    interrupt();
    const { ok, errors } = await destroyed;
    expect(ok).toBe(false);
    expect(errors.join("\n")).toContain("The operation was cancelled before this was done.");
    expect((await cli.resources()).map(({ id }) => id)).toContain(pool?.id);
    for (const agent of pools.agents(pool?.id ?? "")) pools.removeAgent(agent.id);
    expect((await cli.run("destroy")).errors).toEqual([]);
    expect(pools.list()).toEqual([]);
  },
);

testOnCli(
  "warnings are shown at their resource",
  {
    "index.js": `const { AclBindingRule } = require("${pluginModule}");
new AclBindingRule("everyone", { authMethod: "sso", selector: "", bindType: "management" });
`,
  },
  async ({ cli, simulator }) => {
    simulator.cluster.methods.put({ Name: "sso" });
    const { errors, text } = await cli.run("preview");
    expect(errors).toEqual([]);
    expect(warningsIn(text)).toEqual([{ name: "everyone", message: expect.stringContaining("management") }]);
  },
);

testOnCli(
  "the CLI accepts the name of the cluster's header without --secret, and requests then have that header only",
  {
    "index.js": `const { AclRole } = require("${pluginModule}");
new AclRole("dev", { name: "dev", policies: ["read-only"] });
`,
  },
  async ({ cli, simulator: { journal } }) => {
    await cli.command(["config", "set", "agentpool-acl:clusterAuthHeader", "X-Nomad-Token"]);
    expect((await cli.run("up")).errors).toEqual([]);
    const sent = journal.entries.flatMap(({ headers }) => Object.keys(headers).filter((name) => /^x-.*-token$/.test(name)));
    expect([...new Set(sent)]).toEqual(["x-nomad-token"]);
  },
);
