/** The procedures of docs/rotation.md on the Pulumi CLI, with both adapters. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/repository";
import { type CliScene, dynamicModule, pluginModule, testOnCli } from "../support/cli";

jest.setTimeout(600_000);

const program = (module: string) => ({
  "index.js": `const { AclAuthMethod, AclPolicy, AclToken, AgentPool, AgentToken } = require("${module}");
const config = new (require("@pulumi/pulumi").Config)();
new AclAuthMethod("sso", {
  name: "sso", type: "OIDC", tokenLocality: "global", maxTokenTtl: "8h",
  config: {
    oidcDiscoveryUrl: "https://login.example.com", oidcClientId: "cluster", oidcClientSecret: config.requireSecret("clientSecret"),
    allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
  },
});
const read = new AclPolicy("read", { name: "read", rules: 'node { policy = "read" }' });
const ci = new AclToken("ci", { name: "ci", type: "client", policies: [read.name] });
const pool = new AgentPool("runners", {});
const keepers = { rotation: config.get("rotation") || "1" };
new AgentToken("runners", { agentPoolId: pool.id, description: "runners", keepers }, { deletedWith: pool });
exports.ciSecret = ci.secretId;
`,
});

const page = readFileSync(join(root, "docs/rotation.md"), "utf8");
const set = ({ cli }: CliScene, key: string, secret: string) => cli.command(["config", "set-all", "--secret", `${key}=${secret}`]);

async function up({ cli }: CliScene): Promise<string[]> {
  const { errors, changes } = await cli.run("up");
  expect(errors).toEqual([]);
  return changes.map(({ op, kind, name }) => `${op} ${kind} ${name}`);
}

describe.each([dynamicModule, pluginModule])("through %s", (module) => {
  const settings = { secretConfig: {} };

  testOnCli(
    "a new client secret, a token that is replaced, and a keeper: the old secrets are gone, and nothing else changes",
    program(module),
    async (scene) => {
      const { cli, simulator } = scene;
      const { cluster, pools } = simulator;
      await set(scene, "agentpool-acl:clusterToken", simulator.clusterToken);
      await set(scene, "agentpool-acl:poolsToken", simulator.poolsToken);
      await set(scene, "clientSecret", "one");
      await up(scene);

      await set(scene, "clientSecret", "two");
      expect(await up(scene)).toEqual(["update AclAuthMethod sso"]);
      expect(cluster.methods.get("sso")?.Config.OIDCClientSecret).toBe("two");

      const before = cluster.tokens.list().map(({ SecretID }) => SecretID);
      const urn = (await cli.resources()).find(({ type }) => type.endsWith(":AclToken"))?.urn ?? "";
      const preview = await cli.run("preview", { replace: [urn] });
      const shown = [...page.matchAll(/^ (\+\+|\+-|--) agentpool-acl:index:(AclToken \w+ .*)$/gm)].map(
        ([, sign, text]) => `${sign} ${text}`,
      );
      expect(shown).toHaveLength(3);
      for (const line of shown) {
        const [sign = "", ...words] = line.split(" ");
        // On a busy machine, the CLI prints the line after its dots of progress.
        expect(preview.text).toMatch(
          new RegExp(`^(?:@ previewing update\\.+)? *${sign.replaceAll("+", "\\+")} \\S*${words.join(" ")}`, "m"),
        );
      }
      expect(await cli.run("up", { replace: [urn] })).toMatchObject({ errors: [], ok: true });
      const after = cluster.tokens.list().map(({ SecretID }) => SecretID);
      expect([after.length, before.length]).toEqual([1, 1]);
      expect(after).not.toEqual(before);
      expect((await cli.command(["stack", "output", "ciSecret", "--show-secrets"])).trim()).toBe(after[0]);

      const [runners] = pools.list();
      const [first] = pools.agentTokens(runners?.id ?? "");
      await cli.command(["config", "set", "rotation", "2"]);
      expect(await up(scene)).toEqual([expect.stringMatching(/AgentToken runners$/)]);
      const [second, ...others] = pools.agentTokens(runners?.id ?? "");
      expect([second?.id === first?.id, others]).toEqual([false, []]);
    },
    settings,
  );

  testOnCli(
    "the provider's own tokens: a refresh needs the update that saves the new ones, and its error says so",
    program(module),
    async (scene) => {
      const { cli, simulator } = scene;
      const tokens = [randomUUID(), randomUUID()].map((token) => ({ cluster: token, pools: `pools-${token}` }));
      const configure = async (index: number) => {
        await set(scene, "agentpool-acl:clusterToken", tokens[index]?.cluster ?? "");
        await set(scene, "agentpool-acl:poolsToken", tokens[index]?.pools ?? "");
      };
      for (const { cluster, pools } of tokens) {
        simulator.clusterTokens.add({ token: cluster, type: "management" });
        simulator.poolsTokens.add({ token: pools });
      }
      await set(scene, "clientSecret", "one");
      await configure(0);
      await up(scene);

      await configure(1);
      simulator.clusterTokens.remove(tokens[0]?.cluster ?? "");
      simulator.poolsTokens.remove(tokens[0]?.pools ?? "");
      const early = await cli.run("refresh");
      expect(early.ok).toBe(false);
      for (const key of ["AGENTPOOL_ACL_CLUSTER_TOKEN", "AGENTPOOL_ACL_POOLS_TOKEN"])
        expect(early.text).toContain(`A destroy or refresh uses the configuration that the last update saved: after a rotation set ${key}`);
      expect(early.text).toMatch(/acl\/\S+: 403 [\s\S]*agent-pools\/\S+: 401 |agent-pools\/\S+: 401 [\s\S]*acl\/\S+: 403 /);

      expect(await up(scene)).toEqual([]);
      expect(await cli.run("refresh")).toMatchObject({ ok: true, errors: [], changes: [] });
      expect(await cli.run("destroy")).toMatchObject({ ok: true, errors: [] });
    },
    settings,
  );
});
