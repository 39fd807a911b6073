import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../repository";

const name = "pulumi-resource-agentpool-acl";
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "agentpool-acl-launchers-")));
const [folder, elsewhere] = [join(scratch, "plugin"), join(scratch, "elsewhere")];
beforeAll(() => {
  for (const path of [folder, elsewhere]) mkdirSync(path);
  copyFileSync(join(root, "tools/package/launchers", name), join(folder, name));
  // In place of the runtime: prints what it was started with.
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
if (whyNot) console.log(`The shell's launcher was left out, because ${whyNot}.`);

(whyNot ? test.skip : test).each(starts)("the launcher finds what is beside it when the shell starts it $how", ({ cwd, path, found }) => {
  const env = { ...process.env, NODE_OPTIONS: "--no-warnings" };
  const { stdout, stderr } = spawnSync("sh", [path, "--version", "x y"], { cwd, env, encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: `${found}/node||${found}/provider.js --version x y\n`, stderr: "" });
});
