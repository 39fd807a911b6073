import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readSource } from "../generate/source";
import { bundleProvider } from "../package/bundle";
import { runtimes } from "../package/runtimes";
import { root } from "../repository";
import { makeArtifacts, registryPages } from "./artifacts";
import { notesOf } from "./notes";
import { archiveSbom } from "./sbom";

describe("the files of a release", () => {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-artifacts-"));
  const { PATH } = process.env;
  afterAll(() => {
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true });
  });

  test("a release without all SDKs is refused before any file is made", async () => {
    process.env.PATH = folder;
    await expect(makeArtifacts("1.2.3", folder, { isReleased: true, isComplete: true })).rejects.toThrow(
      "the release would lack files, so it is not made:\nSDKs for python, go, dotnet: there is no pulumi on PATH",
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.each([["--dry-run"], ["--out"]])("a release without a repository is refused, and nothing is made: %s", (option) => {
  if (readSource()) return console.log("Left out, because package.json names a repository.");
  const out = join(mkdtempSync(join(tmpdir(), "agentpool-acl-refused-")), "release");
  const args = [join(root, "dist/tools/release/main.js"), option, ...(option === "--out" ? [out] : [])];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([
    1,
    "",
    expect.stringContaining("package.json names no repository, so nothing can be released"),
  ]);
  expect(existsSync(out)).toBe(false);
});

test("the pages for Pulumi's registry have its front matter, and the reference has its choice of the language", async () => {
  const text = gunzipSync(await registryPages()).toString();
  for (const path of ["docs/_index.md", "docs/installation-configuration.md", "docs/reference/README.md"]) expect(text).toContain(path);
  for (const title of ["AclRole", "From an empty cluster to a login"])
    expect(text).toMatch(new RegExp(`---\\ntitle: ${title}\\n[\\s\\S]*\\{\\{< chooser language "typescript,`));
  expect(text).toContain("---\ntitle: Reference\n");
  expect(text).not.toContain("../examples");
});

describe("the notes of a release", () => {
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- New.\n\n## [0.2.0] - 2026-11-22\n\n### Fixed\n\n- Old.\n\n## [0.1.0] - 2026-11-01\n";

  test("the notes are the section of the version", () => {
    expect(notesOf(changelog, "0.2.0", true)).toBe("### Fixed\n\n- Old.\n");
  });

  test("before the release the notes are the section [Unreleased]", () => {
    expect(notesOf(changelog, "0.3.0", false)).toBe("### Added\n\n- New.\n");
  });

  test.each(["0.3.0", "0.1.0"])("a release with a missing or empty section is refused: %s", (version) => {
    expect(() => notesOf(changelog, version, true)).toThrow(`CHANGELOG.md has no section "## [${version}] - DATE", or nothing in it`);
  });
});

describe("the SBOMs of a release", () => {
  test("the SBOM of the archives has Node, and every package with a licence in them", async () => {
    const { packages, licences } = await bundleProvider();
    const named = [...licences.toString().matchAll(/^(\S+) (\d+\.\d+\.\S+) \(.+\)$/gm)].map(([, name, version]) => `${name} ${version}`);
    const { components, dependencies } = JSON.parse(archiveSbom("1.2.3", packages));
    const inside = components.map(({ name, version }: { name: string; version: string }) => `${name} ${version}`);
    expect(inside).toEqual([...named, `node ${runtimes.version}`]);
    expect(inside.length).toBeGreaterThan(15);
    expect(components).toContainEqual(
      expect.objectContaining({
        name: "@grpc/grpc-js",
        purl: expect.stringMatching(/^pkg:npm\/%40grpc\/grpc-js@1\./),
        licenses: [{ expression: "Apache-2.0" }],
      }),
    );
    const references = components.map((one: { "bom-ref": string }) => one["bom-ref"]);
    expect(new Set(references).size).toBe(references.length);
    expect(dependencies).toEqual([{ ref: "pkg:generic/pulumi-resource-agentpool-acl@1.2.3", dependsOn: references }]);
  });

  test("Node in the SBOM is the version of runtimes.json, with the checksum of the npm package for each system", () => {
    const [node] = JSON.parse(archiveSbom("1.2.3", [])).components;
    expect(node).toMatchObject({ type: "platform", cpe: `cpe:2.3:a:nodejs:node.js:${runtimes.version}:*:*:*:*:*:*:*` });
    const pinned = Object.values(runtimes.packages).map(({ name, integrity }) => [name, integrity]);
    const found = node.components.map(
      ({ name, hashes: [{ alg, content }] }: { name: string; hashes: [{ alg: string; content: string }] }) => {
        expect(alg).toBe("SHA-512");
        return [name, `sha512-${Buffer.from(content, "hex").toString("base64")}`];
      },
    );
    expect(found).toEqual(pinned);
  });
});
