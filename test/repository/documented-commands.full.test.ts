/** The commands of npm scripts, this package, pulumi and nomad in the documents: each exists with its options, by its `--help`. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { documents, root } from "../../tools/repository";

const examples = readdirSync(join(root, "examples")).map((name) => `examples/${name}/README.md`);
const pages = [...documents().filter((path) => path !== "CHANGELOG.md"), "CONTRIBUTING.md", ...examples];
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(jest.requireActual("../../package.json"));

/** The commands of a page: its shell blocks, and the lines of sessions after `$`. */
function commandsOf(path: string): string[] {
  const text = readFileSync(join(root, path), "utf8");
  const shell = [...text.matchAll(/^ *```(?:sh|bash)\n([\s\S]*?)^ *```/gm)].map(([, block = ""]) => block);
  const shown = [...text.matchAll(/^\$ (.*)$/gm)].map(([, line = ""]) => line);
  const lines = [...shell, ...shown].join("\n").replace(/\\\n/g, " ").split("\n");
  // A quoted text counts as one argument, and a command within another one as a command of its own.
  return lines
    .map((line) => line.replace(/(^|\s)#.*$/, ""))
    .flatMap((line) => line.split(/&&|\|\|?|;|\$\(|\)/))
    .map((command) =>
      command
        .replace(/'[^']*'|"[^"$]*"/g, "TEXT")
        .replace(/^[\s("]*(?:export .*|\w+=\S* )*/, "")
        .trim(),
    )
    .filter((command) => command !== "");
}

/**
 * The command whose `--help` lists the options of this command, and the rest of this command; undefined for a command of another program.
 */
function helpOf(command: string): { help: readonly string[]; rest: string } | undefined {
  const [, own, ownRest = ""] = /^npx --no-install pulumi-agentpool-acl ?(\w*)(.*)$/.exec(command) ?? [];
  if (own !== undefined) return { help: [process.execPath, "bin/pulumi-agentpool-acl", ...(own ? [own] : [])], rest: ownRest };
  const [, script, scriptRest = ""] = /^npm run (?:-s )?(\S+)(?: --)?(.*)$/.exec(command) ?? [];
  if (script !== undefined) {
    if (!(script in scripts)) throw new Error(`there is no script ${script}: ${command}`);
    const [, file = ""] = / && node ([^&]*)$/.exec(scripts[script] ?? "") ?? [];
    return file === "" || /page/.test(file) ? undefined : { help: [process.execPath, ...file.split(" ")], rest: scriptRest };
  }
  const [, tool, words = ""] = /^(pulumi|nomad) ((?:[a-z][a-z-]*(?: |$))+)/.exec(command) ?? [];
  if (tool === undefined || !isThere(tool)) return undefined;
  const subcommand = subcommands.find((one) => `${words.trim()} `.startsWith(`${one} `)) ?? words.split(" ")[0] ?? "";
  return { help: [tool, ...subcommand.split(" ")], rest: command.slice(tool.length) };
}

/** The commands of two words or more, the longer ones first. */
const subcommands = [
  ...["acl token create", "acl token delete", "acl token list", "acl token self", "acl policy apply", "acl bootstrap", "job run"],
  ...[
    "config set",
    "stack init",
    "stack export",
    "stack output",
    "stack rm",
    "state delete",
    "package add",
    "plugin install",
    "policy new",
  ],
];

const missing = new Set<string>();

function isThere(tool: string): boolean {
  if (missing.has(tool)) return false;
  if (!spawnSync(tool, ["version"]).error) return true;
  missing.add(tool);
  console.log(`Left out, because there is no ${tool} on PATH: its commands in the documents.`);
  return false;
}

const helps = new Map<string, string>();

function helpText([file = "", ...args]: readonly string[]): string {
  const key = [file, ...args].join(" ");
  const { status, stdout, stderr } = helps.has(key) ? { status: 0, stdout: helps.get(key), stderr: "" } : started(file, args);
  if (status !== 0) throw new Error(`${key} --help ended with ${status}: ${stderr}`);
  const text = `${stdout ?? ""}`;
  helps.set(key, text);
  return text;
}

function started(file: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(file, [...args, "--help"], { cwd: root, encoding: "utf8" });
  return { status, stdout: stdout + stderr, stderr };
}

it.each(pages)("every command of %s exists with its options", (path) => {
  const wrong = commandsOf(path).flatMap((command) => {
    const found = helpOf(command);
    if (!found) return [];
    const text = helpText(found.help);
    const options = [...found.rest.matchAll(/(?:^| )(--?[a-z][\w-]*)/g)].map(([, option = ""]) => option);
    return options
      .filter((option) => !new RegExp(`(^|[\\s,])${option}([\\s=,\\]]|$)`, "m").test(text))
      .map((option) => `${option}: ${command}`);
  });
  expect(wrong).toEqual([]);
});

it("commands of every kind are found", () => {
  const all = pages.flatMap(commandsOf);
  for (const start of ["npx --no-install pulumi-agentpool-acl who ", "npm run demo", "pulumi config set ", "nomad login "])
    expect(all.filter((command) => command.startsWith(start))).not.toEqual([]);
});
