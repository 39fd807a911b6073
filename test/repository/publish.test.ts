/** The steps of the job `publish` in release.yml, with an `npm` and a `gh` that record their calls: first runs, and later ones. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import * as z from "zod";
import { findExecutable, foldersOf } from "../../testing/rehearsal/processes/executable";
import { archiveOf } from "../../tools/package/archive";
import { root } from "../../tools/repository";

const { load } = jest.requireActual<{ load(text: string): unknown }>("js-yaml");

const step = z.object({ run: z.string().optional() });
const { steps } = z
  .object({ jobs: z.object({ publish: z.object({ steps: z.array(step) }) }) })
  .parse(load(readFileSync(join(root, ".github/workflows/release.yml"), "utf8"))).jobs.publish;
const script = steps.flatMap(({ run }) => run ?? []).join("\n");

const names = ["acl", "acl-plugin"];
const integrityOf = (content: Buffer) => `sha512-${createHash("sha512").update(content).digest("base64")}`;

/** The folder of the downloaded files, with the commands that the steps call. */
const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-publish-"));
const [release, bin, calls] = [join(scratch, "release"), join(scratch, "bin"), join(scratch, "calls")];
const integrities = new Map<string, string>();
beforeAll(async () => {
  for (const folder of [release, bin]) mkdirSync(folder);
  const sums: string[] = [];
  const add = (name: string, content: Buffer) => {
    writeFileSync(join(release, name), content);
    sums.push(`${createHash("sha256").update(content).digest("hex")}  ${name}\n`);
  };
  for (const name of names) {
    const manifest = Buffer.from(JSON.stringify({ name, version: "1.2.3" }));
    const content = await archiveOf([{ path: "package/package.json", content: manifest }]);
    integrities.set(name, integrityOf(content));
    add(`${name}-1.2.3.tgz`, content);
  }
  add("plugin.tar.gz", Buffer.from("the plugin"));
  writeFileSync(join(release, "SHA256SUMS"), sums.join(""));
  writeFileSync(join(release, "NOTES.md"), "New.\n");
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** The state before a run: the release, and the integrity of each package in the registry. */
interface Found {
  /** Whether the release is a draft, as `gh release view` prints it; undefined if there is no release. */
  readonly isDraft?: boolean;
  readonly published?: Readonly<Record<string, string | undefined>>;
}

const writes = /^npm publish|^gh release (create|upload|edit)/;

/** Runs all steps. @returns the exit status, and the calls that change something */
function publish({ isDraft, published = {} }: Found): { status: number | null; stdout: string; made: string[] } {
  const command = (name: string, cases: string) => {
    const text = `#!/bin/bash\necho "${name} $*" >> "${calls}"\ncase "$*" in\n${cases}\nesac\n`;
    writeFileSync(join(bin, name), text, { mode: 0o755 });
  };
  writeFileSync(calls, "");
  const views = names.map((name) => `"view ${name}@1.2.3 dist.integrity") ${published[name] ? `echo ${published[name]}` : "exit 1"} ;;`);
  command("npm", views.join("\n"));
  command("gh", `"release view "*) ${isDraft === undefined ? "exit 1" : `echo ${isDraft}`} ;;`);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, GITHUB_REF_NAME: "v1.2.3" };
  const { status, stdout } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd: release,
    env,
    encoding: "utf8",
  });
  return {
    status,
    stdout,
    made: readFileSync(calls, "utf8")
      .split("\n")
      .filter((line) => writes.test(line)),
  };
}

const files = "SHA256SUMS acl-1.2.3.tgz acl-plugin-1.2.3.tgz plugin.tar.gz";
const create = `gh release create v1.2.3 --draft --verify-tag --title v1.2.3 --notes-file NOTES.md ${files}`;
const upload = `gh release upload v1.2.3 ${files} --clobber`;
const edit = "gh release edit v1.2.3 --draft=false";
const publishing = (name: string) => `npm publish ./${name}-1.2.3.tgz --ignore-scripts --provenance --access public`;

const missing = ["bash", "jq", "openssl"].filter((name) => !findExecutable(name, foldersOf(process.env.PATH)));
const whyNot =
  process.platform !== "linux"
    ? `they run on Linux, and this is ${process.platform}`
    : missing.length > 0 && `there is no ${missing.join(", ")} on PATH`;
if (whyNot) console.log(`The steps that publish were left out, because ${whyNot}.`);
const onLinux = whyNot ? test.skip : test;

onLinux("a first run uploads every file of the checksums to a draft, publishes both packages, then the release", () => {
  expect(publish({})).toMatchObject({ status: 0, made: [create, publishing("acl"), publishing("acl-plugin"), edit] });
});

onLinux("a run after a failed one publishes the missing packages, and then the release", () => {
  const second = publish({ isDraft: true, published: { acl: integrities.get("acl") } });
  expect(second).toMatchObject({ status: 0, made: [upload, publishing("acl-plugin"), edit] });
});

onLinux("a run after a complete one publishes nothing", () => {
  const second = publish({ isDraft: false, published: Object.fromEntries(integrities) });
  expect(second).toMatchObject({ status: 0, made: [edit] });
});

onLinux("a published version with other content ends the run, and the release stays a draft", () => {
  const { status, stdout, made } = publish({ isDraft: true, published: { acl: "sha512-other" } });
  expect({ status, made }).toEqual({ status: 1, made: [upload] });
  expect(stdout).toContain("::error::acl@1.2.3 is published with other content (sha512-other)");
});

onLinux("a file that differs from its checksum ends the run before anything is published", () => {
  const file = join(release, "plugin.tar.gz");
  writeFileSync(file, "another plugin");
  expect(publish({})).toMatchObject({ status: 1, made: [] });
  writeFileSync(file, "the plugin");
});
