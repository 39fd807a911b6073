export const engineNames = ["cli", "rehearsal"] as const;
export type EngineName = (typeof engineNames)[number];
export type Command = "preview" | "up" | "refresh" | "destroy";

/** What serves a program's resources: dynamic resources, or the plugin. */
export const adapterNames = ["dynamic", "plugin"] as const;
export type AdapterName = (typeof adapterNames)[number];

/** What to run. */
export interface Project {
  /** The folder of Pulumi.yaml. It is copied, because the CLI writes a stack's settings beside it. */
  readonly folder: string;
  /** Configuration; keys without a namespace are the project's. */
  readonly config: Readonly<Record<string, string>>;
  readonly secretConfig: Readonly<Record<string, string>>;
  /** The plugin's way: the program's import line is changed to it. Dynamic resources, unless given. */
  readonly adapter?: AdapterName;
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
