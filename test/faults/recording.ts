import { isRecord } from "../../common/unknown";
import type { DialectName, JournalEntry, Simulator } from "../../testing/simulator";
import { samples } from "../kinds";
import { content } from "../kinds/kind";
import { everything } from "../lifecycle/contents";
import { clientSecret } from "../lifecycle/samples";
import type { Adapter } from "../support/adapters";
import { type Inputs, nothing, type Outcome, type RunOptions, TestStack } from "../support/stack";
import { addTheirs, type Scenario } from "./scenarios";
import type { Recording, Role, Step } from "./step";

/** A stack in which the scenario's operation is about to begin. */
export class Stage {
  private readonly theirs: ReadonlyMap<string, string>;

  private constructor(
    readonly scenario: Scenario,
    readonly stack: TestStack,
    private readonly config: Record<string, string>,
  ) {
    this.theirs = new Map(everything(stack.simulator).map((object) => [keyOf(object), JSON.stringify(object)]));
  }

  static async set(
    adapter: Adapter,
    scenario: Scenario,
    dialect: DialectName,
    configure: (simulator: Simulator) => Promise<Record<string, string>>,
  ): Promise<Stage> {
    const stack = await TestStack.start(adapter, { dialect, ...scenario.servers });
    addTheirs(stack.simulator);
    scenario.prepare?.(stack);
    return new Stage(scenario, stack, await configure(stack.simulator));
  }

  /** Applies the program of `before`, and makes the changes by others. */
  async begin(): Promise<void> {
    const { before, meanwhile } = this.scenario;
    if (before) await this.stack.up(before, this.options);
    meanwhile?.(this.stack);
  }

  get options(): RunOptions {
    return { config: this.config };
  }

  /** Runs the operation that the scenario is about. */
  operate(): Promise<Outcome> {
    const { command, program, options } = this.scenario;
    return this.stack.attempt(command, command === "up" ? program : nothing, { ...options?.(this.stack), ...this.options });
  }

  /** The stack's objects on the server, without IDs and times. */
  ours(): string {
    return JSON.stringify(
      this.objects()
        .map((object) => [content(object), agentsOf(this.stack.simulator, object)])
        .map((one) => JSON.stringify(one))
        .sort(),
    );
  }

  ids(): string[] {
    return this.objects().map(keyOf).sort();
  }

  /** The ids of the objects that the state has, each once: an old entry and a new one may have the same id. */
  stateIds(): string[] {
    const held = (this.stack.state?.resources ?? []).filter(({ pendingReplacement }) => !pendingReplacement);
    return [...new Set(held.flatMap(({ id }) => id ?? []))].sort();
  }

  /** The changed objects of others. */
  touched(): string[] {
    const now = new Map(everything(this.stack.simulator).map((object) => [keyOf(object), JSON.stringify(object)]));
    return [...this.theirs].filter(([key, text]) => now.get(key) !== text).map(([key]) => key);
  }

  /** The secrets of the ACL tokens that the state has. */
  ownSecrets(): string[] {
    const { tokens } = this.stack.simulator.cluster;
    return this.stateIds().flatMap((id) => tokens.get(id)?.SecretID ?? []);
  }

  /** The secrets of all tokens: of the server, and of all creates. */
  secrets(): string[] {
    const { journal, cluster } = this.stack.simulator;
    const sent = journal.entries.map(({ body }) => body).filter(isRecord);
    const all = [...sent, ...cluster.tokens.list(), ...this.objects()].map((one) => ({ SecretID: undefined, token: undefined, ...one }));
    return all.flatMap(({ SecretID, token }) => [SecretID, token].filter((secret) => typeof secret === "string"));
  }

  /** Deletes the objects that the operation names as left over. @returns the ids */
  removeLeftOver({ warnings, errors }: Outcome): string[] {
    const said = [...warnings, errors].join();
    const { cluster, pools } = this.stack.simulator;
    const named = this.ids().filter((id) => !this.stateIds().includes(id) && said.includes(id));
    for (const id of named) {
      if (pools.agentToken(id)) pools.removeAgentToken(id);
      else cluster.tokens.delete(id);
    }
    return named;
  }

  private objects(): Inputs[] {
    return everything(this.stack.simulator)
      .filter((object) => isRecord(object))
      .filter((object) => !this.theirs.has(keyOf(object)));
  }
}

/** Runs the operation without faults, and records its requests. */
export async function record(adapter: Adapter, scenario: Scenario, dialect: DialectName): Promise<Recording> {
  const stage = await Stage.set(adapter, scenario, dialect, async () => ({}));
  const { simulator } = stage.stack;
  try {
    await stage.begin();
    const stages: string[] = [];
    const overlapping: boolean[] = [];
    const taking = jest.spyOn(simulator.faults, "take").mockImplementation(() => {
      stages.push(stage.ours());
      // The request itself is in the journal already.
      overlapping.push(simulator.journal.entries.slice(0, -1).some(({ status }) => status === undefined));
      return undefined;
    });
    const outcome = await stage.operate();
    taking.mockRestore();
    stages.push(stage.ours());
    scenario.unblock?.(stage.stack);
    await stage.stack.up(scenario.program);
    const steps = outcome.requests.map((entry, index) => stepOf(outcome.requests, entry, index, overlapping[index] ?? false));
    return { dialect, steps, stages, settled: stage.ours() };
  } finally {
    await simulator.stop();
  }
}

function stepOf(all: readonly JournalEntry[], entry: JournalEntry, index: number, overlaps: boolean): Step {
  const name = nameOf(entry);
  return {
    name,
    api: entry.api,
    method: entry.method,
    path: patternOf(entry.path),
    occurrence: all.slice(0, index).filter((earlier) => nameOf(earlier) === name).length,
    role: roleOf(entry, all.slice(0, index)),
    status: entry.status,
    sendsSecret: JSON.stringify(entry.body ?? "").includes(clientSecret),
    overlaps,
  };
}

function roleOf({ method, path }: JournalEntry, before: readonly JournalEntry[]): Role {
  if (method === "DELETE") return "delete";
  if (method === "PATCH") return "replace";
  const last = before.at(-1);
  if (method === "GET" && last?.method === "POST" && last.path === path) return "read back";
  if (method === "GET") return isAfterthought(path, before) ? "afterthought" : "read";
  if (path.endsWith("/authentication-tokens")) return "create";
  const kind = samples.find(({ create, isUpsert }) => (isUpsert ? folderOf(path) === folderOf(create) : path.endsWith(lastOf(create))));
  if (!kind) return "replace";
  // An upsert has one address for creates and updates: after a read has found the object, it is an update.
  const seen = before.findLast((earlier) => earlier.method !== "POST" && earlier.path === path);
  if (kind.isUpsert && seen?.method === "GET" && seen.status === 200) return "replace";
  return "create";
}

const lastOf = (path: string) => path.slice(path.lastIndexOf("/"));
const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));

const serverIds = /[0-9a-f]{8}-[0-9a-f-]{27}|apool-\w{16}|agent-\w{16}|at-\w{16}/g;

function nameOf({ method, path }: JournalEntry): string {
  return `${method} ${path.replace(serverIds, ":id")}`;
}

/** Matches the path whatever ids the server gives. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(serverIds, "[\\w-]+")}$`);
}

function keyOf(object: object): string {
  const { AccessorID, ID, id, Name } = { AccessorID: undefined, ID: undefined, id: undefined, Name: undefined, ...object };
  return String(AccessorID ?? ID ?? id ?? Name);
}

function agentsOf({ pools }: Simulator, object: Inputs): string[] {
  return typeof object.id === "string" ? pools.agents(object.id).map(({ status }) => status) : [];
}

/** Whether a read looks for references to a deleted method, role or policy, or for the role of a written rule. */
function isAfterthought(path: string, before: readonly JournalEntry[]): boolean {
  const last = before.at(-1);
  const write = before.findLast(({ method }) => method !== "GET");
  const isOfPolicy = write?.method === "DELETE" && write.path.includes("/policy/");
  if (path.endsWith("/binding-rules")) return isOfPolicy || (last?.method === "DELETE" && /\/(auth-method|role)\//.test(last.path));
  if (path.includes("/binding-rule/")) return isOfPolicy || (write?.method === "DELETE" && write.path.includes("/role/"));
  if (path.endsWith("/tokens") && isOfPolicy) return true;
  return path.endsWith("/roles") && (isOfPolicy || (last?.method === "POST" && last.path.includes("/binding-rule")));
}
