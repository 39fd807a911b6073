import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { extract } from "tar";
import * as z from "zod";
import { root } from "../repository";

/** A system with an archive, in Pulumi's spelling: `linux-amd64`. */
export type Target = (typeof targets)[number];
export const targets = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64"] as const;

const source = z.object({ name: z.string(), integrity: z.string().startsWith("sha512-") });

/** The version of Node, and for each target the npm package that carries it. */
export const runtimes = z
  .object({ version: z.string(), packages: z.record(z.enum(targets), source) })
  .parse(JSON.parse(readFileSync(join(root, "tools/package/runtimes.json"), "utf8")));

/** Node for a target. */
export interface Runtime {
  readonly executable: Buffer;
  readonly licence: Buffer;
}

/** Fetches Node for a target, unless npm's cache has it. @throws if it differs from the pinned hash in runtimes.json */
export async function runtimeFor(target: Target): Promise<Runtime> {
  const isWindows = target === "windows-amd64";
  const program = isWindows ? "bin/node.exe" : "bin/node";
  const executable = await fileOf(target, program);
  // The package for Windows has no licence file. The licence is the same on all systems.
  const licence = await fileOf(isWindows ? "linux-amd64" : target, "LICENSE");
  return { executable, licence };
}

/** A file of the npm package for a target. */
async function fileOf(target: Target, path: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-runtime-"));
  try {
    await extract({ file: await download(target, folder), cwd: folder, strip: 1 }, [`package/${path}`]);
    return readFileSync(join(folder, path));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns the path of the npm package's archive */
async function download(target: Target, folder: string): Promise<string> {
  const { name, integrity } = runtimes.packages[target];
  // Uses npm's own client, with the user's registry, credentials, proxy and cache.
  const args = ["pack", `${name}@${runtimes.version}`, "--pack-destination", folder, "--prefer-offline", "--loglevel", "error"];
  const [command, first] = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ["npm", []];
  await promisify(execFile)(command, [...first, ...args], { maxBuffer: 64 * 1024 * 1024 });
  const file = join(folder, `${name}-${runtimes.version}.tgz`);
  const hash = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  if (hash !== integrity) {
    throw new Error(
      `${name}@${runtimes.version} from the npm registry is not the package that tools/package/runtimes.json pins: its integrity is ${hash}. Check the registry; nothing was packed.`,
    );
  }
  return file;
}
