/** `pulumi import` on the Pulumi CLI. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CliScene, pluginModule, testOnCli } from "../support/cli";

const emptyProgram = { "index.js": "" };

/** Makes a method, a role, a rule and a pool, as others would. The auth method has a secret. */
function madeByOthers({ simulator: { cluster, pools, organization } }: CliScene) {
  cluster.methods.put({
    Name: "sso",
    Type: "OIDC",
    TokenLocality: "global",
    MaxTokenTTL: "1h0m0s",
    Config: {
      OIDCDiscoveryURL: "https://login.example.com",
      OIDCClientID: "cluster",
      OIDCClientSecret: "theirs",
      AllowedRedirectURIs: ["http://localhost:4649/oidc/callback"],
      ListClaimMappings: { "https://example.com/groups": "groups" },
    },
  });
  const role = cluster.roles.put({ Name: "developers", Description: "Made by hand", Policies: [{ Name: "read-only" }] });
  const rule = cluster.rules.put({ AuthMethod: "sso", Selector: "engineering in list.groups", BindType: "role", BindName: "developers" });
  const pool = pools.put({ organization, name: "build" });
  return { role, rule, pool };
}

const importing = (list: readonly (readonly [kind: string, name: string, id: string])[]) =>
  JSON.stringify({ resources: list.map(([kind, name, id]) => ({ type: `agentpool-acl:index:${kind}`, name, id })) });

/** Imports by a file. @returns the code that the CLI wrote, with this package's module, and its output */
async function importByFile(cli: CliScene["cli"], text: string): Promise<{ code: string; said: string }> {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-import-"));
  try {
    writeFileSync(join(folder, "import.json"), text);
    const out = join(folder, "out.ts");
    const said = await cli.command(["import", "--file", join(folder, "import.json"), "--yes", "--protect=false", "--out", out]);
    return { code: readFileSync(out, "utf8").replace("pulumi-agentpool-acl-sdk", pluginModule), said };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const typescript = (code: string) => ({
  "package.json": '{"name":"trial","main":"index.ts"}',
  "tsconfig.json": '{"compilerOptions":{"target":"es2022","module":"node16","types":[],"strict":true},"files":["index.ts"]}',
  "index.ts": code,
});

testOnCli("an import of every kind writes code, and the preview of that code is empty", emptyProgram, async (scene) => {
  const { cli, rewrite, simulator } = scene;
  const { role, rule, pool } = madeByOthers(scene);
  const { code, said } = await importByFile(
    cli,
    importing([
      ["AgentPool", "build", pool.id],
      ["AclAuthMethod", "sso", "sso"],
      ["AclRole", "developers", role.ID],
      ["AclBindingRule", "engineering", rule.ID],
    ]),
  );
  expect(said).toContain("the API does not return config.oidcClientSecret");
  expect(code).not.toContain("redacted");
  rewrite(typescript(code));
  expect(await cli.run("preview")).toMatchObject({ errors: [], changes: [] });
  expect(await cli.run("preview", { refresh: true })).toMatchObject({ errors: [], changes: [] });
  expect(simulator.journal.requests().filter(({ method: verb }) => verb !== "GET")).toEqual([]);
});
