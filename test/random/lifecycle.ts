import type { DialectName } from "../../testing/simulator";
import type { Adapter } from "../support/adapters";
import type { Outcome } from "../support/stack";
import type { Command, Sequence } from "./commands";
import { nameInProgram } from "./declarations";
import { deviations, entriesPendingReplacement, entryOf, serverObjects } from "./objects";
import { applyOutOfBand } from "./out-of-band";
import { resolve } from "./remedies";
import { RandomStack, undisturbed, Violation } from "./stack";

export interface LifecycleOptions {
  readonly adapter: Adapter;
  readonly dialect: DialectName;
}

/** How often an operation is run at most, with errors resolved in between. */
const maxRounds = 30;

/**
 * Runs a sequence, and then checks its end: ups without faults, with their errors resolved in between, make servers and program equal,
 * refreshes and a preview find no change, and a destroy leaves only the objects of others.
 *
 * @throws Violation, with a report of the last operation
 */
export async function runLifecycle({ commands, resolution, ...servers }: Sequence, { adapter, dialect }: LifecycleOptions): Promise<void> {
  const stack = await RandomStack.open(adapter, { ...servers, dialect });
  try {
    for (const command of commands) await carryOut(stack, command);
    await runUntilResolved(stack, "up", resolution);
    assertAsDeclared(stack);
    await assertNoChanges(stack);
    await runUntilResolved(stack, "destroy", resolution);
    assertEmpty(stack);
  } catch (error) {
    throw error instanceof Violation ? new Violation(`${error.message}\n\n${report(stack.lastOutcome)}`) : error;
  } finally {
    await stack.stop();
  }
}

async function carryOut(stack: RandomStack, command: Command): Promise<void> {
  const { program } = stack;
  switch (command.do) {
    case "declare": {
      const renamed = program.get(command.slot)?.renamed;
      program.set(command.slot, { ...command.declaration, ...(renamed && { renamed }) });
      return;
    }
    case "drop":
      program.delete(command.slot);
      return;
    case "rename": {
      const declaration = program.get(command.slot);
      if (!declaration) return;
      const from = declaration.renamed?.to ?? command.slot;
      program.set(command.slot, { ...declaration, renamed: { to: `${from}-renamed`, ...(command.alias && { alias: from }) } });
      return;
    }
    case "others":
      return await applyOutOfBand(stack, command.change);
    default:
      await stack.operate(command);
  }
}

/** Runs the operation without faults. If its errors need a decision by the user, resolves them and runs it again. */
async function runUntilResolved(stack: RandomStack, command: "up" | "destroy", resolution: Sequence["resolution"]): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const { state, simulator } = stack;
    const replaced = entriesPendingReplacement(state, simulator);
    const before = { objects: serverObjects(simulator), entries: stack.managed, replaced };
    const { result, failures } = await stack.operate({ ...undisturbed, do: command });
    if (result.ok) return;
    if (failures.length === 0) throw new Violation(`the ${command} failed without an error`);
    const { declarations } = stack;
    const declarationOf = (urn = "") =>
      declarations.find((declaration) => urn.endsWith(`:${declaration.kind}::${nameInProgram(declaration)}`));
    await resolve(failures.map(({ message, urn }) => ({ stack, message, urn, declaration: declarationOf(urn), before, resolution })));
  }
  throw new Violation(`after ${maxRounds} rounds of resolved errors, the ${command} still fails`);
}

/** Every declaration has one object with the declared content, and the state holds no other entry. */
function assertAsDeclared(stack: RandomStack): void {
  const { declarations, managed } = stack;
  const all = serverObjects(stack.simulator);
  for (const declaration of declarations) {
    const entry = entryOf(managed, declaration);
    if (entry?.isKeptWithout) continue;
    const wrong = entry && all.has(entry.key) ? deviations(stack, declaration, entry.id) : ["the state holds no existing object"];
    if (wrong.length > 0) throw new Violation(`after the up, ${declaration.slot} is not as declared: ${wrong.join("; ")}`);
  }
  if (new Set(managed.map(({ key }) => key)).size !== declarations.length || managed.length !== declarations.length) {
    throw new Violation(
      `after the up, the state holds ${managed.map(({ name, key }) => `${name} (${key})`).join(", ")} for ${declarations.length} declarations`,
    );
  }
}

/** Preview and refresh find no change, and a refresh does not change the state. */
async function assertNoChanges(stack: RandomStack): Promise<void> {
  await assertNothingToDo(stack, "refresh");
  const before = outputsOf(stack);
  await assertNothingToDo(stack, "refresh");
  if (outputsOf(stack) !== before) throw new Violation("a refresh has changed the state although no object was changed");
  await assertNothingToDo(stack, "preview");
}

async function assertNothingToDo(stack: RandomStack, command: "refresh" | "preview"): Promise<void> {
  const outcome = await stack.operate({ ...undisturbed, do: command, refresh: false });
  const changes = changesOf(outcome);
  if (!outcome.result.ok || changes.length > 0) throw new Violation(`after the up, the ${command} is not empty: ${changes.join(", ")}`);
}

/**
 * The outputs of all resources, byte for byte. Not the inputs: when the program changes only the spelling of a value (60m, 1h), the engine
 * keeps the old outputs, from which a dynamic provider reads the spelling.
 */
function outputsOf({ state }: RandomStack): string {
  return JSON.stringify(state?.resources.map(({ urn, id, outputs }) => ({ urn, id, outputs })));
}

function assertEmpty(stack: RandomStack): void {
  if (stack.managed.length > 0)
    throw new Violation(`after the destroy, the state holds ${stack.managed.map(({ name }) => name).join(", ")}`);
}

function changesOf({ result }: Outcome): string[] {
  return result.steps
    .filter(({ type, op, outcome }) => type !== "pulumi:pulumi:Stack" && op !== "same" && outcome !== "same")
    .map(({ op, outcome, name, failed, changedProperties = [] }) =>
      [failed ? "failed" : "", op, outcome ?? "", name, changedProperties.join()].filter((word) => word !== "").join(" "),
    );
}

function report(last: Outcome | undefined): string {
  if (!last) return "no operation was run";
  const { failures, requests, log } = last;
  return [
    "The last operation made these changes:",
    ...changesOf(last).map((change) => `  ${change}`),
    "sent these requests:",
    ...requests.map(({ method, path, status }) => `  ${method} ${path} ${status ?? "(no response)"}`),
    "and printed:",
    ...[...failures.map(({ message }) => message), ...log].map((text) => `  ${text}`),
  ].join("\n");
}
