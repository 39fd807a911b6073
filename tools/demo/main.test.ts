import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "../..");

function demo(args: readonly string[], path = process.env.PATH): { code: number | null; told: string } {
  const { status, stderr } = spawnSync(process.execPath, ["dist/tools/demo/main.js", ...args], {
    cwd: root,
    env: { ...process.env, PATH: path },
    encoding: "utf8",
  });
  return { code: status, told: stderr };
}

it("an engine that does not exist is a usage error that names those that do", () => {
  const { code, told } = demo(["--engine", "diesel"]);
  expect(code).toBe(2);
  expect(told).toContain("--engine diesel: give cli or rehearsal\nusage: npm run demo");
});

it("an adapter that does not exist is a usage error, too", () => {
  const { code, told } = demo(["--provider", "back"]);
  expect(code).toBe(2);
  expect(told).toContain("--provider back: give dynamic or plugin\nusage: npm run demo");
});

it("asking for the CLI where there is none is an error that says what to do", () => {
  const { code, told } = demo(["--engine", "cli"], "");
  expect(code).toBe(2);
  expect(told).toContain("--engine cli: there is no pulumi on PATH. Install the Pulumi CLI, or leave the option out");
});
