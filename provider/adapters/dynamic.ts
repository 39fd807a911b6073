import type * as pulumi from "@pulumi/pulumi";
import * as z from "zod";
import type { Environment } from "../../common/environment";
import { isRecord } from "../../common/unknown";
import { ConfigurationError, InitError, noSuchObjectError, UserError } from "../../common/user-error";
import type { Clock } from "../apis/http/clock";
import { isApiError } from "../apis/http/errors";
import { Clients } from "../configuration/clients";
import { namespace, resolveConfiguration } from "../configuration/config";
import type { Resource } from "../lifecycle/resource";
import { Ignored } from "../model/ignored";
import type { Properties } from "../model/remote";
import { type CallContext, type CallOptions, Session } from "../operation/call-context";
import { decode, encode, ignoredKey, providerKey } from "./values";

/**
 * The text that loads a dynamic resource's provider. The engine's host evaluates it as a module and calls `handler()`. It is equal in all
 * releases, so an old state runs the installed code. It must never change, and neither must the names in it.
 */
export function providerText(kind: string): string {
  return `exports.handler=()=>require("pulumi-agentpool-acl/dynamic").${kind}`;
}

export interface DynamicAdapterOptions {
  readonly env?: Environment;
  /** The environment if neither `env` nor the configuration gives one. Default: that of this process. */
  readonly processEnv?: Environment;
  readonly clock?: Clock;
  readonly log?: (message: string) => void;
}

/** One operation of the engine, or a rehearsal in this process. All resources have its configuration and session. */
interface Operation {
  configured?: pulumi.dynamic.Config;
  readonly session: Session;
}

/** The resources of one process as the SDK's dynamic providers. */
export function dynamicAdapter(options: DynamicAdapterOptions = {}): (resource: Resource) => pulumi.dynamic.ResourceProvider {
  const { processEnv = process.env, log = (message) => console.error(message) } = options;
  const begin = (): Operation => {
    const env = () => options.env ?? environmentIn(operation.configured) ?? processEnv;
    const settings = () => resolveConfiguration((key) => operation.configured?.get(`${namespace}:${key}`), env());
    const operation: Operation = { session: new Session(new Clients(settings, options.clock), options.clock) };
    return operation;
  };
  const ofEngine = begin();
  const ofRehearsals = new WeakMap<object, Operation>();
  let currentRehearsal: (() => unknown) | undefined;
  const current = (): Operation => {
    const key = currentRehearsal?.();
    if (!isRecord(key)) return ofEngine;
    const operation = ofRehearsals.get(key) ?? begin();
    ofRehearsals.set(key, operation);
    return operation;
  };
  const calls: CallOptions = { warn: (message) => log(`warning: ${message}`), progress: log };
  const call = <T>(work: (context: CallContext) => Promise<T>, news?: Properties): Promise<T> => {
    const { session } = current();
    return withHostErrors(session, () => work(session.call(calls)), news);
  };

  const read = (properties: Properties) => decode(properties).properties;

  return (resource) => ({
    // The host calls the first operations before an asynchronous configure has ended, so this one is synchronous.
    configure: (request) => {
      currentRehearsal ??= rehearsed.safeParse(request.config).data?.currentRehearsal;
      current().configured = request.config;
      return Promise.resolve();
    },

    check: (olds: Properties, news: Properties) =>
      call(async (context) => {
        const given = { context, olds: read(olds), resourceName: undefined };
        const unusable = configurationFailure(resource, context);
        if (unusable) return { inputs: news, failures: [unusable] };
        const { inputs, failures } = resource.check(given, read(news));
        return {
          inputs: keeping(news, inputs),
          // The failure names no property, because the engine would print its value, even of a secret. The reason begins with the
          // property's path.
          failures: failures.map(({ path, reason }) => ({ property: "", reason: `${path} ${reason}` })),
        };
      }),

    diff: (id: string, olds: Properties, news: Properties) =>
      call(async (context) => {
        const difference = resource.diff(context, id, { olds: read(olds), news: read(news), ignored: ignoredBy(news) });
        const { changes, replaces, deleteBeforeReplace } = difference;
        // A state that the plugin wrote lacks the provider's text. An update adds the text, and sends nothing to the API.
        const lacksProvider = olds[providerKey] !== news[providerKey];
        return { changes: changes.length > 0 || lacksProvider, replaces, deleteBeforeReplace };
      }),

    create: (inputs: Properties) =>
      call(async (context) => {
        const { id, outputs } = await resource.create(context, read(inputs));
        return { id, outs: keeping(inputs, outputs) };
      }, inputs),

    read: (id: string, props: Properties = {}) =>
      call(async (context) => {
        const known = read(props);
        const isLookup = Object.keys(known).length === 0;
        const remote = await resource.read(context, id, isLookup ? undefined : known);
        // For a look-up the engine would accept the empty id, which means "gone", as a result, and continue with an object without
        // properties.
        if (!remote && isLookup) throw noSuchObjectError(resource.label, id);
        return remote
          ? { id: remote.id, props: keeping(props, remote.outputs), inputs: keeping(props, remote.inputs) }
          : { id: "", props: {} };
      }),

    update: (id: string, olds: Properties, news: Properties) =>
      call(async (context) => {
        const outputs = await resource.update(context, id, { olds: read(olds), news: read(news), ignored: ignoredBy(news) });
        return { outs: keeping(news, outputs) };
      }, news),

    delete: (id: string, props: Properties) => call((context) => resource.delete(context, id, read(props))),
  });
}

/** The further members of the configuration of a rehearsal in this process. */
const rehearsed = z.object({
  environment: z.record(z.string(), z.string().optional()),
  currentRehearsal: z.custom<() => unknown>((value) => typeof value === "function"),
});

/** The environment that a rehearsal in this process configures a provider with. */
function environmentIn(config: pulumi.dynamic.Config | undefined): Environment | undefined {
  return rehearsed.safeParse(config).data?.environment;
}

const paths = z.array(z.string()).catch([]);

function ignoredBy(properties: Properties): Ignored {
  return Ignored.of(paths.parse(properties[ignoredKey]));
}

/** The core's values for the engine, with the `ignoreChanges` that a resource passes next to its inputs. */
function keeping(given: Properties, values: Properties): Properties {
  const kept = given[ignoredKey];
  return { ...encode(values), ...(kept === undefined ? {} : { [ignoredKey]: kept }) };
}

/**
 * The failure of a check without a usable address: an update would fail, so a preview fails, too. The check does not throw, because the
 * host would print the error, and the engine would print it again.
 */
function configurationFailure(resource: Resource, context: CallContext): pulumi.dynamic.CheckFailure | undefined {
  try {
    resource.server(context);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return { property: "", reason: error.message };
    throw error;
  }
}

/**
 * Errors in the form that the SDK's host forwards. The host prints the stack of an error, so an error for the user has its message as its
 * stack. The host does not add the provider's text to the properties of an incomplete object, so this function does: without the text, the
 * object could never be refreshed or destroyed.
 */
async function withHostErrors<T>({ operation }: Session, work: () => Promise<T>, news: Properties = {}): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = operation.errors.shortened(thrown);
    if (error instanceof InitError) {
      const properties = { ...keeping(news, error.properties), [providerKey]: news[providerKey] };
      throw Object.assign(plain(error.message), { id: error.id, properties, reasons: [error.message] });
    }
    throw error instanceof UserError || isApiError(error) ? plain(error.message) : error;
  }
}

/**
 * An error that has its message as its stack, and a short text: the host prints an error of a read as "ERROR: STACK", and the engine prints
 * it again.
 */
function plain(message: string): Error {
  const error = new Error(message);
  error.name = namespace;
  error.stack = message;
  error.toString = () => namespace;
  return error;
}
