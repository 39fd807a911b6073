import { join } from "node:path";
import type { ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import {
  type CheckRequest,
  type CheckResult,
  type CreateRequest,
  type CreateResult,
  type DeleteRequest,
  type DiffRequest,
  type DiffResult,
  PartialFailure,
  type ProviderHost,
  type ReadRequest,
  type ReadResult,
  type ResourceRequest,
  type UpdateRequest,
} from "../engine/provider";
import type { PropertyMap } from "../engine/values";
import { Child } from "./child";
import { CHANNEL_OPTIONS, Empty, fromStruct, grpc, toStruct } from "./grpc";
import type { Project } from "./project";

export interface HostOptions {
  project: Project;
  /** The engine's address, which a provider may log to. */
  engine: string;
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
}

/** The SDK's own dynamic host in its process. It begins to start at once; the first call waits for it. */
export function startDynamicHost({ project, engine, env, onLine }: HostOptions): ProviderHost {
  let announcePort: (port: string) => void = () => {};
  const port = new Promise<string>((resolve) => {
    announcePort = resolve;
  });
  let started = false;
  const child = new Child({
    args: [join(project.sdk, "cmd", "dynamic-provider", "index.js"), engine],
    cwd: project.directory,
    env: { ...env, PULUMI_NODEJS_PROJECT: project.name, PULUMI_PROJECT: project.name, PULUMI_CONFIG: "{}" },
    // The first line is the port; what follows is what the providers print.
    onLine: (line, stream) => {
      if (started || stream === "stderr") return onLine(line);
      started = true;
      announcePort(line.trim());
    },
  });
  const died = child.exited.then((code): never => {
    throw new Error(`the dynamic provider's process ended too early, with the code ${code}: what it printed is among the diagnostics`);
  });
  died.catch(() => {});
  const connected = Promise.race([port, died]).then(
    (number) => new ResourceProviderClient(`127.0.0.1:${number}`, grpc.credentials.createInsecure(), CHANNEL_OPTIONS),
  );
  connected.catch(() => {});
  return new RemoteProvider(connected, async () => {
    await child.stop();
    await connected.then((client) => client.close()).catch(() => {});
  });
}

type Method<Response> = (client: ResourceProviderClient, callback: (error: ServiceError | null, response: Response) => void) => unknown;

async function send<Response>(client: ResourceProviderClient, method: Method<Response>): Promise<Response> {
  return new Promise((resolve, reject) => method(client, (error, response) => (error ? reject(providerError(error)) : resolve(response))));
}

/** The provider behind a gRPC client, for as long as it lives. */
class RemoteProvider implements ProviderHost {
  private configured: Promise<ResourceProviderClient>;

  constructor(
    private readonly connected: Promise<ResourceProviderClient>,
    readonly stop: () => Promise<void>,
  ) {
    this.configured = connected;
  }

  /** Does not wait: the program starts meanwhile. The first call waits, and tells if this failed. */
  async configure(config: PropertyMap): Promise<void> {
    const request = new messages.ConfigureRequest().setArgs(toStruct(config)).setAcceptsecrets(true).setAcceptresources(true);
    this.configured = this.connected.then(async (client) => {
      await send<messages.ConfigureResponse>(client, (to, done) => to.configure(request, done));
      return client;
    });
    this.configured.catch(() => {});
  }

  async check(request: CheckRequest): Promise<CheckResult> {
    const message = about(new messages.CheckRequest(), request).setOlds(toStruct(request.olds)).setNews(toStruct(request.news));
    message.setRandomseed(request.randomSeed);
    const response = await this.call<messages.CheckResponse>((client, done) => client.check(message, done));
    const failures = response.getFailuresList().map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
    return { inputs: fromStruct(response.getInputs()), failures };
  }

  async diff(request: DiffRequest): Promise<DiffResult> {
    const message = about(new messages.DiffRequest(), request).setId(request.id).setOlds(toStruct(request.olds));
    message.setOldInputs(toStruct(request.oldInputs)).setNews(toStruct(request.news)).setIgnorechangesList(request.ignoreChanges);
    const response = await this.call<messages.DiffResponse>((client, done) => client.diff(message, done));
    const { DIFF_UNKNOWN, DIFF_SOME } = messages.DiffResponse.DiffChanges;
    const changes = response.getChanges();
    return {
      changes: changes === DIFF_UNKNOWN ? undefined : changes === DIFF_SOME,
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
      changed: response.getDiffsList(),
    };
  }

  async create(request: CreateRequest): Promise<CreateResult> {
    const message = about(new messages.CreateRequest(), request).setProperties(toStruct(request.inputs));
    const response = await this.call<messages.CreateResponse>((client, done) => client.create(message, done));
    return { id: response.getId(), outputs: fromStruct(response.getProperties()) };
  }

  async read(request: ReadRequest): Promise<ReadResult> {
    const message = about(new messages.ReadRequest(), request).setId(request.id);
    message.setInputs(toStruct(request.inputs)).setProperties(toStruct(request.outputs));
    const response = await this.call<messages.ReadResponse>((client, done) => client.read(message, done));
    const inputs = response.getInputs();
    return { id: response.getId(), outputs: fromStruct(response.getProperties()), inputs: inputs && fromStruct(inputs) };
  }

  async update(request: UpdateRequest): Promise<PropertyMap> {
    const message = about(new messages.UpdateRequest(), request).setId(request.id).setOlds(toStruct(request.olds));
    message.setOldInputs(toStruct(request.oldInputs)).setNews(toStruct(request.news)).setIgnorechangesList(request.ignoreChanges);
    const response = await this.call<messages.UpdateResponse>((client, done) => client.update(message, done));
    return fromStruct(response.getProperties());
  }

  async delete(request: DeleteRequest): Promise<void> {
    const message = about(new messages.DeleteRequest(), request).setId(request.id);
    message.setProperties(toStruct(request.outputs)).setOldInputs(toStruct(request.oldInputs));
    await this.call((client, done) => client.delete(message, done));
  }

  async cancel(): Promise<void> {
    await this.call((client, done) => client.cancel(new Empty(), done));
  }

  private async call<Response>(method: Method<Response>): Promise<Response> {
    return send(await this.configured, method);
  }
}

interface ResourceMessage {
  setUrn(value: string): unknown;
  setName(value: string): unknown;
  setType(value: string): unknown;
}

function about<Message extends ResourceMessage>(message: Message, { urn, name, type }: ResourceRequest): Message {
  message.setUrn(urn);
  message.setName(name);
  message.setType(type);
  return message;
}

/** The provider's own words; with the object, when it says that there is one. */
function providerError(error: ServiceError): Error {
  for (const bytes of error.metadata.get("grpc-status-details-bin")) {
    for (const detail of Status.deserializeBinary(Buffer.from(bytes)).getDetailsList()) {
      const failed = detail.unpack(messages.ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
      if (failed === null) continue;
      const properties: PropertyMap = fromStruct(failed.getProperties());
      return new PartialFailure(error.details, failed.getId(), properties, failed.getReasonsList());
    }
  }
  return new Error(error.details, { cause: error });
}
