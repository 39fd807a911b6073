import type { ClusterSnapshot, DialectName, Simulator } from "../../testing/simulator";
import type { Adapter } from "../support/adapters";
import { type Outcome, startServers, TestStack } from "../support/stack";
import type { OperationCommand, Sequence } from "./commands";
import { declared, identityOf, register } from "./declarations";
import { killable } from "./killed";
import { type Declaration, type Declared, randomKind } from "./kinds";
import { theirMethod, theirSecret } from "./kinds/acl-auth-method";
import type { Slot } from "./kinds/kind";
import { type Entry, entries, entriesPendingReplacement, entryOf, type ServerObject, serverObjects } from "./objects";
import { leaks } from "./secrets";

/** A property that must hold does not hold. */
export class Violation extends Error {
  override readonly name = "Violation";
}

interface Servers extends Pick<Sequence, "takesChosenTokens"> {
  readonly dialect: DialectName;
}

/** An operation without faults. */
export const undisturbed: OperationCommand = { do: "up", refresh: true, parallel: 4, faults: [] };

/** A stack whose program and servers change at random, with the checks after every operation. */
export class RandomStack extends TestStack {
  readonly program = new Map<Slot, Declaration>();
  /** The result of the last operation, for the report of a violation. */
  lastOutcome: Outcome | undefined;

  /** Whether the cluster was once restored from a backup. */
  wasRestored = false;
  private backup: ClusterSnapshot | undefined;
  private wrongServers: Simulator | undefined;

  /** Starts servers on which others have an object of every kind except agent tokens. */
  static async open(adapter: Adapter, options: Servers): Promise<RandomStack> {
    const simulator = await startBoth(options);
    const { cluster, pools } = simulator;
    cluster.methods.put({ Name: theirMethod, Config: { OIDCClientSecret: `${theirSecret}0` } });
    cluster.roles.put({ Name: "theirs", Policies: [{ Name: "admin" }] });
    cluster.rules.put({ AuthMethod: theirMethod, BindType: "management" });
    cluster.tokens.put({ Name: "theirs", Policies: ["admin"] });
    const { id } = pools.put({ organization: simulator.organization, name: "theirs", allowedWorkspaceIds: ["ws-1"] });
    pools.addAgent(id, { status: "exited" });
    const stack = new RandomStack(adapter, simulator);
    cluster.clock = () => stack.clock.now();
    return stack;
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

  /** The state's entries for objects. */
  get managed(): Entry[] {
    return entries(this.state, this.simulator);
  }

  /** All objects on the servers that this stack does not manage. */
  get unmanaged(): Map<string, ServerObject> {
    // A backup brings objects back that were deleted for a replacement.
    const ours = new Set([...this.managed, ...entriesPendingReplacement(this.state, this.simulator)].map(({ key }) => key));
    return new Map([...serverObjects(this.simulator)].filter(([key]) => !ours.has(key)));
  }

  /** Runs the engine once. @throws Violation when it did something that no operation may do, even with faults */
  async operate(command: OperationCommand): Promise<Outcome> {
    const before = { unmanaged: this.unmanaged, entries: this.managed, all: serverObjects(this.simulator) };
    const outcome = await (command.elsewhere ? this.runElsewhere(command) : this.run(command));
    this.lastOutcome = outcome;
    this.assertUntouched(before.unmanaged, command);
    this.assertNothingLost(before, command, outcome);
    if (command.do !== "up" && command.do !== "destroy" && this.simulator.journal.entries.some(({ method }) => method !== "GET"))
      throw new Violation(`a ${command.do} has sent a write`);
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
    const right = this.simulator;
    this.wrongServers ??= await startBoth({ dialect: right.dialect, takesChosenTokens: right.cluster.takesChosenTokens });
    this.wrongServers.cluster.clock = right.cluster.clock;
    const wrong = this.wrongServers;
    for (const declaration of this.declarations) {
      if (declaration.kind !== "AclBindingRule") randomKind(declaration.kind).takePlace(wrong, declaration, false);
    }
    const theirs = bytesOf(wrong);
    this.moveTo(wrong);
    const outcome = await this.run(command).finally(() => this.moveTo(right));
    if (bytesOf(wrong) !== theirs) throw new Violation("an operation on wrong servers has changed them");
    return outcome;
  }

  private async run(command: OperationCommand): Promise<Outcome> {
    const { simulator } = this;
    const { faults, kill } = command;
    for (const fault of faults) simulator.faults.add(fault);
    if (kill && "request" in kill) {
      if (kill.arrived) simulator.faults.add({ skip: kill.request, fault: { kind: "drop-after" } });
      simulator.faults.add({ skip: kill.request, times: Number.POSITIVE_INFINITY, fault: { kind: "refuse" } });
    }
    simulator.journal.clear();
    try {
      return await this.rehearse(command);
    } finally {
      simulator.faults.clear();
    }
  }

  private async rehearse(command: OperationCommand): Promise<Outcome> {
    const { declarations } = this;
    const { refresh, parallel, kill, replace, acceptMovedServer = false } = command;
    const config = { acceptMovedServer: String(acceptMovedServer) };
    const forced = declarations.find(({ slot }) => slot === replace);
    const urn = forced && entryOf(this.managed, forced)?.urn;
    return this.attempt(command.do, (declare) => register(declare, declarations), {
      refresh,
      parallel,
      config,
      ...(urn && { replace: [urn] }),
      ...(kill && "call" in kill && { wrapped: (host) => killable(host, kill) }),
    });
  }

  /** Objects of others stay equal to the byte. With `adopt` true their content stays equal; only with "overwrite" may it change. */
  private assertUntouched(before: ReadonlyMap<string, ServerObject>, command: OperationCommand): void {
    const after = serverObjects(this.simulator);
    const held = new Set(this.managed.map(({ key }) => key));
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
   * The state keeps the objects that it had and that still exist. It also has all created objects, unless the process was killed, an error
   * says that the object may exist, or a message names it as left over.
   */
  private assertNothingLost(
    before: { readonly all: ReadonlyMap<string, ServerObject>; readonly entries: readonly Entry[] },
    command: OperationCommand,
    { failures, warnings }: Outcome,
  ): void {
    const known = new Set(before.entries.map(({ key }) => key));
    const mayBeThere =
      command.kill !== undefined || failures.some(({ message }) => message.includes("It is not known whether the write took effect"));
    const said = [...failures.map(({ message }) => message), ...warnings].join("\n");
    for (const { key, identity, kind, id } of this.unmanaged.values()) {
      if (!before.all.has(key) && randomKind(kind).mayBeLeftOver && said.includes(id)) continue;
      if (known.has(key)) throw new Violation(`${identity} (${key}) is still there, and the state has lost it`);
      if (!before.all.has(key) && !mayBeThere) throw new Violation(`${identity} (${key}) was made, and the state does not know it`);
    }
  }
}

async function startBoth(options: Servers): Promise<Simulator> {
  const simulator = await startServers(options);
  simulator.pools.addOrganization("other-org");
  return simulator;
}

function bytesOf(simulator: Simulator): string {
  return [...serverObjects(simulator).values()].map(({ bytes }) => bytes).join("\n");
}
