/** One server of the real scheduler on this machine, if the scheduler's executable is on PATH. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { listen, type Open } from "./http/listen";

const executable = "nomad";

function isInstalled(): boolean {
  try {
    execFileSync(executable, ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A server, and its management token. */
export interface Agent {
  readonly address: string;
  readonly token: string;
}

const bootstrapped = z.object({ SecretID: z.string() });

/** Three free ports. */
async function freePorts(): Promise<number[]> {
  const open: Open = [];
  const ports = [];
  for (let index = 0; index < 3; index++) ports.push(await listen(createServer(), open));
  for (const one of open) await one.close();
  return ports;
}

/**
 * Starts a server for a test, and ends the server afterwards. Without the executable on PATH, this only prints that the test is left out.
 */
export async function withAgent(use: (agent: Agent) => Promise<void>): Promise<void> {
  if (!isInstalled()) return console.log(`Left out, because there is no ${executable} on PATH: ${expect.getState().currentTestName}`);
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-agent-"));
  const [http, rpc, serf] = await freePorts();
  const config = join(folder, "agent.hcl");
  // A server without a client: a client would try to detect the cloud that it runs in.
  writeFileSync(
    config,
    `data_dir = "${folder}/data"
bind_addr = "127.0.0.1"
advertise {
  http = "127.0.0.1"
  rpc  = "127.0.0.1"
  serf = "127.0.0.1"
}
ports {
  http = ${http}
  rpc  = ${rpc}
  serf = ${serf}
}
server {
  enabled          = true
  bootstrap_expect = 1
}
acl {
  enabled = true
}
disable_update_check = true
`,
  );
  const agent = spawn(executable, ["agent", `-config=${config}`], { stdio: "ignore" });
  try {
    const address = `http://127.0.0.1:${http}`;
    await use({ address, token: await bootstrap(address, agent) });
  } finally {
    if (agent.exitCode === null) {
      agent.kill();
      await once(agent, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until the server has elected itself as the leader. @returns the server's first management token */
async function bootstrap(address: string, agent: ChildProcess): Promise<string> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200)) {
    if (agent.exitCode !== null) throw new Error(`the agent ended with ${agent.exitCode}`);
    const response = await fetch(`${address}/v1/acl/bootstrap`, { method: "POST" }).catch(() => undefined);
    if (response?.ok) return bootstrapped.parse(await response.json()).SecretID;
  }
  throw new Error("the agent took no bootstrap within a minute");
}
