import type { PropertyMap } from "./values";

/** The resource of a call. Only `invoke`, `configure`, `supportsPreview`, `cancel` and `stop` are about no resource. */
export interface ResourceRequest {
  urn: string;
  name: string;
  type: string;
  /** The URN of the explicit provider that serves it, if the program gave one. */
  provider?: string | undefined;
}

export interface CheckRequest extends ResourceRequest {
  /** The old inputs; {} when the resource is new or replaced. */
  olds: PropertyMap;
  news: PropertyMap;
  randomSeed: Uint8Array;
}

export interface CheckResult {
  inputs: PropertyMap;
  failures: { property: string; reason: string }[];
}

export interface DiffRequest extends ResourceRequest {
  id: string;
  olds: PropertyMap;
  oldInputs: PropertyMap;
  news: PropertyMap;
  ignoreChanges: string[];
}

export interface DiffResult {
  /** undefined: the provider does not decide, and the engine compares the inputs. */
  changes: boolean | undefined;
  replaces: string[];
  deleteBeforeReplace: boolean;
  /** The properties that changed; empty when the provider does not report them. */
  changed: string[];
}

export interface CreateRequest extends ResourceRequest {
  inputs: PropertyMap;
  /** Whether this is a preview: nothing is created, and uncertain outputs are unknown. */
  preview: boolean;
}

export interface CreateResult {
  id: string;
  outputs: PropertyMap;
}

export interface ReadRequest extends ResourceRequest {
  id: string;
  inputs: PropertyMap;
  outputs: PropertyMap;
}

export interface ReadResult {
  /** Empty when the object is gone. */
  id: string;
  outputs: PropertyMap;
  /** undefined: the provider does not return them; the state's inputs stay. */
  inputs: PropertyMap | undefined;
}

export interface UpdateRequest extends DiffRequest {
  /** Whether this is a preview, as for a create. */
  preview: boolean;
}

export interface DeleteRequest extends ResourceRequest {
  id: string;
  outputs: PropertyMap;
  oldInputs: PropertyMap;
}

export interface InvokeRequest {
  token: string;
  args: PropertyMap;
  /** The URN of the explicit provider, if the program gave one. */
  provider?: string;
}

/** The engine's interface to a provider. One instance serves one operation. */
export interface ProviderHost {
  /** Whether create and update of a type are called in a preview, too. Otherwise a preview uses the inputs as outputs. */
  supportsPreview(type: string): boolean;
  /**
   * Called once, before any other call. The method may return before the provider is configured: then the other calls wait, and throw if
   * the configuration failed.
   *
   * @param config the whole configuration under full keys (`project:key`), secrets marked
   */
  configure(config: PropertyMap): Promise<void>;
  check(request: CheckRequest): Promise<CheckResult>;
  diff(request: DiffRequest): Promise<DiffResult>;
  /** May throw an InitError. */
  create(request: CreateRequest): Promise<CreateResult>;
  read(request: ReadRequest): Promise<ReadResult>;
  /** Returns the new outputs. May throw an InitError. */
  update(request: UpdateRequest): Promise<PropertyMap>;
  delete(request: DeleteRequest): Promise<void>;
  /** Calls a function of a package. Absent if there are none: dynamic providers have no functions. */
  invoke?(request: InvokeRequest): Promise<PropertyMap>;
  /** Cancels the running calls. */
  cancel(): Promise<void>;
  stop(): Promise<void>;
}

/** The object exists, but is not complete: the engine keeps it in the state, with the reasons. */
export class InitError extends Error {
  override readonly name = "InitError";
  constructor(
    message: string,
    readonly id: string,
    readonly properties: PropertyMap,
    readonly reasons: string[],
  ) {
    super(message);
  }
}
