import { isDeepStrictEqual } from "node:util";
import { namespace } from "../../provider/context/config";
import type { StackState } from "../../provider/testing/rehearsal";
import { type ClusterSnapshot, type DialectName, type JournalEntry, Simulator } from "../../provider/testing/simulator";
import { type OperationCommand, regions, type Sequence } from "./commands";
import type { Engine, Ran } from "./engine";
import { type Entry, entries, entryOf, type Standing, standing, theirSecret } from "./objects";
import { type Declared, declared, identityOf, type Slot, theirMethod, type Wish } from "./program";
import { leaks } from "./secrets";

/** Something that the design promises is not so. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** What one operation did. */
export interface Outcome extends Omit<Ran, "state"> {
  readonly errors: readonly { readonly message: string; readonly urn?: string }[];
  readonly requests: readonly JournalEntry[];
}

/** A run of the engine without trouble. */
export const untroubled: OperationCommand = { do: "up", refresh: true, parallel: 4, faults: [], lag: false };

/** One stack, one program, both servers, and what must hold after every operation. */
export class World {
  readonly program = new Map<Slot, Wish>();
  state: StackState | undefined;
  /** What the last operation did, for the report of a violation. */
  last: Outcome | undefined;

  /** Whether the cluster once went back to a backup. */
  wasRestored = false;
  private backup: ClusterSnapshot | undefined;
  private wrongServers: Simulator | undefined;

  private constructor(
    readonly simulator: Simulator,
    private readonly engine: Engine,
    private readonly region: Sequence["region"],
  ) {}

  /** Servers on which others have an object of every kind. */
  static async start(engine: Engine, region: Sequence["region"], dialect: DialectName): Promise<World> {
    const simulator = await startServers(dialect);
    const { cluster, pools } = simulator;
    for (const name of ["read", "write", "admin"]) cluster.policies.put(name);
    cluster.methods.put({ Name: theirMethod, Config: { OIDCClientSecret: `${theirSecret}0` } });
    cluster.roles.put({ Name: "theirs", Policies: [{ Name: "admin" }] });
    cluster.rules.put({ AuthMethod: theirMethod, BindType: "management" });
    const { id } = pools.put({ organization: simulator.organization, name: "theirs", allowedWorkspaceIds: ["ws-1"] });
    pools.addAgent(id, { status: "exited" });
    return new World(simulator, engine, region);
  }

  async stop(): Promise<void> {
    await Promise.all([this.simulator.stop(), this.wrongServers?.stop()]);
  }

  backUp(): void {
    this.backup = this.simulator.cluster.snapshot();
  }

  restore(): void {
    if (!this.backup) return;
    this.simulator.cluster.restore(this.backup);
    this.wasRestored = true;
  }

  get wishes(): Declared[] {
    return declared(this.program);
  }

  get entries(): Entry[] {
    return entries(this.state);
  }

  /** Everything on the servers that this stack does not manage. */
  get others(): Map<string, Standing> {
    const ours = new Set(this.entries.map(({ key }) => key));
    return new Map([...standing(this.simulator)].filter(([key]) => !ours.has(key)));
  }

  /** Removes a resource from the state, as `pulumi state delete` does. */
  forget(urn: string | undefined): void {
    if (this.state) this.state = { ...this.state, resources: this.state.resources.filter((resource) => resource.urn !== urn) };
  }

  /** Runs the engine once. @throws Violation when it did what it never may, whatever went wrong in it */
  async operate(command: OperationCommand): Promise<Outcome> {
    const before = { others: this.others, entries: this.entries, all: standing(this.simulator) };
    const outcome = await (command.elsewhere ? this.runElsewhere(command) : this.run(command, this.simulator));
    this.last = outcome;
    this.untouched(before.others, command);
    this.nothingLost(before, command, outcome);
    // What a preview sends beside reads is refused: updates that ask whether an object is there.
    if (command.do === "preview" && !isDeepStrictEqual(standing(this.simulator), before.all)) throw new Violation("a preview has written");
    const found = leaks(this, outcome);
    if (found.length > 0) throw new Violation(`a secret can be read in ${found.join(", ")}`);
    return outcome;
  }

  /** Gives up, as the error about a method that others have made anew says, what the state has of it. */
  async acceptMovedServer(): Promise<void> {
    const { result } = await this.operate({ ...untroubled, do: "refresh", acceptMovedServer: true });
    if (!result.ok) throw new Violation("a refresh with acceptMovedServer failed");
  }

  /** Runs an operation by mistake on servers that have other objects of the same names. @throws Violation when it changed one of them */
  private async runElsewhere(command: OperationCommand): Promise<Outcome> {
    this.wrongServers ??= await startServers(this.simulator.dialect);
    const { cluster, pools } = this.wrongServers;
    for (const wish of this.wishes) {
      if (wish.kind === "AclAuthMethod") cluster.methods.put({ Name: wish.name });
      else if (wish.kind === "AclRole") cluster.roles.put({ Name: wish.name, Policies: [{ Name: "admin" }] });
      else if (wish.kind === "AgentPool") pools.put({ organization: wish.organization, name: wish.name });
    }
    const theirs = bytesOf(this.wrongServers);
    const outcome = await this.run(command, this.wrongServers);
    if (bytesOf(this.wrongServers) !== theirs) throw new Violation("an operation that was led to other servers has changed them");
    return outcome;
  }

  private async run(command: OperationCommand, simulator: Simulator): Promise<Outcome> {
    const { wishes, region } = this;
    const { faults, death, lag, replace } = command;
    for (const fault of faults) simulator.faults.add(fault);
    if (death && "request" in death) {
      if (death.arrived) simulator.faults.add({ skip: death.request, fault: { kind: "drop-after" } });
      simulator.faults.add({ skip: death.request, times: Number.POSITIVE_INFINITY, fault: { kind: "refuse" } });
    }
    simulator.cluster.lag(region, lag);
    simulator.journal.clear();
    const forced = wishes.find(({ slot }) => slot === replace);
    const urn = forced && entryOf(this.entries, forced)?.urn;
    try {
      const configuration = configurationOf(simulator, region, command.acceptMovedServer);
      const { state, ...ran } = await this.engine.run({ command, wishes, state: this.state, replace: urn, simulator, ...configuration });
      this.state = state;
      const errors = ran.result.diagnostics.filter(({ severity }) => severity === "error");
      return { ...ran, errors, requests: simulator.journal.entries };
    } finally {
      simulator.faults.clear();
      simulator.cluster.lag(region, false);
    }
  }

  /** Objects of others stay as they are, to the byte, unless the program says to take them over; and then in content, unless it says to overwrite them. */
  private untouched(before: ReadonlyMap<string, Standing>, command: OperationCommand): void {
    const after = standing(this.simulator);
    const held = new Set(this.entries.map(({ key }) => key));
    const adopting = new Map(command.do === "up" ? this.wishes.map((wish) => [identityOf(wish), wish.adopt] as const) : []);
    for (const { key, identity, bytes, content } of before.values()) {
      const adopt = adopting.get(identity) ?? false;
      const now = after.get(key);
      if (!now) throw new Violation(`${identity} (${key}) of others was deleted`);
      const isSame = adopt === false ? now.bytes === bytes : now.content === content;
      if (!isSame && adopt !== "overwrite") throw new Violation(`${identity} (${key}) of others was changed to ${now.bytes}`);
      if (held.has(key) && !adopt) throw new Violation(`${identity} (${key}) of others was taken over`);
    }
  }

  /** What the state knew and is still there, it knows; what was made, it knows too, unless the process ended or an error says that it may be there. */
  private nothingLost(
    before: { readonly all: ReadonlyMap<string, Standing>; readonly entries: readonly Entry[] },
    command: OperationCommand,
    { errors }: Outcome,
  ): void {
    const known = new Set(before.entries.map(({ key }) => key));
    const mayBeThere =
      command.death !== undefined || errors.some(({ message }) => message.includes("Nobody knows whether the write took place"));
    for (const { key, identity } of this.others.values()) {
      if (known.has(key)) throw new Violation(`${identity} (${key}) is still there, and the state has lost it`);
      if (!before.all.has(key) && !mayBeThere) throw new Violation(`${identity} (${key}) was made, and the state does not know it`);
    }
  }
}

async function startServers(dialect: DialectName): Promise<Simulator> {
  const simulator = await Simulator.start({ dialect, poolsPerOrganization: Number.POSITIVE_INFINITY, regions: regions.slice(1) });
  simulator.pools.addOrganization("other-org");
  return simulator;
}

function bytesOf(simulator: Simulator): string {
  return [...standing(simulator).values()].map(({ bytes }) => bytes).join("\n");
}

function configurationOf(simulator: Simulator, clusterRegion: string, acceptMovedServer = false) {
  const { poolsAddress, clusterAddress, organization, poolsToken, clusterToken } = simulator;
  return {
    config: prefixed({ poolsAddress, clusterAddress, clusterRegion, organization, acceptMovedServer: String(acceptMovedServer) }),
    secretConfig: prefixed({ poolsToken, clusterToken }),
  };
}

function prefixed(config: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [`${namespace}:${key}`, value]));
}
