import { isDeepStrictEqual } from "node:util";
import type { StackState } from "../../testing/rehearsal";
import { type ClusterSnapshot, type DialectName, type JournalEntry, Simulator } from "../../testing/simulator";
import { prefixed } from "../in-process/adapters";
import { type OperationCommand, regions, type Sequence } from "./commands";
import type { Engine, Ran } from "./engine";
import { type Entry, entries, entriesPendingReplacement, entryOf, type ServerObject, serverObjects, theirSecret } from "./objects";
import { type Declaration, type Declared, declared, identityOf, type Slot, theirMethod } from "./program";
import { leaks } from "./secrets";

/** A property that must hold does not hold. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** The result of one operation. */
export interface Outcome extends Omit<Ran, "state"> {
  readonly errors: readonly { readonly message: string; readonly urn?: string }[];
  readonly requests: readonly JournalEntry[];
}

/** A run of the engine without faults. */
export const undisturbed: OperationCommand = { do: "up", refresh: true, parallel: 4, faults: [], lag: false };

/** One stack, its program and both servers, with the checks after every operation. */
export class SimulatedStack {
  readonly program = new Map<Slot, Declaration>();
  state: StackState | undefined;
  /** The result of the last operation, for the report of a violation. */
  lastOutcome: Outcome | undefined;

  /** Whether the cluster was once restored from a backup. */
  wasRestored = false;
  private backup: ClusterSnapshot | undefined;
  private wrongServers: Simulator | undefined;

  private constructor(
    readonly simulator: Simulator,
    private readonly engine: Engine,
    private readonly region: Sequence["region"],
  ) {}

  /** Starts servers on which others have an object of every kind. */
  static async start(engine: Engine, region: Sequence["region"], dialect: DialectName): Promise<SimulatedStack> {
    const simulator = await startServers(dialect);
    const { cluster, pools } = simulator;
    for (const name of ["read", "write", "admin"]) cluster.policies.put(name);
    cluster.methods.put({ Name: theirMethod, Config: { OIDCClientSecret: `${theirSecret}0` } });
    cluster.roles.put({ Name: "theirs", Policies: [{ Name: "admin" }] });
    cluster.rules.put({ AuthMethod: theirMethod, BindType: "management" });
    const { id } = pools.put({ organization: simulator.organization, name: "theirs", allowedWorkspaceIds: ["ws-1"] });
    pools.addAgent(id, { status: "exited" });
    return new SimulatedStack(simulator, engine, region);
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

  get declarations(): Declared[] {
    return declared(this.program);
  }

  get entries(): Entry[] {
    return entries(this.state);
  }

  /** All objects on the servers that this stack does not manage. */
  get unmanaged(): Map<string, ServerObject> {
    // A backup brings objects back that were deleted for a replacement.
    const ours = new Set([...this.entries, ...entriesPendingReplacement(this.state)].map(({ key }) => key));
    return new Map([...serverObjects(this.simulator)].filter(([key]) => !ours.has(key)));
  }

  /** Removes a resource from the state, as `pulumi state delete` does. */
  forget(urn: string | undefined): void {
    if (this.state) this.state = { ...this.state, resources: this.state.resources.filter((resource) => resource.urn !== urn) };
  }

  /** Runs the engine once. @throws Violation when it did something that no operation may do, even with faults */
  async operate(command: OperationCommand): Promise<Outcome> {
    const before = { unmanaged: this.unmanaged, entries: this.entries, all: serverObjects(this.simulator) };
    const outcome = await (command.elsewhere ? this.runElsewhere(command) : this.run(command, this.simulator));
    this.lastOutcome = outcome;
    this.assertUntouched(before.unmanaged, command);
    this.assertNothingLost(before, command, outcome);
    // Besides reads, a preview sends only updates that are refused, by which it checks whether an object exists.
    if (command.do === "preview" && !isDeepStrictEqual(serverObjects(this.simulator), before.all))
      throw new Violation("a preview has written");
    const found = leaks(this, outcome);
    if (found.length > 0) throw new Violation(`a secret can be read in ${found.join(", ")}`);
    return outcome;
  }

  /** Removes lost objects from the state, as the error for a method that others have created again says. */
  async acceptMovedServer(): Promise<void> {
    const { result } = await this.operate({ ...undisturbed, do: "refresh", acceptMovedServer: true });
    if (!result.ok) throw new Violation("a refresh with acceptMovedServer failed");
  }

  /** Runs an operation on wrong servers, which have other objects of the same names. @throws Violation when it changed one of them */
  private async runElsewhere(command: OperationCommand): Promise<Outcome> {
    this.wrongServers ??= await startServers(this.simulator.dialect);
    const { cluster, pools } = this.wrongServers;
    for (const declaration of this.declarations) {
      if (declaration.kind === "AclAuthMethod") cluster.methods.put({ Name: declaration.name });
      else if (declaration.kind === "AclRole") cluster.roles.put({ Name: declaration.name, Policies: [{ Name: "admin" }] });
      else if (declaration.kind === "AgentPool") pools.put({ organization: declaration.organization, name: declaration.name });
    }
    const theirs = bytesOf(this.wrongServers);
    const outcome = await this.run(command, this.wrongServers);
    if (bytesOf(this.wrongServers) !== theirs) throw new Violation("an operation on wrong servers has changed them");
    return outcome;
  }

  private async run(command: OperationCommand, simulator: Simulator): Promise<Outcome> {
    const { declarations, region } = this;
    const { faults, kill, lag, replace } = command;
    for (const fault of faults) simulator.faults.add(fault);
    if (kill && "request" in kill) {
      if (kill.arrived) simulator.faults.add({ skip: kill.request, fault: { kind: "drop-after" } });
      simulator.faults.add({ skip: kill.request, times: Number.POSITIVE_INFINITY, fault: { kind: "refuse" } });
    }
    simulator.cluster.lag(region, lag);
    simulator.journal.clear();
    const forced = declarations.find(({ slot }) => slot === replace);
    const urn = forced && entryOf(this.entries, forced)?.urn;
    try {
      const configuration = configurationOf(simulator, region, command.acceptMovedServer);
      const { state, ...ran } = await this.engine.run({
        command,
        declarations,
        state: this.state,
        replace: urn,
        simulator,
        ...configuration,
      });
      this.state = state;
      const errors = ran.result.diagnostics.filter(({ severity }) => severity === "error");
      return { ...ran, errors, requests: simulator.journal.entries };
    } finally {
      simulator.faults.clear();
      simulator.cluster.lag(region, false);
    }
  }

  /** Objects of others stay equal to the byte. With `adopt` true their content stays equal; only with "overwrite" may it change. */
  private assertUntouched(before: ReadonlyMap<string, ServerObject>, command: OperationCommand): void {
    const after = serverObjects(this.simulator);
    const held = new Set(this.entries.map(({ key }) => key));
    const adopting = new Map(
      command.do === "up" ? this.declarations.map((declaration) => [identityOf(declaration), declaration.adopt] as const) : [],
    );
    for (const { key, identity, bytes, content } of before.values()) {
      const adopt = adopting.get(identity) ?? false;
      const now = after.get(key);
      if (!now) throw new Violation(`${identity} (${key}) of others was deleted`);
      const isSame = adopt === false ? now.bytes === bytes : now.content === content;
      if (!isSame && adopt !== "overwrite") throw new Violation(`${identity} (${key}) of others was changed to ${now.bytes}`);
      if (held.has(key) && !adopt) throw new Violation(`${identity} (${key}) of others was taken over`);
    }
  }

  /**
   * The state keeps the objects that it had and that still exist. It also has all created objects, unless the process was killed or an
   * error says that the object may exist.
   */
  private assertNothingLost(
    before: { readonly all: ReadonlyMap<string, ServerObject>; readonly entries: readonly Entry[] },
    command: OperationCommand,
    { errors }: Outcome,
  ): void {
    const known = new Set(before.entries.map(({ key }) => key));
    const mayBeThere =
      command.kill !== undefined || errors.some(({ message }) => message.includes("It is not known whether the write took effect"));
    for (const { key, identity } of this.unmanaged.values()) {
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
  return [...serverObjects(simulator).values()].map(({ bytes }) => bytes).join("\n");
}

function configurationOf(simulator: Simulator, clusterRegion: string, acceptMovedServer = false) {
  const { poolsAddress, clusterAddress, organization, poolsToken, clusterToken } = simulator;
  return {
    config: prefixed({ poolsAddress, clusterAddress, clusterRegion, organization, acceptMovedServer: String(acceptMovedServer) }),
    secretConfig: prefixed({ poolsToken, clusterToken }),
  };
}
