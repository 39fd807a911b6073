/** The usage of every command of this repository and of the package. They run the files in `dist`. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import * as z from "zod";

const root = join(__dirname, "../..");

const { scripts, bin } = z
  .object({ scripts: z.record(z.string(), z.string()), bin: z.record(z.string(), z.string()) })
  .parse(jest.requireActual("../../package.json"));

/** The scripts of `npm run NAME -- ARGUMENTS`, and the executables that npm puts on PATH. */
const commands = [
  ...Object.entries(scripts).flatMap(([name, script]) => {
    const [, file] = / && node (\S+\.js)$/.exec(script) ?? [];
    return file ? [{ name: `npm run ${name}`, file }] : [];
  }),
  ...Object.entries(bin).map(([name, file]) => ({ name, file })),
];

function run(file: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { cwd: root, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("the commands are all scripts but those of other packages' tools", () => {
  const tools = ["build", "emit", "types", "lint", "format", "test", "test:full"];
  const ours = Object.keys(scripts).filter((name) => !tools.includes(name));
  expect(commands.map(({ name }) => name)).toEqual([...ours.map((name) => `npm run ${name}`), "pulumi-resource-agentpool-acl"]);
});

test.each(commands)("$name --help prints the usage, and ends with 0", ({ file }) => {
  expect(run(file, "--help")).toEqual({ status: 0, stdout: expect.stringMatching(/^usage: .*--help +prints this\n$/s), stderr: "" });
});

test.each(commands)("$name with an unknown option prints an error with the usage, and ends with 2", ({ file }) => {
  const stderr = expect.stringMatching(/^Unknown option '--no-such-option'.*\nusage: /s);
  expect(run(file, "--no-such-option")).toEqual({ status: 2, stdout: "", stderr });
});
