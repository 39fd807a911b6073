import { unknownMarker } from "../../provider/adapters/markers";
import { namespace } from "../../provider/configuration/config";
import type { Resource } from "../../provider/lifecycle/resource";
import { relationOf } from "../../provider/model/servers";
import { secretMarker } from "./inventory";
import type { PreviewStep, StepState } from "./preview-steps";
import { resourceOfType } from "./state";

type Api = Resource["api"];

/**
 * On which servers the objects of a preview are. An object that exists is on the one that its state names. A new one will be where the other
 * objects of its provider are, or else at the address that the provider is configured with, or else it is known by the provider's name.
 */
export class PreviewedServers {
  /** By API and the URN of the provider. */
  private readonly known = new Map<string, string>();
  /** The default providers that objects have, in the same way. The CLI shows no steps of them. */
  private readonly defaults = new Set<string>();
  private readonly doubts = new Set<string>();

  constructor(steps: readonly PreviewStep[]) {
    for (const { oldState, newState } of steps) {
      const state = newState ?? oldState;
      const resource = state && resourceOfType(state.type);
      if (!resource) continue;
      const provider = providerOf(state);
      const key = `${resource.api} ${provider}`;
      if (isDefault(provider)) this.defaults.add(key);
      this.learn(key, serverIn(oldState?.outputs?.server));
    }
    for (const { urn, newState } of steps) {
      if (newState?.type !== providerType) continue;
      this.learnAddress("cluster", urn, serverIn(newState.inputs?.clusterAddress));
      this.learnAddress("pools", urn, serverIn(newState.inputs?.poolsAddress));
    }
  }

  /** What can't be known about them, in words. Complete once all objects were asked for. */
  get unchecked(): readonly string[] {
    return [...this.doubts];
  }

  of(state: StepState, api: Api): string {
    const provider = providerOf(state);
    const known = serverIn(state.outputs?.server) ?? this.known.get(`${api} ${provider}`);
    if (known !== undefined || !isDefault(provider)) return known ?? `the provider ${nameOf(provider)}`;
    // Those of several versions of the package have one configuration, but an explicit provider may have such a name, too.
    const others = [...this.defaults].filter((key) => key.startsWith(`${api} `) && key !== `${api} ${provider}`);
    if (others.length > 0) this.doubts.add(`on which server the new objects of the provider ${nameOf(provider)} will be`);
    const servers = others.flatMap((key) => this.known.get(key) ?? []);
    return servers[0] ?? "the default provider";
  }

  private learn(key: string, server: string | undefined): void {
    if (server !== undefined && !this.known.has(key)) this.known.set(key, server);
  }

  /** Objects may have moved with the address, or not: the state's servers are those of before. */
  private learnAddress(api: Api, provider: string, address: string | undefined): void {
    const key = `${api} ${provider}`;
    const server = this.known.get(key);
    if (address !== undefined && server !== undefined && relationOf(address, server) === "other server") {
      this.doubts.add(`what the provider ${nameOf(provider)} has on ${address}, to which its address leads: its objects are on ${server}`);
    }
    this.learn(key, address);
  }
}

const providerType = `pulumi:providers:${namespace}`;

function serverIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== secretMarker && !value.includes(unknownMarker) ? value : undefined;
}

/** The URN of the provider of an object. */
function providerOf({ provider = "" }: StepState): string {
  return provider.slice(0, Math.max(provider.lastIndexOf("::"), 0));
}

function nameOf(provider: string): string {
  return provider.slice(provider.lastIndexOf("::") + 2);
}

function isDefault(provider: string): boolean {
  return provider === "" || /^default(_|$)/.test(nameOf(provider));
}
