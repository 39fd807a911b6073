import { spawn } from "node:child_process";
import { join } from "node:path";
import { main, readArguments } from "../command-line";

const usage = `usage: npm run faults -- [NAME ...]
Every request of every operation meets every fault; hostile answers, names and inputs. These are tests: they print what broke, and end with 1 then.
  NAME    only the files of provider/test/faults with this in their name, such as matrix-plugin
  --help  prints this`;

main(usage, (args) => {
  const { positionals } = readArguments({ args, allowPositionals: true });
  const root = join(__dirname, "../..");
  const files = positionals.length === 0 ? ["provider/test/faults/"] : positionals.map((name) => `provider/test/faults/.*${name}`);
  const jest = spawn(process.execPath, [require.resolve("jest/bin/jest"), ...files], { cwd: root, stdio: "inherit" });
  return new Promise((resolve, reject) => jest.once("error", reject).once("close", (code) => resolve(code ?? 1)));
});
