import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const main = join(__dirname, "../dist/cli/main.js");
const command = [join(__dirname, "../bin/pulumi-agentpool-acl"), "simulator"];

describe("the simulator command", () => {
  beforeAll(() => {
    if (!existsSync(main)) throw new Error("the command is not built: run `npm run build` first");
  });

  it("prints one line of JSON, serves both APIs, and ends with 0 at SIGTERM", async () => {
    const child = spawn(process.execPath, [...command, "--organization", "acme", "--policy", "read-only", "--policy", "deploy"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const lines: string[] = [];
    const first = new Promise<string>((resolve) => {
      createInterface(child.stdout).on("line", (line) => {
        lines.push(line);
        resolve(line);
      });
    });
    const { poolsAddress, poolsToken, organization, clusterAddress, clusterToken } = JSON.parse(await first);
    const pools = await fetch(`${poolsAddress}/api/v2/organizations/${organization}/agent-pools`, {
      headers: { Authorization: `Bearer ${poolsToken}` },
    });
    const roles = await fetch(`${clusterAddress}/v1/acl/roles`, { headers: { "X-Nomad-Token": clusterToken } });
    expect([organization, pools.status, roles.status]).toEqual(["acme", 200, 200]);
    const body = JSON.stringify({ Name: "developers", Policies: [{ Name: "read-only" }, { Name: "deploy" }] });
    const made = await fetch(`${clusterAddress}/v1/acl/role`, { method: "POST", headers: { "X-Nomad-Token": clusterToken }, body });
    expect(made.status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(lines).toHaveLength(1);
  });

  it("keeps no request, however many and large they are: nobody can read the journal of the command", async () => {
    if (process.platform !== "linux") return console.log("Left out: the memory of another process is read from /proc, which Linux has.");
    const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const first = await new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
    const { clusterAddress, clusterToken } = JSON.parse(first);
    const residentMiB = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
    const send = (size: number) =>
      fetch(`${clusterAddress}/v1/acl/role`, {
        method: "POST",
        headers: { "X-Nomad-Token": clusterToken },
        body: "x".repeat(size),
      }).then((response) => response.text());
    await send(1_000_000);
    const before = residentMiB();
    for (let sent = 0; sent < 300; sent++) await send(1_000_000);
    expect(residentMiB() - before).toBeLessThan(150);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("serves the documented dialect with the option", async () => {
    const child = spawn(process.execPath, [...command, "--dialect", "documented"], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const first = await new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
    const { clusterAddress, clusterToken } = JSON.parse(first);
    const body = JSON.stringify({ Name: "no_policies" });
    const made = await fetch(`${clusterAddress}/v1/acl/role`, { method: "POST", headers: { "X-Cluster-Token": clusterToken }, body });
    expect(made.status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("refuses an unknown dialect", () => {
    const { status, stderr } = spawnSync(process.execPath, [...command, "--dialect", "klingon"], { encoding: "utf8" });
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("--dialect klingon: give measured or documented\nusage: npx --no-install pulumi-agentpool-acl simulator"),
    ]);
  });

  it("names the option whose port is too large", () => {
    const { status, stderr } = spawnSync(process.execPath, [...command, "--cluster-port", "99999"], { encoding: "utf8" });
    expect([status, stderr]).toEqual([2, expect.stringContaining("--cluster-port 99999: give a whole number from 0 to 65535\n")]);
  });

  it("names the valid values of an option", async () => {
    const child = spawn(process.execPath, [...command, "--pools-port", "many"], { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(2);
    expect(errors).toContain("--pools-port many: give a whole number from 0 to 65535");
    expect(errors).toContain("usage: npx --no-install pulumi-agentpool-acl simulator");
  });
});
