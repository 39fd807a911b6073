import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { findExecutable, foldersOf } from "../../provider/testing/rehearsal/processes/executable";
import { root } from "../repository";
import { CliEngine } from "./cli-engine";
import { RehearsalEngine } from "./rehearsal-engine";

export const engineNames = ["cli", "rehearsal"] as const;
export type EngineName = (typeof engineNames)[number];
export type Command = "preview" | "up" | "refresh" | "destroy";

/** What serves a program's resources: dynamic resources, or the plugin. */
export const doorNames = ["dynamic", "plugin"] as const;
export type DoorName = (typeof doorNames)[number];

/** What to run. */
export interface Project {
  /** The folder of Pulumi.yaml. It is copied, because the CLI writes a stack's settings beside it. */
  readonly folder: string;
  /** Configuration; keys without a namespace are the project's. */
  readonly config: Readonly<Record<string, string>>;
  readonly secretConfig: Readonly<Record<string, string>>;
  /** The plugin's way: the program's import line is changed to it. Dynamic resources, unless given. */
  readonly door?: DoorName;
  /** Environment variables for the program and the provider. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunOptions {
  /** Reads all resources first. */
  readonly refresh?: boolean;
  /** URNs of resources to replace, whatever the provider says. */
  readonly replace?: readonly string[];
}

/** What an operation did to a resource, or would do. Resources that stay as they are, the stack and its providers are left out. */
export interface Change {
  readonly op: string;
  /** The kind: "AclRole". */
  readonly kind: string;
  readonly name: string;
  readonly failed: boolean;
}

export interface RunResult {
  readonly ok: boolean;
  /** In the order in which they ended. */
  readonly changes: readonly Change[];
  readonly errors: readonly string[];
  /** Everything that the engine told or printed. */
  readonly text: string;
}

/** A resource of the stack's state. Secrets stand as `{ secret: value }`. */
export interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id: string | undefined;
  readonly inputs: unknown;
  readonly outputs: unknown;
}

/** One stack of one project on an engine. Its files are in a temporary folder, until it is closed. */
export interface Engine {
  readonly name: EngineName;
  /** The copy of the project's folder. */
  readonly folder: string;
  run(command: Command, options?: RunOptions): Promise<RunResult>;
  /** The stack and its resources, secrets readable, without the providers that the CLI keeps among them. */
  resources(): Promise<StoredResource[]>;
  /** The state as it is stored. */
  storedState(): Promise<string>;
}

/** Opens a stack, hands it over, and removes all that it left on the disk. */
export async function withEngine<T>(
  name: EngineName,
  project: Project,
  use: (engine: Engine) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-"));
  try {
    const folder = copyOf(project.folder, scratch);
    if (project.door === "plugin") moveToPlugin(join(folder, "index.ts"));
    const env = { ...withoutSettings(process.env), ...project.env };
    const settings: EngineSettings = { ...project, folder, env, scratch, stack: "demo", sdk: join(packages, "@pulumi/pulumi"), signal };
    return await use(name === "cli" ? await CliEngine.open(settings) : new RehearsalEngine(settings));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A project as an engine opens it. */
export interface EngineSettings extends Project {
  /** The engine's own folder. */
  readonly scratch: string;
  /** Variables that are added to the environment; an empty one hides what is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly stack: string;
  /** The folder of @pulumi/pulumi. */
  readonly sdk: string;
  readonly signal: AbortSignal | undefined;
}

/** Whether the Pulumi CLI is on PATH. */
export function hasCli(path = process.env.PATH): boolean {
  return findExecutable(process.platform === "win32" ? "pulumi.exe" : "pulumi", foldersOf(path)) !== undefined;
}

/** The packages that this one is installed with: a program finds pulumi-agentpool-acl and the SDK there. */
export const packages = join(root, "node_modules");

function copyOf(folder: string, scratch: string): string {
  const copy = join(scratch, "program");
  cpSync(folder, copy, { recursive: true, filter: (source) => basename(source) !== "node_modules" });
  symlinkSync(packages, join(copy, "node_modules"), "junction");
  return copy;
}

/** All that a program has to change. */
function moveToPlugin(program: string): void {
  const text = readFileSync(program, "utf8");
  writeFileSync(program, text.replace('from "pulumi-agentpool-acl"', 'from "pulumi-agentpool-acl/plugin"'));
}

/** Addresses and tokens of real services must not reach a program that is only tried out, nor proxies: all of its servers are on this machine. */
function withoutSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(env).filter((name) => /^(AGENTPOOL_ACL|NOMAD|TFE)_|^(https?|grpc|all)_proxy$/i.test(name));
  return Object.fromEntries(names.map((name) => [name, ""]));
}
