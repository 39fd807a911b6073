import type * as pulumi from "@pulumi/pulumi";
import { dynamicProviders } from "../../provider/adapters/dynamic";
import type { Siblings } from "../../provider/context/object-set";
import { dynamicType } from "../../provider/context/tokens";
import type { PropertyMap } from "../../testing/rehearsal/engine/values";
import type { Simulator } from "../../testing/simulator";
import { TestPlugin, urnOf } from "./plugin";
import { configurationOf, ImpatientClock } from "./session";

/** The calls of an engine in one process of the provider, for tests of their order and content. */
export interface ProviderProcess {
  readonly warnings: () => readonly string[];
  check(kind: string, news: PropertyMap, olds?: PropertyMap): Promise<PropertyMap>;
  diff(kind: string, id: string, olds: PropertyMap, news: PropertyMap): Promise<{ changes: boolean; replaces: string[] }>;
  create(kind: string, inputs: PropertyMap): Promise<{ id: string; outputs: PropertyMap }>;
  read(kind: string, id: string, olds?: PropertyMap): Promise<{ id: string; outputs: PropertyMap }>;
  delete(kind: string, id: string, outputs: PropertyMap): Promise<void>;
  stop(): void;
}

interface Surroundings {
  readonly siblings?: Siblings;
  readonly config?: Readonly<Record<string, string>>;
}

type StartProcess = (simulator: Simulator, surroundings?: Surroundings) => Promise<ProviderProcess>;

async function startDynamic(simulator: Simulator, { siblings, config }: Surroundings = {}): Promise<ProviderProcess> {
  const log: string[] = [];
  const providers = dynamicProviders({ env: {}, clock: new ImpatientClock(), log: (message) => log.push(message), siblings });
  const values: Record<string, string> = { ...configurationOf(simulator), ...config };
  const of = (kind: string): pulumi.dynamic.ResourceProvider => {
    const provider = providers[dynamicType(kind)];
    if (!provider) throw new Error(`no kind ${kind}`);
    return provider;
  };
  const configuration = {
    get: (key: string) => values[key.replace(/^.*:/, "")],
    require: (key: string) => values[key.replace(/^.*:/, "")] ?? "",
  };
  for (const kind of ["AgentPool", "AclAuthMethod", "AclRole", "AclBindingRule"]) await of(kind).configure?.({ config: configuration });
  const defined = <T>(result: T | undefined): T => {
    if (result === undefined) throw new Error("no result");
    return result;
  };
  return {
    warnings: () => log.filter((line) => line.startsWith("warning: ")),
    check: async (kind, news, olds = {}) => defined(await of(kind).check?.(olds, news)).inputs,
    async diff(kind, id, olds, news) {
      const { changes = false, replaces = [] } = defined(await of(kind).diff?.(id, olds, news));
      return { changes, replaces };
    },
    async create(kind, inputs) {
      const { id, outs } = await of(kind).create(inputs);
      return { id, outputs: outs };
    },
    async read(kind, id, olds = {}) {
      const { id: found = "", props } = defined(await of(kind).read?.(id, olds));
      return { id: found, outputs: props ?? {} };
    },
    delete: async (kind, id, outputs) => of(kind).delete?.(id, outputs),
    stop() {},
  };
}

async function startPlugin(simulator: Simulator, { siblings, config }: Surroundings = {}): Promise<ProviderProcess> {
  const plugin = await TestPlugin.start({}, siblings);
  await plugin.configure({ ...configurationOf(simulator), ...config });
  return {
    warnings: () => plugin.logged.filter(({ severity }) => severity === "warning").map(({ message }) => message),
    check: async (kind, news, olds) => (await plugin.check(urnOf(kind), news, olds)).inputs,
    diff: (kind, id, olds, news) => plugin.diff(urnOf(kind), id, olds, news),
    create: (kind, inputs) => plugin.create(urnOf(kind), inputs),
    read: (kind, id, olds) => plugin.read(urnOf(kind), id, olds),
    delete: (kind, id, outputs) => plugin.delete(urnOf(kind), id, outputs),
    stop: () => plugin.stop(),
  };
}

/** The provider through both adapters. */
export const processes: readonly { readonly name: string; readonly start: StartProcess }[] = [
  { name: "dynamic", start: startDynamic },
  { name: "plugin", start: startPlugin },
];
