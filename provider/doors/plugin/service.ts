import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { handleServerStreamingCall, handleUnaryCall, ServiceError, UntypedServiceImplementation } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { isApiError } from "../../apis/errors";
import { type CheckFailure, formatPath } from "../../check";
import type { Change } from "../../diff";
import { Problem } from "../../problem";
import { PartlyDone, type Properties, type Resource } from "../../resource";
import { Any, Empty, grpc } from "./grpc";
import { EngineLog } from "./log";
import { packageRoot, packageVersion } from "./package";
import { functionOf, PluginProvider, promised, resourceOf, resourceOfToken } from "./provider";
import { type Decoded, decode, encode } from "./values";

/** The engine's ResourceProvider protocol, over the same descriptions as the dynamic door. */
export function pluginService(engineAddress: string | undefined): UntypedServiceImplementation {
  const log = new EngineLog(engineAddress);
  const provider = new PluginProvider(log);

  const implemented: UntypedServiceImplementation = {
    handshake: unary((_: messages.ProviderHandshakeRequest) =>
      new messages.ProviderHandshakeResponse().setAcceptSecrets(true).setAcceptResources(true).setAcceptOutputs(true),
    ),

    attach: unary((request: PluginAttach) => {
      log.attach(request.getAddress());
      return new Empty();
    }),

    getPluginInfo: unary(() => new PluginInfo().setVersion(packageVersion())),

    getSchema: unary((request: messages.GetSchemaRequest) => {
      if (request.getVersion() > 1)
        throw new Problem(`There is no schema of version ${request.getVersion()}; this provider writes version 0.`);
      return new messages.GetSchemaResponse().setSchema(readFileSync(join(packageRoot, "schema.json"), "utf8"));
    }),

    checkConfig: unary((request: messages.CheckRequest) => {
      const { failures } = provider.checkConfig(decode(request.getNews()).properties);
      // As they came: the engine keeps these in the state, secrets marked as the user marked them.
      return new messages.CheckResponse().setInputs(request.getNews()).setFailuresList(failures.map(failureMessage));
    }),

    diffConfig: unary((request: messages.DiffRequest) => {
      const olds = decode(request.getOldInputs() ?? request.getOlds()).properties;
      return diffMessage(provider.diffConfig(olds, decode(request.getNews()).properties), [], false);
    }),

    configure: unary((request: messages.ConfigureRequest) => {
      const { version: _, ...args } = decode(request.getArgs()).properties;
      // The engine calls the providers that it makes by itself "default", with the version behind it.
      provider.configure(args, !/^default(_|$)/.test(request.getName() || "default"));
      return new messages.ConfigureResponse()
        .setAcceptsecrets(true)
        .setSupportspreview(true)
        .setAcceptresources(true)
        .setAcceptoutputs(true);
    }),

    check: unary((request: messages.CheckRequest) => {
      const resource = resourceOf(request.getUrn());
      const news = decode(request.getNews());
      const given = {
        operation: provider.operation(request.getUrn()),
        olds: own(decode(request.getOlds())),
        resourceName: request.getUrn().split("::").slice(3).join("::"),
      };
      const { inputs, failures } = resource.check(given, own(news));
      return new messages.CheckResponse()
        .setInputs(encode(inputs, resource.inputs, news.secrets))
        .setFailuresList(failures.map(failureMessage));
    }),

    diff: unary((request: messages.DiffRequest) => {
      const resource = resourceOf(request.getUrn());
      const { changes, replaces, deleteBeforeReplace } = resource.diff(
        provider.operation(request.getUrn()),
        request.getId(),
        own(decode(request.getOlds())),
        own(decode(request.getNews())),
      );
      return diffMessage(changes, replaces, deleteBeforeReplace);
    }),

    create: unary(async (request: messages.CreateRequest) => {
      const resource = resourceOf(request.getUrn());
      const news = decode(request.getProperties());
      if (request.getPreview())
        return new messages.CreateResponse().setProperties(encodeOutputs(resource, promised(resource, own(news), undefined), news));
      const operation = provider.operation(request.getUrn(), request.getTimeout());
      const { id, outputs } = await partly(resource, news, () => resource.create(operation, own(news)));
      return new messages.CreateResponse().setId(id).setProperties(encodeOutputs(resource, outputs, news));
    }),

    read: unary(async (request: messages.ReadRequest) => {
      const resource = resourceOf(request.getUrn());
      const [inputs, state] = [decode(request.getInputs()), decode(request.getProperties())];
      const known = own(state);
      const found = await resource.read(
        provider.operation(request.getUrn(), request.getTimeout()),
        request.getId(),
        Object.keys(known).length > 0 ? known : undefined,
      );
      if (!found) return new messages.ReadResponse();
      const marks = { properties: {}, secrets: new Set([...inputs.secrets, ...state.secrets]) };
      return new messages.ReadResponse()
        .setId(found.id)
        .setProperties(encodeOutputs(resource, found.outputs, marks))
        .setInputs(encode(found.inputs, resource.inputs, marks.secrets));
    }),

    update: unary(async (request: messages.UpdateRequest) => {
      const resource = resourceOf(request.getUrn());
      const [olds, news] = [own(decode(request.getOlds())), decode(request.getNews())];
      if (request.getPreview())
        return new messages.UpdateResponse().setProperties(encodeOutputs(resource, promised(resource, own(news), olds), news));
      const operation = provider.operation(request.getUrn(), request.getTimeout());
      const outputs = await partly(resource, news, () => resource.update(operation, request.getId(), olds, own(news)));
      return new messages.UpdateResponse().setProperties(encodeOutputs(resource, outputs, news));
    }),

    delete: unary(async (request: messages.DeleteRequest) => {
      const resource = resourceOf(request.getUrn());
      await resource.delete(
        provider.operation(request.getUrn(), request.getTimeout()),
        request.getId(),
        own(decode(request.getProperties())),
      );
      return new Empty();
    }),

    invoke: unary(async (request: messages.InvokeRequest) => {
      const definition = functionOf(request.getTok());
      const args = decode(request.getArgs());
      const result = await definition.run(provider.operation(""), args.properties);
      return new messages.InvokeResponse().setReturn(encode(result, definition.outputs, new Set()));
    }),

    list: stream(async (request: messages.ListRequest) => {
      const objects = await resourceOfToken(request.getToken()).list(provider.operation(""));
      const most = request.getLimit() || objects.length;
      return objects.slice(0, most).map(({ id, name }) => {
        const result = new messages.ListResponse.Result().setId(id).setName(name);
        return new messages.ListResponse().setResult(result);
      });
    }),

    cancel: unary(() => {
      provider.cancel();
      return new Empty();
    }),
  };

  const unimplemented = Object.fromEntries(
    Object.keys(ResourceProviderService).map((name) => [
      name,
      unary(() => Promise.reject(new Unimplemented(`${name} is not implemented by agentpool-acl`))),
    ]),
  );
  return { ...unimplemented, ...implemented };
}

/** Properties without what the dynamic door keeps among them: a stack may have come from there. */
function own({ properties }: Decoded): Properties {
  const { __provider: _, ...rest } = properties;
  return rest;
}

function encodeOutputs(resource: Resource, outputs: Properties, { secrets }: Decoded) {
  return encode(outputs, new Map([...resource.inputs, ...resource.outputs]), secrets);
}

function failureMessage({ path, reason }: CheckFailure): messages.CheckFailure {
  return new messages.CheckFailure().setProperty(path).setReason(`${path} ${reason}`);
}

function diffMessage(changes: readonly Change[], replaces: string[], deleteBeforeReplace: boolean): messages.DiffResponse {
  const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
  const response = new messages.DiffResponse()
    .setChanges(changes.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setDiffsList([...new Set(changes.map(({ path }) => String(path[0])))])
    .setReplacesList(replaces)
    .setDeletebeforereplace(deleteBeforeReplace)
    .setHasdetaileddiff(true);
  for (const change of changes)
    response.getDetaileddiffMap().set(formatPath(change.path), new messages.PropertyDiff().setKind(kindOf(change)).setInputdiff(true));
  return response;
}

function kindOf({ kind, replaces }: Change): messages.PropertyDiff.Kind {
  const { Kind } = messages.PropertyDiff;
  if (kind === "add") return replaces ? Kind.ADD_REPLACE : Kind.ADD;
  if (kind === "delete") return replaces ? Kind.DELETE_REPLACE : Kind.DELETE;
  return replaces ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}

/** An object that exists in part is told with its ID and properties, so that the engine keeps it. */
async function partly<T>(resource: Resource, news: Decoded, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PartlyDone)) throw error;
    const failed = new messages.ErrorResourceInitFailed()
      .setId(error.id)
      .setProperties(encodeOutputs(resource, error.properties, news))
      .setReasonsList([error.message]);
    throw new InitFailed(error.message, failed);
  }
}

class InitFailed extends Error {
  constructor(
    message: string,
    readonly detail: messages.ErrorResourceInitFailed,
  ) {
    super(message);
  }
}

class Unimplemented extends Error {}

function unary<Request, Response>(handle: (request: Request) => Response | Promise<Response>): handleUnaryCall<Request, Response> {
  return (call, callback) => {
    Promise.resolve(call.request)
      .then(handle)
      .then((response) => callback(null, response))
      .catch((error: unknown) => callback(statusOf(error)));
  };
}

function stream<Request, Response>(handle: (request: Request) => Promise<Response[]>): handleServerStreamingCall<Request, Response> {
  return (call) => {
    handle(call.request).then(
      (responses) => {
        for (const response of responses) call.write(response);
        call.end();
      },
      (error: unknown) => call.emit("error", statusOf(error)),
    );
  };
}

/** An error for the engine: its message alone where it is meant for the user, with the stack where it is a fault of this package. */
function statusOf(error: unknown): Partial<ServiceError> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Unimplemented) return { code: grpc.status.UNIMPLEMENTED, details: message };
  if (error instanceof InitFailed) {
    const packed = new Any();
    packed.pack(error.detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status().setCode(grpc.status.UNKNOWN).setMessage(message).addDetails(packed);
    const metadata = new grpc.Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
    return { code: grpc.status.UNKNOWN, details: message, metadata };
  }
  const isForUser = error instanceof Problem || isApiError(error);
  return { code: grpc.status.UNKNOWN, details: isForUser || !(error instanceof Error) ? message : (error.stack ?? message) };
}
