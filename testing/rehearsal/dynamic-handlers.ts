import { currentRehearsal } from "./current";
import { messageOf } from "./engine/operation";
import type * as provider from "./engine/provider";
import { InitError } from "./engine/provider";
import type { PropertyMap } from "./engine/values";
import { reveal, toPropertyMap } from "./engine/values";
import { withoutServices } from "./services";

/** The configuration that a dynamic provider's `configure` gets. A key without a namespace is the project's. */
export interface DynamicConfig {
  get(key: string): string | undefined;
  /** @throws for a missing key */
  require(key: string): string;
  /** Replaces the process's environment for the provider, because the process's environment may have services of the user's shell. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Returns the rehearsal that a call belongs to, as an object to compare. Rehearsals in this process can share a provider and run at the
   * same time, while the engine has a process for each operation.
   */
  readonly currentRehearsal?: () => object | undefined;
}

type Properties = Record<string, unknown>;

/** A dynamic provider, in the shape of the SDK's `pulumi.dynamic.ResourceProvider`. */
export interface DynamicHandlers {
  configure?(request: { config: DynamicConfig }): Promise<void> | void;
  check?(olds: Properties, news: Properties): Promise<{ inputs?: object; failures?: readonly { property: string; reason: string }[] }>;
  diff?(
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ changes?: boolean; replaces?: readonly string[]; deleteBeforeReplace?: boolean }>;
  create(inputs: Properties): Promise<{ id: string; outs?: object }>;
  read?(id: string, outputs: Properties): Promise<{ id?: string; props?: object; inputs?: object }>;
  update?(id: string, olds: Properties, news: Properties): Promise<{ outs?: object } | undefined>;
  delete?(id: string, outputs: Properties): Promise<void>;
}

/**
 * Makers of providers, by type token; "*" serves every other type. Each is called once per operation, as the SDK's host evaluates a
 * provider once.
 */
export type DynamicProviders = Record<string, () => DynamicHandlers>;

/**
 * The SDK's dynamic host without its process. It handles `configure`, `__provider`, missing methods and errors with an id in the same way.
 * Values are copied in both directions, and a value that could not be sent to another process is refused here, too.
 */
export class DynamicHost implements provider.ProviderHost {
  private readonly cache = new Map<() => DynamicHandlers, DynamicHandlers>();
  private config: PropertyMap = {};

  constructor(
    private readonly providers: DynamicProviders,
    private readonly project: string,
    private readonly environment: NodeJS.ProcessEnv = withoutServices(),
  ) {}

  async configure(config: PropertyMap): Promise<void> {
    this.config = reveal(config);
  }

  async check(request: provider.CheckRequest): Promise<provider.CheckResult> {
    const handlers = await this.handlersOf(request);
    const [olds, news] = [structuredClone(request.olds), structuredClone(request.news)];
    const result = (await handlers.check?.(olds, news)) ?? {};
    return { inputs: withProvider(result.inputs ?? news, request.news), failures: [...(result.failures ?? [])] };
  }

  async diff(request: provider.DiffRequest): Promise<provider.DiffResult> {
    const handlers = await this.handlersOf(request);
    const result = (await handlers.diff?.(request.id, structuredClone(request.olds), structuredClone(request.news))) ?? {};
    const { changes, replaces = [], deleteBeforeReplace = false } = result;
    return { changes, replaces: [...replaces], deleteBeforeReplace, changed: [] };
  }

  async create(request: provider.CreateRequest): Promise<provider.CreateResult> {
    const handlers = await this.handlersOf(request);
    const { id, outs } = await keepingParts(handlers.create(structuredClone(request.inputs)));
    return { id, outputs: withProvider(outs, request.inputs) };
  }

  async read(request: provider.ReadRequest): Promise<provider.ReadResult> {
    const handlers = await this.handlersOf(request);
    const { id, outputs } = request;
    if (handlers.read === undefined) return { id, outputs, inputs: undefined };
    const found = await handlers.read(id, structuredClone(outputs));
    const inputs = found.inputs && withProvider(found.inputs, outputs);
    return { id: found.id ?? "", outputs: withProvider(found.props, outputs), inputs };
  }

  async update(request: provider.UpdateRequest): Promise<PropertyMap> {
    const handlers = await this.handlersOf(request);
    const call = handlers.update?.(request.id, structuredClone(request.olds), structuredClone(request.news));
    return withProvider((await keepingParts(Promise.resolve(call)))?.outs, request.news);
  }

  async delete(request: provider.DeleteRequest): Promise<void> {
    const handlers = await this.handlersOf(request);
    await handlers.delete?.(request.id, structuredClone(request.outputs));
  }

  supportsPreview(): boolean {
    return false;
  }

  /** Does nothing, like `cancel` of the SDK's host. */
  async cancel(): Promise<void> {}

  async stop(): Promise<void> {}

  private async handlersOf({ type }: provider.ResourceRequest): Promise<DynamicHandlers> {
    const make = this.providers[type] ?? this.providers["*"];
    if (make === undefined) throw new Error(`there is no provider for the type ${type}: give one under that name, or one for "*"`);
    const known = this.cache.get(make);
    if (known !== undefined) return known;
    const handlers = make();
    // Like the host: later calls get this provider, even if an asynchronous configure has not completed.
    this.cache.set(make, handlers);
    const { environment } = this;
    await handlers.configure?.({ config: { ...dynamicConfig(this.config, this.project), environment, currentRehearsal } });
    return handlers;
  }
}

const PROVIDER = "__provider";

/** Like the host, copies the provider's text from the request into the response, so later calls find the provider. */
function withProvider(response: object | undefined, request: PropertyMap): PropertyMap {
  const text = request[PROVIDER];
  return { ...toPropertyMap({ ...response }), ...(text !== undefined && { [PROVIDER]: text }) };
}

function dynamicConfig(config: PropertyMap, project: string): DynamicConfig {
  const get = (key: string): string | undefined => {
    const value = config[key.includes(":") ? key : `${project}:${key}`];
    return typeof value === "string" ? value : undefined;
  };
  return {
    get,
    require: (key) => {
      const value = get(key);
      if (value === undefined) throw new Error(`Missing required configuration key: ${key.includes(":") ? key : `${project}:${key}`}`);
      return value;
    },
  };
}

/** An error with an id reports an object that exists despite the error. */
async function keepingParts<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (typeof error !== "object" || error === null || !("id" in error) || typeof error.id !== "string" || error.id === "") throw error;
    const properties = "properties" in error && typeof error.properties === "object" && error.properties !== null ? error.properties : {};
    const reasons = "reasons" in error && Array.isArray(error.reasons) ? error.reasons.map(String) : [];
    throw new InitError(messageOf(error), error.id, toPropertyMap(properties), reasons);
  }
}
