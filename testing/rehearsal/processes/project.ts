import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";

/** A Pulumi project on disk, and the SDK that its programs use. */
export interface Project {
  name: string;
  /** The folder of Pulumi.yaml. */
  root: string;
  /** The folder where the program runs, and its entry: "." or a file. */
  directory: string;
  entry: string;
  typescript: boolean;
  /** The folder of the program's own @pulumi/pulumi. */
  sdk: string;
}

/** Reads Pulumi.yaml of this folder. Throws when there is none, or when it is not a Node project. */
export function readProject(folder: string): Project {
  const root = resolve(folder);
  const file = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(root, name)).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`there is no Pulumi.yaml in ${root}: give the folder of a Pulumi project`);
  const settings = readSettings(readFileSync(file, "utf8"));
  const name = settings.get("name");
  if (name === undefined) throw new Error(`${file} has no name: write "name: my-project" into it`);
  const runtime = settings.get("runtime") ?? settings.get("runtime.name");
  if (runtime !== "nodejs")
    throw new Error(`${file} has the runtime ${runtime ?? "(none)"}: the rehearsal engine runs nodejs programs only`);
  const main = resolve(root, settings.get("main") ?? ".");
  if (!existsSync(main)) throw new Error(`${file} names "main: ${settings.get("main")}", which does not exist`);
  const isFolder = statSync(main).isDirectory();
  const directory = isFolder ? main : dirname(main);
  const typescript = settings.get("runtime.options.typescript") !== "false";
  return { name, root, directory, entry: isFolder ? "." : basename(main), typescript, sdk: findSdk(directory) };
}

/**
 * The scalars of a YAML file of nested maps, by their path ("runtime.options.typescript"). Enough for Pulumi.yaml's settings: lists, texts
 * of several lines and {flow: maps} are ignored.
 */
function readSettings(text: string): Map<string, string> {
  const settings = new Map<string, string>();
  const path: { indent: number; key: string }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const match = /^(\s*)([\w-]+|"[^"]*"|'[^']*')\s*:(?:\s+(.*?))?\s*$/.exec(line);
    if (match === null) continue;
    const [, indentation = "", key = "", rest = ""] = match;
    while ((path.at(-1)?.indent ?? -1) >= indentation.length) path.pop();
    path.push({ indent: indentation.length, key: unquote(key) });
    const value = /^["']/.test(rest) ? rest : rest.replace(/(^|\s+)#.*$/, "");
    if (value !== "") settings.set(path.map((step) => step.key).join("."), unquote(value));
  }
  return settings;
}

function unquote(text: string): string {
  const match = /^(["'])(.*?)\1\s*(?:#.*)?$/.exec(text);
  return match?.[2] ?? text;
}

function findSdk(directory: string): string {
  try {
    return dirname(createRequire(join(directory, "program.js")).resolve("@pulumi/pulumi/package.json"));
  } catch (error) {
    throw new Error(`@pulumi/pulumi is not installed for the program in ${directory}: run npm install there`, { cause: error });
  }
}
