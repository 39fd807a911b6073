import { randomUUID } from "node:crypto";
import type * as engine from "../engine/provider";
import type { ResourceState } from "../engine/state";
import { parseUrn } from "../engine/urn";
import { type PropertyMap, UNKNOWN } from "../engine/values";
import { withoutSecrets } from "../engine/without-secrets";
import { type HostOptions, startDynamicHost, startPlugin } from "./host";
import type { RemotePlugin } from "./remote";

const DYNAMIC = "pulumi-nodejs:";
const PROVIDER = "pulumi:providers:";

/**
 * All providers of one operation: the dynamic host, a plugin for each package, and another for each explicit provider, which is itself a
 * resource. A plugin starts at its first call, and the dynamic host at once if the stack may need it.
 */
export class Providers implements engine.ProviderHost {
  private config: PropertyMap = {};
  private dynamic: engine.ProviderHost | undefined;
  private readonly defaults = new Map<string, RemotePlugin>();
  private readonly explicit = new Map<string, RemotePlugin>();

  /** @param olds the old state, with the explicit providers for a refresh and a destroy, which run no program */
  constructor(
    private readonly options: HostOptions,
    private readonly olds: readonly ResourceState[],
  ) {}

  async configure(config: PropertyMap): Promise<void> {
    this.config = config;
    // The dynamic host takes longest to start, so it starts at once if the stack may need it.
    if (this.olds.length === 0 || this.olds.some(({ type }) => type.startsWith(DYNAMIC))) this.dynamicHost();
  }

  supportsPreview(type: string): boolean {
    return !type.startsWith(DYNAMIC) && !type.startsWith(PROVIDER);
  }

  async check(request: engine.CheckRequest): Promise<engine.CheckResult> {
    if (!request.type.startsWith(PROVIDER)) return this.hostOf(request).check(request);
    return this.begin(request.urn, request.news);
  }

  async diff(request: engine.DiffRequest): Promise<engine.DiffResult> {
    if (!request.type.startsWith(PROVIDER)) return this.hostOf(request).diff(request);
    return this.explicitProvider(request.urn).diffSettings(request);
  }

  async create(request: engine.CreateRequest): Promise<engine.CreateResult> {
    if (!request.type.startsWith(PROVIDER)) return this.hostOf(request).create(request);
    return { id: randomUUID(), outputs: request.inputs };
  }

  async read(request: engine.ReadRequest): Promise<engine.ReadResult> {
    if (!request.type.startsWith(PROVIDER)) return this.hostOf(request).read(request);
    return { id: request.id, inputs: request.inputs, outputs: request.outputs };
  }

  async update(request: engine.UpdateRequest): Promise<PropertyMap> {
    return request.type.startsWith(PROVIDER) ? request.news : this.hostOf(request).update(request);
  }

  async delete(request: engine.DeleteRequest): Promise<void> {
    if (!request.type.startsWith(PROVIDER)) await this.hostOf(request).delete(request);
  }

  async invoke(request: engine.InvokeRequest): Promise<PropertyMap> {
    return this.pluginOf({ type: request.token, ...request }).invoke(request);
  }

  async cancel(): Promise<void> {
    await Promise.all(this.running().map((host) => host.cancel()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.running().map((host) => host.stop()));
  }

  private running(): engine.ProviderHost[] {
    return [...(this.dynamic ? [this.dynamic] : []), ...this.defaults.values(), ...this.explicit.values()];
  }

  private hostOf(request: engine.ResourceRequest): engine.ProviderHost {
    return request.type.startsWith(DYNAMIC) ? this.dynamicHost() : this.pluginOf(request);
  }

  private pluginOf({ type, provider }: Pick<engine.ResourceRequest, "type" | "provider">): RemotePlugin {
    if (provider !== undefined) return this.explicitProvider(provider);
    const packageName = type.slice(0, type.indexOf(":"));
    const running = this.defaults.get(packageName);
    if (running) return running;
    const plugin = startPlugin(packageName, "default", this.options, this.config);
    this.defaults.set(packageName, plugin);
    void plugin.configure(this.config);
    return plugin;
  }

  private dynamicHost(): engine.ProviderHost {
    if (this.dynamic) return this.dynamic;
    this.dynamic = withoutSecrets(startDynamicHost(this.options));
    void this.dynamic.configure(this.config);
    return this.dynamic;
  }

  /** The explicit provider of the program or, without one, of the state. */
  private explicitProvider(urn: string): RemotePlugin {
    const running = this.explicit.get(urn);
    if (running) return running;
    const old = this.olds.find((resource) => resource.urn === urn);
    if (!old) throw new Error(`there is no provider ${urn}: it is neither registered nor in the state`);
    const plugin = this.start(urn);
    void plugin.configureWith(old.inputs);
    return plugin;
  }

  /** Starts an explicit provider with the settings that the program gives. */
  private async begin(urn: string, news: PropertyMap): Promise<engine.CheckResult> {
    await this.explicit.get(urn)?.stop();
    const plugin = this.start(urn);
    const result = await plugin.checkSettings(news);
    if (Object.values(result.inputs).includes(UNKNOWN))
      throw new Error(`${urn}: the rehearsal engine can't begin with settings that only an update will know; use the Pulumi CLI`);
    if (result.failures.length === 0) await plugin.configureWith(result.inputs);
    return result;
  }

  private start(urn: string): RemotePlugin {
    const { type, name } = parseUrn(urn);
    const plugin = startPlugin(type.slice(PROVIDER.length), name, this.options, this.config);
    this.explicit.set(urn, plugin);
    return plugin;
  }
}
