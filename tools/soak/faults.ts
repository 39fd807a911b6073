import { spawn } from "node:child_process";
import { main, readArguments } from "../../cli/command-line";
import { root } from "../repository";

const usage = `usage: npm run faults -- [NAME ...]
Every request of every operation meets every fault; hostile answers, names and inputs. These are tests: they print what broke, and end with 1 then.
  NAME    only the files of test/faults with this in their name, such as matrix-plugin
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
