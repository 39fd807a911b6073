/** Every folder of `examples`. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Project } from "../../tools/engines/engine";
import { packages, withEngine } from "../../tools/engines/engines";
import { clientSecret, configFor, policies, startSimulator } from "../../tools/engines/project";
import { compile } from "../support/compile";
import { withProgram } from "../support/programs";

const examples = join(__dirname, "../../examples");

/** The configuration in an example's README, besides addresses and tokens. */
const configuration: Record<string, Partial<Pick<Project, "config" | "secretConfig">>> = {
  agents: { config: { workspaces: '["networking"]' } },
  "agent-pool": { config: { allowedWorkspaceIds: '["ws-networking"]' } },
  "cluster-acl": {
    config: {
      discoveryUrl: "https://login.example.com",
      clientId: "cluster",
      pipelineIssuer: "https://ci.example.com",
      pipelineKeysUrl: "https://ci.example.com/keys",
      pipelineProject: "42",
    },
    secretConfig: { clientSecret },
  },
  "from-nothing": { config: { issuer: "https://login.example.com" } },
  pipeline: { config: { vendor: "github", tenant: "1296269", policies: '["deploy-development"]' } },
  platform: { config: { discoveryUrl: "https://login.example.com" }, secretConfig: { clientSecret } },
};

/** The examples with another provider, which other-providers.full.test.ts runs with mocks. */
const withOthers = ["namespace", "workspace"];

/** The examples for Node. plugin/archive.full.test.ts runs those in other languages. */
const names = readdirSync(examples).filter(
  (name) => ["package.json", "Pulumi.yaml"].every((file) => existsSync(join(examples, name, file))) && !withOthers.includes(name),
);
const packs = readdirSync(examples).filter((name) => existsSync(join(examples, name, "PulumiPolicy.yaml")));

it.each(names)("%s: preview, up, a second up without changes, destroy", async (name) => {
  const simulator = await startSimulator();
  simulator.pools.addWorkspace(simulator.organization, { id: "ws-networking", name: "networking" });
  const { config, secretConfig } = configFor(simulator);
  const own = configuration[name];
  // The programs run without a check of their types, so each operation starts a second sooner. The compiler has a test of its own.
  const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const project = {
    env,
    folder: join(examples, name),
    config: { ...config, ...own?.config },
    secretConfig: { ...secretConfig, ...own?.secretConfig },
  };
  try {
    await withEngine("rehearsal", project, async (engine) => {
      const preview = await engine.run("preview");
      const up = await engine.run("up");
      expect([preview.errors, up.errors]).toEqual([[], []]);
      expect(preview.changes.length).toBeGreaterThan(0);
      const ids = (await engine.resources()).flatMap(({ id }) => id ?? []);
      const { pools, cluster } = simulator;
      const found = () => [
        ...pools.list().flatMap(({ id }) => [id, ...pools.agentTokens(id).map((token) => token.id)]),
        ...cluster.policies.list().flatMap(({ Name }) => (policies.includes(Name) ? [] : [Name])),
        ...cluster.methods.list().map(({ Name }) => Name),
        ...idsOf(cluster.roles),
        ...idsOf(cluster.rules),
      ];
      expect(found().sort()).toEqual(ids.sort());
      const again = await engine.run("up");
      expect([again.errors, again.changes]).toEqual([[], []]);
      expect((await engine.run("destroy")).errors).toEqual([]);
      expect(found()).toEqual([]);
    });
  } finally {
    await simulator.stop();
  }
});

it("all examples compile without errors", async () => {
  // All examples are compiled together, because the compiler needs most of its time to read the SDK's types.
  await expect(compile([...names, ...packs].map((name) => join(examples, name, "index.ts")))).resolves.toBe("");
});

it("the policy pack, and the sample of docs/policies.md, compile with the tsconfig.json of the example", async () => {
  const tsc = (folder: string) => promisify(execFile)(process.execPath, [require.resolve("typescript/lib/tsc.js"), "-p", folder]);
  const folder = join(examples, "policy-pack");
  await expect(tsc(folder)).resolves.toEqual({ stdout: "", stderr: "" });
  const [, sample = ""] =
    /```typescript\n(import \{ PolicyPack[\s\S]*?)```/.exec(readFileSync(join(examples, "../docs/policies.md"), "utf8")) ?? [];
  expect(sample).toContain("new PolicyPack(");
  const files = { "index.ts": sample, "tsconfig.json": readFileSync(join(folder, "tsconfig.json"), "utf8") };
  await withProgram(files, async (copy) => {
    symlinkSync(packages, join(copy, "node_modules"), "junction");
    await expect(tsc(copy)).resolves.toEqual({ stdout: "", stderr: "" });
  });
});

it.each([...names, ...withOthers])("%s: the README names every key of the configuration", (name) => {
  const program = readFileSync(join(examples, name, "index.ts"), "utf8");
  const readme = readFileSync(join(examples, name, "README.md"), "utf8");
  const keys = [...program.matchAll(/config\.\w+(?:<[^>]*>)?\("(\w+)"\)/g)].map(([, key]) => key);
  expect(keys.filter((key) => !readme.includes(`\`${key}\``))).toEqual([]);
});

function idsOf(collection: { list(): { ID: string }[] }): string[] {
  return collection.list().map(({ ID }) => ID);
}
