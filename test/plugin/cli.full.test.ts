/** Behaviour of the plugin that only the Pulumi CLI can show. */
import { setTimeout as sleep } from "node:timers/promises";
import { configFor, startSimulator } from "../../tools/engines/project";
import { pluginModule, testOnCli, warningsIn } from "../support/cli";

const oneRole = {
  "index.js": `const { AclRole } = require("${pluginModule}");\nnew AclRole("developers", { name: "developers", policies: ["read-only"] });\n`,
};

testOnCli(
  "another address replaces nothing, with an explanation in the preview, and another token is not mentioned",
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
      // A refresh uses the configuration that the last update has saved.
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
    // After the list of the agents, the wait has begun.
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
