import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A project's files by their path. */
export type Files = Readonly<Record<string, string>>;

/**
 * Writes a project into a temporary folder, with a Pulumi.yaml and a package.json if `files` lacks them, and removes the folder after use.
 */
export async function withProgram<T>(files: Files, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-program-"));
  try {
    writeFiles(folder, { "Pulumi.yaml": "name: trial\nruntime: nodejs\n", "package.json": '{"name":"trial","main":"index.js"}', ...files });
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/**
 * Runs a program of the system in a temporary folder with these files. @returns the program's status and output; undefined if it is not on
 * PATH
 */
export function checkedBy(command: string, args: readonly string[], files: Files): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-checked-"));
  try {
    writeFiles(folder, files);
    const { error, status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
    if (error) console.log(`Left out, because there is no ${command} on PATH: ${expect.getState().currentTestName}`);
    return error ? undefined : `${status} ${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A CommonJS program that imports four resources, and the functions. */
export function javascript(body: string): string {
  return `const pulumi = require("@pulumi/pulumi");
const { AgentPool, AclAuthMethod, AclRole, AclBindingRule, ...functions } = require("pulumi-agentpool-acl");
${body}
`;
}
