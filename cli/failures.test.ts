import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { Simulator } from "../testing/simulator";
import { failureOf, Interruption } from "./failures";
import { run } from "./main";

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

  it.each(["SIGINT", "SIGTERM"] as const)("ends every command that reads servers with one line (%s)", async (by) => {
    const state = file("state.json", {
      deployment: {
        resources: [{ urn: "urn:pulumi:dev::p::agentpool-acl:index:AclRole::r", type: "agentpool-acl:index:AclRole", id: "1" }],
      },
    });
    const commands = [["export"], ["import", "--output", join(folder, "new")], ["drift", "--state", state], ["who", "--can", "management"]];
    for (const args of commands) {
      const interruption = new AbortController();
      const settings = file("config.json", { clusterAddress: address, clusterToken: "t" });
      const ended = command([...args, "--config-file", settings], interruption.signal);
      await requested();
      interruption.abort(new Interruption(by));
      expect([args[0], await ended]).toEqual([args[0], { status: by === "SIGINT" ? 130 : 143, errors: `Interrupted by ${by}.` }]);
    }
  });

  it("is Ctrl-C to the process", async () => {
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
  ])("is Ctrl-C to the process that reads standard input, too (%s %s %s)", async (...args) => {
    const child = spawn(process.execPath, [join(__dirname, "../bin/pulumi-agentpool-acl"), ...args]);
    const errors: string[] = [];
    child.stderr.on("data", (data) => void errors.push(String(data)));
    const ended = new Promise((resolve) => child.once("close", resolve));
    // More than a pipe holds: once it is written, the process is reading.
    await new Promise<void>((resolve) => child.stdin.write(" ".repeat(2 ** 20), () => resolve()));
    child.kill("SIGINT");
    expect([await ended, errors.join("")]).toEqual([130, "Interrupted by SIGINT.\n"]);
  });
});

describe("an error", () => {
  it("about a file to write is one line with its path and what to do", async () => {
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
        errors: expect.stringMatching(/config\.json can't be used: a part of the path is a file and no folder: name another\.$/),
      });
    } finally {
      await simulator.stop();
    }
  });

  it("about an object of another form says which one, and in which file", async () => {
    const rule = { authMethod: "sso", bindType: "spell", description: "Engineers" };
    const odd = file("odd.json", { format: 1, objects: { AclBindingRule: [rule] } });
    expect(await command(["who", "--can", "management", "--export", odd])).toEqual({
      status: 1,
      errors: expect.stringMatching(/odd\.json: this version can't read the binding rule "Engineers": bindType: Invalid option[^\n]*$/),
    });
  });

  it("that is a defect has one line, and its stack with AGENTPOOL_ACL_LOG=debug only", () => {
    const { signal } = new AbortController();
    const defect = new TypeError("x is undefined\nand more");
    expect(failureOf(defect, signal, {})).toEqual({
      status: 1,
      message:
        "Unexpected error, a defect of this package: TypeError: x is undefined. Report it with the stack that AGENTPOOL_ACL_LOG=debug shows.",
    });
    expect(failureOf(defect, signal, { AGENTPOOL_ACL_LOG: "debug" }).message).toContain("failures.test.ts");
  });
});
