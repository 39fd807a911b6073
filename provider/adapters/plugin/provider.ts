import { setMaxListeners } from "node:events";
import type { Environment } from "../../../common/environment";
import { ownProperty } from "../../../common/own-property";
import { unknown } from "../../../common/unknown";
import { InitError, UserError } from "../../../common/user-error";
import { type Clock, systemClock, withTimeLimit } from "../../apis/http/clock";
import { isApiError } from "../../apis/http/errors";
import { Clients } from "../../configuration/clients";
import {
  configuration,
  isEngineKey,
  meaningless,
  namespace,
  type Origin,
  resolveConfiguration,
  type SettingKey,
  settingOf,
} from "../../configuration/config";
import { pluginToken } from "../../configuration/tokens";
import { functions } from "../../functions";
import type { ProviderFunction } from "../../functions/definition";
import type { Resource } from "../../lifecycle/resource";
import { type CheckFailure, checkObject, type Fail, formatPath } from "../../model/check";
import { type Change, changesOf } from "../../model/diff";
import { propertiesOf } from "../../model/fields";
import type { Ignored } from "../../model/ignored";
import type { Properties } from "../../model/remote";
import { relationOf } from "../../model/servers";
import { type CallContext, Session } from "../../operation/call-context";
import { resources } from "../../resources";
import type { Log } from "./log";

export const settings = propertiesOf(configuration);

export interface PluginSurroundings {
  readonly log: Log;
  readonly env?: Environment;
  readonly clock?: Clock;
}

/** One provider of the engine: its configured session, and the signal that cancels its calls. */
export class PluginProvider {
  private session: Session | undefined;
  private cancelled = switchForAll();
  private readonly env: Environment;
  private readonly clock: Clock;

  constructor(private readonly surroundings: PluginSurroundings) {
    this.env = surroundings.env ?? process.env;
    this.clock = surroundings.clock ?? systemClock;
  }

  /**
   * Checks the settings by name. No setting is required here: the environment may give the value, which is never written to the state. An
   * unknown key is an error as an argument of a provider in the program, and a warning in a stack's configuration.
   */
  checkConfig(urn: string, news: Properties): CheckFailure[] {
    const isExplicit = originOf(nameOf(urn)) === "program";
    const failures: CheckFailure[] = [];
    const fail: Fail = (path, reason) => failures.push({ path: formatPath(path), reason });
    const isGiven = (value: unknown) => value !== unknown && value !== null && value !== "";
    const isChecked = (key: string) => !isEngineKey(key) && (isExplicit || settings.has(key));
    const given = Object.entries(news).filter(([key, value]) => isChecked(key) && isGiven(value));
    const known = Object.fromEntries(given.map(([key, value]) => [key, settingOf(settings.get(key), value)]));
    const strange = isExplicit ? [] : Object.keys(news).flatMap((key) => meaningless(key) ?? []);
    for (const warning of strange) this.surroundings.log.warn(urn, warning);
    const withoutDefaults = new Map([...settings].map(([name, field]) => [name, { ...field, optional: true, defaultValue: undefined }]));
    checkObject(withoutDefaults, known, [], fail);
    return failures;
  }

  /**
   * A change of the configuration itself replaces no resource: an object that the other server has, too, is kept. An object that it lacks
   * is an error, or counts as gone with `acceptMovedServer`.
   *
   * After Configure, the engine calls this for a resource that had another provider until now, with the settings of both. The following
   * diff of that resource checks whether its object is on another server.
   */
  diffConfig(urn: string, olds: Properties, news: Properties): Change[] {
    if (this.session) {
      this.session.operation.expectsMoves = true;
      return [];
    }
    for (const [key, consequence] of moves) {
      const [from, to] = [ownProperty(olds, key), ownProperty(news, key)];
      if (typeof from === "string" && typeof to === "string" && relationOf(from, to) !== "same") {
        // The warning lacks the values, because the engine does not say here which of them are secrets.
        this.surroundings.log.warn(urn, `${namespace}:${key} changes. ${consequence}`);
      }
    }
    return changesOf(settings, olds, news);
  }

  /**
   * Begins an operation with a new session. Running calls keep the old one.
   *
   * @param name empty from an engine before 3.154, which may not pass the stack's configuration either: then nothing distinguishes
   * providers
   */
  configure(args: Properties, name: string): void {
    const origin = name === "" && this.env.PULUMI_CONFIG === undefined ? "stack" : originOf(name || "default");
    // A Cancel ends the present operation, and not the next one. Before the first Configure it ends the one that begins.
    if (this.session && this.cancelled.signal.aborted) this.cancelled = switchForAll();
    const get = (key: SettingKey) => (args[key] === unknown ? undefined : args[key]);
    const connections = new Clients(() => resolveConfiguration(get, this.env, origin), this.clock);
    this.session = new Session(connections, this.clock);
  }

  /** The context of a call. A call that sends requests gets it from `run`. */
  call(urn: string, signal: AbortSignal = this.cancelled.signal): CallContext {
    if (!this.session) throw new Error("the engine has not configured this provider");
    return this.session.call({
      warn: (message) => this.surroundings.log.warn(urn, message),
      progress: (message) => this.surroundings.log.info(urn, message),
      signal,
    });
  }

  /**
   * Runs a call that sends requests. It ends early when the engine cancels, or when its time is over: then nothing new is sent, and a
   * running write completes.
   */
  run<T>(urn: string, timeoutSeconds: number, work: (context: CallContext) => Promise<T>): Promise<T> {
    const limitMs = timeoutSeconds > 0 ? timeoutSeconds * 1000 : Number.POSITIVE_INFINITY;
    const { signal: cancelled } = this.cancelled;
    return withTimeLimit(limitMs, cancelled, async (signal) => {
      try {
        return await work(this.call(urn, signal));
      } catch (error) {
        if (!signal.aborted) throw this.session?.operation.errors.shortened(error) ?? error;
        if (error instanceof InitError) throw error;
        const why = cancelled.aborted
          ? "The operation was cancelled before this was done."
          : `This took longer than the ${timeoutSeconds} s that the resource's customTimeouts allow.`;
        const reason = error instanceof UserError || isApiError(error) ? ` ${error.message}` : "";
        throw new UserError("ended-early", `${why}${reason} Nothing new was begun; run it again to go on.`, { cause: error });
      }
    });
  }

  cancel(): void {
    this.cancelled.abort();
  }
}

/** A controller whose signal all running calls listen to. */
function switchForAll(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** The effect of another address or organization on the objects in the state. */
const moves: readonly (readonly [SettingKey, string])[] = [
  ["poolsAddress", "Nothing is replaced: the state's agent pools are read there, and a missing one is an error."],
  ["clusterAddress", "Nothing is replaced: the state's objects are read there, and a missing one is an error."],
  ["organization", "It applies to new agent pools that name none: those in the state stay in their organization."],
];

/**
 * The origin of the settings of a provider with this name. The names of the engine's default providers are "default", then the version,
 * then the address that the plugin comes from. A program may use such a name, too.
 */
export function originOf(name: string): Origin {
  return /^default(_\d+_\d+_\d+(_.*)?|_[^_/]*\..*)?$/.test(name) ? "by address" : "program";
}

/** The name in a URN. It is the last part, and may contain the separator. */
export function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The kind of a resource with this URN. */
export function resourceOf(urn: string): Resource {
  return resourceOfToken(urn.split("::")[2]?.split("$").at(-1) ?? "");
}

const resourcesByToken = new Map(resources.map((resource) => [pluginToken(resource.kind), resource]));
const functionsByToken = new Map(functions.map((one) => [pluginToken(one.name), one]));

export function resourceOfToken(type: string): Resource {
  return known(resourcesByToken.get(type), `resource of the type ${type}`);
}

export function functionOf(token: string): ProviderFunction {
  return known(functionsByToken.get(token), `function ${token}`);
}

function known<T>(one: T | undefined, what: string): T {
  if (one === undefined) throw new UserError("unknown-token", `The provider ${namespace} has no ${what}.`);
  return one;
}

/**
 * The outputs in a preview of a create or an update. If an update writes nothing, they stay as the state has them. Otherwise only the
 * inputs, the server, and outputs that an update does not change are known.
 */
export function previewedOutputs(
  resource: Resource,
  context: CallContext,
  news: Properties,
  update?: { readonly olds: Properties; readonly ignored: Ignored },
): Properties {
  const isWritten = !update || resource.writes(context, { olds: update.olds, news, ignored: update.ignored });
  const returned = [...resource.outputs].flatMap(([name, { traits }]): [string, unknown][] => {
    const old = update && ownProperty(update.olds, name);
    if (isWritten) return [[name, name === "server" ? resource.server(context) : (traits.stable && old) || unknown]];
    return old === undefined ? [] : [[name, old]];
  });
  return { ...news, ...Object.fromEntries(returned) };
}
