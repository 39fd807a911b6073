/** The usage and the exit statuses of every command of this repository and of the package. The commands run the files in `dist`. */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { isFull } from "../support/extent";
import { posixTest } from "../support/systems";

const root = join(__dirname, "../..");

const { scripts, bin, version } = z
  .object({ version: z.string(), scripts: z.record(z.string(), z.string()), bin: z.record(z.string(), z.string()) })
  .parse(jest.requireActual("../../package.json"));

/** The scripts that run other packages' tools. */
const tools = ["build", "emit", "types", "lint", "format", "test", "test:full"];

/** The scripts of `npm run NAME -- ARGUMENTS`, and the executables that npm puts on PATH. */
const commands = [
  ...Object.entries(scripts).flatMap(([name, script]) => {
    const [, command] = / && node (\S+(?: \S+)*)$/.exec(script) ?? [];
    return command && !tools.includes(name) ? [{ name: `npm run ${name}`, command: command.split(" ") }] : [];
  }),
  ...Object.entries(bin).map(([name, file]) => ({ name, command: [file] })),
];

function run(...command: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("the commands are all scripts except other packages' tools", () => {
  const ours = Object.keys(scripts).filter((name) => !tools.includes(name));
  expect(commands.map(({ name }) => name)).toEqual([...ours.map((name) => `npm run ${name}`), ...Object.keys(bin)]);
});

/** `npm test` tries the executables of the package. */
const tried = isFull ? commands : commands.filter(({ name }) => name in bin);

test.each(tried)("$name --help prints the usage, and ends with 0", ({ command }) => {
  expect(run(...command, "--help")).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^usage: .*--help +prints this.*\n$/s),
    stderr: "",
  });
});

test.each(tried)("$name with an unknown option prints an error with the usage, and ends with 2", ({ command }) => {
  const stderr = expect.stringMatching(/^Unknown option '--no-such-option'.*\nusage: /s);
  expect(run(...command, "--no-such-option")).toEqual({ status: 2, stdout: "", stderr });
});

test.each(Object.entries(bin))("%s --version prints the package's version", (_, file) => {
  expect(run(file, "--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
});

describe("pulumi-agentpool-acl", () => {
  const bin = "bin/pulumi-agentpool-acl";

  it("fails if its output can't be written, as on a full disk", () => {
    if (!existsSync("/dev/full")) return console.log("Left out: there is no /dev/full, which is as full as a disk can be.");
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [bin, "--help"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^Standard output can't be written: ENOSPC: no space left on device.*\.\n$/),
    ]);
  });

  posixTest("ends without an error if its reader stops early, as head does", () => {
    const { status, stderr } = spawnSync("sh", ["-c", '{ "$1" "$2" --help; echo "$?" >&2; } | true', "sh", process.execPath, bin], {
      cwd: root,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, "0\n"]);
  });

  it("prints the list of its commands and of its exit statuses without arguments", () => {
    const { status, stdout } = run(bin);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}rehearse +\S.*\n {2}simulator +\S.*\n {2}who +\S.*\nexit statuses: 0 done, 1 failed, 2 usage, 3 found/m);
  });

  it("has a section of docs/commands.md for each command", () => {
    const names = [...run(bin).stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = ""]) => name);
    expect(names).toContain("who");
    const sections = [...readFileSync(join(root, "docs/commands.md"), "utf8").matchAll(/^## (.*)$/gm)].map(([, title = ""]) => title);
    expect(names.filter((name) => !sections.includes(`${name[0]?.toUpperCase()}${name.slice(1)}`))).toEqual([]);
  });

  it("refuses an unknown command with a list of its commands, and ends with 2", () => {
    const stderr = expect.stringMatching(/^there is no command toString: give one of agents, diff, .*, who\nusage: /);
    expect(run(bin, "toString")).toEqual({ status: 2, stdout: "", stderr });
  });
});
