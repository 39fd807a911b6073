import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { main, readArguments, UsageError } from "../../cli/command-line";
import { exitStatus } from "../../cli/exit-status";
import { packageFacts } from "../generate/pulumi";
import { publishedSource } from "../generate/source";
import { root } from "../repository";
import { makeArtifacts } from "./artifacts";
import { dryRun } from "./dry-run";
import { recordRelease } from "./states";

const usage = `usage: npm run release -- --dry-run [--complete] | --out DIR | --record
Makes the files of a release: the npm package, the plugin's archives, SDKs, SBOMs, the notes of CHANGELOG.md, checksums. Refused until
package.json names a repository, because the files would lead users to an address that anyone can register.
  --out DIR   makes the files in this empty folder; fails if one can't be made here, such as the SDKs without a Pulumi CLI
  --dry-run   makes them twice and compares them, installs the packages, and runs the demo's program with them; keeps the files
              with --out
  --complete  the dry run also fails if something can't be made or tried here; otherwise it names the parts left out
  --record    after a release: keeps its schema, a program and the states that it writes in test/releases
  --help      prints this`;

main(usage, async (args) => {
  const flag = { type: "boolean" } as const;
  const { values } = readArguments({ args, options: { out: { type: "string" }, "dry-run": flag, complete: flag, record: flag } });
  const { version } = packageFacts.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  if (values.complete && !values["dry-run"]) throw new UsageError("--complete is for --dry-run");
  if (values.record) {
    for (const path of await recordRelease(version)) console.log(relative(root, path));
    return exitStatus.done;
  }
  if (values["dry-run"]) {
    publishedSource();
    const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-files-"));
    const startedAt = Date.now();
    try {
      console.log(`Release ${version}, without publishing it:`);
      const out = values.out ? resolve(values.out) : scratch;
      await dryRun(version, out, values.complete ?? false, (line) => console.log(line));
      console.log(`All of it works (${Math.round((Date.now() - startedAt) / 1000)} s).`);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
    return exitStatus.done;
  }
  if (values.out === undefined) throw new UsageError("give --dry-run, --out DIR or --record");
  publishedSource();
  await makeArtifacts(version, resolve(values.out), { isReleased: true, isComplete: true });
  return exitStatus.done;
});
