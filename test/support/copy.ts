import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(__dirname, "../..");
const left = new Set(["dist", "node_modules", ".git"]);

/** A copy of the project's sources in a temporary folder, with the same dependencies; it is removed once it has been used. */
export async function withCopy<T>(use: (project: string) => Promise<T>): Promise<T> {
  const project = mkdtempSync(join(tmpdir(), "agentpool-acl-copy-"));
  try {
    for (const name of readdirSync(root)) if (!left.has(name)) cpSync(join(root, name), join(project, name), { recursive: true });
    const modules = join(project, "node_modules");
    mkdirSync(modules);
    for (const name of readdirSync(join(root, "node_modules"))) {
      // The project finds itself under its own name.
      symlinkSync(name === "pulumi-agentpool-acl" ? project : join(root, "node_modules", name), join(modules, name));
    }
    return await use(project);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
