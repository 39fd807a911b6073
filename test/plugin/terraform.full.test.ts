/**
 * The move from Terraform, on the Pulumi CLI: the program that is made from a state, its import, and a preview without changes. No object
 * of the servers changes.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { languages } from "../../cli/import/names";
import { run } from "../../cli/main";
import type { Simulator } from "../../testing/simulator";
import type { Engine } from "../../tools/engines/engine";
import { withEngine } from "../../tools/engines/engines";
import { configFor, startSimulator } from "../../tools/engines/project";
import { contents } from "../lifecycle/contents";
import { type CliScene, testOnCli } from "../support/cli";
import { goEnvironment } from "../support/languages";
import { privateKeys } from "../support/pem";
import { installFor, withPluginHere } from "../support/program-languages";
import { type Files, withProgram } from "../support/programs";
import { seedTerraform, terraformFile } from "../support/terraform";

jest.setTimeout(600_000);

/** The files of the program that is made from the fixture's state. */
async function programFrom(...args: string[]): Promise<Files> {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-terraform-"));
  try {
    const out = join(folder, "out");
    const errors: string[] = [];
    const io = { print: () => undefined, complain: (text: string) => errors.push(text) };
    const status = await run(["import", "--from-terraform", terraformFile, "--output", out, ...args], io, new AbortController().signal);
    if (status !== 0) throw new Error(errors.join("\n"));
    const names = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
    return withPluginHere(Object.fromEntries(names.map((name) => [name, readFileSync(join(out, name), "utf8")])));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function expectNothingElse({ cli, simulator }: CliScene): Promise<void> {
  expect(await cli.run("preview")).toMatchObject({ errors: [], changes: [] });
  expect(await cli.run("preview", { refresh: true })).toMatchObject({ errors: [], changes: [] });
  expect(simulator.journal.requests().filter(({ method }) => method !== "GET")).toEqual([]);
}

const objects = 21;

testOnCli(
  "a state of Terraform becomes a program that is imported by a file, and its preview is empty",
  { "index.js": "" },
  async (scene) => {
    const { cli, rewrite, simulator } = scene;
    seedTerraform(simulator);
    const files = await programFrom();
    rewrite({ "import.json": files["import.json"] ?? "" });
    await cli.command(["import", "--file", join(cli.folder, "import.json"), "--yes", "--protect=false", "--generate-code=false"]);
    rewrite(files);
    await expectNothingElse(scene);
  },
);

for (const language of languages.filter((one) => one !== "typescript")) {
  testOnCli(
    `a state of Terraform becomes a program in ${language} whose preview is imports only`,
    {},
    async (scene) => {
      const { cli, rewrite, simulator } = scene;
      seedTerraform(simulator);
      rewrite(await programFrom("--with-import-options", "--language", language));
      if (!(await installFor(language, cli.folder))) return;
      const up = await cli.run("up");
      expect([up.errors, up.changes.map(({ op }) => op)]).toEqual([[], Array(objects).fill("import")]);
      await expectNothingElse(scene);
    },
    { env: goEnvironment },
  );
}

/**
 * Runs the state's program with dynamic resources. The engine reports a create of each object except the token, and the objects on the
 * servers stay unchanged.
 */
async function expectAdoption(engine: Engine, simulator: Simulator): Promise<void> {
  seedTerraform(simulator);
  const before = contents(simulator);
  const { errors, changes } = await engine.run("up");
  expect([errors, changes.map(({ op }) => op)]).toEqual([[], Array(objects - 1).fill("create")]);
  expect(contents(simulator)).toEqual(before);
  expect(await engine.run("up")).toMatchObject({ errors: [], changes: [] });
}

test("over dynamic resources, the program of a state adopts the existing objects", async () => {
  const simulator = await startSimulator();
  try {
    await withProgram(await programFrom("--dynamic", "--split"), (folder) =>
      withEngine("rehearsal", { folder, ...configFor(simulator) }, (engine) => expectAdoption(engine, simulator)),
    );
  } finally {
    await simulator.stop();
  }
});

const title = "over dynamic resources, the program of a state adopts the existing objects, including their secrets";
testOnCli(title, { "index.js": "" }, async ({ cli, rewrite, simulator }) => {
  rewrite(await programFrom("--dynamic", "--with-secrets"));
  const secrets = ["ssoClientSecret=canary-client-secret", `signedPemKey=${privateKeys[0]}`];
  await cli.command(["config", "set-all", ...secrets.flatMap((secret) => ["--secret", secret])]);
  await expectAdoption(cli, simulator);
});
