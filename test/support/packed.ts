import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packages } from "../../tools/engines/engines";

const run = promisify(execFile);

/** Packs the package into this folder, like a release. */
export async function packInto(folder: string): Promise<string> {
  await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: join(__dirname, "../..") });
  const [name] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  if (!name) throw new Error("npm pack made no tarball");
  return join(folder, name);
}

/** A folder with this package, installed from its tarball, and its development dependencies. */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), "agentpool-acl-installed-"));
  readonly installed = join(this.folder, "node_modules/pulumi-agentpool-acl");

  static async make(): Promise<Installation> {
    const installation = new Installation();
    const { folder, installed } = installation;
    mkdirSync(installed, { recursive: true });
    for (const name of readdirSync(packages)) {
      if (name !== "pulumi-agentpool-acl") symlinkSync(join(packages, name), join(folder, "node_modules", name), "junction");
    }
    await run("tar", ["-xzf", await packInto(folder), "-C", installed, "--strip-components", "1"]);
    return installation;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
