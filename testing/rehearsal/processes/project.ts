import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";

// YAML's reader comes with the SDK, as gRPC does.
const yaml: { load(text: string, options: { filename: string }): unknown } = createRequire(require.resolve("@pulumi/pulumi/package.json"))(
  "js-yaml",
);

/** A Pulumi project on disk, and the SDK that its programs use. */
export interface Project {
  name: string;
  /** The folder of Pulumi.yaml. */
  root: string;
  /** The folder where the program runs. */
  directory: string;
  /** The program in that folder: "." or a file. */
  entry: string;
  typescript: boolean;
  /** The folder of the program's own @pulumi/pulumi. */
  sdk: string;
}

/** Reads Pulumi.yaml of this folder. @throws for a missing file, or another runtime than Node */
export function readProject(folder: string): Project {
  const root = resolve(folder);
  const file = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(root, name)).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`there is no Pulumi.yaml in ${root}: give the folder of a Pulumi project`);
  const { name, runtime, main: entry } = readSettings(file);
  if (name === undefined) throw new Error(`${file} has no name: write "name: my-project" into it`);
  if (runtime?.name !== "nodejs")
    throw new Error(`${file} has the runtime ${runtime?.name ?? "(none)"}: the rehearsal engine runs nodejs programs only`);
  const main = resolve(root, entry);
  if (!existsSync(main)) throw new Error(`${file} names "main: ${entry}", which does not exist`);
  const isFolder = statSync(main).isDirectory();
  const directory = isFolder ? main : dirname(main);
  const typescript = runtime.options?.typescript !== false;
  return { name, root, directory, entry: isFolder ? "." : basename(main), typescript, sdk: findSdk(directory) };
}

const options = z.object({ typescript: z.boolean() }).partial();

/** The settings of Pulumi.yaml that a rehearsal needs. */
const settingsSchema = z.object({
  name: z.string().optional(),
  runtime: z
    .union([
      z.string().transform((name): { name: string; options?: z.output<typeof options> | undefined } => ({ name })),
      z.object({ name: z.string(), options: options.optional() }),
    ])
    .optional(),
  main: z.string().default("."),
});

function readSettings(file: string): z.output<typeof settingsSchema> {
  const parsed = settingsSchema.safeParse(yaml.load(readFileSync(file, "utf8"), { filename: file }) ?? {});
  if (!parsed.success) throw new Error(`${file} can't be read: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function findSdk(directory: string): string {
  try {
    return dirname(createRequire(join(directory, "program.js")).resolve("@pulumi/pulumi/package.json"));
  } catch (error) {
    throw new Error(`@pulumi/pulumi is not installed for the program in ${directory}: run npm install there`, { cause: error });
  }
}
