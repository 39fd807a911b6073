import type { ServiceError } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import * as engine from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Environment } from "../../common/environment";
import { channelOptions, Empty, grpc } from "../../provider/adapters/plugin/grpc";
import { EngineLog } from "../../provider/adapters/plugin/log";
import { providerService } from "../../provider/adapters/plugin/messages";
import { pluginService } from "../../provider/adapters/plugin/service";
import { type PropertyMap, reveal } from "../../testing/rehearsal/engine/values";
import { fromStruct, toStruct, unary } from "../../testing/rehearsal/processes/grpc";

export type Callback<Response> = (error: ServiceError | null, response: Response) => void;

/** A line of the engine's log. */
export interface LogLine {
  readonly severity: "info" | "warning";
  readonly urn: string;
  readonly message: string;
}

/** The plugin behind a gRPC connection, and the engine that gets its log. */
export class TestPlugin {
  private constructor(
    readonly client: ResourceProviderClient,
    readonly logged: readonly LogLine[],
    readonly engineAddress: string,
    private readonly servers: readonly InstanceType<typeof grpc.Server>[],
    private readonly env: Record<string, string | undefined>,
  ) {}

  static async start(given: Environment = {}): Promise<TestPlugin> {
    const env = { ...given };
    const logged: LogLine[] = [];
    const engineServer = new grpc.Server(channelOptions);
    engineServer.addService(EngineService, {
      log: unary((request: engine.LogRequest) => {
        const severity = request.getSeverity() === engine.LogSeverity.WARNING ? "warning" : "info";
        logged.push({ severity, urn: request.getUrn(), message: request.getMessage() });
        return new Empty();
      }),
    });
    const server = new grpc.Server(channelOptions);
    const { address: engineAddress } = await listening(engineServer);
    const log = new EngineLog(engineAddress);
    server.addService(providerService, pluginService({ env, log }));
    const client = new ResourceProviderClient((await listening(server)).address, grpc.credentials.createInsecure(), channelOptions);
    return new TestPlugin(client, logged, engineAddress, [server, engineServer], env);
  }

  stop(): void {
    this.client.close();
    for (const server of this.servers) server.forceShutdown();
  }

  /** Sends a request and returns the response. @throws ServiceError */
  call<Response>(method: (client: ResourceProviderClient, callback: Callback<Response>) => unknown): Promise<Response> {
    return new Promise((resolve, reject) => method(this.client, (error, response) => (error ? reject(error) : resolve(response))));
  }

  /**
   * Begins a new operation of the provider. The engine's default provider gets the stack's configuration, which the process has as well.
   *
   * @param stack the stack's configuration
   */
  configure(args: PropertyMap, name = "default_0_1_0", stack = args): Promise<messages.ConfigureResponse> {
    this.env.PULUMI_CONFIG = JSON.stringify(reveal(stack));
    const request = new messages.ConfigureRequest().setArgs(toStruct(args)).setName(name).setAcceptsecrets(true);
    return this.call((client, done) => client.configure(request, done));
  }

  async check(urn: string, news: PropertyMap, olds: PropertyMap = {}) {
    const request = new messages.CheckRequest().setUrn(urn).setNews(toStruct(news)).setOlds(toStruct(olds));
    const response = await this.call<messages.CheckResponse>((client, done) => client.check(request, done));
    return { inputs: fromStruct(response.getInputs()), failures: response.getFailuresList().map((failure) => failure.toObject()) };
  }

  /** The response to a diff in the form of {@link readDiff}. */
  async diff(urn: string, id: string, olds: PropertyMap, news: PropertyMap, oldInputs = olds) {
    const request = new messages.DiffRequest().setUrn(urn).setId(id).setOlds(toStruct(olds)).setNews(toStruct(news));
    request.setOldInputs(toStruct(oldInputs));
    return readDiff(await this.call((client, done) => client.diff(request, done)));
  }

  async create(urn: string, properties: PropertyMap, preview = false) {
    const request = new messages.CreateRequest().setUrn(urn).setProperties(toStruct(properties)).setPreview(preview);
    const response = await this.call<messages.CreateResponse>((client, done) => client.create(request, done));
    return { id: response.getId(), outputs: fromStruct(response.getProperties()) };
  }

  async read(urn: string, id: string, outputs: PropertyMap = {}, inputs: PropertyMap = outputs) {
    const request = new messages.ReadRequest().setUrn(urn).setId(id).setProperties(toStruct(outputs)).setInputs(toStruct(inputs));
    const response = await this.call<messages.ReadResponse>((client, done) => client.read(request, done));
    return { id: response.getId(), outputs: fromStruct(response.getProperties()), inputs: fromStruct(response.getInputs()) };
  }

  async update(urn: string, id: string, olds: PropertyMap, news: PropertyMap, preview = false) {
    const request = new messages.UpdateRequest().setUrn(urn).setId(id).setOlds(toStruct(olds)).setNews(toStruct(news)).setPreview(preview);
    return fromStruct((await this.call<messages.UpdateResponse>((client, done) => client.update(request, done))).getProperties());
  }

  async delete(urn: string, id: string, outputs: PropertyMap, timeoutSeconds = 0): Promise<void> {
    const request = new messages.DeleteRequest().setUrn(urn).setId(id).setProperties(toStruct(outputs)).setTimeout(timeoutSeconds);
    await this.call((client, done) => client.delete(request, done));
  }

  async invoke(token: string, args: PropertyMap) {
    const request = new messages.InvokeRequest().setTok(token).setArgs(toStruct(args));
    const response = await this.call<messages.InvokeResponse>((client, done) => client.invoke(request, done));
    return { result: fromStruct(response.getReturn()), failures: response.getFailuresList().map((failure) => failure.toObject()) };
  }
}

/** A diff's response in a readable form. */
export function readDiff(response: messages.DiffResponse) {
  const kinds = Object.entries(messages.PropertyDiff.Kind);
  const detailed: Record<string, string> = {};
  response.getDetaileddiffMap().forEach((property, path) => {
    const kind = kinds.find(([, value]) => value === property.getKind())?.[0] ?? "";
    detailed[path] = `${kind} of the ${property.getInputdiff() ? "input" : "output"}`;
  });
  return {
    changes: response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
    properties: response.getDiffsList(),
    replaces: response.getReplacesList(),
    deleteBeforeReplace: response.getDeletebeforereplace(),
    hasDetailedDiff: response.getHasdetaileddiff(),
    detailed,
  };
}

/** Lets a server listen on this machine, at a free port. */
export async function listening(server: InstanceType<typeof grpc.Server>) {
  const port = await new Promise<number>((resolve, reject) => {
    const credentials = grpc.ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  return { server, address: `127.0.0.1:${port}` };
}

/** The URN of a resource of the test's program. */
export function urnOf(kind: string, name = "it"): string {
  return `urn:pulumi:test::trial::agentpool-acl:index:${kind}::${name}`;
}

/** The inputs of an auth method. */
export const method = (config: PropertyMap = {}): PropertyMap => ({
  name: "sso",
  type: "OIDC",
  tokenLocality: "local",
  maxTokenTtl: "1h",
  config: { oidcDiscoveryUrl: "https://idp.test", oidcClientId: "cluster", allowedRedirectUris: ["http://a"], ...config },
});
