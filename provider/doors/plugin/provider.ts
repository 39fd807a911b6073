import { type CheckFailure, checkObject, type Fail, formatPath } from "../../check";
import { Connections, configuration, type Environment, resolveConfiguration, type SettingKey } from "../../config";
import { type Change, changesOf } from "../../diff";
import { propertiesOf } from "../../fields";
import type { ProviderFunction } from "../../function";
import { functions } from "../../functions";
import { type Operation, Session } from "../../operation";
import { Problem } from "../../problem";
import type { Properties, Resource } from "../../resource";
import { resources } from "../../resources";
import { unknown } from "../../unknown";
import { pluginToken } from "../tokens";
import type { EngineLog } from "./log";

const settings = propertiesOf(configuration);

/** What the plugin's process holds: the configured session, and the switch that ends all work. */
export class PluginProvider {
  private session: Session | undefined;
  private readonly cancelled = new AbortController();

  constructor(
    readonly log: EngineLog,
    private readonly env: Environment = process.env,
  ) {}

  /** The settings' own checks, by name. What the environment may give is not asked for here: it is never written to the state. */
  checkConfig(news: Properties): { inputs: Properties; failures: CheckFailure[] } {
    const failures: CheckFailure[] = [];
    const fail: Fail = (path, reason) => failures.push({ path: formatPath(path), reason });
    const { version: _, ...given } = news;
    const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== unknown && value !== null && value !== ""));
    const withoutDefaults = new Map([...settings].map(([name, field]) => [name, { ...field, optional: true, defaultValue: undefined }]));
    checkObject(withoutDefaults, known, [], fail);
    return { inputs: news, failures };
  }

  /** A change of the configuration never replaces a resource: objects that another server has too just move on, and those that it lacks are an error. */
  diffConfig(olds: Properties, news: Properties): Change[] {
    return changesOf(settings, olds, news).map((change) => ({ ...change, replaces: false }));
  }

  configure(args: Properties, isExplicit: boolean): void {
    const get = (key: SettingKey) => (args[key] === unknown ? undefined : args[key]);
    this.session = new Session(new Connections(() => resolveConfiguration(get, this.env, isExplicit)));
  }

  /** What one call works with. It ends early when the engine cancels, or when the time that it allows is over. */
  operation(urn: string, timeoutSeconds = 0): Operation {
    if (!this.session) throw new Problem("The provider has not been configured yet.");
    const timeout = timeoutSeconds > 0 ? [AbortSignal.timeout(timeoutSeconds * 1000)] : [];
    return this.session.operation({
      warn: (message) => this.log.warn(urn, message),
      progress: (message) => this.log.info(urn, message),
      signal: AbortSignal.any([this.cancelled.signal, ...timeout]),
    });
  }

  cancel(): void {
    this.cancelled.abort();
  }
}

/** The resource of a URN; a name may hold what separates its parts, and comes last. */
export function resourceOf(urn: string): Resource {
  return resourceOfToken(urn.split("::")[2]?.split("$").at(-1) ?? "");
}

export function resourceOfToken(type: string): Resource {
  return found(resources, (resource) => pluginToken(resource.kind) === type, `no resource of the type ${type}`);
}

export function functionOf(token: string): ProviderFunction {
  return found(functions, (candidate) => pluginToken(candidate.name) === token, `no function ${token}`);
}

function found<T>(all: readonly T[], isIt: (one: T) => boolean, what: string): T {
  const one = all.find(isIt);
  if (!one) throw new Problem(`The provider agentpool-acl has ${what}.`);
  return one;
}

/** The outputs that a preview of a create or an update can promise: the inputs, and what an update leaves as it is. */
export function promised(resource: Resource, news: Properties, olds: Properties | undefined): Properties {
  const own = [...resource.outputs].map(([name, field]): [string, unknown] => [name, (field.traits.stable && olds?.[name]) || unknown]);
  return { ...news, ...Object.fromEntries(own) };
}
