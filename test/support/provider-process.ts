import type { PropertyMap } from "../../testing/rehearsal/engine/values";
import type { Simulator } from "../../testing/simulator";
import { type Adapter, adapters, prefixed } from "./adapters";
import { InstantClock } from "./clock";
import { urnOf } from "./plugin";
import { configurationOf } from "./session";

/** The calls of an engine in one process of the provider, for tests of their order and content. */
export interface ProviderProcess {
  readonly warnings: () => readonly string[];
  check(kind: string, news: PropertyMap, olds?: PropertyMap): Promise<PropertyMap>;
  diff(kind: string, id: string, olds: PropertyMap, news: PropertyMap): Promise<{ changes: boolean | undefined; replaces: string[] }>;
  create(kind: string, inputs: PropertyMap): Promise<{ id: string; outputs: PropertyMap }>;
  read(kind: string, id: string, olds?: PropertyMap): Promise<{ id: string; outputs: PropertyMap }>;
  delete(kind: string, id: string, outputs: PropertyMap): Promise<void>;
  stop(): void;
}

interface Options {
  readonly config?: Readonly<Record<string, string>>;
}

async function start(adapter: Adapter, simulator: Simulator, { config }: Options = {}): Promise<ProviderProcess> {
  const log: string[] = [];
  const { host, close } = await adapter.open({ clock: new InstantClock(), log: (message) => log.push(message) });
  await host.configure(prefixed({ ...configurationOf(simulator), ...config }));
  const about = (kind: string) => ({ urn: urnOf(kind), name: "it", type: adapter.type(kind) });
  return {
    warnings: () => log.filter((line) => line.startsWith("warning: ")),
    check: async (kind, news, olds = {}) => (await host.check({ ...about(kind), news, olds, randomSeed: new Uint8Array() })).inputs,
    diff: (kind, id, olds, news) => host.diff({ ...about(kind), id, olds, oldInputs: olds, news, ignoreChanges: [] }),
    create: (kind, inputs) => host.create({ ...about(kind), inputs, preview: false }),
    read: (kind, id, olds = {}) => host.read({ ...about(kind), id, inputs: olds, outputs: olds }),
    delete: (kind, id, outputs) => host.delete({ ...about(kind), id, outputs, oldInputs: outputs }),
    stop: close,
  };
}

/** The provider through both adapters. */
export const processes = adapters.map((adapter) => ({
  name: adapter.name,
  start: (simulator: Simulator, options?: Options) => start(adapter, simulator, options),
}));
