/** The whole way on the Pulumi CLI, for random objects: a program in each language, the import, and a preview without changes. */
import { type Language, languages } from "../../cli/import/names";
import type { Simulator } from "../../testing/simulator";
import { type CliScene, testOnCli } from "../support/cli";
import { runImport } from "../support/commands";
import { compile } from "../support/compile";
import { goEnvironment } from "../support/languages";
import { installFor, withPluginHere } from "../support/program-languages";
import type { Files } from "../support/programs";
import { bothOrganizations, everyKind, fill, threeHundred } from "../support/random-objects";
import { configurationOf } from "../support/session";

jest.setTimeout(600_000);

const writes = ({ journal }: Simulator) => journal.requests().filter(({ method }) => method !== "GET");

/**
 * Makes 300 random objects, and writes their program twice, which must give the same files. @returns the files, and the output of the
 * command
 */
async function programFor(simulator: Simulator, ...args: string[]): Promise<{ files: Files; out: string }> {
  await fill(simulator, threeHundred);
  const imported = () => runImport(configurationOf(simulator), ...bothOrganizations(simulator), ...everyKind, ...args);
  const { status, out, files } = await imported();
  expect([status, out]).toEqual([0, expect.stringContaining("300 of 300 objects are written")]);
  expect((await imported()).files).toEqual(files);
  expect(writes(simulator)).toEqual([]);
  return { files, out };
}

/** Replaces the stack's program, and installs its packages. @returns whether the language can run here */
async function install({ cli, rewrite }: CliScene, language: Language, files: Files): Promise<boolean> {
  rewrite(withPluginHere(files));
  if (!(await installFor(language, cli.folder))) return false;
  if (language === "typescript") await expect(compile(["index.ts"], cli.folder)).resolves.toBe("");
  return true;
}

async function expectNoChange({ cli, simulator }: CliScene): Promise<void> {
  expect(await cli.run("preview")).toMatchObject({ errors: [], changes: [] });
  expect(await cli.run("up")).toMatchObject({ errors: [], changes: [] });
  expect(await cli.run("preview", { refresh: true })).toMatchObject({ errors: [], changes: [] });
  expect(writes(simulator)).toEqual([]);
}

describe.each(languages)("%s", (language) => {
  const split = language === "yaml" ? [] : ["--split"];

  testOnCli(
    "300 random objects are imported by the file as the summary says, and the next preview is empty",
    {},
    async (scene) => {
      const { files, out } = await programFor(scene.simulator, "--language", language);
      if (!(await install(scene, language, files))) return;
      const [, args = ""] = / &&\n {2}pulumi (import --file .*?) &&\n/.exec(out) ?? [];
      await scene.cli.command([...args.split(" "), "--yes"]);
      await expectNoChange(scene);
    },
    { env: goEnvironment },
  );

  testOnCli(
    "300 random objects are imported by the program itself, in several files, and the next preview is empty",
    {},
    async (scene) => {
      const { files } = await programFor(scene.simulator, "--language", language, "--with-import-options", ...split);
      expect(Object.keys(files)).not.toContain("import.json");
      if (!(await install(scene, language, files))) return;
      const imports = { errors: [], changes: Array.from({ length: 300 }, () => expect.objectContaining({ op: "import" })) };
      expect(await scene.cli.run("preview")).toMatchObject(imports);
      expect(await scene.cli.run("up")).toMatchObject(imports);
      await expectNoChange(scene);
    },
    { env: goEnvironment },
  );
});
