import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { packageRoot, packageVersion } from "../../context/package";
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

/** The engine's ResourceProvider protocol, over the same descriptions as the dynamic adapter. gRPC reports the methods that are left out as not implemented. */
export function pluginService(surroundings: PluginSurroundings): UntypedServiceImplementation {
  const provider = new PluginProvider(surroundings);
  const { log } = surroundings;
  // The engine may end this process after the last response: by then the log has to have arrived.
  const logged = <Request, Response>(method: (provider: PluginProvider, request: Request) => Promise<Response>) =>
    unary((request: Request) => method(provider, request).finally(() => log.delivered()));

  return {
    handshake: unary(handshake),
    getPluginInfo: unary(getPluginInfo),
    getSchema: unary(getSchema),
    attach: unary((request: PluginAttach) => attach(provider, log, request)),
    cancel: unary(() => cancel(provider)),
    configure: unary((request: messages.ConfigureRequest) => configure(provider, request)),
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

function handshake(): messages.ProviderHandshakeResponse {
  return new messages.ProviderHandshakeResponse().setAcceptSecrets(true).setAcceptResources(true).setAcceptOutputs(true);
}

function getPluginInfo(): PluginInfo {
  return new PluginInfo().setVersion(packageVersion);
}

function getSchema(request: messages.GetSchemaRequest): messages.GetSchemaResponse {
  if (request.getVersion() > 1)
    throw new UserError("schema-version", `There is no schema of version ${request.getVersion()}; this provider writes version 0.`);
  return new messages.GetSchemaResponse().setSchema(readFileSync(join(packageRoot, "schema.json"), "utf8"));
}

function attach(provider: PluginProvider, log: Log, request: PluginAttach) {
  log.attach(request.getAddress());
  provider.attach(request.getAddress());
  return new Empty();
}

function cancel(provider: PluginProvider) {
  provider.cancel();
  return new Empty();
}

function configure(provider: PluginProvider, request: messages.ConfigureRequest): messages.ConfigureResponse {
  const { version: _, ...args } = decode(request.getArgs()).properties;
  // An engine that gives no name (before 3.154) is too old to distinguish providers: a missing text is empty here.
  provider.configure(args, !isDefaultProvider(request.getName() || "default"));
  return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true).setAcceptresources(true).setAcceptoutputs(true);
}

async function checkConfig(provider: PluginProvider, request: messages.CheckRequest): Promise<messages.CheckResponse> {
  const { properties, secrets } = decode(request.getNews());
  const failures = provider.checkConfig(request.getUrn(), properties);
  // The engine stores these in the state. Tokens are secrets there, even if the configuration has them in plain text.
  return new messages.CheckResponse().setInputs(encode(properties, settings, secrets)).setFailuresList(failures.map(failureMessage));
}

async function diffConfig(provider: PluginProvider, request: messages.DiffRequest): Promise<messages.DiffResponse> {
  const olds = decode(request.getOldInputs() ?? request.getOlds()).properties;
  const changes = provider.diffConfig(request.getUrn(), olds, decode(request.getNews()).properties);
  return diffMessage({ changes, replaces: [], deleteBeforeReplace: false, inputChanges: changes });
}

async function checkResource(provider: PluginProvider, request: messages.CheckRequest): Promise<messages.CheckResponse> {
  const resource = resourceOf(request.getUrn());
  const news = decode(request.getNews());
  const context = provider.call(request.getUrn());
  // Without address or token the update would fail, so that a preview fails, too.
  resource.server(context);
  const resourceName = nameOf(request.getUrn());
  const { inputs, failures } = resource.check({ context, olds: own(decode(request.getOlds())), resourceName }, own(news));
  return new messages.CheckResponse()
    .setInputs(encode(inputs, resource.inputs, news.secrets))
    .setFailuresList(failures.map(failureMessage));
}

async function diffResource(provider: PluginProvider, request: messages.DiffRequest): Promise<messages.DiffResponse> {
  const resource = resourceOf(request.getUrn());
  const [olds, news] = [own(decode(request.getOlds())), own(decode(request.getNews()))];
  const ignored = Ignored.of(request.getIgnorechangesList());
  const difference = resource.diff(provider.call(request.getUrn()), request.getId(), { olds, news, ignored });
  if (difference.changes.length === 0) return diffMessage({ ...difference, inputChanges: [] });
  const oldInputs = request.hasOldInputs() ? own(decode(request.getOldInputs())) : olds;
  return diffMessage({ ...difference, inputChanges: changesOf(resource.inputs, oldInputs, news) });
}

async function createResource(provider: PluginProvider, request: messages.CreateRequest): Promise<messages.CreateResponse> {
  const resource = resourceOf(request.getUrn());
  const news = decode(request.getProperties());
  if (request.getPreview())
    return new messages.CreateResponse().setProperties(
      encodeOutputs(resource, promised(resource, provider.call(request.getUrn()), own(news)), news),
    );
  const { id, outputs } = await provider.run(request.getUrn(), request.getTimeout(), (context) =>
    withInitError(resource, news, () => resource.create(context, own(news))),
  );
  return new messages.CreateResponse().setId(id).setProperties(encodeOutputs(resource, outputs, news));
}

async function readResource(provider: PluginProvider, request: messages.ReadRequest): Promise<messages.ReadResponse> {
  const resource = resourceOf(request.getUrn());
  const [inputs, state] = [decode(request.getInputs()), decode(request.getProperties())];
  const known = own(state);
  const isLookup = Object.keys(known).length === 0;
  const found = await provider.run(request.getUrn(), request.getTimeout(), (context) =>
    resource.read(context, request.getId(), isLookup ? undefined : known),
  );
  if (!found && isLookup) throw nothingThere(resource.label, request.getId());
  // A response without an ID means that the object is gone.
  if (!found) return new messages.ReadResponse();
  const marks = { properties: {}, secrets: new Set([...inputs.secrets, ...state.secrets]) };
  return new messages.ReadResponse()
    .setId(found.id)
    .setProperties(encodeOutputs(resource, found.outputs, marks))
    .setInputs(encode(found.inputs, resource.inputs, marks.secrets));
}

async function updateResource(provider: PluginProvider, request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
  const resource = resourceOf(request.getUrn());
  const [olds, news] = [own(decode(request.getOlds())), decode(request.getNews())];
  const ignored = Ignored.of(request.getIgnorechangesList());
  if (request.getPreview()) {
    const promise = promised(resource, provider.call(request.getUrn()), own(news), { olds, ignored });
    return new messages.UpdateResponse().setProperties(encodeOutputs(resource, promise, news));
  }
  const outputs = await provider.run(request.getUrn(), request.getTimeout(), (context) =>
    withInitError(resource, news, () => resource.update(context, request.getId(), { olds, news: own(news), ignored })),
  );
  return new messages.UpdateResponse().setProperties(encodeOutputs(resource, outputs, news));
}

async function deleteResource(provider: PluginProvider, request: messages.DeleteRequest) {
  const olds = own(decode(request.getProperties()));
  await provider.run(request.getUrn(), request.getTimeout(), (context) =>
    resourceOf(request.getUrn()).delete(context, request.getId(), olds),
  );
  return new Empty();
}

async function invoke(provider: PluginProvider, request: messages.InvokeRequest): Promise<messages.InvokeResponse> {
  const definition = functionOf(request.getTok());
  const { properties, secrets } = decode(request.getArgs());
  try {
    const result = await provider.run("", 0, (context) => definition.run(context, properties));
    // The result of a look-up by a secret may reveal the secret.
    const secretResults = secrets.size > 0 ? pathsOf(Object.keys(result)) : secrets;
    return new messages.InvokeResponse().setReturn(encode(result, definition.outputs, secretResults));
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    // The SDKs append the property to each; the engine prints no argument.
    return new messages.InvokeResponse().setFailuresList(
      error.failures.map((failure) => failureMessage(failure).setProperty(failure.path)),
    );
  }
}

async function listResources(provider: PluginProvider, request: messages.ListRequest): Promise<messages.ListResponse[]> {
  if (request.getContinuationToken() !== "") throw new Unimplemented("list returns all objects at once: there is nothing to continue");
  const resource = resourceOfToken(request.getToken());
  const objects = await provider.run("", 0, (context) => resource.list(context));
  const most = request.getLimit() || objects.length;
  return objects.slice(0, most).map(({ id, name }) => {
    const result = new messages.ListResponse.Result().setId(id).setName(name);
    return new messages.ListResponse().setResult(result);
  });
}

/** Properties without those of the dynamic adapter, which a moved stack may have. */
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

/** Adds the ID and properties of an incomplete object to its error, so that the engine keeps it in the state. */
async function withInitError<T>(resource: Resource, news: Decoded, work: () => Promise<T>): Promise<T> {
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
