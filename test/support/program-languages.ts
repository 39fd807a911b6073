/** The set-up of programs in each language for the CLI and the plugin of this checkout. A test without its tools is left out. */
import type { Language } from "../../cli/import/names";
import { needs, withGoSdk, withPythonSdk } from "./languages";
import type { Files } from "./programs";

const hosts: Readonly<Record<Language, readonly string[]>> = {
  typescript: ["pulumi-language-nodejs"],
  python: ["pulumi-language-python", "python3"],
  go: ["pulumi-language-go", "go"],
  yaml: ["pulumi-language-yaml"],
};

/**
 * Installs the packages that a program imports; programs for Node and in YAML need none. @returns false if a tool is missing, or if an
 * SDK can't be had; the reason is printed
 */
export async function installFor(language: Language, folder: string): Promise<boolean> {
  if (!needs(...hosts[language])) return false;
  if (language === "go") return (await withGoSdk("trial", folder)) !== undefined;
  return language === "python" ? withPythonSdk(folder) : true;
}

const plugin = "plugins:\n  providers:\n    - name: agentpool-acl\n      path: node_modules/pulumi-agentpool-acl/bin\n";

/**
 * The files of a program as the project `trial` with the plugin of this checkout, so nothing is downloaded from the address of the
 * releases.
 */
export function withPluginHere({ "Pulumi.yaml": project = "", "go.mod": _, ...files }: Files): Files {
  const named = project.replace(/^name: .*/, "name: trial").replace(/^packages:\n(?: .*\n)+/m, "");
  return { ...files, "Pulumi.yaml": named.includes(plugin) ? named : `${named}${plugin}` };
}
