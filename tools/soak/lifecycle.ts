import type { DialectName } from "../../provider/testing/simulator";
import type { Command, Sequence } from "./commands";
import type { Engine } from "./engine";
import { deviations, entryOf, standing } from "./objects";
import { act } from "./others";
import { resolve } from "./person";
import { nameInProgram } from "./program";
import { type Outcome, untroubled, Violation, World } from "./world";

/** How often a person is asked at most before one operation goes through. */
const patience = 30;

/**
 * Lives through a sequence, and then ends well: one up without faults makes servers and program equal, the preview after it is empty, and a
 * destroy leaves nothing behind but what others have.
 *
 * @throws Violation, with what the last operation did
 */
export async function live({ commands, wayOn, region }: Sequence, engine: Engine, dialect: DialectName): Promise<void> {
  const world = await World.start(engine, region, dialect);
  try {
    for (const command of commands) await carryOut(world, command);
    await settle(world, "up", wayOn);
    isEqual(world);
    await isQuiet(world);
    await settle(world, "destroy", wayOn);
    isGone(world);
  } catch (error) {
    throw error instanceof Violation ? new Violation(`${error.message}\n\n${story(world.last)}`) : error;
  } finally {
    await world.stop();
  }
}

async function carryOut(world: World, command: Command): Promise<void> {
  const { program } = world;
  switch (command.do) {
    case "declare": {
      const renamed = program.get(command.slot)?.renamed;
      program.set(command.slot, { ...command.wish, ...(renamed && { renamed }) });
      return;
    }
    case "drop":
      program.delete(command.slot);
      return;
    case "rename": {
      const wish = program.get(command.slot);
      if (!wish) return;
      const from = wish.renamed?.to ?? command.slot;
      program.set(command.slot, { ...wish, renamed: { to: `${from}-renamed`, ...(command.alias && { alias: from }) } });
      return;
    }
    case "others":
      return act(world, command.deed);
    default:
      await world.operate(command);
  }
}

/** Runs the operation without faults, and again after each time that only a person can say how to go on. */
async function settle(world: World, command: "up" | "destroy", wayOn: Sequence["wayOn"]): Promise<void> {
  for (let round = 0; round < patience; round++) {
    const before = { objects: standing(world.simulator), entries: world.entries };
    const { result, errors } = await world.operate({ ...untroubled, do: command });
    if (result.ok) return;
    if (errors.length === 0) throw new Violation(`the ${command} failed without an error`);
    const { wishes } = world;
    const wishOf = (urn = "") => wishes.find((wish) => urn.endsWith(`:${wish.kind}::${nameInProgram(wish)}`));
    await resolve(errors.map(({ message, urn }) => ({ world, message, urn, wish: wishOf(urn), before, wayOn })));
  }
  throw new Violation(`after ${patience} errors that were resolved one by one, the ${command} still fails`);
}

/** Every declaration has one object, which is as declared, and the state holds nothing else. */
function isEqual(world: World): void {
  const { wishes, entries } = world;
  const all = standing(world.simulator);
  for (const wish of wishes) {
    const entry = entryOf(entries, wish);
    const wrong = entry && all.has(entry.key) ? deviations(world, wish, entry.id) : ["the state holds no object that is there"];
    if (wrong.length > 0) throw new Violation(`after the up, ${wish.slot} is not as declared: ${wrong.join("; ")}`);
  }
  if (new Set(entries.map(({ key }) => key)).size !== wishes.length || entries.length !== wishes.length) {
    throw new Violation(
      `after the up, the state holds ${entries.map(({ name, key }) => `${name} (${key})`).join(", ")} for ${wishes.length} declarations`,
    );
  }
}

/** Nothing is left to do, and looking changes nothing. */
async function isQuiet(world: World): Promise<void> {
  // A write answers the indexes of the region that takes it; the first read after it those of the region that is asked.
  await doesNothing(world, "refresh");
  const before = outputsOf(world);
  await doesNothing(world, "refresh");
  if (outputsOf(world) !== before) throw new Violation("a refresh of what nobody has changed has changed the state");
  await doesNothing(world, "preview");
}

async function doesNothing(world: World, command: "refresh" | "preview"): Promise<void> {
  const outcome = await world.operate({ ...untroubled, do: command, refresh: false });
  const changes = changesOf(outcome);
  if (!outcome.result.ok || changes.length > 0) throw new Violation(`after the up, the ${command} is not empty: ${changes.join(", ")}`);
}

/**
 * The outputs of all resources, byte for byte. Not the inputs: when the program changes only how a value is spelled (60m, 1h), the engine keeps
 * the outputs of before, from which a dynamic provider reads the spelling.
 */
function outputsOf({ state }: World): string {
  return JSON.stringify(state?.resources.map(({ urn, id, outputs }) => ({ urn, id, outputs })));
}

function isGone(world: World): void {
  if (world.entries.length > 0)
    throw new Violation(`after the destroy, the state holds ${world.entries.map(({ name }) => name).join(", ")}`);
}

function changesOf({ result }: Outcome): string[] {
  return result.steps
    .filter(({ type, op, outcome }) => type !== "pulumi:pulumi:Stack" && op !== "same" && outcome !== "same")
    .map(({ op, outcome, name, failed, changedProperties = [] }) =>
      [failed ? "failed" : "", op, outcome ?? "", name, changedProperties.join()].filter((word) => word !== "").join(" "),
    );
}

function story(last: Outcome | undefined): string {
  if (!last) return "no operation had run";
  const { errors, requests, log } = last;
  return [
    "The last operation did:",
    ...changesOf(last).map((change) => `  ${change}`),
    "with the requests:",
    ...requests.map(({ method, path, status }) => `  ${method} ${path} ${status ?? "(no answer)"}`),
    "and said:",
    ...[...errors.map(({ message }) => message), ...log].map((text) => `  ${text}`),
  ].join("\n");
}
