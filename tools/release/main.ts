import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { main, readArguments, UsageError } from "../../cli/command-line";
import { exitStatus } from "../../cli/exit-status";
import { packageFacts } from "../generate/pulumi";
import { root } from "../repository";
import { makeArtifacts } from "./artifacts";
import { dryRun } from "./dry-run";
import { recordRelease } from "./states";

const usage = `usage: npm run release -- --dry-run | --out DIR | --record
Makes what a release consists of: the npm package, the plugin's archives, SDKs, an SBOM, the notes of CHANGELOG.md, checksums.
  --out DIR  makes the files in this empty folder
  --dry-run  makes them twice and compares them, publishes to a registry on this machine, installs from there by npm, yarn and
             pnpm, and runs the demo's program from each installation; with --out the files are kept
  --record   after a release: keeps its schema and the states that it writes in test/releases
  --help     prints this`;

main(usage, async (args) => {
  const flag = { type: "boolean" } as const;
  const { values } = readArguments({ args, options: { out: { type: "string" }, "dry-run": flag, record: flag } });
  const { version } = packageFacts.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  if (values.record) {
    for (const path of await recordRelease(version)) console.log(relative(root, path));
    return exitStatus.done;
  }
  if (values["dry-run"]) {
    const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-files-"));
    const startedAt = Date.now();
    try {
      console.log(`Release ${version}, without publishing it:`);
      await dryRun(version, values.out ? resolve(values.out) : scratch, (line) => console.log(line));
      console.log(`All of it works (${Math.round((Date.now() - startedAt) / 1000)} s).`);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
    return exitStatus.done;
  }
  if (values.out === undefined) throw new UsageError("give --dry-run, --out DIR or --record");
  const { leftOut } = await makeArtifacts(version, resolve(values.out), true);
  for (const reason of leftOut) console.error(`left out: ${reason}`);
  return exitStatus.done;
});
