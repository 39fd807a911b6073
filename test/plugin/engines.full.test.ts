/** The plugin on both engines: the rehearsal engine must behave like the real one. */

import { startSimulator } from "../../tools/engines/project";
import { onBothEngines } from "../support/both-engines";
import { dynamicModule, platform, pluginModule } from "../support/cli";

it("a stack of all kinds: preview, up, no changes, drift, replacement, destroy", async () => {
  await onBothEngines(platform(pluginModule), async ({ engine, simulator, rewrite }) => {
    expect(await engine.run("preview")).toMatchObject({ errors: [], changes: Array(4).fill({ op: "create" }) });
    expect(await engine.run("up")).toMatchObject({ errors: [] });
    expect(await engine.run("up")).toMatchObject({ errors: [], changes: [] });
    expect(await engine.storedState()).not.toContain("canary-secret");
    const [rule] = simulator.cluster.rules.list();
    simulator.cluster.rules.put({ ID: rule?.ID ?? "", Selector: "contractors in list.groups" });
    expect(await engine.run("preview", { refresh: true })).toMatchObject({ errors: [], changes: [{ op: "update", name: "engineering" }] });
    expect(await engine.run("up", { refresh: true })).toMatchObject({ errors: [] });
    rewrite({ "index.js": (platform(pluginModule)["index.js"] ?? "").replace('name: "sso"', 'name: "single"') });
    expect((await engine.run("up")).changes.map(({ op, name }) => `${op} ${name}`).sort()).toEqual(["replace engineering", "replace sso"]);
    expect(simulator.cluster.methods.list().map(({ Name }) => Name)).toEqual(["single"]);
    expect(await engine.run("destroy")).toMatchObject({ errors: [] });
    expect([...simulator.cluster.methods.list(), ...simulator.cluster.rules.list(), ...simulator.pools.list()]).toEqual([]);
  });
});

it("a stack moves from dynamic resources to the plugin and back, and writes nothing to the APIs", async () => {
  await onBothEngines(platform(dynamicModule), async ({ engine, simulator, rewrite }) => {
    expect(await engine.run("up")).toMatchObject({ errors: [] });
    const writes = () => simulator.journal.lines().filter((line) => !line.startsWith("GET "));
    const before = writes();
    rewrite(platform(pluginModule));
    expect(await engine.run("up")).toMatchObject({ errors: [], changes: [] });
    expect(await engine.run("refresh")).toMatchObject({ errors: [], changes: [] });
    rewrite(platform(dynamicModule));
    // The refresh removed the dynamic host's property from the state; each update adds it again.
    expect(await engine.run("up")).toMatchObject({ errors: [], changes: Array(4).fill({ op: "update" }) });
    rewrite(platform(pluginModule));
    expect(await engine.run("up")).toMatchObject({ errors: [], changes: [] });
    rewrite(platform(dynamicModule));
    expect(await engine.run("up")).toMatchObject({ errors: [], changes: [] });
    expect(writes()).toEqual(before);
    expect(await engine.run("refresh")).toMatchObject({ errors: [], changes: [] });
    expect(await engine.run("destroy")).toMatchObject({ errors: [] });
  });
});

it("two explicit providers use two clusters, in an update, a refresh and a destroy", async () => {
  const west = await startSimulator();
  const program = `const { AclRole, Provider, getRoleOutput } = require("${pluginModule}");
const pulumi = require("@pulumi/pulumi");
const config = new pulumi.Config();
const west = new Provider("west", { clusterAddress: config.require("address"), clusterToken: config.requireSecret("token"), maxRetries: 1 });
new AclRole("here", { name: "developers", policies: ["read-only"] });
const there = new AclRole("there", { name: "operators", policies: ["read-only"] }, { provider: west });
exports.found = getRoleOutput({ id: there.id }, { provider: west }).name;
`;
  const settings = { config: { address: west.clusterAddress }, secretConfig: { token: west.clusterToken } };
  try {
    await onBothEngines(
      { "index.js": program },
      async ({ engine, simulator }) => {
        const names = () => [simulator, west].map(({ cluster }) => cluster.roles.list().map(({ Name }) => Name));
        expect(await engine.run("preview")).toMatchObject({ errors: [] });
        expect(await engine.run("up")).toMatchObject({ errors: [] });
        expect(names()).toEqual([["developers"], ["operators"]]);
        expect(await engine.run("up")).toMatchObject({ errors: [], changes: [] });
        west.cluster.roles.put({ ID: west.cluster.roles.list()[0]?.ID ?? "", Description: "changed by others" });
        expect(await engine.run("refresh")).toMatchObject({ errors: [] });
        expect(await engine.run("up")).toMatchObject({ errors: [], changes: [{ op: "update", name: "there" }] });
        expect(await engine.run("destroy")).toMatchObject({ errors: [] });
        expect(names()).toEqual([[], []]);
      },
      settings,
    );
  } finally {
    await west.stop();
  }
});
