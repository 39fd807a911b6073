import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { referencePages } from "../generate/pages";
import { archiveOf } from "../package/archive";
import { bundleProvider } from "../package/bundle";
import { root } from "../repository";
import { notesOf } from "./notes";
import { run } from "./run";
import { archiveSbom, packageSbom } from "./sbom";
import { makeSdks } from "./sdks";

/** The files of a release. */
export interface Artifacts {
  /** The npm packages, in the order of their dependencies. */
  readonly packages: readonly string[];
  /** The files that were left out, with the reasons. */
  readonly leftOut: readonly string[];
}

/** The purpose of the files. */
export interface Purpose {
  /** Whether CHANGELOG.md must have the version's own section. */
  readonly isReleased: boolean;
  /** Whether an SDK that can't be made here is an error. If not, the SDK is left out. */
  readonly isComplete: boolean;
}

/**
 * Makes all files of a release in an empty folder: the npm packages, the plugin's archive for each platform, SDKs, SBOMs, the pages for
 * Pulumi's registry, the checksums of these files, and the notes. Two runs make the same bytes.
 *
 * @throws if the folder is not empty, or a file can't be made. Without `isComplete`, SDKs that can't be made are left out
 */
export async function makeArtifacts(version: string, out: string, { isReleased, isComplete }: Purpose): Promise<Artifacts> {
  mkdirSync(out, { recursive: true });
  if (readdirSync(out).length > 0) throw new Error(`${out} is not empty: give another folder`);
  const leftOut = await makeSdks(version, out);
  if (isComplete && leftOut.length > 0) throw new Error(`the release would lack files, so it is not made:\n${leftOut.join("\n")}`);
  const packed = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", out], { cwd: root });
  const packages = z.array(z.object({ filename: z.string() })).parse(JSON.parse(packed));
  const pack = [join(root, "dist/tools/package/main.js"), "--out", out];
  const forPlugin = await run(process.execPath, [...pack, "--npm"]);
  await run(process.execPath, pack);
  writeFileSync(join(out, "sbom.cdx.json"), await packageSbom());
  writeFileSync(join(out, "sbom-archives.cdx.json"), archiveSbom(version, (await bundleProvider()).packages));
  writeFileSync(join(out, `pulumi-agentpool-acl-registry-${version}.tar.gz`), await registryPages());
  writeFileSync(join(out, "SHA256SUMS"), checksums(out));
  // After the checksums, because the notes become the text of the release, not a file.
  writeFileSync(join(out, "NOTES.md"), notesOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version, isReleased));
  return { packages: [...packages.map(({ filename }) => join(out, filename)), forPlugin.trim()], leftOut };
}

/** The pages for Pulumi's registry: two documents that are written for it, and the reference in the registry's form. */
export function registryPages(): Promise<Buffer> {
  const written = ["_index.md", "installation-configuration.md"].map((path) => ({ path, content: readFileSync(join(root, "docs", path)) }));
  const generated = [...referencePages("registry")].map(([name, text]) => ({ path: `reference/${name}`, content: Buffer.from(text) }));
  return archiveOf([...written, ...generated].map(({ path, content }) => ({ path: `docs/${path}`, content })));
}

/** The checksums of a folder's files, in the form that `sha256sum --check` reads. */
function checksums(folder: string): string {
  const lines = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex")}  ${name}`,
    );
  return `${lines.join("\n")}\n`;
}
