import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bundle, bundleProvider } from "./bundle";

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleProvider();
});

test("the bundle needs nothing but Node: it runs in a folder without packages", () => {
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

test("the licences of all packages in it are collected, once each", () => {
  const licences = bundle.licences.toString();
  for (const name of ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "undici", "zod"]) {
    expect(licences.match(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, "gm"))).toHaveLength(1);
  }
});
