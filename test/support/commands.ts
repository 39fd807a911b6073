/** A simulator without objects at first, and the commands that read it. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { readServers } from "../../cli/inventory/servers";
import { run } from "../../cli/main";
import { resolveConfiguration } from "../../provider/configuration/config";
import { pluginToken } from "../../provider/configuration/tokens";
import { resources } from "../../provider/resources";
import { Simulator } from "../../testing/simulator";
import type { Files } from "./programs";

export interface CommandScene {
  readonly simulator: Simulator;
  /** A folder that is removed at the end. */
  readonly folder: string;
  /** Runs a command with the configuration of the simulator. */
  command(...args: string[]): Promise<CommandResult>;
  /** Changes the configuration of the commands. */
  configure(values: object): void;
  /**
   * Writes an output of `pulumi stack export`, for a stack that manages all present objects. @param change returns further outputs for
   * objects of a kind @returns the path
   */
  stateFile(change?: (kind: string) => object): Promise<string>;
  stop(): Promise<void>;
}

export interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export async function commandScene(): Promise<CommandScene> {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-import-"));
  const simulator = await Simulator.start({ poolsPerOrganization: 1_000 });
  const { poolsAddress, poolsToken, organization, clusterAddress, clusterToken } = simulator;
  const configFile = join(folder, "config.json");
  let values: Readonly<Record<string, unknown>> = { poolsAddress, poolsToken, organization, clusterAddress, clusterToken };
  const configure = (changed: object) => {
    values = { ...values, ...changed };
    writeFileSync(configFile, JSON.stringify(values));
  };
  configure({});
  return {
    simulator,
    folder,
    configure,

    command: (...args) => runCommand(...args, "--config-file", configFile),

    async stateFile(change = () => ({})) {
      const { objects } = await readServers({ configuration: resolveConfiguration((key) => values[key], {}), resources });
      const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
      const entries = objects.map(({ kind, id, name, outputs }) => {
        const config = { ...Object(outputs.config), oidcClientSecret: secret };
        const all = { ...(outputs.config ? { ...outputs, config } : outputs), ...change(kind) };
        return { urn: `urn:${name}`, type: pluginToken(kind), id, outputs: all };
      });
      const path = join(folder, "state.json");
      writeFileSync(path, JSON.stringify({ version: 3, deployment: { resources: entries } }));
      simulator.journal.clear();
      return path;
    },

    async stop() {
      await simulator.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Runs a command in this process. */
export async function runCommand(...args: string[]): Promise<CommandResult> {
  const [out, err]: [string[], string[]] = [[], []];
  const io = { print: (text: string) => out.push(text), complain: (text: string) => err.push(text) };
  const status = await run(args, io, new AbortController().signal);
  return { status, out: out.join("\n"), err: err.join("\n") };
}

/** Runs `import` with a configuration, unless it reads a state. @returns its files and its output */
export async function runImport(configuration: object | undefined, ...args: string[]): Promise<CommandResult & { readonly files: Files }> {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-imported-"));
  try {
    const [configFile, output] = [join(folder, "config.json"), join(folder, "out")];
    writeFileSync(configFile, JSON.stringify(configuration ?? {}));
    const configured = configuration === undefined ? [] : ["--config-file", configFile];
    const result = await runCommand("import", "--output", output, ...configured, ...args);
    const entries = existsSync(output) ? readdirSync(output, { recursive: true, withFileTypes: true }) : [];
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const nameOf = (path: string) => relative(output, path).replaceAll("\\", "/");
    return { ...result, files: Object.fromEntries(paths.map((path) => [nameOf(path), readFileSync(path, "utf8")])) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A pool, a policy, a role, an auth method with a secret, and a rule that binds the method's logins to the role. */
export function seedOne({ organization, pools, cluster }: Simulator): void {
  pools.put({ organization, name: "build" });
  cluster.policies.put("read");
  cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
  const Config = { OIDCDiscoveryURL: "https://idp.example.com", OIDCClientID: "c", OIDCClientSecret: "hunter2" };
  cluster.methods.put({ Name: "sso", Config });
  cluster.rules.put({ AuthMethod: "sso", Selector: "a in list.b", BindType: "role", BindName: "dev", Description: "devs" });
}
