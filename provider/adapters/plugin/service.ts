import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { InitError, noSuchObjectError } from "../../../common/user-error";
import { packageRoot, packageVersion } from "../../configuration/package";
import { InvalidArgumentsError } from "../../functions/definition";
import type { Resource } from "../../lifecycle/resource";
import type { CheckFailure } from "../../model/check";
import { changesOf } from "../../model/diff";
import { Ignored } from "../../model/ignored";
import type { Properties } from "../../model/remote";
import { type Decoded, decode, encode, pathsOf } from "../values";
import { diffMessage } from "./diff-message";
import { Empty, Struct } from "./grpc";
import type { Failure, ObjectResponse, Request, ResultResponse } from "./messages";
import {
  functionOf,
  nameOf,
  PluginProvider,
  type PluginSurroundings,
  previewedOutputs,
  resourceOf,
  resourceOfToken,
  settings,
} from "./provider";
import { InitFailed, stream, unary } from "./rpc";

/**
 * The engine's ResourceProvider protocol, over the same descriptions as the dynamic adapter. gRPC reports the methods that are left out as
 * not implemented.
 */
export function pluginService(surroundings: PluginSurroundings): UntypedServiceImplementation {
  const provider = new PluginProvider(surroundings);
  const { log } = surroundings;
  // The engine may end this process after the last response, so each response waits until the log has arrived.
  const logged = <Response>(method: (provider: PluginProvider, request: Request) => Promise<Response>) =>
    unary((request: Request) => method(provider, request).finally(() => log.delivered()));

  return {
    handshake: unary(() => new messages.ProviderHandshakeResponse().setAcceptSecrets(true).setAcceptResources(true).setAcceptOutputs(true)),
    getPluginInfo: unary(() => new PluginInfo().setVersion(packageVersion)),
    getSchema: unary(() => new messages.GetSchemaResponse().setSchema(readFileSync(join(packageRoot, "schema.json"), "utf8"))),
    cancel: unary(() => {
      provider.cancel();
      return new Empty();
    }),
    configure: unary((request: Request) => configure(provider, request)),
    checkConfig: logged(checkConfig),
    diffConfig: logged(diffConfig),
    check: logged(checkResource),
    diff: logged(diffResource),
    create: logged(createResource),
    read: logged(readResource),
    update: logged(updateResource),
    delete: logged(deleteResource),
    invoke: logged(invoke),
    list: stream((request: messages.ListRequest) => listResources(provider, request)),
  };
}

function configure(provider: PluginProvider, request: Request): messages.ConfigureResponse {
  const { version: _, ...args } = decode(request.args).properties;
  provider.configure(args, request.name);
  return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true).setAcceptresources(true).setAcceptoutputs(true);
}

async function checkConfig(provider: PluginProvider, request: Request): Promise<ResultResponse> {
  const { properties, secrets } = decode(request.news);
  const failures = provider.checkConfig(request.urn, properties);
  // The engine stores these values in the state. Tokens are secrets there, even if the configuration has them in plain text.
  return { properties: encode(properties, settings, secrets), failures: failures.map(failureMessage) };
}

async function diffConfig(provider: PluginProvider, request: Request): Promise<messages.DiffResponse> {
  const olds = decode(request.oldInputs ?? request.olds).properties;
  const changes = provider.diffConfig(request.urn, olds, decode(request.news).properties);
  return diffMessage({ changes, replaces: [], deleteBeforeReplace: false, inputChanges: changes });
}

async function checkResource(provider: PluginProvider, request: Request): Promise<ResultResponse> {
  const resource = resourceOf(request.urn);
  const news = decode(request.news);
  const context = provider.call(request.urn);
  // Without an address the update would fail, so a preview fails, too.
  resource.server(context);
  const { urn } = request;
  const { inputs, failures } = resource.check(
    { context, olds: decode(request.olds).properties, resourceName: nameOf(urn), urn },
    news.properties,
  );
  return { properties: encode(inputs, resource.inputs, news.secrets), failures: failures.map(failureMessage) };
}

async function diffResource(provider: PluginProvider, request: Request): Promise<messages.DiffResponse> {
  const resource = resourceOf(request.urn);
  const [olds, news] = [decode(request.olds).properties, decode(request.news).properties];
  const ignored = Ignored.of(request.ignoreChanges);
  const difference = resource.diff(provider.call(request.urn), request.id, { olds, news, ignored });
  if (difference.changes.length === 0) return diffMessage({ ...difference, inputChanges: [] });
  const oldInputs = request.oldInputs ? decode(request.oldInputs).properties : olds;
  return diffMessage({ ...difference, inputChanges: changesOf(resource.inputs, oldInputs, news) });
}

async function createResource(provider: PluginProvider, request: Request): Promise<ObjectResponse> {
  const resource = resourceOf(request.urn);
  const news = decode(request.properties);
  if (request.preview) {
    const context = provider.call(request.urn);
    return { properties: encodeOutputs(resource, previewedOutputs(resource, context, news.properties), news) };
  }
  const { id, outputs } = await provider.run(request.urn, request.timeout, (context) =>
    withInitError(resource, news, () => resource.create(context, news.properties)),
  );
  return { id, properties: encodeOutputs(resource, outputs, news) };
}

async function readResource(provider: PluginProvider, request: Request): Promise<ObjectResponse> {
  const resource = resourceOf(request.urn);
  const [inputs, state] = [decode(request.inputs), decode(request.properties)];
  const known = state.properties;
  const isLookup = Object.keys(known).length === 0;
  const remote = await provider.run(request.urn, request.timeout, (context) =>
    resource.read(context, request.id, isLookup ? undefined : known),
  );
  if (!remote && isLookup) throw noSuchObjectError(resource.label, request.id);
  // A response without an ID means that the object is gone.
  if (!remote) return {};
  const marks = { properties: {}, secrets: new Set([...inputs.secrets, ...state.secrets]) };
  const properties = encodeOutputs(resource, remote.outputs, marks);
  return { id: remote.id, properties, inputs: encode(remote.inputs, resource.inputs, marks.secrets) };
}

async function updateResource(provider: PluginProvider, request: Request): Promise<ResultResponse> {
  const resource = resourceOf(request.urn);
  const [olds, news] = [decode(request.olds).properties, decode(request.news)];
  const ignored = Ignored.of(request.ignoreChanges);
  if (request.preview) {
    const promise = previewedOutputs(resource, provider.call(request.urn), news.properties, { olds, ignored });
    return { properties: encodeOutputs(resource, promise, news) };
  }
  const outputs = await provider.run(request.urn, request.timeout, (context) =>
    withInitError(resource, news, () => resource.update(context, request.id, { olds, news: news.properties, ignored })),
  );
  return { properties: encodeOutputs(resource, outputs, news) };
}

async function deleteResource(provider: PluginProvider, request: Request) {
  const olds = decode(request.properties).properties;
  await provider.run(request.urn, request.timeout, (context) => resourceOf(request.urn).delete(context, request.id, olds));
  return new Empty();
}

async function invoke(provider: PluginProvider, request: Request): Promise<ResultResponse> {
  const definition = functionOf(request.token);
  const { properties, secrets } = decode(request.args);
  try {
    const result = await provider.run("", 0, (context) => definition.run(context, properties));
    // The result of a look-up by a secret may reveal the secret.
    const secretResults = secrets.size > 0 ? pathsOf(Object.keys(result)) : secrets;
    return { properties: encode(result, definition.outputs, secretResults) };
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    // Here a failure names its property: the SDKs append it to the reason, and the engine prints no value of an argument.
    return { failures: error.failures.map((failure) => ({ ...failureMessage(failure), property: failure.path })) };
  }
}

async function listResources(provider: PluginProvider, request: messages.ListRequest): Promise<messages.ListResponse[]> {
  const resource = resourceOfToken(request.getToken());
  const all = await provider.run("", 0, (context) => resource.list(context));
  const objects = all.filter(({ isBuiltIn }) => !isBuiltIn);
  const most = request.getLimit() || objects.length;
  return objects.slice(0, most).map(({ id, name }) => {
    const result = new messages.ListResponse.Result().setId(id).setName(name);
    return new messages.ListResponse().setResult(result);
  });
}

function encodeOutputs(resource: Resource, outputs: Properties, { secrets }: Decoded) {
  return encode(outputs, new Map([...resource.inputs, ...resource.outputs]), secrets);
}

function failureMessage({ path, reason }: CheckFailure): Failure {
  // The failure names no property, because the engine would print its value, even of a secret. The reason begins with the property's path.
  return { reason: `${path} ${reason}` };
}

/** Adds the ID and properties of an incomplete object to its error, so the engine keeps it in the state. */
async function withInitError<T>(resource: Resource, news: Decoded, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    const properties = Struct.fromJavaScript(encodeOutputs(resource, error.properties, news));
    throw new InitFailed(new messages.ErrorResourceInitFailed().setId(error.id).setProperties(properties).setReasonsList([error.message]));
  }
}
