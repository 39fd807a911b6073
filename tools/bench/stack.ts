import { performance } from "node:perf_hooks";
import { Simulator } from "../../testing/simulator";
import { CliEngine } from "../engines/cli-engine";
import type { Command, Engine, EngineName } from "../engines/engine";
import { withEngine } from "../engines/engines";
import { configFor } from "../engines/project";
import { ProcessWatch, type Usage } from "./process-watch";
import { carryingName, environmentOf, type Subject, titleOf, withProgram, writeRevision } from "./subjects";
import { clientSecret, countsAt, kinds, policies, revisedAt, totalAt } from "./workload";

/** An operation for an engine. */
export interface Operation {
  readonly command: Command;
  readonly refresh?: boolean;
  /** Further options, which only the CLI supports. */
  readonly options?: readonly string[];
}

/** The figures of an operation. */
export interface Taken {
  readonly requests: number;
  readonly wallMs: number;
  readonly usage: Usage | undefined;
}

/** A subject's stack on an engine, with its own servers. */
export class Stack {
  constructor(
    readonly subject: Subject,
    readonly size: number,
    readonly engine: Engine,
    readonly simulator: Simulator,
    private readonly signal: AbortSignal,
  ) {}

  async run({ command, refresh = false, options = [] }: Operation, latencyMs = 0): Promise<Taken> {
    const { engine, simulator, subject } = this;
    this.signal.throwIfAborted();
    simulator.journal.clear();
    simulator.latencyMs = latencyMs;
    const watch = new ProcessWatch(subject.adapter);
    try {
      const startedAt = performance.now();
      if (engine instanceof CliEngine) await engine.command([...commands[command], ...(refresh ? ["--refresh"] : []), ...options]);
      else await this.rehearse(command, refresh, options);
      const wallMs = performance.now() - startedAt;
      return { requests: simulator.journal.entries.length, wallMs, usage: watch.soFar() };
    } finally {
      watch.stop();
    }
  }

  /** Bytes of the stored state. */
  async stateBytes(): Promise<number> {
    return Buffer.byteLength(await this.engine.storedState());
  }

  /** Changes the program for the update of 10 %. */
  revise(): void {
    writeRevision(this.engine.folder, this.size, true);
  }

  /** Others change as many roles, methods and rules. */
  drift(count: number): void {
    const { methods, roles, rules } = this.simulator.cluster;
    for (let index = 0; index < count; index++) {
      const [method, role, rule] = [methods.list()[index], roles.list()[index], rules.list()[index]];
      if (index % 3 === 0 && method) methods.put({ Name: method.Name, MaxTokenTTL: "1h0m0s" });
      else if (index % 3 === 1 && rule) rules.put({ ID: rule.ID, Description: "changed by others" });
      else if (role) roles.put({ ID: role.ID, Description: "changed by others" });
    }
  }

  /** @throws when the servers don't have the expected objects after an operation */
  expectObjects(isThere: boolean, revised = false): void {
    if (this.subject.provider === "no-op" || this.subject.provider === carryingName) return;
    const { methods, roles, rules } = this.simulator.cluster;
    const found = [roles.list().length, methods.list().length, rules.list().length];
    const counts = countsAt(this.size);
    const wanted = kinds.map((kind) => (isThere ? counts[kind] : 0));
    if (found.join() !== wanted.join()) throw this.unexpected(`${found.join(", ")} objects instead of ${wanted.join(", ")}`);
    const changed = roles.list().filter(({ Description }) => Description.startsWith("Former")).length;
    const wantedChanged = revised ? revisedAt(this.size).AclRole : 0;
    if (changed !== wantedChanged) throw this.unexpected(`${changed} changed roles instead of ${wantedChanged}`);
  }

  /** @throws when the state does not have as many resources as the program */
  async expectState(): Promise<void> {
    const held = (await this.engine.resources()).filter(({ type }) => type !== "pulumi:pulumi:Stack").length;
    if (held !== totalAt(this.size)) throw this.unexpected(`${held} resources in the state instead of ${totalAt(this.size)}`);
  }

  private async rehearse(command: Command, refresh: boolean, options: readonly string[]): Promise<void> {
    if (options.length > 0) throw this.unexpected(`the rehearsal engine has no ${options.join(" ")}`);
    const { ok, errors } = await this.engine.run(command, { refresh });
    if (!ok) throw this.unexpected(errors.join("\n"));
  }

  private unexpected(what: string): Error {
    return new Error(`${titleOf(this.subject)}, N = ${this.size}: ${what}`);
  }
}

const commands: Record<Command, readonly string[]> = {
  preview: ["preview"],
  up: ["up", "--yes", "--skip-preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

export interface StackOptions {
  readonly engine: EngineName;
  readonly size: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the running operation, and begins no other. */
  readonly signal: AbortSignal;
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
  return withStack(options, subject, (stack) => withStacks(options, others, use, [...opened, stack]));
}

async function withStack<T>({ engine, size, env, signal }: StackOptions, subject: Subject, use: (stack: Stack) => Promise<T>): Promise<T> {
  return withSimulator((simulator) =>
    withProgram(subject, size, (folder) => {
      const { config, secretConfig } = configFor(simulator);
      const project = {
        folder,
        config,
        secretConfig: { ...secretConfig, clientSecret },
        env: { ...environmentOf(subject, folder, simulator), ...env },
      };
      return withEngine(engine, project, (opened) => use(new Stack(subject, size, opened, simulator, signal)), signal);
    }),
  );
}

/** Starts the servers with the objects that the workload needs, and stops them after `use`. */
export async function withSimulator<T>(use: (simulator: Simulator) => Promise<T>): Promise<T> {
  const simulator = await Simulator.start();
  try {
    for (const policy of policies) simulator.cluster.policies.put(policy);
    return await use(simulator);
  } finally {
    await simulator.stop();
  }
}
