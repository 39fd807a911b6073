import { spawn } from "node:child_process";
import { main, readArguments, text } from "../../cli/command-line";
import { root } from "../../tools/repository";

const usage = `usage: npm run faults -- [NAME ...] [--kind KIND]
Makes every request of every operation fail with every fault, and tries hostile responses, names and inputs. These are tests: they print failures, and end with 1.
  NAME    only the files of test/faults whose names contain this, such as matrix-plugin
  --kind  only the operations of this kind, such as AclRole, in the matrices
  --help  prints this`;

main(usage, (args) => {
  const { positionals, values } = readArguments({ args, options: { kind: text }, allowPositionals: true });
  const files = positionals.length === 0 ? ["test/faults/"] : positionals.map((name) => `test/faults/.*${name}`);
  const jest = spawn(process.execPath, [require.resolve("jest/bin/jest"), "--config", "jest.full.config.js", ...files], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...(values.kind !== undefined && { FAULTS_KIND: values.kind }) },
  });
  return new Promise((resolve, reject) => jest.once("error", reject).once("close", (code) => resolve(code ?? 1)));
});
