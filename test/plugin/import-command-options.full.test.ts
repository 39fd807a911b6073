import type { Simulator } from "../../testing/simulator";
import { withEngine } from "../../tools/engines/engines";
import { configFor, startSimulator } from "../../tools/engines/project";
import { type CliScene, testOnCli } from "../support/cli";
import { runImport } from "../support/commands";
import { withPluginHere } from "../support/program-languages";
import { withProgram } from "../support/programs";
import { bothOrganizations, fill, threeHundred } from "../support/random-objects";
import { configurationOf } from "../support/session";

jest.setTimeout(600_000);

const some = { pools: 5, methods: 20, policies: 10, roles: 20, rules: 20 };
const importing = ["import", "--file", "import.json", "--yes", "--protect=false", "--generate-code=false"];
const writes = ({ journal }: Simulator) => journal.requests().filter(({ method }) => method !== "GET");

/** All objects of the servers, with their versions and times. */
const contents = ({ pools, cluster }: Simulator) => [
  pools.list(),
  ...[cluster.methods, cluster.policies, cluster.roles, cluster.rules, cluster.tokens].map((all) => all.list()),
];

async function taken({ simulator, rewrite }: CliScene, ...args: string[]): Promise<string> {
  const { status, out, files } = await runImport(configurationOf(simulator), ...bothOrganizations(simulator), ...args);
  expect([status, out]).toEqual([0, expect.stringContaining("objects are written")]);
  rewrite(withPluginHere(files));
  return out;
}

/** A private key that the servers accept: that of an existing auth method. */
function privateKeyIn({ cluster }: Simulator): string {
  const keys = cluster.methods.list().flatMap(({ Config }) => Config.OIDCClientAssertion?.PrivateKey?.PemKey ?? []);
  return keys[0] ?? "";
}

testOnCli("with secrets from the configuration, the first update writes each auth method that has a secret, once", {}, async (scene) => {
  const { cli, simulator } = scene;
  await fill(simulator, some);
  const out = await taken(scene, "--with-secrets");
  // The keys of the provider itself, such as its tokens, are set already.
  const printed = [...out.matchAll(/pulumi config set --secret (\S+)/g)].map(([, key = ""]) => key);
  const keys = printed.filter((key) => !key.startsWith("agentpool-acl:"));
  const secretOf = (key: string) => (/PemKey\d*$/.test(key) ? privateKeyIn(simulator) : `${key}-`.repeat(9));
  await cli.command(["config", "set-all", ...keys.flatMap((key) => ["--secret", `${key}=${secretOf(key)}`])]);
  const holding = simulator.cluster.methods
    .list()
    .filter(({ Config }) => Config.OIDCClientSecret || Config.OIDCClientAssertion?.PrivateKey);
  expect(holding).not.toEqual([]);
  await cli.command(importing);
  const updated = holding.map(({ Name }) => Name).sort();
  const { errors, changes } = await cli.run("preview");
  expect([errors, changes.map(({ op }) => op)]).toEqual([[], updated.map(() => "update")]);
  expect(writes(simulator)).toEqual([]);
  expect((await cli.run("up")).errors).toEqual([]);
  expect(
    writes(simulator)
      .map(({ path }) => decodeURIComponent(path))
      .sort(),
  ).toEqual(updated.map((name) => `/v1/acl/auth-method/${name}`));
  for (const { Name, Config } of holding) {
    const secret = simulator.cluster.methods.get(Name)?.Config.OIDCClientSecret;
    expect(keys.map(secretOf).includes(secret ?? "")).toBe(Config.OIDCClientSecret !== "");
  }
  expect(await cli.run("preview", { refresh: true })).toMatchObject({ errors: [], changes: [] });
});

testOnCli("the update that imports objects by options also undoes a change by others, and the preview shows that", {}, async (scene) => {
  const { cli, simulator } = scene;
  await fill(simulator, { pools: 0, methods: 1, policies: 2, roles: 2, rules: 0 });
  await taken(scene, "--only", "AclRole", "--with-import-options");
  const [role] = simulator.cluster.roles.list();
  simulator.cluster.roles.put({ ID: role?.ID ?? "", Description: "changed meanwhile" });
  expect((await cli.run("preview")).changes.map(({ op }) => op)).toContain("update");
  expect(await cli.run("up")).toMatchObject({ errors: [] });
  expect(simulator.cluster.roles.get(role?.ID ?? "")?.Description).toBe(role?.Description);
  expect(writes(simulator).map(({ method, path }) => [method, path])).toEqual([["POST", `/v1/acl/role/${role?.ID}`]]);
});

test("on the rehearsal engine, a program of dynamic resources adopts 300 random objects without a write", async () => {
  const simulator = await startSimulator();
  try {
    await fill(simulator, threeHundred);
    const { files, out } = await runImport(configurationOf(simulator), ...bothOrganizations(simulator), "--dynamic");
    const [, count = ""] = /^(\d+) of 280 objects are written/m.exec(out) ?? [];
    // Objects with equal contents are left out, because an adoption recognizes its object by the content.
    expect(Number(count)).toBeGreaterThan(260);
    const before = contents(simulator);
    await withProgram(files, (folder) =>
      withEngine("rehearsal", { folder, ...configFor(simulator) }, async (engine) => {
        const creates = { errors: [], changes: Array.from({ length: Number(count) }, () => expect.objectContaining({ op: "create" })) };
        expect(await engine.run("preview")).toMatchObject(creates);
        expect(await engine.run("up")).toMatchObject(creates);
        expect(await engine.run("preview")).toMatchObject({ errors: [], changes: [] });
        expect(await engine.run("preview", { refresh: true })).toMatchObject({ errors: [], changes: [] });
      }),
    );
    expect(contents(simulator)).toEqual(before);
    // An adoption finds out whether the object still exists by an update that the server refuses.
    expect(writes(simulator).filter(({ status }) => status !== 400)).toEqual([]);
  } finally {
    await simulator.stop();
  }
});
