import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageVersion } from "../../provider/context/package";
import { pluginToken } from "../../provider/context/tokens";
import { pluginDownloadUrl } from "../../provider/generated/source";
import { CommandError } from "../command-line";
import { goProgram, spellGo } from "./go";
import type { Program } from "./program";
import { pythonProgram, spellPython } from "./python";
import { spellTypescript, typescriptProgram } from "./typescript";
import { spellYaml, yamlProgram } from "./yaml";

export const languages = ["typescript", "python", "go", "yaml"] as const;
export type Language = (typeof languages)[number];

/** How a language spells the name of a resource as a variable. */
export const spelling: Readonly<Record<Language, (name: string) => string>> = {
  typescript: spellTypescript,
  python: spellPython,
  go: spellGo,
  yaml: spellYaml,
};

/** Where `pulumi install` downloads the plugin that the program needs, and that it generates the SDK from. */
const packages = `packages:
  agentpool-acl:
    source: agentpool-acl
    version: ${packageVersion}
    pluginDownloadURL: ${pluginDownloadUrl}
`;

export interface FileOptions {
  readonly language: Language;
  readonly project: string;
  readonly isDynamic: boolean;
  readonly withImportOptions: boolean;
}

/** The files of a project, by their names. */
export function projectFiles(program: Program, { language, project, isDynamic, withImportOptions }: FileOptions): Record<string, string> {
  const named = `name: ${JSON.stringify(project)}\n`;
  const plugin = "plugins:\n  providers:\n    - name: agentpool-acl\n      path: node_modules/pulumi-agentpool-acl/bin\n";
  const own: Readonly<Record<Language, () => Record<string, string>>> = {
    typescript: () => ({
      "Pulumi.yaml": `${named}runtime: nodejs\n${isDynamic ? "" : plugin}`,
      "package.json": `${JSON.stringify(manifest(project), undefined, 2)}\n`,
      "tsconfig.json": `${JSON.stringify(compiler, undefined, 2)}\n`,
      "index.ts": typescriptProgram(program, { isDynamic, withImportOptions }),
    }),
    python: () => ({
      "Pulumi.yaml": `${named}runtime:\n  name: python\n  options:\n    virtualenv: venv\n${packages}`,
      "requirements.txt": "pulumi>=3.0.0,<4.0.0\n",
      "__main__.py": pythonProgram(program, { withImportOptions }),
    }),
    go: () => ({
      "Pulumi.yaml": `${named}runtime: go\n${packages}`,
      "go.mod": `module ${project.replace(/[^a-z0-9-]/gi, "-").toLowerCase()}\n\ngo 1.24\n\nrequire github.com/pulumi/pulumi/sdk/v3 v3.200.0\n`,
      "main.go": formattedGo(goProgram(program, { withImportOptions })),
    }),
    yaml: () => ({ "Pulumi.yaml": `${named}runtime: yaml\n${packages}\n${yamlProgram(program, { withImportOptions })}` }),
  };
  const files = own[language]();
  return isDynamic || withImportOptions ? files : { ...files, "import.json": importFile(program) };
}

/** What `pulumi import --file` takes. */
export function importFile({ declarations }: Program): string {
  const resources = declarations.map(({ kind, resourceName, id }) => ({ type: pluginToken(kind), name: resourceName, id }));
  return `${JSON.stringify({ resources }, undefined, 2)}\n`;
}

function manifest(project: string): object {
  return {
    name: project.toLowerCase(),
    private: true,
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.246.0", "pulumi-agentpool-acl": `^${packageVersion}` },
    devDependencies: { "@types/node": "^20.19.0", typescript: "^5.9.0" },
  };
}

const compiler = {
  compilerOptions: { target: "es2022", module: "node16", types: ["node"], strict: true, noEmit: true },
  files: ["index.ts"],
};

/** gofmt aligns the fields. Without it on PATH the program is the same, not aligned. */
function formattedGo(text: string): string {
  const { status, stdout } = spawnSync("gofmt", { input: text, encoding: "utf8", maxBuffer: 2 ** 28 });
  return status === 0 ? stdout : text;
}

/** @throws CommandError when the folder has files already, unless forced; and where one of the files is a link, which may lead elsewhere */
export function writeProject(folder: string, files: Readonly<Record<string, string>>, isForced: boolean): void {
  if (!isForced && existsSync(folder) && readdirSync(folder).length > 0) {
    throw new CommandError(`${folder} is not empty, and nothing was written. Give another folder, or --force to write over its files.`);
  }
  mkdirSync(folder, { recursive: true });
  for (const path of Object.keys(files).map((name) => join(folder, name))) {
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there && !there.isFile())
      throw new CommandError(`${path} is no file of its own, and nothing was written. Remove it, or give another folder.`);
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}
