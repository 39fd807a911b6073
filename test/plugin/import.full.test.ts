/** `pulumi import` on the Pulumi CLI. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CliScene, platform, pluginModule, testOnCli } from "../support/cli";

const emptyProgram = { "index.js": "" };

/** Objects of others: one of each kind, the method with a secret. */
function madeByOthers({ simulator: { cluster, pools, organization } }: CliScene) {
  const method = cluster.methods.put({
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
  return { method, role, rule, pool };
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
  const { method, role, rule, pool } = madeByOthers(scene);
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

  // No later update erases the server's secret.
  rewrite(typescript(code.replace('"1h0m0s"', '"2h"')));
  expect(await cli.run("up")).toMatchObject({ errors: [], changes: [{ op: "update", name: "sso" }] });
  const secret = () => simulator.cluster.methods.get("sso")?.Config.OIDCClientSecret;
  expect([simulator.cluster.methods.get(method.Name)?.MaxTokenTTL, secret()]).toEqual(["2h0m0s", "theirs"]);
  rewrite(typescript(code.replace('"1h0m0s"', '"2h"').replace('oidcClientId: "cluster"', 'oidcClientId: "other"')));
  const before = simulator.journal.entries.length;
  for (const command of ["preview", "up"] as const) {
    const { errors } = await cli.run(command);
    expect(errors.join()).toContain("config.oidcClientSecret: the server holds a secret that the program does not give");
  }
  expect(simulator.journal.entries).toHaveLength(before);
  expect(secret()).toBe("theirs");
});

testOnCli("an import takes ORGANIZATION/POOL-NAME and a role's name, and keeps the ids", emptyProgram, async (scene) => {
  const { cli, rewrite, simulator } = scene;
  const { role, pool } = madeByOthers(scene);
  const names = importing([
    ["AgentPool", "build", `${simulator.organization}/build`],
    ["AclRole", "developers", "developers"],
  ]);
  const { code } = await importByFile(cli, names);
  const ids = (await cli.resources()).flatMap(({ id }) => id ?? []);
  expect(ids.sort()).toEqual([pool.id, role.ID].sort());
  rewrite(typescript(code));
  expect(await cli.run("preview")).toMatchObject({ errors: [], changes: [] });
});

testOnCli(
  "an import of objects without their optional values writes code, and the preview of that code is empty",
  emptyProgram,
  async (scene) => {
    const { cli, rewrite, simulator } = scene;
    const { cluster } = simulator;
    madeByOthers(scene);
    const role = cluster.roles.put({ Name: "bare" });
    const everyone = cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "bare" });
    const admins = cluster.rules.put({ AuthMethod: "sso", BindType: "management", BindName: "" });
    // The server may support selectors that this package can't read.
    const foreign = cluster.rules.put({ AuthMethod: "sso", Selector: "groups HAS 'ops'", BindType: "role", BindName: "bare" });
    const { code } = await importByFile(
      cli,
      importing([
        ["AclRole", "bare", role.ID],
        ["AclBindingRule", "everyone", everyone.ID],
        ["AclBindingRule", "admins", admins.ID],
        ["AclBindingRule", "foreign", foreign.ID],
      ]),
    );
    // A rule for everyone writes the empty selector out.
    expect(code.match(/selector: ""/g)).toHaveLength(2);
    rewrite(typescript(code));
    expect(await cli.run("preview")).toMatchObject({ errors: [], changes: [] });
    expect(await cli.run("preview", { refresh: true })).toMatchObject({ errors: [], changes: [] });
    expect(simulator.journal.requests().filter(({ method: verb }) => verb !== "GET")).toEqual([]);
  },
);

testOnCli("an import of a missing object is an error, and does not change the state", emptyProgram, async ({ cli }) => {
  await expect(importByFile(cli, importing([["AclRole", "nobody", "nobody"]]))).rejects.toThrow('There is no ACL role "nobody".');
  expect((await cli.resources()).filter(({ type }) => type.startsWith("agentpool-acl:"))).toEqual([]);
});

testOnCli(
  "a preview writes the import file of a whole program, and the import adopts its objects",
  platform(pluginModule),
  async (scene) => {
    const { cli, simulator } = scene;
    const { method, role, rule, pool } = madeByOthers(scene);
    const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-adopt-"));
    try {
      const file = join(folder, "import.json");
      await cli.command(["preview", "--import-file", file]);
      const ids = new Map([
        ["build", pool.id],
        ["developers", role.ID],
        ["sso", method.Name],
        ["engineering", rule.ID],
      ]);
      const filledIn = JSON.stringify(JSON.parse(readFileSync(file, "utf8")), (_, value: unknown) =>
        typeof value === "object" && value !== null && "name" in value && "id" in value
          ? { ...value, id: ids.get(String(value.name)) }
          : value,
      );
      expect(filledIn).not.toContain("PLACEHOLDER");
      await importByFile(cli, filledIn);
      const { changes, errors } = await cli.run("preview");
      expect(errors).toEqual([]);
      // Values that differ from the program show as changes; nothing is created again.
      expect(changes.map(({ op }) => op)).not.toContain("create");
      expect((await cli.run("up")).errors).toEqual([]);
      expect(simulator.cluster.roles.list().map(({ ID, Description }) => [ID, Description])).toEqual([[role.ID, ""]]);
      expect(simulator.pools.list().map(({ id }) => id)).toEqual([pool.id]);
      expect((await cli.run("preview", { refresh: true })).changes).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

const getting = {
  "index.js": `const { AclRole } = require("${pluginModule}");
exports.policies = AclRole.get("theirs", "developers").policies;
const imported = new AclRole("ours", { name: "operators", policies: ["read-only"] }, { import: process.env.OPERATORS ?? "operators" });
`,
};

testOnCli("get reads an object of others, and the option import takes one over", getting, async (scene) => {
  const { cli, simulator } = scene;
  const { role } = madeByOthers(scene);
  const operators = simulator.cluster.roles.put({ Name: "operators", Policies: [{ Name: "read-only" }] });
  expect((await cli.run("up")).errors).toEqual([]);
  const stack = (await cli.resources()).find(({ type }) => type === "pulumi:pulumi:Stack");
  expect(stack?.outputs).toEqual({ policies: ["read-only"] });
  expect((await cli.resources()).map(({ id }) => id)).toEqual(expect.arrayContaining([role.ID, operators.ID]));
  expect(await cli.run("destroy")).toMatchObject({ errors: [] });
  expect(simulator.cluster.roles.list().map(({ Name }) => Name)).toEqual(["developers"]);
});
