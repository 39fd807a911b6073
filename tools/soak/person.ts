import type { Sequence } from "./commands";
import { deviations, type Entry, entryOf, ownSecret, type Standing, standing } from "./objects";
import { remove } from "./others";
import { type Declared, identityOf, type Wish } from "./program";
import { Violation, type World } from "./world";

/** An error of an operation without faults, and what the servers held when it began. */
interface Trouble {
  readonly world: World;
  readonly message: string;
  /** The resource that it is about. */
  readonly urn: string | undefined;
  readonly wish: Declared | undefined;
  readonly before: { readonly objects: ReadonlyMap<string, Standing>; readonly entries: readonly Entry[] };
  readonly wayOn: Sequence["wayOn"];
}

/** An error that is right, although nothing went wrong: only a person can say how to go on. */
interface Promised {
  readonly says: RegExp;
  /** Whether the servers, the state and the program are such that this error must come. */
  readonly isRight: (trouble: Trouble, said: RegExpMatchArray) => boolean;
  /** What the error says to do. */
  readonly remedy: (trouble: Trouble, said: RegExpMatchArray) => void | Promise<void>;
}

/** All of them. Any other error of an operation without faults is a violation. */
const promised: readonly Promised[] = [
  { says: /exists already: .* It was not touched\./s, isRight: isTaken, remedy: takeOrClear },
  {
    says: /^name: .*(already exists|already been taken)/,
    isRight: ({ wish, ...trouble }) => !!wish && holders(trouble, wish).length > 0,
    remedy: clearOrRename,
  },
  {
    says: /another resource of this program, with adopt, has taken it over/,
    isRight: isHeldTwice,
    remedy: ({ world, urn }) => world.forget(urn),
  },
  { says: /is not the one of the state: that was made/, isRight: isRemade, remedy: giveUp },
  {
    says: /(older copy than the state has|store that is older than the object), still after/,
    isRight: isRestored,
    remedy: ({ world }) => world.acceptMovedServer(),
  },
  { says: /can't be the default, because "([^"]+)" is/, isRight: isDefaultHeld, remedy: demote },
  { says: /^Agent pool .* can't be deleted/s, isRight: (trouble) => agentsOf(trouble).length > 0, remedy: stopAgents },
  { says: /the server (may hold|holds) a secret that the program does not give/, isRight: isSecretMissing, remedy: giveSecret },
  // Of documented servers alone.
  {
    says: /ACL auth method "([^"]+)", from which the default is to be taken: /,
    isRight: holdsOn,
    remedy: ({ world, wish }) => wish && change(world, wish, { isDefault: false }),
  },
  { says: /answers without a hash, and such a server may erase what an update leaves out/, isRight: isUnhashed, remedy: overwrite },
  { says: /missing OIDCClientSecret/, isRight: isSecretMissing, remedy: giveSecret },
  { says: /a method of type JWT can't be updated/, isRight: isFixed, remedy: ({ world, wish }) => wish && rename(world, wish) },
];

/** Finds out whether errors are such that must come, and does what a person would who reads them. @throws Violation when one is not */
export async function resolve(troubles: readonly Trouble[]): Promise<void> {
  // All are judged before the first remedy changes anything.
  for (const remedy of troubles.map(judge)) await remedy();
}

/** @returns the remedy */
function judge(trouble: Trouble): () => void | Promise<void> {
  for (const { says, isRight, remedy } of promised) {
    const said = trouble.message.match(says);
    if (!said) continue;
    if (!isRight(trouble, said)) throw new Violation(`an error that is not so: ${trouble.message}`);
    return () => remedy(trouble, said);
  }
  throw new Violation(`an error that nobody promised: ${trouble.message}`);
}

/** What stands where the wish wants to be, other than the object that the state has for it. */
function inTheWay(world: World, wish: Declared, objects: ReadonlyMap<string, Standing>): Standing[] {
  const own = entryOf(world.entries, wish)?.key;
  return [...objects.values()].filter(({ key, identity }) => identity === identityOf(wish) && key !== own);
}

/** What stood there before the operation; where nothing did, what stands there now. */
function holders({ world, before }: Pick<Trouble, "world" | "before">, wish: Declared): Standing[] {
  const held = inTheWay(world, wish, before.objects);
  return held.length > 0 ? held : inTheWay(world, wish, standing(world.simulator));
}

/** Whether a live entry of the state means the object. */
function isHeld(entries: readonly Entry[], { key }: Standing): boolean {
  return entries.some((entry) => entry.key === key && !entry.isOld);
}

function isTaken({ wish, ...trouble }: Trouble): boolean {
  if (!wish) return false;
  const { world } = trouble;
  const [first, ...more] = holders(trouble, wish);
  if (!first) return false;
  // One of several equal rules, or an object that another resource of the program has: even "overwrite" does not say that it is this one.
  if (wish.adopt === false || more.length > 0 || isHeld(trouble.before.entries, first)) return true;
  const isUnreadable = wish.kind === "AclAuthMethod" && wish.secret !== undefined;
  return wish.adopt === true && (isUnreadable || isLimited(world, wish, first) || deviations(world, wish, first.id).length > 0);
}

/** A new pool is open to all workspaces where the program says nothing of that. Only one that the state has stays limited then. */
function isLimited({ simulator }: World, wish: Declared, { id }: Standing): boolean {
  if (wish.kind !== "AgentPool" || wish.scoped !== undefined || wish.workspaces !== undefined) return false;
  return simulator.pools.get(id)?.organizationScoped === false;
}

function takeOrClear({ world, wish, wayOn }: Trouble): void {
  if (!wish) return;
  const [first, ...more] = inTheWay(world, wish, standing(world.simulator));
  if (!first) return;
  if ([first, ...more].some((holder) => isHeld(world.entries, holder))) {
    rename(world, wish);
    return;
  }
  const keeps = wayOn === "adopt" || world.entries.some(({ key }) => key === first.key);
  for (const holder of keeps ? more : [first, ...more]) remove(world, holder);
  if (keeps) change(world, wish, { adopt: "overwrite" });
}

function clearOrRename({ world, wish, wayOn }: Trouble): void {
  if (!wish) return;
  const left = inTheWay(world, wish, standing(world.simulator));
  if (wayOn === "adopt" || left.some((holder) => isHeld(world.entries, holder))) rename(world, wish);
  else for (const holder of left) remove(world, holder);
}

function isHeldTwice({ world, urn }: Trouble): boolean {
  const mine = world.entries.filter((entry) => entry.urn === urn);
  return mine.some(({ key }) => world.entries.some((entry) => entry.key === key && entry.urn !== urn));
}

function isRemade({ world, urn }: Trouble): boolean {
  const { methods } = world.simulator.cluster;
  const all = standing(world.simulator);
  return world.entries.some((entry) => entry.urn === urn && methods.get(entry.id) !== undefined && !all.has(entry.key));
}

function isRestored({ world, urn }: Trouble): boolean {
  return world.wasRestored && world.entries.some((entry) => entry.urn === urn && entry.kind !== "AgentPool");
}

async function giveUp({ world, urn, wish, wayOn }: Trouble): Promise<void> {
  const ids = world.entries.filter((entry) => entry.urn === urn).map(({ id }) => id);
  await world.acceptMovedServer();
  if (wish && wayOn === "adopt") change(world, wish, { adopt: "overwrite" });
  else for (const { kind, id } of world.others.values()) if (kind === "AclAuthMethod" && ids.includes(id)) remove(world, { kind, id });
}

function isDefaultHeld({ world, wish, before }: Trouble, [, holder = ""]: RegExpMatchArray): boolean {
  if (wish?.kind !== "AclAuthMethod" || !defaultBefore(before, holder)) return false;
  const keeper = world.wishes.find((other) => other.slot !== wish.slot && entryOf(before.entries, other)?.id === holder);
  // A holder that the program keeps lets go of it in the same update, unless it waits for this very resource.
  return !keeper || waitsFor(world.wishes, keeper, wish);
}

function waitsFor(wishes: readonly Declared[], one: Declared, other: Declared): boolean {
  if (one.kind !== "AclAuthMethod" || one.after === undefined) return false;
  const next = wishes.find(({ slot }) => slot === one.after);
  return one.after === other.slot || (!!next && waitsFor(wishes, next, other));
}

/** A default that no update can take from its method: of type JWT, or with a secret that nobody knows, which an update would lose. */
function holdsOn({ world, wish, before }: Trouble, [, holder = ""]: RegExpMatchArray): boolean {
  if (wish?.kind !== "AclAuthMethod" || world.simulator.dialect !== "documented") return false;
  const was = defaultBefore(before, holder);
  const isUnknown = (method: Declared) =>
    method.kind === "AclAuthMethod" && method.secret === undefined && [method.name, entryOf(before.entries, method)?.id].includes(holder);
  return !!was && (was.bytes.includes('"Type":"JWT"') || world.wishes.some(isUnknown));
}

/** The method of this name, if it was the default before the operation. */
function defaultBefore(before: Trouble["before"], name: string) {
  const method = [...before.objects.values()].find(({ kind, id }) => kind === "AclAuthMethod" && id === name);
  return method?.bytes.includes('"Default":true') ? method : undefined;
}

function demote({ world }: Trouble, [, holder = ""]: RegExpMatchArray): void {
  world.simulator.cluster.methods.put({ Name: holder, Default: false });
}

function agentsOf({ world, urn }: Trouble): string[] {
  const { pools } = world.simulator;
  return world.entries.filter((entry) => entry.urn === urn).flatMap(({ id }) => pools.agents(id).map((agent) => agent.id));
}

function stopAgents(trouble: Trouble): void {
  for (const id of agentsOf(trouble)) trouble.world.simulator.pools.removeAgent(id);
}

function isSecretMissing({ world, wish, before }: Trouble): boolean {
  if (wish?.kind !== "AclAuthMethod" || wish.secret !== undefined) return false;
  // Whether there is one can't be seen there: it is taken to be, wherever there is a configuration.
  if (world.simulator.dialect === "documented") return true;
  // One that is to be renamed has its old name still.
  const held = entryOf(before.entries, wish)?.id;
  return [wish.name, held].some((name) => name !== undefined && !!world.simulator.cluster.methods.get(name)?.Config.OIDCClientSecret);
}

function isUnhashed({ world, wish }: Trouble): boolean {
  return wish?.kind === "AclAuthMethod" && wish.adopt === true && world.simulator.dialect === "documented";
}

function overwrite({ world, wish }: Trouble): void {
  if (wish) change(world, wish, { adopt: "overwrite" });
}

function isFixed({ world, wish }: Trouble): boolean {
  if (wish?.kind !== "AclAuthMethod" || world.simulator.dialect !== "documented") return false;
  return [wish.type, world.simulator.cluster.methods.get(wish.name)?.Type].includes("JWT");
}

function giveSecret({ world, wish }: Trouble): void {
  if (wish) change(world, wish, { secret: `${ownSecret}given` });
}

function rename(world: World, wish: Declared): void {
  change(world, wish, wish.kind === "AclBindingRule" ? { description: `${wish.description}y` } : { name: `${wish.name}y` });
}

/** Edits the declaration in the program. */
function change(world: World, { slot }: Declared, values: object): void {
  const wish: Wish | undefined = world.program.get(slot);
  if (wish) world.program.set(slot, { ...wish, ...values });
}
