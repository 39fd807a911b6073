import { spawn } from "node:child_process";
import { main, readArguments } from "../../cli/command-line";
import { root } from "../../tools/repository";

const usage = `usage: npm run faults -- [NAME ...]
Makes every request of every operation fail with every fault, and tries hostile responses, names and inputs. These are tests: they print failures, and end with 1.
  NAME    only the files of test/faults whose names contain this, such as matrix-plugin
  --help  prints this`;

main(usage, (args) => {
  const { positionals } = readArguments({ args, allowPositionals: true });
  const files = positionals.length === 0 ? ["test/faults/"] : positionals.map((name) => `test/faults/.*${name}`);
  const jest = spawn(process.execPath, [require.resolve("jest/bin/jest"), "--config", "jest.full.config.js", ...files], {
    cwd: root,
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => jest.once("error", reject).once("close", (code) => resolve(code ?? 1)));
});
