import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type * as engine from "../engine/provider";
import { InitError } from "../engine/provider";
import type { PropertyMap } from "../engine/values";
import { Empty, fromStruct, toStruct } from "./grpc";

type Method<Response> = (client: ResourceProviderClient, callback: (error: ServiceError | null, response: Response) => void) => unknown;

async function send<Response>(client: ResourceProviderClient, method: Method<Response>): Promise<Response> {
  return new Promise<Response>((resolve, reject) => method(client, (error, response) => (error ? reject(error) : resolve(response)))).catch(
    (error: ServiceError) => {
      throw providerError(error);
    },
  );
}

/** A provider behind a gRPC client. Like the dynamic host it gets the whole configuration, under full keys. */
export class RemoteProvider implements engine.ProviderHost {
  private configured: Promise<ResourceProviderClient>;

  constructor(
    protected readonly connected: Promise<ResourceProviderClient>,
    readonly stop: () => Promise<void>,
  ) {
    this.configured = connected;
  }

  /** Does not wait, because the program starts meanwhile. The first call waits, and throws if this failed. */
  async configure(config: PropertyMap): Promise<void> {
    this.configured = this.connected.then(async (client) => {
      const request = await this.configuration(config);
      await send<messages.ConfigureResponse>(client, (to, done) => to.configure(request, done));
      return client;
    });
    this.configured.catch(() => {});
  }

  protected async configuration(config: PropertyMap): Promise<messages.ConfigureRequest> {
    return new messages.ConfigureRequest().setArgs(toStruct(config)).setAcceptsecrets(true).setAcceptresources(true);
  }

  supportsPreview(): boolean {
    return false;
  }

  async check(request: engine.CheckRequest): Promise<engine.CheckResult> {
    const message = about(new messages.CheckRequest(), request).setOlds(toStruct(request.olds)).setNews(toStruct(request.news));
    message.setRandomseed(request.randomSeed);
    return checkResult(await this.call<messages.CheckResponse>((client, done) => client.check(message, done)));
  }

  async diff(request: engine.DiffRequest): Promise<engine.DiffResult> {
    const message = about(new messages.DiffRequest(), request).setId(request.id).setOlds(toStruct(request.olds));
    message.setOldInputs(toStruct(request.oldInputs)).setNews(toStruct(request.news)).setIgnorechangesList(request.ignoreChanges);
    return diffResult(await this.call<messages.DiffResponse>((client, done) => client.diff(message, done)));
  }

  async create(request: engine.CreateRequest): Promise<engine.CreateResult> {
    const message = about(new messages.CreateRequest(), request).setProperties(toStruct(request.inputs)).setPreview(request.preview);
    const response = await this.call<messages.CreateResponse>((client, done) => client.create(message, done));
    return { id: response.getId(), outputs: fromStruct(response.getProperties()) };
  }

  async read(request: engine.ReadRequest): Promise<engine.ReadResult> {
    const message = about(new messages.ReadRequest(), request).setId(request.id);
    message.setInputs(toStruct(request.inputs)).setProperties(toStruct(request.outputs));
    const response = await this.call<messages.ReadResponse>((client, done) => client.read(message, done));
    const inputs = response.getInputs();
    return { id: response.getId(), outputs: fromStruct(response.getProperties()), inputs: inputs && fromStruct(inputs) };
  }

  async update(request: engine.UpdateRequest): Promise<PropertyMap> {
    const message = about(new messages.UpdateRequest(), request)
      .setId(request.id)
      .setOlds(toStruct(request.olds))
      .setPreview(request.preview);
    message.setOldInputs(toStruct(request.oldInputs)).setNews(toStruct(request.news)).setIgnorechangesList(request.ignoreChanges);
    const response = await this.call<messages.UpdateResponse>((client, done) => client.update(message, done));
    return fromStruct(response.getProperties());
  }

  async delete(request: engine.DeleteRequest): Promise<void> {
    const message = about(new messages.DeleteRequest(), request).setId(request.id);
    message.setProperties(toStruct(request.outputs)).setOldInputs(toStruct(request.oldInputs));
    await this.call((client, done) => client.delete(message, done));
  }

  async invoke({ token, args }: engine.InvokeRequest): Promise<PropertyMap> {
    const message = new messages.InvokeRequest().setTok(token).setArgs(toStruct(args));
    const response = await this.call<messages.InvokeResponse>((client, done) => client.invoke(message, done));
    const failures = response.getFailuresList().map((failure) => failure.getReason());
    if (failures.length > 0) throw new Error(`${token}: ${failures.join("; ")}`);
    return fromStruct(response.getReturn());
  }

  async cancel(): Promise<void> {
    await this.call((client, done) => client.cancel(new Empty(), done));
  }

  private async call<Response>(method: Method<Response>): Promise<Response> {
    return send(await this.configured, method);
  }
}

/** A plugin of a package: it gets the package's part of the configuration, which it has checked, and is called in previews, too. */
export class RemotePlugin extends RemoteProvider {
  constructor(
    private readonly packageName: string,
    /** The provider's name: "default" for the stack's configuration. */
    private readonly name: string,
    connected: Promise<ResourceProviderClient>,
    stop: () => Promise<void>,
  ) {
    super(connected, stop);
  }

  override supportsPreview(): boolean {
    return true;
  }

  override configure(config: PropertyMap): Promise<void> {
    return this.configureWith(ofPackage(this.packageName, config));
  }

  /** @param settings without the package's prefix */
  configureWith(settings: PropertyMap): Promise<void> {
    return super.configure(settings);
  }

  async checkSettings(settings: PropertyMap): Promise<engine.CheckResult> {
    const client = await this.connected;
    const check = about(new messages.CheckRequest(), this.resource()).setNews(toStruct(settings));
    return checkResult(await send<messages.CheckResponse>(client, (to, done) => to.checkConfig(check, done)));
  }

  async diffSettings({ olds, oldInputs, news }: engine.DiffRequest): Promise<engine.DiffResult> {
    const client = await this.connected;
    const message = about(new messages.DiffRequest(), this.resource()).setOlds(toStruct(olds)).setOldInputs(toStruct(oldInputs));
    message.setNews(toStruct(news));
    return diffResult(await send<messages.DiffResponse>(client, (to, done) => to.diffConfig(message, done)));
  }

  protected override async configuration(settings: PropertyMap): Promise<messages.ConfigureRequest> {
    const { inputs, failures } = await this.checkSettings(settings);
    const reasons = failures.map(({ reason }) => `${this.packageName}:${reason}`);
    if (reasons.length > 0) throw new Error(`the configuration cannot be used: ${reasons.join("; ")}`);
    const request = new messages.ConfigureRequest().setArgs(toStruct(inputs)).setName(this.name).setType(this.resource().type);
    return request.setAcceptsecrets(true).setAcceptresources(true).setSendsOldInputs(true).setSendsOldInputsToDelete(true);
  }

  private resource(): engine.ResourceRequest {
    const { packageName, name } = this;
    const type = `pulumi:providers:${packageName}`;
    return { urn: `urn:pulumi:stack::project::${type}::${name}`, name, type };
  }
}

/** A package's part of the configuration, without the prefix of its keys. */
export function ofPackage(packageName: string, config: PropertyMap): PropertyMap {
  const prefix = `${packageName}:`;
  const own = Object.entries(config).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]));
}

function checkResult(response: messages.CheckResponse): engine.CheckResult {
  const failures = response.getFailuresList().map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
  return { inputs: fromStruct(response.getInputs()), failures };
}

function diffResult(response: messages.DiffResponse): engine.DiffResult {
  const { DIFF_UNKNOWN, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const changes = response.getChanges();
  return {
    changes: changes === DIFF_UNKNOWN ? undefined : changes === DIFF_SOME,
    replaces: response.getReplacesList(),
    deleteBeforeReplace: response.getDeletebeforereplace(),
    changed: response.getHasdetaileddiff() ? [...response.getDetaileddiffMap().keys()] : response.getDiffsList(),
  };
}

interface ResourceMessage {
  setUrn(value: string): unknown;
  setName(value: string): unknown;
  setType(value: string): unknown;
}

function about<Message extends ResourceMessage>(message: Message, { urn, name, type }: engine.ResourceRequest): Message {
  message.setUrn(urn);
  message.setName(name);
  message.setType(type);
  return message;
}

/** The provider's error, with its object, if any. */
export function providerError(error: ServiceError): Error {
  for (const bytes of error.metadata.get("grpc-status-details-bin")) {
    for (const detail of Status.deserializeBinary(new Uint8Array(Buffer.from(bytes))).getDetailsList()) {
      const failed = detail.unpack(messages.ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
      if (failed === null) continue;
      const properties: PropertyMap = fromStruct(failed.getProperties());
      return new InitError(error.details, failed.getId(), properties, failed.getReasonsList());
    }
  }
  return new Error(error.details, { cause: error });
}
