import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { Simulator } from "../../testing/simulator";
import { CliEngine } from "../engines/cli-engine";
import { withEngine } from "../engines/engines";
import { configFor } from "../engines/project";
import { commands, type OperationName, type Sample } from "./figures";
import { ProcessWatch } from "./process-watch";
import { environmentOf, type Subject, writeProgram, writeRevision } from "./subject";
import { clientSecret, policies, totalAt } from "./workload";

/** With these variables, the CLI keeps the state in memory until the operation ends, and writes it once. */
const withoutCheckpoints = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

export interface StackOptions {
  readonly size: number;
  readonly checkpoints: boolean;
  /** Ends the running operation, and prevents further ones. */
  readonly signal: AbortSignal;
}

/** A subject's stack on the CLI, with its own servers. */
export class Stack {
  constructor(
    readonly subject: Subject,
    private readonly options: StackOptions,
    private readonly cli: CliEngine,
    private readonly simulator: Simulator,
  ) {}

  async run(operation: OperationName, latencyMs: number): Promise<Sample> {
    const { cli, simulator, subject } = this;
    const { size, checkpoints, signal } = this.options;
    signal.throwIfAborted();
    simulator.journal.clear();
    simulator.latencyMs = latencyMs;
    const { provider, adapter } = subject;
    const watch = new ProcessWatch(adapter);
    try {
      const startedAt = performance.now();
      await cli.command(commands.get(operation) ?? []);
      const wallMs = performance.now() - startedAt;
      const requests = simulator.journal.entries.length;
      return { provider, adapter, size, checkpoints, operation, latencyMs, requests, wallMs, usage: watch.soFar() };
    } finally {
      watch.stop();
    }
  }

  /** Bytes of the stored state. */
  async stateBytes(): Promise<number> {
    return Buffer.byteLength(await this.cli.storedState());
  }

  /** Writes the program of the update of 10 %. */
  revise(): void {
    writeRevision(this.cli.folder, this.options.size, true);
  }

  /** Changes this number of objects (roles, methods and rules) as others would. */
  drift(count: number): void {
    const { methods, roles, rules } = this.simulator.cluster;
    for (let index = 0; index < count; index++) {
      const [method, role, rule] = [methods.list()[index], roles.list()[index], rules.list()[index]];
      if (index % 3 === 0 && method) methods.put({ Name: method.Name, MaxTokenTTL: "1h0m0s" });
      else if (index % 3 === 1 && rule) rules.put({ ID: rule.ID, Description: "changed by others" });
      else if (role) roles.put({ ID: role.ID, Description: "changed by others" });
    }
  }

  /** @throws if the state or the servers lack resources, or have some after a destroy */
  async expectResources(isThere: boolean): Promise<void> {
    const { provider, adapter } = this.subject;
    const { methods, roles, rules } = this.simulator.cluster;
    const onServer = roles.list().length + methods.list().length + rules.list().length;
    const inState = (await this.cli.resources()).filter(({ type }) => type !== "pulumi:pulumi:Stack").length;
    const wanted = isThere ? totalAt(this.options.size) : 0;
    if (inState !== wanted || (provider !== "no-op" && onServer !== wanted))
      throw new Error(`${provider} ${adapter}: ${wanted} resources were expected: ${inState} are in the state, ${onServer} on the server`);
  }
}

/** Opens a stack for each subject, and removes them after `use`. */
export async function withStacks<T>(
  options: StackOptions,
  subjects: readonly Subject[],
  use: (stacks: readonly Stack[]) => Promise<T>,
  opened: readonly Stack[] = [],
): Promise<T> {
  const [subject, ...others] = subjects;
  if (!subject) return use(opened);
  const simulator = await Simulator.start();
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-bench-"));
  try {
    for (const policy of policies) simulator.cluster.policies.put(policy);
    writeProgram(folder, subject, options.size);
    const { config, secretConfig } = configFor(simulator);
    const env = { ...(options.checkpoints ? {} : withoutCheckpoints), ...environmentOf(subject, folder, simulator) };
    const { packages } = subject;
    const project = { folder, config, secretConfig: { ...secretConfig, clientSecret }, env, ...(packages !== undefined && { packages }) };
    const useCli = (cli: unknown) => {
      if (!(cli instanceof CliEngine)) throw new Error("the bench needs the Pulumi CLI");
      return withStacks(options, others, use, [...opened, new Stack(subject, options, cli, simulator)]);
    };
    return await withEngine("cli", project, useCli, options.signal);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await simulator.stop();
  }
}
