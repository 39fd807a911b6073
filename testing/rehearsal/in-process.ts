import { asRehearsal } from "./current";
import type { DynamicProviders } from "./dynamic-handlers";
import { DynamicHost } from "./dynamic-handlers";
import type { Deployment } from "./engine/deployment";
import type { OperateOptions, RehearseResult } from "./engine/operate";
import { operate } from "./engine/operate";
import type { Goal } from "./engine/planner";
import type { ProviderHost } from "./engine/provider";
import { Report } from "./engine/report";
import type { ResourceState, StackState } from "./engine/state";
import { emptyState } from "./engine/state";
import type { Alias } from "./engine/urn";
import { STACK_TYPE } from "./engine/urn";
import type { PropertyMap, PropertyValue } from "./engine/values";
import { secret, UNKNOWN } from "./engine/values";
import { withoutSecrets } from "./engine/without-secrets";
import type { CommonOptions } from "./options";
import { effectiveConfig } from "./options";
import { withoutServices } from "./services";

/** A resource of a program that runs in this process. Its outputs are placeholders for inputs of other resources. */
export interface ResourceRef {
  readonly id: Placeholder;
  output(name: string): Placeholder;
}

/** Represents an output that has a value once the resource exists. Use it like any input, including within objects and lists. */
export class Placeholder {
  constructor(
    readonly resource: Promise<ResourceState>,
    readonly property: string | undefined,
    private readonly preview: boolean,
  ) {}

  /** The value; undefined if the resource has no such output. In a preview, a missing output is unknown instead. */
  async value(): Promise<PropertyValue | undefined> {
    const state = await this.resource;
    const value = this.property === undefined ? state.id : state.outputs[this.property];
    return value ?? (this.preview ? UNKNOWN : value);
  }
}

export interface ResourceOptions extends Partial<Pick<Goal, "protect" | "retainOnDelete" | "deleteBeforeReplace">> {
  parent?: ResourceRef;
  dependsOn?: ResourceRef[];
  /** A resource whose delete also deletes this object. */
  deletedWith?: ResourceRef;
  ignoreChanges?: string[];
  replaceOnChanges?: string[];
  additionalSecretOutputs?: string[];
  /** A former URN, or the parts that differ from the current one. */
  aliases?: (string | { name?: string; type?: string })[];
}

export interface ProgramContext {
  readonly preview: boolean;
  resource(type: string, name: string, inputs: Record<string, unknown>, options?: ResourceOptions): ResourceRef;
  /** A component: a resource without a provider, the parent of others. */
  component(type: string, name: string, options?: Pick<ResourceOptions, "parent" | "dependsOn" | "protect" | "aliases">): ResourceRef;
  /** An existing object that the stack does not manage. */
  get(type: string, name: string, id: string, inputs?: Record<string, unknown>): ResourceRef;
  secret(value: unknown): unknown;
}

type Outputs = Record<string, unknown> | undefined;

export interface InProcessOptions extends HostedOptions {
  /** The providers of the program's resources, by type. `pulumi-agentpool-acl/dynamic` has one for each kind. */
  providers: DynamicProviders;
  /**
   * Variables to add to the environment of the providers. That environment is the one of this process, without the variables of services
   * (such as NOMAD_*).
   */
  env?: Record<string, string>;
}

/** The options of a rehearsal in this process, for any provider. */
export interface HostedOptions extends CommonOptions {
  command: OperateOptions["command"];
  /** The program: it registers resources in the given stack, and returns the stack's outputs. A refresh or a destroy does not call it. */
  program: (stack: ProgramContext) => Outputs | Promise<Outputs>;
  /** The old state. Default: an empty one. The run does not modify this object: the new state is in the result. */
  state?: StackState | undefined;
  project?: string;
  now?: () => Date;
}

/**
 * Runs a program that is a function, with dynamic providers that are objects: the engine without processes and without the SDK. Rehearsals
 * may run at the same time, also with the same providers of this package.
 */
export function rehearseInProcess(options: InProcessOptions): Promise<RehearseResult & { state: StackState }> {
  const { project = "rehearsed", providers } = options;
  const host = new DynamicHost(providers, project, withoutServices(options.env));
  return asRehearsal(() => rehearseWith(withoutSecrets(host), { ...options, project }));
}

/** Runs a program that is a function, with any provider. The caller has to stop the provider. */
export async function rehearseWith(provider: ProviderHost, options: HostedOptions): Promise<RehearseResult & { state: StackState }> {
  const { command, project = "rehearsed", stack = "rehearsal", program } = options;
  // Programs in JavaScript give the path of a file, as `rehearse` takes it.
  if (options.state !== undefined && !Array.isArray(Object(options.state).resources))
    throw new TypeError(
      "rehearseInProcess: state must be the `state` of an earlier result, and not the path of a file. `rehearse` takes a path.",
    );
  let state = options.state ?? emptyState(project, stack);
  const config = effectiveConfig(command, project, state, options);
  const result = await operate({
    ...options,
    state,
    report: new Report(config, options.onEvent),
    config,
    provider,
    program: (deployment) => runProgram(deployment, program, `${project}-${stack}`, command === "preview"),
    save: (saved) => {
      state = saved;
    },
  });
  return { ...result, state: structuredClone(state) };
}

async function runProgram(deployment: Deployment, program: InProcessOptions["program"], name: string, preview: boolean): Promise<void> {
  const stack = await deployment.register(goal(STACK_TYPE, name, { custom: false }));
  const context = new RunningProgram(deployment, stack.urn, preview);
  const outputs = await program(context);
  await context.settled();
  const resolved = await context.resolve({ ...outputs });
  deployment.registerOutputs(stack.urn, resolved.inputs);
}

function goal(type: string, name: string, rest: Partial<Goal> & Pick<Goal, "custom">): Goal {
  const lists = { dependencies: [], ignoreChanges: [], replaceOnChanges: [], additionalSecretOutputs: [], aliases: [] };
  return { type, name, inputs: {}, propertyDependencies: {}, ...lists, ...rest };
}

class RunningProgram implements ProgramContext {
  private readonly resources: Promise<ResourceState>[] = [];

  constructor(
    private readonly deployment: Deployment,
    private readonly stack: string,
    readonly preview: boolean,
  ) {}

  resource(type: string, name: string, inputs: Record<string, unknown>, options: ResourceOptions = {}): ResourceRef {
    return this.refer(this.register(type, name, true, inputs, options));
  }

  component(type: string, name: string, options: ResourceOptions = {}): ResourceRef {
    return this.refer(this.register(type, name, false, {}, options));
  }

  get(type: string, name: string, id: string, inputs: Record<string, unknown> = {}): ResourceRef {
    const read = async (): Promise<ResourceState> => {
      const { inputs: properties, dependencies } = await this.resolve(inputs);
      return this.deployment.read({
        type,
        name,
        id,
        parent: this.stack,
        inputs: properties,
        dependencies,
        additionalSecretOutputs: [],
      });
    };
    return this.refer(read());
  }

  secret(value: unknown): unknown {
    return new SecretInput(value);
  }

  /** Waits for every resource; throws the error of the first one that failed. */
  async settled(): Promise<void> {
    await Promise.all(this.resources);
  }

  /**
   * Waits for the outputs of other resources among the inputs. Resources without such inputs do not wait, so they are registered in the
   * program's order.
   */
  async resolve(inputs: Record<string, unknown>): Promise<ResolvedInputs> {
    const placeholders = [...placeholdersIn(inputs)];
    const known = new Map(await Promise.all(placeholders.map(async (one) => [one, await one.value()] as const)));
    const urns = new Map(await Promise.all(placeholders.map(async (one) => [one, (await one.resource).urn] as const)));
    const resolved: ResolvedInputs = { inputs: {}, dependencies: [...new Set(urns.values())], propertyDependencies: {} };
    for (const [name, input] of Object.entries(inputs)) {
      const value = wireInput(input, known);
      if (value === undefined) continue;
      resolved.inputs[name] = value;
      resolved.propertyDependencies[name] = [...new Set([...placeholdersIn(input)].flatMap((one) => urns.get(one) ?? []))];
    }
    return resolved;
  }

  private refer(resource: Promise<ResourceState>): ResourceRef {
    this.resources.push(resource);
    // settled() reports a failure; until then it must not count as unhandled.
    resource.catch(() => {});
    const output = (property?: string): Placeholder => new Placeholder(resource, property, this.preview);
    return { id: output(), output };
  }

  private async register(
    type: string,
    name: string,
    custom: boolean,
    inputs: Record<string, unknown>,
    options: ResourceOptions,
  ): Promise<ResourceState> {
    const { parent, dependsOn = [], deletedWith, aliases = [], ...rest } = options;
    const resolved = await this.resolve(inputs);
    const explicit = await Promise.all(dependsOn.map(urnOf));
    return this.deployment.register(
      goal(type, name, {
        ...rest,
        ...resolved,
        custom,
        parent: parent === undefined ? this.stack : await urnOf(parent),
        ...(deletedWith && { deletedWith: await urnOf(deletedWith) }),
        dependencies: [...new Set([...explicit, ...resolved.dependencies])],
        aliases: aliases.map((alias): Alias => (typeof alias === "string" ? { urn: alias } : alias)),
      }),
    );
  }
}

interface ResolvedInputs {
  inputs: PropertyMap;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
}

class SecretInput {
  constructor(readonly value: unknown) {}
}

async function urnOf(ref: ResourceRef): Promise<string> {
  return (await ref.id.resource).urn;
}

function* placeholdersIn(input: unknown): Generator<Placeholder> {
  if (input instanceof Placeholder) yield input;
  else if (input instanceof SecretInput) yield* placeholdersIn(input.value);
  else if (typeof input === "object" && input !== null) for (const item of Object.values(input)) yield* placeholdersIn(item);
}

/** The value in the form of the engine's protocol. `undefined` is left out, as the SDK does. */
function wireInput(input: unknown, known: ReadonlyMap<Placeholder, PropertyValue | undefined>): PropertyValue | undefined {
  if (input === null || typeof input === "string" || typeof input === "number" || typeof input === "boolean") return input;
  if (input === undefined) return undefined;
  if (input instanceof Placeholder) return known.get(input);
  if (input instanceof SecretInput) return secret(wireInput(input.value, known) ?? null);
  if (Array.isArray(input)) return input.map((item) => wireInput(item, known) ?? null);
  if (typeof input !== "object" || input instanceof Promise) {
    const what = input instanceof Promise ? "promise: await it first" : `${typeof input}: give JSON, or an output of another resource`;
    throw new Error(`an input cannot be a ${what}`);
  }
  const wired = Object.entries(input).map(([name, item]) => [name, wireInput(item, known)] as const);
  const present = wired.filter((entry): entry is readonly [string, PropertyValue] => entry[1] !== undefined);
  return Object.fromEntries(present);
}
