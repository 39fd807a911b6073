import type { Server, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { Alias as AliasMessage } from "@pulumi/pulumi/proto/alias_pb";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import * as engine from "@pulumi/pulumi/proto/engine_pb";
import { InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import * as resources from "@pulumi/pulumi/proto/resource_pb";
import type { Deployment } from "../engine/deployment";
import { EngineError, Stopped } from "../engine/operation";
import type { Goal } from "../engine/planner";
import type { Diagnostic, Report } from "../engine/report";
import type { Alias } from "../engine/urn";
import { CHANNEL_OPTIONS, Empty, fromStruct, grpc, StatusError, toStruct, unary } from "./grpc";

/** The features of this engine. If a program needs another one, the SDK throws an error. */
const FEATURES = new Set(["secrets", "resourceReferences", "aliasSpecs", "deletedWith"]);

/** Serves the two interfaces that a program calls, ResourceMonitor and Engine, at one address. */
export class Monitor {
  private readonly server: Server = new grpc.Server(CHANNEL_OPTIONS);
  private deployment: Deployment | undefined;

  /** Whether the program has sent the message that all its resources are registered. */
  hasSignalled = false;

  constructor(private readonly report: Report) {
    this.server.addService(ResourceMonitorService, this.monitor());
    this.server.addService(EngineService, this.engine());
  }

  /** Returns the address. */
  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      const { server } = this;
      server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error) reject(error);
        else resolve(`127.0.0.1:${port}`);
      });
    });
  }

  /** Passes all registrations to this deployment from now on. */
  serve(deployment: Deployment): void {
    this.deployment = deployment;
  }

  close(): void {
    this.server.forceShutdown();
  }

  private monitor(): UntypedServiceImplementation {
    return {
      supportsFeature: unary((request: resources.SupportsFeatureRequest) =>
        new resources.SupportsFeatureResponse().setHassupport(FEATURES.has(request.getId())),
      ),
      registerResource: unary((request: resources.RegisterResourceRequest) => this.register(request)),
      readResource: unary((request: resources.ReadResourceRequest) => this.read(request)),
      registerResourceOutputs: unary((request: resources.RegisterResourceOutputsRequest) =>
        this.respond((deployment) => {
          deployment.registerOutputs(request.getUrn(), fromStruct(request.getOutputs()));
          return new Empty();
        }),
      ),
      invoke: unary((request: resources.ResourceInvokeRequest) => this.invoke(request)),
      signalAndWaitForShutdown: unary(() => {
        this.hasSignalled = true;
        return new Empty();
      }),
    };
  }

  private engine(): UntypedServiceImplementation {
    const { INFO, WARNING, ERROR } = engine.LogSeverity;
    const severities = new Map<number, Diagnostic["severity"]>([
      [INFO, "info"],
      [WARNING, "warning"],
      [ERROR, "error"],
    ]);
    return {
      log: unary((request: engine.LogRequest) => {
        const severity = severities.get(request.getSeverity());
        // Debug messages and progress messages are not kept.
        if (severity !== undefined && !request.getEphemeral()) this.report.log(severity, request.getMessage(), request.getUrn());
        return new Empty();
      }),
      setRootResource: unary(() => new engine.SetRootResourceResponse()),
      getRootResource: unary(() => new engine.GetRootResourceResponse()),
    };
  }

  private register(request: resources.RegisterResourceRequest): Promise<resources.RegisterResourceResponse> {
    return this.respond(async (deployment) => {
      refuseUnsupported(request);
      const goal = toGoal(request);
      const state = await deployment.register(goal);
      // A component's outputs come later, by registerResourceOutputs: the old ones may refer to resources that don't exist yet.
      const outputs = goal.custom ? state.outputs : {};
      return new resources.RegisterResourceResponse()
        .setUrn(state.urn)
        .setId(state.id ?? "")
        .setObject(toStruct(outputs));
    });
  }

  private read(request: resources.ReadResourceRequest): Promise<resources.ReadResourceResponse> {
    return this.respond(async (deployment) => {
      const state = await deployment.read({
        type: request.getType(),
        name: request.getName(),
        id: request.getId(),
        provider: explicitProvider(request.getProvider()),
        parent: request.getParent() || undefined,
        inputs: fromStruct(request.getProperties()),
        dependencies: request.getDependenciesList(),
        additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
      });
      return new resources.ReadResourceResponse().setUrn(state.urn).setProperties(toStruct(state.outputs));
    });
  }

  /** The program gets the error of a function, and may handle it. */
  private async invoke(request: resources.ResourceInvokeRequest): Promise<InvokeResponse> {
    if (this.deployment === undefined) throw new StatusError(grpc.status.UNAVAILABLE, "the engine is not ready");
    const args = fromStruct(request.getArgs());
    const result = await this.deployment.invoke({ token: request.getTok(), args, provider: explicitProvider(request.getProvider()) });
    return new InvokeResponse().setReturn(toStruct(result));
  }

  /** The engine reports errors here. UNAVAILABLE makes the program end without reporting the error a second time, with its stack. */
  private async respond<Response>(handle: (deployment: Deployment) => Promise<Response> | Response): Promise<Response> {
    if (this.deployment === undefined) throw new StatusError(grpc.status.UNAVAILABLE, "the engine is not ready");
    try {
      return await handle(this.deployment);
    } catch (error) {
      if (!(error instanceof Stopped)) this.deployment.fail(error);
      throw new StatusError(grpc.status.UNAVAILABLE, "the operation has stopped");
    }
  }
}

function toGoal(request: resources.RegisterResourceRequest): Goal {
  const propertyDependencies: Record<string, string[]> = {};
  request.getPropertydependenciesMap().forEach((dependencies, name) => {
    propertyDependencies[name] = dependencies.getUrnsList();
  });
  return {
    type: request.getType(),
    name: request.getName(),
    custom: request.getCustom(),
    provider: explicitProvider(request.getProvider()),
    parent: request.getParent() || undefined,
    inputs: fromStruct(request.getObject()),
    dependencies: request.getDependenciesList(),
    propertyDependencies,
    protect: request.hasProtect() ? request.getProtect() : undefined,
    retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : undefined,
    deletedWith: request.getDeletedwith() || undefined,
    deleteBeforeReplace: request.getDeletebeforereplacedefined() ? request.getDeletebeforereplace() : undefined,
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    aliases: [...request.getAliasurnsList().map((urn) => ({ urn })), ...request.getAliasesList().map(toAlias)],
  };
}

function toAlias(message: AliasMessage): Alias {
  const spec = message.getSpec();
  if (spec === undefined) return { urn: message.getUrn() };
  return {
    name: spec.getName(),
    type: spec.getType(),
    stack: spec.getStack(),
    project: spec.getProject(),
    parent: spec.getParenturn() || undefined,
    noParent: spec.getNoparent(),
  };
}

/** The URN in a reference to a provider, without the provider's ID, which a preview may not know. Undefined for the default provider. */
function explicitProvider(reference: string): string | undefined {
  return reference === "" ? undefined : reference.slice(0, reference.lastIndexOf("::"));
}

/** Options of the real engine that this one lacks. They are errors, because the result would differ from the real engine's. */
function refuseUnsupported(request: resources.RegisterResourceRequest): void {
  const [type, name] = [request.getType(), request.getName()];
  const refuse = (what: string): never => {
    throw new EngineError(undefined, `${type} "${name}": the rehearsal engine does not know ${what}; use the Pulumi CLI`);
  };
  if (request.getRemote()) refuse("remote components");
  if (request.getImportid() !== "") refuse("the option import");
  if (request.hasReplacementTrigger()) refuse("the option replacementTrigger");
}
