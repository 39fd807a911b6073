export const engineNames = ["cli", "rehearsal"] as const;
export type EngineName = (typeof engineNames)[number];
export type Command = "preview" | "up" | "refresh" | "destroy";

/** The adapter that serves a program's resources: dynamic resources, or the plugin. */
export const adapterNames = ["dynamic", "plugin"] as const;
export type AdapterName = (typeof adapterNames)[number];

/** The project and its configuration. */
export interface Project {
  /** The folder of Pulumi.yaml. It is copied, because the CLI writes a stack's settings into it. */
  readonly folder: string;
  /** Configuration; keys without a namespace are the project's. */
  readonly config: Readonly<Record<string, string>>;
  readonly secretConfig: Readonly<Record<string, string>>;
  /** The adapter that the program uses. Default: dynamic resources. For the plugin, the import line of the program is changed. */
  readonly adapter?: AdapterName;
  /** The folder of the program's dependencies. Default: this repository's. */
  readonly packages?: string;
  /** Environment variables for the program and the provider. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunOptions {
  /** Reads all resources first. */
  readonly refresh?: boolean;
  /** URNs of resources to replace, independent of the provider's diff. */
  readonly replace?: readonly string[];
}

/** A change of a resource, done or planned. Unchanged resources, the stack and its providers are left out. */
export interface Change {
  readonly op: string;
  /** The kind: "AclRole". */
  readonly kind: string;
  readonly name: string;
  readonly failed: boolean;
}

export interface RunResult {
  readonly ok: boolean;
  /** The changes in the order in which they ended. */
  readonly changes: readonly Change[];
  readonly errors: readonly string[];
  /** The output of the engine, without debug messages. */
  readonly text: string;
}

/** A resource of the stack's state. Secrets have the form `{ secret: value }`. */
export interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id: string | undefined;
  readonly inputs: unknown;
  readonly outputs: unknown;
}

/** One stack of one project on an engine. Its files are in a temporary folder, which `withEngine` removes at its end. */
export interface Engine {
  readonly name: EngineName;
  /** The copy of the project's folder. */
  readonly folder: string;
  run(command: Command, options?: RunOptions): Promise<RunResult>;
  /** The stack and its resources, with readable secrets, without the CLI's entries for providers. */
  resources(): Promise<StoredResource[]>;
  /** The stored state. */
  storedState(): Promise<string>;
  /** Replaces the stack's state with a stored state of the same engine, project and passphrase. */
  restore(state: string): Promise<void>;
}

/** A project, prepared for an engine. */
export interface EngineSettings extends Project {
  /** The engine's folder. */
  readonly scratch: string;
  /** Additional environment variables. An empty one hides an inherited one. */
  readonly env: Readonly<Record<string, string>>;
  readonly stack: string;
  /** The folder of @pulumi/pulumi. */
  readonly sdk: string;
  readonly signal: AbortSignal | undefined;
}
