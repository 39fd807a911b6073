import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";
import { main, oneOf, readArguments } from "../../cli/command-line";
import { exitStatus } from "../../cli/exit-status";
import { publishedSource } from "../generate/source";
import { root } from "../repository";
import { archiveOf, type Entry } from "./archive";
import { type Bundle, bundleProvider } from "./bundle";
import { npmPackage, packNpmPackage } from "./npm-package";
import { runtimeFor, type Target, targets } from "./runtimes";

const usage = `usage: npm run package -- [--platform OS-ARCH] [--out DIR] [--npm]
Packs the plugin for \`pulumi plugin install\`, one archive for each system, with a Node runtime from the npm registry. Prints the paths.
  --platform OS-ARCH  only this system: ${targets.join(", ")}; any number of times
  --out DIR           writes the archives here (default: the repository's folder)
  --npm               packs the npm package for Node programs instead, which tells the CLI the plugin's name and version
  --help              prints this`;

const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
const executable = "pulumi-resource-agentpool-acl";

/** @returns the path of the archive */
async function pack(target: Target, out: string, bundle: Bundle): Promise<string> {
  const path = join(out, `${executable}-v${version}-${target}.tar.gz`);
  await writeFile(path, await archiveOf(await entriesFor(target, bundle)));
  return path;
}

async function entriesFor(target: Target, bundle: Bundle): Promise<Entry[]> {
  const runtime = await runtimeFor(target);
  const isWindows = target.startsWith("windows");
  const file = (path: string): Entry => ({ path, content: readFileSync(join(root, path)) });
  return [
    { path: isWindows ? `${executable}.cmd` : executable, content: launcher(isWindows), isExecutable: true },
    { path: isWindows ? "node.exe" : "node", content: runtime.executable, isExecutable: true },
    { path: "provider.js", content: bundle.code },
    // Further files of the provider: its version, and the schema for requests of the engine.
    { path: "package.json", content: Buffer.from(`${JSON.stringify({ name: executable, version, private: true }, null, 2)}\n`) },
    file("schema.json"),
    file("LICENSE"),
    { path: "LICENSE-node", content: runtime.licence },
    { path: "LICENSE-packages", content: bundle.licences },
  ];
}

/** The launcher with the line endings of its system, independent of the checkout's. */
function launcher(isWindows: boolean): Buffer {
  const text = readFileSync(join(root, "tools/package/launchers", isWindows ? `${executable}.cmd` : executable), "utf8");
  return Buffer.from(text.replaceAll(/\r?\n/g, isWindows ? "\r\n" : "\n"));
}

main(usage, async (args) => {
  const options = {
    platform: { type: "string", multiple: true },
    out: { type: "string" },
    npm: { type: "boolean" },
  } as const;
  const { values } = readArguments({ args, options });
  const given = values.platform?.flatMap((name) => oneOf(targets, "platform", name) ?? []);
  const out = resolve(values.out ?? root);
  await mkdir(out, { recursive: true });
  if (values.npm) {
    const path = join(out, `${npmPackage}-${version}.tgz`);
    await writeFile(path, await packNpmPackage(publishedSource()));
    console.log(path);
    return exitStatus.done;
  }
  const bundle = await bundleProvider();
  for (const target of given ?? targets) {
    console.log(await pack(target, out, bundle));
  }
  return exitStatus.done;
});
