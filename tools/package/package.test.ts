import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { list } from "tar";
import { sourceOf } from "../generate/source";
import { root } from "../repository";
import { archiveOf } from "./archive";
import { type Bundle, bundleProvider } from "./bundle";
import { packNpmPackage } from "./npm-package";
import { runtimes, targets } from "./runtimes";

describe("an archive", () => {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-archive-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const entries = [
    { path: "launcher", content: Buffer.from("#!/bin/sh\n"), isExecutable: true },
    { path: "empty", content: Buffer.alloc(0) },
    { path: "block", content: Buffer.alloc(512, "a") },
  ];

  test("an archive has its files with their modes, without owners and times", async () => {
    const file = join(folder, "archive.tar.gz");
    writeFileSync(file, await archiveOf(entries));
    const found: unknown[] = [];
    const reads: Promise<unknown>[] = [];
    await list({
      file,
      strict: true,
      onReadEntry: (entry) => {
        const { path, mode, uid, gid, uname, gname, mtime } = entry;
        reads.push(entry.concat().then((content) => found.push({ path, content, mode, uid, gid, uname, gname, mtime })));
      },
    });
    await Promise.all(reads);
    const alike = { uid: 0, gid: 0, uname: "", gname: "", mtime: new Date(0) };
    expect(found).toEqual(
      entries.map(({ path, content, isExecutable }) => ({ path, content, mode: isExecutable ? 0o755 : 0o644, ...alike })),
    );
  });

  test("the compressed form contains neither a time nor the operating system", async () => {
    const bytes = await archiveOf(entries);
    expect([...bytes.subarray(0, 4), ...bytes.subarray(4, 8), bytes[9]]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 255]);
  });

  test("every target's runtime is pinned to one version with long-term support", () => {
    expect(Object.keys(runtimes.packages)).toEqual([...targets]);
    expect(Number(runtimes.version.split(".")[0]) % 2).toBe(0);
  });
});

describe("the launchers of an archive", () => {
  const name = "pulumi-resource-agentpool-acl";
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "agentpool-acl-launchers-")));
  const [folder, elsewhere] = [join(scratch, "plugin"), join(scratch, "elsewhere")];
  beforeAll(() => {
    for (const path of [folder, elsewhere]) mkdirSync(path);
    copyFileSync(join(root, "tools/package/launchers", name), join(folder, name));
    // Replaces the runtime, and prints its arguments.
    writeFileSync(join(folder, "node"), '#!/bin/sh\necho "$0|$NODE_OPTIONS|$*"\n', { mode: 0o755 });
    symlinkSync(join(folder, name), join(elsewhere, name));
  });
  afterAll(() => rmSync(scratch, { recursive: true }));

  const starts = [
    { how: "by its path", cwd: scratch, path: join(folder, name), found: folder },
    { how: "by its name alone, in its folder", cwd: folder, path: name, found: "." },
    { how: "by a link", cwd: scratch, path: join(elsewhere, name), found: folder },
    { how: "by the name of a link alone", cwd: elsewhere, path: name, found: folder },
  ];

  const whyNot = process.platform === "win32" ? "it is for other systems" : undefined;
  if (whyNot) console.log(`The launcher for shells was skipped, because ${whyNot}.`);

  (whyNot ? test.skip : test).each(starts)(
    "the launcher finds the files in its folder when the shell starts it $how",
    ({ cwd, path, found }) => {
      const env = { ...process.env, NODE_OPTIONS: "--no-warnings" };
      const { stdout, stderr } = spawnSync("sh", [path, "--version", "x y"], { cwd, env, encoding: "utf8" });
      expect({ stdout, stderr }).toEqual({ stdout: `${found}/node||${found}/provider.js --version x y\n`, stderr: "" });
    },
  );
});

describe("the bundle of an archive", () => {
  let bundle: Bundle;
  beforeAll(async () => {
    bundle = await bundleProvider();
  });

  test("the bundle runs in a folder without packages", () => {
    const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-bundle-"));
    try {
      const file = join(folder, "provider.js");
      writeFileSync(file, bundle.code);
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, "--help"], { cwd: folder, encoding: "utf8" });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toMatch(/^usage: pulumi-resource-agentpool-acl/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("the bundle requires modules of Node only", () => {
    const required = [...bundle.code.toString().matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = ""]) => name);
    expect(required).toContain("http2");
    expect(required.filter((name) => !name.startsWith("node:") && !builtinModules.includes(name))).toEqual([]);
  });

  test("the licences of its packages are collected, once each", () => {
    const licences = bundle.licences.toString();
    for (const name of ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "undici", "zod"]) {
      expect(licences.match(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, "gm"))).toHaveLength(1);
    }
  });
});

describe("the npm package of the plugin", () => {
  const source = sourceOf("git+https://github.com/else/where.git");

  test("the npm package for Node programs re-exports the plugin's classes, and tells the CLI the plugin of its own version", async () => {
    const { version } = jest.requireActual<{ version: string }>("../../package.json");
    const text = gunzipSync(await packNpmPackage(source)).toString();
    expect(text).toContain('module.exports = require("pulumi-agentpool-acl/plugin");');
    const manifest: unknown = JSON.parse(/\{\n.*?\n\}/s.exec(text)?.[0] ?? "");
    expect(manifest).toMatchObject({
      name: "pulumi-agentpool-acl-plugin",
      version,
      dependencies: { "pulumi-agentpool-acl": version },
      homepage: "https://github.com/else/where",
      bugs: { url: "https://github.com/else/where/issues" },
      repository: { type: "git", url: "git+https://github.com/else/where.git" },
      peerDependencies: { "@pulumi/pulumi": expect.any(String) },
      pulumi: { resource: true, name: "agentpool-acl", version, server: "github://api.github.com/else/where" },
    });
    expect(text).toContain(`pulumi plugin install resource agentpool-acl ${version} --file ARCHIVE`);
  });
});
