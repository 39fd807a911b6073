import { spawn } from "node:child_process";
import { main, readArguments, text } from "../../cli/command-line";
import { root } from "../../tools/repository";
import { samples } from "../kinds";

const usage = `usage: npm run faults -- [NAME ...] [--kind KIND]
Makes every request of every operation fail with every fault, and tries hostile responses, names and inputs. These are tests: they print failures, and end with 1.
  NAME    only the files of test/faults whose names contain this, such as matrix-plugin
  --kind  only the cases of this kind, such as AclRole: the matrices, both adapters, and its check
  --help  prints this`;

/** Parts of the names of the files that have separate tests for each kind. */
function aboutOne(kind: string): string[] {
  return ["matrix", "adapters", ...(samples.some((sample) => sample.kind === kind) ? ["fuzz"] : [])];
}

main(usage, (args) => {
  const { positionals, values } = readArguments({ args, options: { kind: text }, allowPositionals: true });
  const { kind } = values;
  const names = positionals.length > 0 || kind === undefined ? positionals : aboutOne(kind);
  const files = names.length === 0 ? ["test/faults/"] : names.map((name) => `test/faults/.*${name}`);
  const jest = spawn(process.execPath, [require.resolve("jest/bin/jest"), "--config", "jest.full.config.js", ...files], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...(kind !== undefined && { FAULTS_KIND: kind }) },
  });
  return new Promise((resolve, reject) => jest.once("error", reject).once("close", (code) => resolve(code ?? 1)));
});
