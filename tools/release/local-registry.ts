import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import { root } from "../repository";
import { run } from "./run";

/** A registry of npm packages on this machine. It serves what is published to it, and all else from the configured registry. */
export class LocalRegistry {
  private constructor(
    readonly address: string,
    private readonly server: ChildProcess,
    private readonly log: string,
  ) {}

  /**
   * Installs and starts it. It is no dependency of the project: its 320 packages would double the time of every `npm ci`, for one command.
   *
   * @param folder for its program and its storage
   */
  static async start(folder: string): Promise<LocalRegistry> {
    mkdirSync(folder);
    // What npm builds in this folder is the registry alone, pinned by a lockfile of its own.
    for (const name of ["package.json", "package-lock.json"]) cpSync(join(root, "tools/release/registry", name), join(folder, name));
    await run("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
    const npm = await npmSettings(folder);
    const address = `http://127.0.0.1:${await freePort()}/`;
    writeFileSync(join(folder, "config.yaml"), settings(npm));
    const env = { ...process.env, ...(npm.cafile && { NODE_EXTRA_CA_CERTS: npm.cafile }) };
    const program = require.resolve("verdaccio/bin/verdaccio", { paths: [folder] });
    const server = spawn(process.execPath, [program, "--config", "config.yaml", "--listen", address], {
      cwd: folder,
      env,
      stdio: "ignore",
    });
    const registry = new LocalRegistry(address, server, join(folder, "registry.log"));
    await registry.responds();
    return registry;
  }

  /** The requests that it could not serve, and its other errors: npm does not say why it found no package. */
  failures(): string[] {
    const lines = readFileSync(this.log, "utf8").split("\n");
    return lines.filter((line) => /^(error|fatal)|^http (<--|---) [45]\d\d|ERR!?/.test(line));
  }

  async stop(): Promise<void> {
    if (this.server.exitCode !== null) return;
    const ended = once(this.server, "exit");
    this.server.kill();
    await ended;
  }

  /** Waits for its first response. @throws when it has ended instead, or takes longer than a minute */
  private async responds(): Promise<void> {
    for (let tries = 0; tries < 300 && this.server.exitCode === null; tries++) {
      const isThere = await fetch(`${this.address}-/ping`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isThere) return;
      await setTimeout(200);
    }
    await this.stop();
    throw new Error(`the local registry at ${this.address} does not respond; it has ended with ${this.server.exitCode}`);
  }
}

/** What npm reaches its registry with. */
const npmSettingsSchema = z.object({
  registry: z.string(),
  cafile: z.string().nullish(),
  "https-proxy": z.string().nullish(),
  proxy: z.string().nullish(),
});
type NpmSettings = z.infer<typeof npmSettingsSchema>;

async function npmSettings(folder: string): Promise<NpmSettings> {
  return npmSettingsSchema.parse(JSON.parse(await run("npm", ["config", "list", "--json"], { cwd: folder })));
}

/** JSON is YAML, too. Only this machine reaches it, so everybody may publish. */
function settings({ registry, proxy, "https-proxy": httpsProxy }: NpmSettings): string {
  const everybody = { access: "$all", publish: "$all" };
  return JSON.stringify({
    storage: "./storage",
    ...(proxy && { http_proxy: proxy }),
    ...(httpsProxy && { https_proxy: httpsProxy }),
    // A request that fails is repeated, and does not stop the others: by default two failures close the way to the upstream for five minutes.
    uplinks: { upstream: { url: registry, maxage: "60m", timeout: "120s", max_fails: 1000, fail_timeout: "1s" } },
    packages: { "pulumi-agentpool-acl*": everybody, "**": { ...everybody, proxy: "upstream" } },
    max_body_size: "100mb",
    web: { enable: false },
    log: { type: "file", path: "registry.log", level: "http" },
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the system gave no port");
  return address.port;
}
