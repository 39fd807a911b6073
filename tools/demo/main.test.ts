import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "../..");

function demo(args: readonly string[], path = process.env.PATH): { code: number | null; errors: string } {
  const { status, stderr } = spawnSync(process.execPath, ["dist/tools/demo/main.js", ...args], {
    cwd: root,
    env: { ...process.env, PATH: path },
    encoding: "utf8",
  });
  return { code: status, errors: stderr };
}

it("an unknown engine is a usage error that names the known ones", () => {
  const { code, errors } = demo(["--engine", "diesel"]);
  expect(code).toBe(2);
  expect(errors).toContain("--engine diesel: give cli or rehearsal\nusage: npm run demo");
});

it("--engine cli without a CLI is an error with the remedy", () => {
  const { code, errors } = demo(["--engine", "cli"], "");
  expect(code).toBe(2);
  expect(errors).toContain("--engine cli: there is no pulumi on PATH. Install the Pulumi CLI, or leave the option out");
});
