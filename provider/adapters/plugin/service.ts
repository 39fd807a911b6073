import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { nothingThere } from "../../context/wording";
import type { CheckFailure } from "../../model/check";
import { changesOf } from "../../model/diff";
import { InvalidArgumentsError } from "../../model/function";
import { Ignored } from "../../model/ignored";
import { InitError } from "../../model/init-error";
import type { Properties, Resource } from "../../model/resource";
import { UserError } from "../../model/user-error";
import { ignoredKey, providerKey } from "../dynamic";
import { diffMessage } from "./diff-message";
import { Empty } from "./grpc";
import type { Log } from "./log";
import { packageRoot, packageVersion } from "./package";
import {
  functionOf,
  isDefaultProvider,
  nameOf,
  PluginProvider,
  type PluginSurroundings,
  promised,
  resourceOf,
  resourceOfToken,
  settings,
} from "./provider";
import { InitFailed, stream, Unimplemented, unary } from "./rpc";
import { type Decoded, decode, encode, pathsOf } from "./values";

/** The engine's ResourceProvider protocol, over the same descriptions as the dynamic adapter. One instance is to one operation what a process is. */
export function pluginService(surroundings: PluginSurroundings): UntypedServiceImplementation {
  const provider = new PluginProvider(surroundings);
  const { log } = surroundings;
  const none = Object.keys(ResourceProviderService).map((name) => [
    name,
    unary(() => Promise.reject(new Unimplemented(`${name} is not implemented by agentpool-acl`))),
  ]);
  return {
    ...Object.fromEntries(none),
    ...aboutThePlugin(provider, log),
    ...aboutTheConfiguration(provider, log),
    ...planning(provider, log),
    ...doing(provider, log),
    ...lookingUp(provider, log),
  };
}

function aboutThePlugin(provider: PluginProvider, log: Log): UntypedServiceImplementation {
  return {
    handshake: unary((_: messages.ProviderHandshakeRequest) =>
      new messages.ProviderHandshakeResponse().setAcceptSecrets(true).setAcceptResources(true).setAcceptOutputs(true),
    ),

    attach: unary((request: PluginAttach) => {
      log.attach(request.getAddress());
      provider.attach(request.getAddress());
      return new Empty();
    }),

    getPluginInfo: unary(() => new PluginInfo().setVersion(packageVersion)),

    getSchema: unary((request: messages.GetSchemaRequest) => {
      if (request.getVersion() > 1)
        throw new UserError(`There is no schema of version ${request.getVersion()}; this provider writes version 0.`);
      return new messages.GetSchemaResponse().setSchema(readFileSync(join(packageRoot, "schema.json"), "utf8"));
    }),

    cancel: unary(() => {
      provider.cancel();
      return new Empty();
    }),
  };
}

function aboutTheConfiguration(provider: PluginProvider, log: Log): UntypedServiceImplementation {
  return {
    checkConfig: telling(log, async (request: messages.CheckRequest) => {
      const { properties, secrets } = decode(request.getNews());
      const failures = provider.checkConfig(request.getUrn(), properties);
      // The engine keeps these in the state: tokens are secrets there, also where the configuration has them in plain text.
      return new messages.CheckResponse().setInputs(encode(properties, settings, secrets)).setFailuresList(failures.map(failureMessage));
    }),

    diffConfig: telling(log, async (request: messages.DiffRequest) => {
      const olds = decode(request.getOldInputs() ?? request.getOlds()).properties;
      const changes = provider.diffConfig(request.getUrn(), olds, decode(request.getNews()).properties);
      return diffMessage({ changes, replaces: [], deleteBeforeReplace: false, inputChanges: changes });
    }),

    configure: unary((request: messages.ConfigureRequest) => {
      const { version: _, ...args } = decode(request.getArgs()).properties;
      // An engine that gives no name (before 3.154) is too old to tell providers apart: what is left out is an empty text here.
      provider.configure(args, !isDefaultProvider(request.getName() || "default"));
      return new messages.ConfigureResponse()
        .setAcceptsecrets(true)
        .setSupportspreview(true)
        .setAcceptresources(true)
        .setAcceptoutputs(true);
    }),
  };
}

/** What sends no request. */
function planning(provider: PluginProvider, log: Log): UntypedServiceImplementation {
  return {
    check: telling(log, async (request: messages.CheckRequest) => {
      const resource = resourceOf(request.getUrn());
      const news = decode(request.getNews());
      const context = provider.call(request.getUrn());
      // A preview without address or token would promise what the update can't do.
      resource.server(context);
      const resourceName = nameOf(request.getUrn());
      const { inputs, failures } = resource.check({ context, olds: own(decode(request.getOlds())), resourceName }, own(news));
      return new messages.CheckResponse()
        .setInputs(encode(inputs, resource.inputs, news.secrets))
        .setFailuresList(failures.map(failureMessage));
    }),

    diff: telling(log, async (request: messages.DiffRequest) => {
      const resource = resourceOf(request.getUrn());
      const [olds, news] = [own(decode(request.getOlds())), own(decode(request.getNews()))];
      const ignored = Ignored.of(request.getIgnorechangesList());
      const difference = resource.diff(provider.call(request.getUrn()), request.getId(), olds, news, ignored);
      if (difference.changes.length === 0) return diffMessage({ ...difference, inputChanges: [] });
      const oldInputs = request.hasOldInputs() ? own(decode(request.getOldInputs())) : olds;
      return diffMessage({ ...difference, inputChanges: changesOf(resource.inputs, oldInputs, news) });
    }),
  };
}

function doing(provider: PluginProvider, log: Log): UntypedServiceImplementation {
  return {
    create: telling(log, async (request: messages.CreateRequest) => {
      const resource = resourceOf(request.getUrn());
      const news = decode(request.getProperties());
      if (request.getPreview())
        return new messages.CreateResponse().setProperties(
          encodeOutputs(resource, promised(resource, provider.call(request.getUrn()), own(news)), news),
        );
      const { id, outputs } = await provider.run(request.getUrn(), request.getTimeout(), (context) =>
        keepingParts(resource, news, () => resource.create(context, own(news))),
      );
      return new messages.CreateResponse().setId(id).setProperties(encodeOutputs(resource, outputs, news));
    }),

    read: telling(log, async (request: messages.ReadRequest) => {
      const resource = resourceOf(request.getUrn());
      const [inputs, state] = [decode(request.getInputs()), decode(request.getProperties())];
      const known = own(state);
      const isLookup = Object.keys(known).length === 0;
      const found = await provider.run(request.getUrn(), request.getTimeout(), (context) =>
        resource.read(context, request.getId(), isLookup ? undefined : known),
      );
      if (!found && isLookup) throw nothingThere(resource.label, request.getId());
      // An answer without an ID says that the object is gone.
      if (!found) return new messages.ReadResponse();
      const marks = { properties: {}, secrets: new Set([...inputs.secrets, ...state.secrets]) };
      return new messages.ReadResponse()
        .setId(found.id)
        .setProperties(encodeOutputs(resource, found.outputs, marks))
        .setInputs(encode(found.inputs, resource.inputs, marks.secrets));
    }),

    update: telling(log, async (request: messages.UpdateRequest) => {
      const resource = resourceOf(request.getUrn());
      const [olds, news] = [own(decode(request.getOlds())), decode(request.getNews())];
      const ignored = Ignored.of(request.getIgnorechangesList());
      if (request.getPreview()) {
        const promise = promised(resource, provider.call(request.getUrn()), own(news), { olds, ignored });
        return new messages.UpdateResponse().setProperties(encodeOutputs(resource, promise, news));
      }
      const outputs = await provider.run(request.getUrn(), request.getTimeout(), (context) =>
        keepingParts(resource, news, () => resource.update(context, request.getId(), olds, own(news), ignored)),
      );
      return new messages.UpdateResponse().setProperties(encodeOutputs(resource, outputs, news));
    }),

    delete: telling(log, async (request: messages.DeleteRequest) => {
      const olds = own(decode(request.getProperties()));
      await provider.run(request.getUrn(), request.getTimeout(), (context) =>
        resourceOf(request.getUrn()).delete(context, request.getId(), olds),
      );
      return new Empty();
    }),
  };
}

function lookingUp(provider: PluginProvider, log: Log): UntypedServiceImplementation {
  return {
    invoke: telling(log, async (request: messages.InvokeRequest) => {
      const definition = functionOf(request.getTok());
      const { properties, secrets } = decode(request.getArgs());
      try {
        const result = await provider.run("", 0, (context) => definition.run(context, properties));
        // What was looked up by a secret may tell of it.
        const secretResults = secrets.size > 0 ? pathsOf(Object.keys(result)) : secrets;
        return new messages.InvokeResponse().setReturn(encode(result, definition.outputs, secretResults));
      } catch (error) {
        if (!(error instanceof InvalidArgumentsError)) throw error;
        // The SDKs end each with its property; the engine prints no argument.
        return new messages.InvokeResponse().setFailuresList(
          error.failures.map((failure) => failureMessage(failure).setProperty(failure.path)),
        );
      }
    }),

    list: stream(async (request: messages.ListRequest) => {
      if (request.getContinuationToken() !== "") throw new Unimplemented("list answers everything at once: there is nothing to continue");
      const resource = resourceOfToken(request.getToken());
      const objects = await provider.run("", 0, (context) => resource.list(context));
      const most = request.getLimit() || objects.length;
      return objects.slice(0, most).map(({ id, name }) => {
        const result = new messages.ListResponse.Result().setId(id).setName(name);
        return new messages.ListResponse().setResult(result);
      });
    }),
  };
}

/** What a call tells the user has arrived before the call is answered: after the last answer the engine ends this process. */
function telling<Request, Response>(log: Log, handle: (request: Request) => Promise<Response>) {
  return unary((request: Request) => handle(request).finally(() => log.delivered()));
}

/** Properties without what the dynamic adapter keeps among them: a stack may have come from there. */
function own({ properties }: Decoded): Properties {
  const { [providerKey]: _, [ignoredKey]: __, ...rest } = properties;
  return rest;
}

function encodeOutputs(resource: Resource, outputs: Properties, { secrets }: Decoded) {
  return encode(outputs, new Map([...resource.inputs, ...resource.outputs]), secrets);
}

function failureMessage({ path, reason }: CheckFailure): messages.CheckFailure {
  // Without the property: the engine prints the value of the one that is named, a secret too. The reason begins with its path.
  return new messages.CheckFailure().setReason(`${path} ${reason}`);
}

/** An object that exists in part is told with its ID and properties, so that the engine keeps it. */
async function keepingParts<T>(resource: Resource, news: Decoded, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    const failed = new messages.ErrorResourceInitFailed()
      .setId(error.id)
      .setProperties(encodeOutputs(resource, error.properties, news))
      .setReasonsList([error.message]);
    throw new InitFailed(error.message, failed);
  }
}
