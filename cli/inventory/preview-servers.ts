import { ownProperty } from "../../common/own-property";
import { clusterAddressForm, namespace, type Properties, poolsAddressForm, type Resource, relationOf } from "../../provider/internal";
import { printable } from "../table";
import { knownText, type PreviewStep, type StepState } from "./preview-steps";
import { providerOf, resourceOfType } from "./state";

type Api = Resource["api"];

/**
 * The servers of a preview's objects. The state names the server of an existing object. A new one gets the server of its provider's other
 * objects. Otherwise an explicit provider gives its address, or else its name. A default provider gives the server of another default
 * provider, or else the words "the default provider".
 */
export class PreviewedServers {
  /** Servers by API and URN of the provider. */
  private readonly known = new Map<string, string>();
  /** The default providers of objects, by the same keys. The CLI shows no steps for them. */
  private readonly defaults = new Set<string>();
  /** The providers of existing objects, by the same keys. */
  private readonly held = new Set<string>();
  private readonly doubts = new Set<string>();

  /** @param config the stack's configuration, for default providers; the CLI writes `[secret]` for a secret */
  constructor(steps: readonly PreviewStep[], config: Properties = {}) {
    for (const { op, oldState, newState } of steps) {
      const isMoved = op.includes("replace") && [oldState, newState].some((one) => one && !isDefault(providerOf(one)));
      // If another provider creates the resource again, the new object may be on another server: the old provider counts.
      const state = isMoved ? (oldState ?? newState) : (newState ?? oldState);
      const resource = state && resourceOfType(state.type);
      if (!resource) continue;
      const provider = providerOf(state);
      const key = `${resource.api} ${provider}`;
      if (oldState) this.held.add(key);
      const server = knownText(oldState?.outputs?.server);
      if (isDefault(provider)) {
        this.defaults.add(key);
        const setting = `${namespace}:${resource.api}Address`;
        this.compare("the default provider", setting, addressIn(resource.api, ownProperty(config, setting)), server);
        this.compareRegion("the default provider", knownText(ownProperty(config, `${namespace}:${resource.api}Region`)), server);
      }
      this.learn(key, server);
    }
    for (const { op, urn, oldState, newState } of steps) {
      if (newState?.type !== providerType) continue;
      if (op !== "same") this.compareSettings(urn, oldState?.inputs, newState.inputs ?? {});
      else this.compareRegion(`the provider ${nameOf(urn)}`, knownText(newState.inputs?.clusterRegion), this.known.get(`cluster ${urn}`));
      this.learnAddress("cluster", urn, addressIn("cluster", newState.inputs?.clusterAddress));
      this.learnAddress("pools", urn, addressIn("pools", newState.inputs?.poolsAddress));
    }
  }

  /** Messages about unknown servers. Complete after `of` was called for all objects. */
  get unchecked(): readonly string[] {
    return [...this.doubts];
  }

  of(state: StepState, api: Api): string {
    const provider = providerOf(state);
    const known = knownText(state.outputs?.server) ?? this.known.get(`${api} ${provider}`);
    if (known !== undefined || !isDefault(provider)) return known ?? `the provider ${nameOf(provider)}`;
    // Default providers of several package versions share a configuration, but an explicit provider may have such a name, too.
    const others = [...this.defaults].filter((key) => key.startsWith(`${api} `) && key !== `${api} ${provider}`);
    if (others.length > 0) this.doubts.add(`on which server the new objects of the provider ${nameOf(provider)} will be`);
    const servers = others.flatMap((key) => this.known.get(key) ?? []);
    return servers[0] ?? "the default provider";
  }

  private compareRegion(provider: string, region: string | undefined, server: string | undefined): void {
    const [, known] = server?.split(" region ") ?? [];
    if (region === undefined || known === undefined || region === known) return;
    this.doubts.add(`what ${provider} has in the region ${region}, which is configured: its objects are in ${known}`);
  }

  /**
   * Notes changed settings whose effect is unknown, and hidden ones of a new provider. A known address has its own comparison, with the
   * servers of the objects.
   */
  private compareSettings(provider: string, old: Properties | null | undefined, now: Properties): void {
    for (const [api, names] of settings) {
      if (!this.held.has(`${api} ${provider}`)) continue;
      for (const name of names) {
        const is = ownProperty(now, name);
        const was = old ? ownProperty(old, name) : knownText(is);
        const isCompared = addressIn(api, is) !== undefined && this.known.has(`${api} ${provider}`);
        if (isCompared || (was === is && (is === undefined || knownText(is) !== undefined))) continue;
        this.doubts.add(`on which server the provider ${nameOf(provider)} has its objects: its ${name} changes, or is hidden`);
      }
    }
  }

  private learn(key: string, server: string | undefined): void {
    if (server !== undefined && !this.known.has(key)) this.known.set(key, server);
  }

  private learnAddress(api: Api, provider: string, address: string | undefined): void {
    const key = `${api} ${provider}`;
    this.compare(`the provider ${nameOf(provider)}`, "its address", address, this.known.get(key));
    this.learn(key, address);
  }

  /** Objects may or may not have moved with the address: the state has the previous servers. */
  private compare(provider: string, setting: string, address: string | undefined, server: string | undefined): void {
    if (address !== undefined && server !== undefined && relationOf(address, server) === "other server") {
      this.doubts.add(`what ${provider} has on ${address}, to which ${setting} leads: its objects are on ${server}`);
    }
  }
}

const settings: readonly (readonly [Api, readonly string[]])[] = [
  ["cluster", ["clusterAddress", "clusterRegion"]],
  ["pools", ["poolsAddress"]],
];

const providerType = `pulumi:providers:${namespace}`;

const forms = { cluster: clusterAddressForm, pools: poolsAddressForm };

/** A configured address, in the form of the servers in states. */
function addressIn(api: Api, value: unknown): string | undefined {
  const address = knownText(value);
  return address === undefined || forms[api].problem(address) !== undefined ? undefined : forms[api].base(address, undefined);
}

/** The name of a provider in the program, without line breaks: it may be any text. */
function nameOf(provider: string): string {
  return printable(provider.slice(provider.lastIndexOf("::") + 2));
}

function isDefault(provider: string): boolean {
  return provider === "" || /^default(_|$)/.test(nameOf(provider));
}
