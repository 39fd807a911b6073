/** The line that says how far a command is. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { seedOne } from "../test/support/commands";
import { Simulator } from "../testing/simulator";
import { ProgressLine, withProgressLine } from "./progress-line";

const wiping = "\r\x1b[K";

/** A terminal of some columns, and what it shows on its only line. */
function terminal(columns = 80) {
  const written: string[] = [];
  return {
    ...{ isTTY: true, columns, written },
    write: (text: string) => written.push(text),
    line: () => written.join("").split(wiping).at(-1),
  };
}

test("it shows the newest numbers, at most every tenth of a second, and nothing once it is wiped", () => {
  const stderr = terminal();
  let time = 0;
  const line = new ProgressLine(stderr, () => time);
  line.show(1, 10);
  line.show(2, 10);
  expect(stderr.line()).toBe("read 1 of 10 objects");
  time = 100;
  line.show(9, 200);
  expect(stderr.line()).toBe("read 9 of 200 objects");
  line.wipe();
  expect(stderr.line()).toBe("");
  const count = stderr.written.length;
  line.wipe();
  expect(stderr.written).toHaveLength(count);
});

test("it is shorter than the terminal, where it would wrap", () => {
  const stderr = terminal(10);
  new ProgressLine(stderr).show(1, 10);
  expect(stderr.line()).toBe("read 1 of");
});

test("what is printed takes its place", () => {
  const stderr = terminal();
  const { io, wipe } = withProgressLine({ print: stderr.write, complain: stderr.write }, stderr, {});
  io.progress?.(1, 2);
  io.complain("retrying");
  expect(stderr.line()).toBe("retrying");
  wipe();
  expect(stderr.written.join("")).toBe(`${wiping}read 1 of 2 objects${wiping}retrying`);
});

test("there is none in a pipe, on a terminal that can't wipe, and where the log of requests is shown", () => {
  const io = { print: () => undefined, complain: () => undefined };
  expect(withProgressLine(io, { ...terminal(), isTTY: false }, {}).io).toBe(io);
  for (const env of [{ TERM: "dumb" }, { AGENTPOOL_ACL_LOG: "debug" }]) expect(withProgressLine(io, terminal(), env).io).toBe(io);
});

/** Runs `export` as a process. @returns its outputs; undefined if the program is not on PATH */
async function exported(program: string, ...before: string[]): Promise<{ stdout: string; stderr: string } | undefined> {
  const main = join(__dirname, "../dist/cli/main.js");
  if (!existsSync(main)) throw new Error("the command is not built: run `npm run build` first");
  const simulator = await Simulator.start();
  try {
    seedOne(simulator);
    const { clusterAddress: NOMAD_ADDR, clusterToken: NOMAD_TOKEN } = simulator;
    const env = { PATH: process.env.PATH, TERM: "xterm", NOMAD_ADDR, NOMAD_TOKEN };
    const command = join(__dirname, "../bin/pulumi-agentpool-acl");
    return await promisify(execFile)(program, [...before, command, "export"], { env });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  } finally {
    await simulator.stop();
  }
}

test("a process in a pipe shows nothing of it", async () => {
  const { stdout, stderr } = (await exported(process.execPath)) ?? {};
  expect(JSON.parse(stdout ?? "").objects.AclRole).toHaveLength(1);
  expect(stderr).toMatch(/^AgentPool is left out, .*\n$/);
});

test("a process on a terminal shows it, and wipes it before it prints", async () => {
  // Of a terminal there is one output.
  const spawn = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
  const result = await exported("python3", "-c", spawn, process.execPath);
  if (!result) return console.log(`Left out, because there is no python3 on PATH: ${expect.getState().currentTestName}`);
  const [before, ...parts] = result.stdout.split(wiping);
  expect([before, parts.at(-1)?.[0]]).toEqual(["", "{"]);
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts.slice(0, -1)) expect(part).toMatch(/^read \d of \d objects$/);
});
