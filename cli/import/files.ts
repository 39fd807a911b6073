import { packageVersion, pluginDownloadUrl, pluginToken } from "../../provider/internal";
import { goFiles, goProgram } from "./go";
import { refuseTexts } from "./keys";
import { camelCase, type Language, snakeCase } from "./names";
import { type Program, textFiles } from "./program";
import { pythonFiles, pythonProgram } from "./python";
import { partsOf } from "./split";
import { typescriptFiles, typescriptProgram } from "./typescript";
import { yamlProgram } from "./yaml";

/** Turns the name of a resource into a variable, as each language spells it. */
export const spelling: Readonly<Record<Language, (name: string) => string>> = {
  typescript: camelCase,
  python: snakeCase,
  go: camelCase,
  yaml: camelCase,
};

/** The plugin for the program and for `pulumi install`, which generates the SDK from it. Without an address, it must be installed first. */
const packages = `packages:
  agentpool-acl:
    source: agentpool-acl
    version: ${packageVersion}
${pluginDownloadUrl === undefined ? "" : `    pluginDownloadURL: ${pluginDownloadUrl}\n`}`;

export interface FileOptions {
  readonly language: Language;
  readonly project: string;
  readonly isDynamic: boolean;
  readonly withImportOptions: boolean;
  /** The dependency on this package in package.json. Default: its version in npm's registry. */
  readonly dependency?: string;
  /** Whether each auth method has a file with its rules, and the other kinds have files, some of them shared. Not for YAML. */
  readonly isSplit?: boolean;
}

/** The files of a project, by their paths. @throws CommandError for texts that the language can't express */
export function projectFiles(program: Program, options: FileOptions): Record<string, string> {
  const { language, project, isDynamic, withImportOptions, isSplit = false, dependency = `^${packageVersion}` } = options;
  refuseTexts(program, language);
  const named = `name: ${JSON.stringify(project)}\n`;
  const plugin = "plugins:\n  providers:\n    - name: agentpool-acl\n      path: node_modules/pulumi-agentpool-acl/bin\n";
  const byLanguage: Readonly<Record<Language, () => Record<string, string>>> = {
    typescript: () => ({
      "Pulumi.yaml": `${named}runtime: nodejs\n${isDynamic ? "" : plugin}`,
      "package.json": `${JSON.stringify(manifest(project, dependency), undefined, 2)}\n`,
      // A link to the package's folder would load the SDK of that folder instead of the program's.
      ...(dependency.startsWith("file:") ? { ".npmrc": "install-links=true\n" } : {}),
      "tsconfig.json": `${JSON.stringify(compiler, undefined, 2)}\n`,
      ...(isSplit ? typescriptFiles(partsOf(program), options) : { "index.ts": typescriptProgram(program, options) }),
    }),
    python: () => ({
      "Pulumi.yaml": `${named}runtime:\n  name: python\n  options:\n    virtualenv: venv\n${packages}`,
      "requirements.txt": "pulumi>=3.231.0,<4.0.0\n",
      ...(isSplit ? pythonFiles(partsOf(program), options) : { "__main__.py": pythonProgram(program, options) }),
    }),
    go: () => ({
      "Pulumi.yaml": `${named}runtime: go\n${packages}`,
      "go.mod": `module ${project.replace(/[^a-z0-9-]/gi, "-").toLowerCase()}\n\ngo 1.24\n\nrequire github.com/pulumi/pulumi/sdk/v3 v3.200.0\n`,
      ...(isSplit ? goFiles(partsOf(program), options) : { "main.go": goProgram(program, options) }),
    }),
    yaml: () => ({ "Pulumi.yaml": `${named}runtime: yaml\n${packages}\n${yamlProgram(program, options)}` }),
  };
  const read = Object.fromEntries(textFiles(program).map(({ path, text }) => [path, text]));
  const files = { ...byLanguage[language](), ...read };
  return isDynamic || withImportOptions ? files : { ...files, "import.json": importFile(program) };
}

/** The file for `pulumi import --file`. */
export function importFile({ declarations }: Program): string {
  const resources = declarations.map(({ kind, resourceName, id }) => ({ type: pluginToken(kind), name: resourceName, id }));
  return `${JSON.stringify({ resources }, undefined, 2)}\n`;
}

function manifest(project: string, dependency: string): object {
  return {
    name: project.toLowerCase(),
    private: true,
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.246.0", "pulumi-agentpool-acl": dependency },
    devDependencies: { "@types/node": "^20.19.0", typescript: "^6.0.3" },
  };
}

const compiler = {
  compilerOptions: { target: "es2022", module: "node16", types: ["node"], strict: true, noEmit: true },
  files: ["index.ts"],
};
