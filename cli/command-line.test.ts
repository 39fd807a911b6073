/** Error messages and progress lines of commands, and the command `simulator`. */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import * as z from "zod";
import { runCommand, seedOne } from "../test/support/commands";
import { Simulator } from "../testing/simulator";
import { failureOf, Interruption } from "./failures";
import { run } from "./main";
import { withProgressLine } from "./progress-line";

describe("failures", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "failures-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function command(args: string[], signal = new AbortController().signal) {
    const complaints: string[] = [];
    const status = await run(args, { print: () => undefined, complain: (text) => void complaints.push(text) }, signal);
    return { status, errors: complaints.join("\n") };
  }

  function file(name: string, content: object): string {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  }

  describe("a signal", () => {
    /** A server that never responds. */
    let server: Server;
    let address: string;
    beforeEach(async () => {
      server = createServer(() => undefined);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      address = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
    });
    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });

    const requested = () => new Promise((resolve) => server.once("request", resolve));

    it.each(["SIGINT", "SIGTERM"] as const)("ends a command that reads servers with one line (%s)", async (by) => {
      const state = file("state.json", {
        deployment: {
          resources: [{ urn: "urn:pulumi:dev::p::agentpool-acl:index:AclRole::r", type: "agentpool-acl:index:AclRole", id: "1" }],
        },
      });
      const commands = [
        ["export"],
        ["import", "--output", join(folder, "new")],
        ["drift", "--state", state],
        ["who", "--can", "management"],
      ];
      for (const args of commands) {
        const interruption = new AbortController();
        const settings = file("config.json", { clusterAddress: address, clusterToken: "t" });
        const ended = command([...args, "--config-file", settings], interruption.signal);
        await requested();
        interruption.abort(new Interruption(by));
        expect([args[0], await ended]).toEqual([args[0], { status: by === "SIGINT" ? 130 : 143, errors: `Interrupted by ${by}.` }]);
      }
    });

    it("from Ctrl-C ends the process with 130 and one line", async () => {
      const child = spawn(process.execPath, [join(__dirname, "../bin/pulumi-agentpool-acl"), "export"], {
        env: { ...process.env, NOMAD_ADDR: address, NOMAD_TOKEN: "t" },
      });
      const output: string[] = [];
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => void output.push(String(data)));
      const ended = new Promise((resolve) => child.once("close", resolve));
      await requested();
      child.kill("SIGINT");
      expect([await ended, output.join("")]).toEqual([130, "Interrupted by SIGINT.\n"]);
    });

    it.each([
      ["who", "--claims-file", "-"],
      ["who", "--can", "management", "--config-file", "-"],
      ["diff", "--preview", "-"],
      ["drift", "--state", "-"],
    ])("from Ctrl-C also ends a process that reads standard input (%s %s %s)", async (...args) => {
      const child = spawn(process.execPath, [join(__dirname, "../bin/pulumi-agentpool-acl"), ...args]);
      const errors: string[] = [];
      child.stderr.on("data", (data) => void errors.push(String(data)));
      const ended = new Promise((resolve) => child.once("close", resolve));
      // This is more than a pipe holds: once all of it is written, the process is reading.
      await new Promise<void>((resolve) => child.stdin.write(" ".repeat(2 ** 20), () => resolve()));
      child.kill("SIGINT");
      expect([await ended, errors.join("")]).toEqual([130, "Interrupted by SIGINT.\n"]);
    });
  });

  describe("an error", () => {
    it("about an output file is one line with the path and the remedy", async () => {
      const simulator = await Simulator.start();
      try {
        simulator.cluster.roles.put({ Name: "developers", Policies: [] });
        const settings = file("config.json", { clusterAddress: simulator.clusterAddress, clusterToken: simulator.clusterToken });
        const missing = join(folder, "none", "export.json");
        expect(await command(["export", "--output", missing, "--config-file", settings])).toEqual({
          status: 1,
          errors: `${missing} can't be used: its folder does not exist: create it first, or name another.`,
        });
        expect(await command(["import", "--output", settings, "--config-file", settings])).toEqual({
          status: 1,
          errors: expect.stringMatching(/config\.json can't be used: a part of the path is a file, not a folder: name another\.$/),
        });
      } finally {
        await simulator.stop();
      }
    });

    it("about an object of an unknown form names the object and the file", async () => {
      const rule = { authMethod: "sso", bindType: "spell", description: "Engineers" };
      const odd = file("odd.json", { format: 1, objects: { AclBindingRule: [rule] } });
      expect(await command(["who", "--can", "management", "--export", odd])).toEqual({
        status: 1,
        errors: expect.stringMatching(/odd\.json: this version can't read the binding rule "Engineers": bindType: Invalid option[^\n]*$/),
      });
    });

    it("from a defect has one line, and a stack with AGENTPOOL_ACL_LOG=debug only", () => {
      const { signal } = new AbortController();
      const defect = new TypeError("x is undefined\nand more");
      expect(failureOf(defect, signal, {})).toEqual({
        status: 1,
        message:
          "Unexpected error, a defect of this package: TypeError: x is undefined. Report it with the stack that AGENTPOOL_ACL_LOG=debug shows.",
      });
      expect(failureOf(defect, signal, { AGENTPOOL_ACL_LOG: "debug" }).message).toContain("command-line.test.ts");
    });
  });
});

describe("progress", () => {
  const wiping = "\r\x1b[K";
  const silent = { print: () => undefined, complain: () => undefined };

  /** A terminal with this many columns, and the text on its only line. */
  function terminal(columns = 80) {
    const written: string[] = [];
    return {
      ...{ isTTY: true, columns, written },
      write: (text: string) => written.push(text),
      line: () => written.join("").split(wiping).at(-1),
    };
  }

  test("it shows the newest numbers, at most ten times a second, and nothing after the wipe", () => {
    const stderr = terminal();
    let time = 0;
    const { io, wipe } = withProgressLine(silent, stderr, {}, () => time);
    io.progress?.(1, 10);
    io.progress?.(2, 10);
    expect(stderr.line()).toBe("read 1 of 10 objects");
    time = 100;
    io.progress?.(9, 200);
    expect(stderr.line()).toBe("read 9 of 200 objects");
    wipe();
    expect(stderr.line()).toBe("");
    const count = stderr.written.length;
    wipe();
    expect(stderr.written).toHaveLength(count);
  });

  test("it is cut to the width of the terminal", () => {
    const stderr = terminal(10);
    withProgressLine(silent, stderr, {}).io.progress?.(1, 10);
    expect(stderr.line()).toBe("read 1 of");
  });

  test("printed text replaces it", () => {
    const stderr = terminal();
    const { io, wipe } = withProgressLine({ print: stderr.write, complain: stderr.write }, stderr, {});
    io.progress?.(1, 2);
    io.complain("retrying");
    expect(stderr.line()).toBe("retrying");
    wipe();
    expect(stderr.written.join("")).toBe(`${wiping}read 1 of 2 objects${wiping}retrying`);
  });

  test("there is no line in a pipe, on a terminal that can't wipe, or with the log of requests", () => {
    expect(withProgressLine(silent, { ...terminal(), isTTY: false }, {}).io).toBe(silent);
    for (const env of [{ TERM: "dumb" }, { AGENTPOOL_ACL_LOG: "debug" }]) {
      expect(withProgressLine(silent, terminal(), env).io).toBe(silent);
    }
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

  test("a process in a pipe shows no line", async () => {
    const { stdout, stderr } = (await exported(process.execPath)) ?? {};
    expect(JSON.parse(stdout ?? "").objects.AclRole).toHaveLength(1);
    expect(stderr).toMatch(/^AgentPool is left out, .*\n$/);
  });

  test("a process on a terminal shows it, and wipes it before it prints", async () => {
    // A terminal has a single output.
    const spawn = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
    const result = await exported("python3", "-c", spawn, process.execPath);
    if (!result) return console.log(`Left out, because there is no python3 on PATH: ${expect.getState().currentTestName}`);
    const [before, ...parts] = result.stdout.split(wiping);
    expect([before, parts.at(-1)?.[0]]).toEqual(["", "{"]);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts.slice(0, -1)) expect(part).toMatch(/^read \d of \d objects$/);
  });
});

const addresses = z.object({
  poolsAddress: z.string(),
  poolsToken: z.string(),
  organization: z.string(),
  clusterAddress: z.string(),
  clusterToken: z.string(),
});

describe("the simulator", () => {
  const main = join(__dirname, "../dist/cli/main.js");
  const command = [join(__dirname, "../bin/pulumi-agentpool-acl"), "simulator"];

  beforeAll(() => {
    if (!existsSync(main)) throw new Error("the command is not built: run `npm run build` first");
  });

  /** Starts the command. @returns its line of JSON, and all lines that it prints */
  async function start(...args: string[]) {
    const child = spawn(process.execPath, [...command, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const lines: string[] = [];
    const output = createInterface(child.stdout).on("line", (line) => lines.push(line));
    await once(output, "line");
    return { child, ended, lines, ...addresses.parse(JSON.parse(lines[0] ?? "")) };
  }

  it("prints one line of JSON, serves both APIs, and ends with 0 at SIGTERM", async () => {
    const content = ["--policy", "read-only", "--policy", "deploy", "--workspace", "network", "--agent", "build", "--agent", "build"];
    const { child, ended, lines, poolsAddress, poolsToken, organization, clusterAddress, clusterToken } = await start(
      ...["--organization", "acme", ...content],
    );
    const inOrganization = (path: string) =>
      fetch(`${poolsAddress}/api/v2/organizations/${organization}/${path}`, { headers: { Authorization: `Bearer ${poolsToken}` } });
    const pools = await inOrganization("agent-pools");
    expect(await pools.json()).toMatchObject({ data: [{ attributes: { name: "build", "agent-count": 2 } }] });
    expect(await (await inOrganization("workspaces/network")).json()).toMatchObject({ data: { attributes: { name: "network" } } });
    const roles = await fetch(`${clusterAddress}/v1/acl/roles`, { headers: { "X-Nomad-Token": clusterToken } });
    expect([organization, pools.status, roles.status]).toEqual(["acme", 200, 200]);
    const body = JSON.stringify({ Name: "developers", Policies: [{ Name: "read-only" }, { Name: "deploy" }] });
    const made = await fetch(`${clusterAddress}/v1/acl/role`, { method: "POST", headers: { "X-Nomad-Token": clusterToken }, body });
    expect(made.status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(lines).toHaveLength(1);
  });

  it("keeps no request, however many and large they are, because the command's journal can't be read", async () => {
    if (process.platform !== "linux") return console.log("Left out: the memory of another process is read from /proc, which Linux has.");
    const { child, ended, clusterAddress, clusterToken } = await start();
    const residentMiB = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
    const send = (size: number) =>
      fetch(`${clusterAddress}/v1/acl/role`, {
        method: "POST",
        headers: { "X-Nomad-Token": clusterToken },
        body: "x".repeat(size),
      }).then((response) => response.text());
    await send(1_000_000);
    const before = residentMiB();
    for (let sent = 0; sent < 150; sent++) await send(1_000_000);
    expect(residentMiB() - before).toBeLessThan(100);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("serves the documented dialect with the option", async () => {
    const { child, ended, clusterAddress, clusterToken } = await start("--dialect", "documented");
    const body = JSON.stringify({ Name: "no_policies" });
    const made = await fetch(`${clusterAddress}/v1/acl/role`, { method: "POST", headers: { "X-Cluster-Token": clusterToken }, body });
    expect(made.status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it.each([
    ["--dialect", "klingon", "give measured or documented"],
    ["--cluster-port", "99999", "give a whole number from 0 to 65535"],
    ["--pools-port", "many", "give a whole number from 0 to 65535"],
  ])("refuses %s %s, and names the valid values", async (option, value, valid) => {
    const { status, err } = await runCommand("simulator", option, value);
    expect([status, err]).toEqual([
      2,
      expect.stringContaining(`${option} ${value}: ${valid}\nusage: npx --no-install pulumi-agentpool-acl simulator`),
    ]);
  });
});
