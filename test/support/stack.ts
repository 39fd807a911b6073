import type { Environment } from "../../common/environment";
import { ownProperty } from "../../common/own-property";
import { isRecord } from "../../common/unknown";
import type { Fields } from "../../provider/model/fields";
import { resources } from "../../provider/resources";
import type { HostedOptions, ProgramContext, RehearseCommand, RehearseResult, ResourceOptions, ResourceRef } from "../../testing/rehearsal";
import type { ProviderHost } from "../../testing/rehearsal/engine/provider";
import type { ResourceState, StackState } from "../../testing/rehearsal/engine/state";
import { reveal } from "../../testing/rehearsal/engine/values";
import { type JournalEntry, Simulator, type SimulatorOptions } from "../../testing/simulator";
import { samples } from "../kinds";
import { type Adapter, operate, prefixed } from "./adapters";
import { InstantClock } from "./clock";
import type { Inputs, Kind } from "./declared";

export type { Inputs, Kind } from "./declared";

/** How a program of the suite declares its resources. */
export interface Declare {
  (kind: Kind, name: string, inputs: Inputs, options?: ResourceOptions): ResourceRef;
  get(kind: Kind, name: string, id: string): ResourceRef;
}

export type Program = (declare: Declare) => void;

/** The program with one resource, which is called "it". */
export function only(kind: Kind, inputs: Inputs, options?: ResourceOptions): Program {
  return (declare) => void declare(kind, "it", inputs, options);
}

export const nothing: Program = () => {};

/** The result of one operation. */
export class Outcome {
  /** The steps, as "create AclRole it", without those of the stack and of unchanged resources. */
  readonly changes: string[];
  readonly failures: RehearseResult["diagnostics"];
  /** The messages of the failures. */
  readonly errors: string;
  readonly warnings: string[];
  /** The requests that are no reads, as "POST /v1/acl/role". */
  readonly writes: string[];

  constructor(
    readonly result: Pick<RehearseResult, "ok" | "steps" | "diagnostics">,
    readonly requests: readonly JournalEntry[],
    readonly log: readonly string[],
  ) {
    this.changes = result.steps
      .filter((step) => step.type !== "pulumi:pulumi:Stack" && step.op !== "same" && step.outcome !== "same")
      .map(
        ({ op, outcome, type, name, failed }) =>
          `${failed ? "failed " : ""}${outcome ? `${op} ${outcome}` : op} ${type.replace(/^.*:/, "")} ${name}`,
      );
    this.failures = result.diagnostics.filter(({ severity }) => severity === "error");
    this.errors = this.failures.map(({ message }) => message).join("\n");
    this.warnings = log.filter((line) => line.startsWith("warning: "));
    this.writes = requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
  }

  /** The top-level properties that a step on the resource changes, by the engine's comparison of the inputs. */
  changedProperties(name = "it"): string[] {
    return this.result.steps.find((step) => step.name === name && step.op !== "same")?.changedProperties ?? [];
  }
}

export interface RunOptions extends Pick<HostedOptions, "refresh" | "replace" | "parallel"> {
  /** Further keys of the configuration, for this operation. */
  config?: Record<string, string>;
  /** The environment of the provider's process, for this operation. */
  env?: Environment;
  /** Whether the operation has no token of either service. */
  withoutTokens?: boolean;
  /** Wraps the provider's host before the engine gets it. */
  wrapped?: (host: ProviderHost) => ProviderHost;
}

/** Both APIs, with the objects that every server of the tests has from the start. */
export async function startServers(options: SimulatorOptions): Promise<Simulator> {
  const simulator = await Simulator.start({ poolsPerOrganization: Number.POSITIVE_INFINITY, ...options });
  for (const { given } of samples) given?.(simulator);
  simulator.journal.clear();
  return simulator;
}

/** One stack, one simulator of both APIs, and a clock. */
export class TestStack {
  readonly clock = new InstantClock();
  state: StackState | undefined;

  protected constructor(
    readonly adapter: Adapter,
    public simulator: Simulator,
  ) {}

  static async start(adapter: Adapter, options: SimulatorOptions): Promise<TestStack> {
    const stack = new TestStack(adapter, await startServers(options));
    // The provider and the simulator both decide whether a token has ended, so they share a clock.
    stack.simulator.cluster.clock = () => stack.clock.now();
    return stack;
  }

  preview(program: Program, options?: RunOptions): Promise<Outcome> {
    return this.succeeds("preview", program, options);
  }

  up(program: Program, options?: RunOptions): Promise<Outcome> {
    return this.succeeds("up", program, options);
  }

  refresh(options?: RunOptions): Promise<Outcome> {
    return this.succeeds("refresh", nothing, options);
  }

  destroy(options?: RunOptions): Promise<Outcome> {
    return this.succeeds("destroy", nothing, options);
  }

  /** Runs an operation that must fail. @throws if it succeeds */
  async fails(command: RehearseCommand, program: Program = nothing, options?: RunOptions): Promise<Outcome> {
    const outcome = await this.attempt(command, program, options);
    if (outcome.result.ok) throw new Error(`the ${command} was to fail, and did: ${outcome.changes.join(", ") || "nothing"}`);
    return outcome;
  }

  /** Configures the stack for another simulator, with its tokens. */
  moveTo(simulator: Simulator): void {
    this.simulator = simulator;
  }

  /** Continues with an empty state, like another stack. */
  forget(): void {
    this.state = undefined;
  }

  /** Removes a resource from the state, as `pulumi state delete` does. */
  removeFromState(urn: string | undefined): void {
    if (this.state) this.state = { ...this.state, resources: this.state.resources.filter((resource) => resource.urn !== urn) };
  }

  /** The resource's entry in the state that does not wait for its deletion. @throws if there is none */
  entry(name = "it"): ResourceState & { id: string } {
    const found = this.entries(name).find((entry) => !entry.delete);
    if (found?.id === undefined) throw new Error(`the state holds no "${name}"`);
    return { ...found, id: found.id };
  }

  /** All entries of a resource in the state, including one that waits for its deletion. */
  entries(name = "it"): ResourceState[] {
    return (this.state?.resources ?? []).filter((resource) => resource.urn.endsWith(`::${name}`));
  }

  /** The resource's inputs in the state, without the marks of secrets. */
  inputs(name = "it"): Inputs {
    return reveal(this.entry(name).inputs);
  }

  outputs(name = "it"): Inputs {
    return reveal(this.entry(name).outputs);
  }

  /** The inputs and outputs of every resource, byte for byte. */
  properties(): Record<string, string> {
    const resources = this.state?.resources ?? [];
    return Object.fromEntries(resources.map(({ urn, inputs, outputs }) => [urn, JSON.stringify({ inputs, outputs })]));
  }

  private async succeeds(command: RehearseCommand, program: Program, options?: RunOptions): Promise<Outcome> {
    const outcome = await this.attempt(command, program, options);
    if (!outcome.result.ok) throw new Error(`the ${command} failed: ${outcome.errors}`);
    return outcome;
  }

  /** Runs an operation that may fail or succeed. */
  async attempt(
    command: RehearseCommand,
    program: Program,
    { config, env = {}, withoutTokens = false, wrapped, ...options }: RunOptions = {},
  ): Promise<Outcome> {
    const { simulator, clock, adapter } = this;
    const before = simulator.journal.entries.length;
    const log: string[] = [];
    const { state, ...result } = await operate(
      adapter,
      { clock, env: { PULUMI_CONFIG: JSON.stringify(this.services()), ...env }, log: (message) => log.push(message) },
      {
        ...options,
        command,
        state: this.state,
        program: (stack) => {
          program(declareOn(stack, adapter));
          return {};
        },
        ...this.configuration(config),
        ...(withoutTokens && { secretConfig: {} }),
      },
      wrapped,
    );
    this.state = state;
    return new Outcome(result, simulator.journal.entries.slice(before), log);
  }

  /** The configuration of an operation. @param more further keys */
  private configuration(more: Record<string, string> = {}) {
    const { poolsToken, clusterToken } = this.simulator;
    return { config: prefixed({ ...this.services(), ...more }), secretConfig: prefixed({ poolsToken, clusterToken }) };
  }

  private services(): Record<string, string> {
    const { poolsAddress, clusterAddress, organization } = this.simulator;
    return { poolsAddress, clusterAddress, organization };
  }
}

function declareOn(stack: ProgramContext, adapter: Adapter): Declare {
  const declare = (kind: Kind, name: string, inputs: Inputs, options?: ResourceOptions): ResourceRef =>
    stack.resource(
      adapter.type(kind),
      name,
      adapter.inputs(
        kind,
        withSecrets(kind, inputs, (value) => stack.secret(value)),
        options?.ignoreChanges,
      ),
      options,
    );
  const get = (kind: Kind, name: string, id: string): ResourceRef => stack.get(adapter.type(kind), name, id, adapter.inputs(kind, {}));
  return Object.assign(declare, { get });
}

/** Marks the inputs that are always secret, as the adapters' classes do. */
function withSecrets(kind: Kind, inputs: Inputs, secret: (value: unknown) => unknown): Inputs {
  const resource = resources.find((candidate) => candidate.kind === kind);
  return resource ? marked(resource.inputs, inputs, secret) : inputs;
}

function marked(fields: Fields, values: Inputs, secret: (value: unknown) => unknown): Inputs {
  return Object.fromEntries(
    Object.keys(values).map((name) => {
      const value = ownProperty(values, name);
      const field = fields.get(name);
      if (field?.traits.secret && value !== undefined) return [name, secret(value)];
      const isNested = field?.shape.kind === "object" && isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
      return [name, isNested && field.shape.kind === "object" ? marked(field.shape.properties, value, secret) : value];
    }),
  );
}
