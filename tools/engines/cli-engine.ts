import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import * as z from "zod";
import { signatureKey } from "../../provider/adapters/markers";
import { changesOf } from "./changes";
import type { Command, Engine, EngineSettings, RunOptions, RunResult, StoredResource } from "./engine";

const step = z.object({ metadata: z.object({ op: z.string(), urn: z.string(), type: z.string() }) });

/** The used part of a line in the CLI's event log. */
const event = z.object({
  diagnosticEvent: z.object({ severity: z.string(), message: z.string() }).optional(),
  resOutputsEvent: step.optional(),
  resOpFailedEvent: step.optional(),
});

const properties = z.record(z.string(), z.json()).default({});

const exported = z.object({
  deployment: z.object({
    resources: z
      .array(z.object({ urn: z.string(), type: z.string(), id: z.string().optional(), inputs: properties, outputs: properties }))
      .default([]),
  }),
});

const commands: Record<Command, readonly string[]> = {
  preview: ["preview"],
  up: ["up", "--yes", "--skip-preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/** The CLI's arguments for an operation. */
export function commandLine(command: Command, { refresh = false, replace = [] }: RunOptions = {}): string[] {
  return [...commands[command], ...(refresh ? ["--refresh"] : []), ...replace.flatMap((urn) => ["--replace", urn])];
}

/** A stack on the Pulumi CLI on PATH, with its own file backend and home. */
export class CliEngine implements Engine {
  readonly name = "cli";
  readonly folder: string;
  /** The environment of the CLI, with its backend. */
  readonly env: NodeJS.ProcessEnv;
  private operations = 0;

  private constructor(private readonly settings: EngineSettings) {
    this.folder = settings.folder;
    const [backend, home] = [join(settings.scratch, "backend"), join(settings.scratch, "home")];
    mkdirSync(backend);
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PULUMI_"));
    this.env = {
      ...Object.fromEntries(inherited),
      ...settings.env,
      // A full installation has the launcher of dynamic resources in the CLI's folder; otherwise the SDK's is used. The plugin is in the
      // folder of npm's executables.
      PATH: [settings.env.PATH ?? process.env.PATH ?? "", settings.sdk, join(settings.folder, "node_modules/.bin")].join(delimiter),
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_HOME: home,
      PULUMI_CONFIG_PASSPHRASE: "demo",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // The CLI takes `--event-log` only with its debugging options.
      PULUMI_DEBUG_COMMANDS: "true",
    };
  }

  static async open(settings: EngineSettings): Promise<CliEngine> {
    const engine = new CliEngine(settings);
    await engine.command(["stack", "init"]);
    const values = (flag: string, config: Readonly<Record<string, string>>) =>
      Object.entries(config).flatMap(([key, value]) => [flag, `${key}=${value}`]);
    await engine.command(["config", "set-all", ...values("--plaintext", settings.config), ...values("--secret", settings.secretConfig)]);
    return engine;
  }

  async run(command: Command, options?: RunOptions): Promise<RunResult> {
    const log = join(this.settings.scratch, `events-${++this.operations}.json`);
    const { code, stdout, stderr } = await this.pulumi([...commandLine(command, options), "--event-log", log]);
    const lines = eventLines(log);
    const events = lines.map((line) => event.parse(JSON.parse(line)));
    const steps = events.flatMap(({ resOutputsEvent, resOpFailedEvent }) => [
      ...(resOutputsEvent ? [resOutputsEvent.metadata] : []),
      ...(resOpFailedEvent ? [{ ...resOpFailedEvent.metadata, failed: true }] : []),
    ]);
    const errors = events.flatMap(({ diagnosticEvent }) => (diagnosticEvent?.severity === "error" ? [diagnosticEvent.message.trim()] : []));
    return {
      ok: code === 0,
      changes: changesOf(steps),
      errors,
      text: [stdout, stderr, ...lines].join("\n"),
    };
  }

  async resources(): Promise<StoredResource[]> {
    const { deployment } = exported.parse(JSON.parse(await this.command(["stack", "export", "--show-secrets"])));
    return deployment.resources
      .filter(({ type }) => !type.startsWith("pulumi:providers:"))
      .map(({ urn, type, id, inputs, outputs }) => ({ urn, type, id, inputs: readable(inputs), outputs: readable(outputs) }));
  }

  storedState(): Promise<string> {
    return this.command(["stack", "export"]);
  }

  async restore(state: string): Promise<void> {
    const file = join(this.settings.scratch, "restored.json");
    writeFileSync(file, state);
    await this.command(["stack", "import", "--file", file]);
  }

  /** Runs any command of the CLI, and returns its standard output. @throws if it fails */
  async command(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.pulumi(args);
    if (code !== 0) throw new Error(`pulumi ${args.slice(0, 2).join(" ")} ended with the code ${code}: ${(stderr || stdout).trim()}`);
    return stdout;
  }

  private pulumi(args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const { env, folder: cwd, settings } = this;
    const shared = ["--stack", settings.stack, "--non-interactive", "--color", "never"];
    return new Promise((resolve, reject) => {
      // In its own process group, because the terminal's Ctrl-C would be a second interruption, which ends the CLI at once.
      const child = spawn("pulumi", [...args, ...shared], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
      const interrupt = () => void child.kill("SIGINT");
      settings.signal?.addEventListener("abort", interrupt);
      const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
      child.on("error", reject);
      child.on("close", (code) => {
        settings.signal?.removeEventListener("abort", interrupt);
        resolve({ code, stdout: stdout(), stderr: stderr() });
      });
    });
  }
}

function collect(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  return () => text;
}

/** The lines of the CLI's event log, without the SDK's debug messages: these contain the programs' values, including secrets. */
function eventLines(log: string): string[] {
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
  return lines.filter((line) => line !== "" && event.parse(JSON.parse(line)).diagnosticEvent?.severity !== "debug");
}

/** A value with the CLI's secrets, `{ [signatureKey]: ..., plaintext: "JSON" }`, in the form `{ secret: value }`. */
function readable(value: z.core.util.JSONType): z.core.util.JSONType {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  if (typeof value[signatureKey] === "string" && typeof value.plaintext === "string")
    return { secret: z.json().parse(JSON.parse(value.plaintext)) };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readable(item)]));
}
