import type { Sequence } from "./commands";
import { identityOf } from "./declarations";
import type { Declaration, Declared } from "./kinds";
import { ownSecret } from "./kinds/acl-auth-method";
import { deviations, type Entry, entryOf, type ServerObject, serverObjects } from "./objects";
import { remove } from "./out-of-band";
import { type RandomStack, Violation } from "./stack";

/** An error of an operation without faults, and the content of the servers when the operation began. */
interface Failure {
  readonly stack: RandomStack;
  readonly message: string;
  /** The resource of the error. */
  readonly urn: string | undefined;
  readonly declaration: Declared | undefined;
  readonly before: {
    readonly objects: ReadonlyMap<string, ServerObject>;
    readonly entries: readonly Entry[];
    /** The entries of deleted objects whose replacement is pending. */
    readonly replaced: readonly Entry[];
  };
  readonly resolution: Sequence["resolution"];
}

/** An error that is correct without any fault, because the user must decide how to continue. */
interface ExpectedError {
  readonly says: RegExp;
  /** Whether servers, state and program are such that this error must occur. */
  readonly mustOccur: (failure: Failure, said: RegExpMatchArray) => boolean;
  /** Follows the error's advice. */
  readonly remedy: (failure: Failure, said: RegExpMatchArray) => void | Promise<void>;
}

/** Any other error of an operation without faults is a violation. */
const expectedErrors: readonly ExpectedError[] = [
  { says: /exists already: .* It was not touched\./s, mustOccur: isTaken, remedy: takeOrClear },
  {
    says: /^name: .*(already exists|already been taken)/,
    mustOccur: ({ declaration, ...failure }) => !!declaration && holders(failure, declaration).length > 0,
    remedy: clearOrRename,
  },
  {
    says: /another resource of this program has it, too/,
    mustOccur: isInStateTwice,
    remedy: ({ stack, urn }) => stack.removeFromState(urn),
  },
  { says: /is not the one of the state: that was made/, mustOccur: isRemade, remedy: acceptLoss },
  {
    says: /has the index \d+, and the state knows the object's change of index \d+/,
    mustOccur: isRestored,
    remedy: ({ stack }) => stack.acceptMovedServer(),
  },
  { says: /can't be the default, because "([^"]+)" is/, mustOccur: isDefaultHeld, remedy: demote },
  { says: /^Agent pool .* can't be deleted/s, mustOccur: (failure) => agentsOf(failure).length > 0, remedy: stopAgents },
  { says: /the server (may hold|holds) a secret that the program does not give/, mustOccur: isSecretMissing, remedy: giveSecret },
  // Only documented servers return this error.
  { says: /missing OIDCClientSecret/, mustOccur: isSecretMissing, remedy: giveSecret },
  {
    says: /a method of type JWT can't be updated/,
    mustOccur: isJwtUpdate,
    remedy: ({ stack, declaration }) => declaration && rename(stack, declaration),
  },
];

/** Checks that each error must occur, and follows its text. @throws Violation when one must not */
export async function resolve(failures: readonly Failure[]): Promise<void> {
  // All errors are checked before the first remedy changes anything.
  for (const remedy of failures.map(judge)) await remedy();
}

/** @returns the remedy */
function judge(failure: Failure): () => void | Promise<void> {
  for (const { says, mustOccur, remedy } of expectedErrors) {
    const said = failure.message.match(says);
    if (!said) continue;
    if (!mustOccur(failure, said)) throw new Violation(`an error that must not occur here: ${failure.message}`);
    return () => remedy(failure, said);
  }
  throw new Violation(`an unexpected error: ${failure.message}`);
}

/** The objects with the identity of the declaration, except the object that the state has for it. */
function inTheWay(stack: RandomStack, declaration: Declared, objects: ReadonlyMap<string, ServerObject>): ServerObject[] {
  const own = entryOf(stack.managed, declaration)?.key;
  return [...objects.values()].filter(({ key, identity }) => identity === identityOf(declaration) && key !== own);
}

/** The objects in the way before the operation, or else now. */
function holders({ stack, before }: Pick<Failure, "stack" | "before">, declaration: Declared): ServerObject[] {
  const held = inTheWay(stack, declaration, before.objects);
  return held.length > 0 ? held : inTheWay(stack, declaration, serverObjects(stack.simulator));
}

/** Whether the state has an entry for the object that is not replaced. */
function isHeld(entries: readonly Entry[], { key }: ServerObject): boolean {
  return entries.some((entry) => entry.key === key && !entry.isOld);
}

function isTaken({ declaration, ...failure }: Failure): boolean {
  if (!declaration) return false;
  const { stack } = failure;
  const [first, ...more] = holders(failure, declaration);
  if (!first) return false;
  // For one of several equal rules, or an object of another resource of the program, even "overwrite" does not decide which one is meant.
  if (declaration.adopt === false || more.length > 0 || isHeld(failure.before.entries, first)) return true;
  // Another resource, whose replacement is pending, had the name. It gives the name up in this update, so only the next one adopts the
  // object.
  if (failure.before.replaced.some(({ kind, id }) => kind === first.kind && id === first.id)) return true;
  const isUnreadable = declaration.kind === "AclAuthMethod" && declaration.secret !== undefined;
  return (
    declaration.adopt === true &&
    (isUnreadable || isLimited(stack, declaration, first) || deviations(stack, declaration, first.id).length > 0)
  );
}

/**
 * Whether a pool is limited although the program leaves its scope out. A new pool is then open to all workspaces; only a pool in the state
 * stays limited.
 */
function isLimited({ simulator }: RandomStack, declaration: Declared, { id }: ServerObject): boolean {
  if (declaration.kind !== "AgentPool" || declaration.scoped !== undefined || declaration.workspaces !== undefined) return false;
  return simulator.pools.get(id)?.organizationScoped === false;
}

function takeOrClear({ stack, declaration, resolution }: Failure): void {
  if (!declaration) return;
  const [first, ...more] = inTheWay(stack, declaration, serverObjects(stack.simulator));
  if (!first) return;
  if ([first, ...more].some((holder) => isHeld(stack.managed, holder))) {
    rename(stack, declaration);
    return;
  }
  const keeps = resolution === "adopt" || stack.managed.some(({ key }) => key === first.key);
  for (const holder of keeps ? more : [first, ...more]) remove(stack, holder);
  if (keeps) change(stack, declaration, { adopt: "overwrite" });
}

function clearOrRename({ stack, declaration, resolution }: Failure): void {
  if (!declaration) return;
  const left = inTheWay(stack, declaration, serverObjects(stack.simulator));
  if (resolution === "adopt" || left.some((holder) => isHeld(stack.managed, holder))) rename(stack, declaration);
  else for (const holder of left) remove(stack, holder);
}

/** Whether another entry of the state has the same object, since this operation or since an earlier one. */
function isInStateTwice({ stack, urn, before }: Failure): boolean {
  return [stack.managed, before.entries].some((entries) => {
    const mine = entries.filter((entry) => entry.urn === urn);
    return mine.some(({ key }) => entries.some((entry) => entry.key === key && entry.urn !== urn));
  });
}

function isRemade({ stack, urn }: Failure): boolean {
  const all = serverObjects(stack.simulator);
  // Another object has the name, which is the id.
  const isTaken = ({ kind, id }: Entry) => [...all.values()].some((object) => object.kind === kind && object.id === id);
  return stack.managed.some((entry) => entry.urn === urn && isTaken(entry) && !all.has(entry.key));
}

function isRestored({ stack, urn }: Failure): boolean {
  return stack.wasRestored && stack.managed.some((entry) => entry.urn === urn && entry.kind !== "AgentPool");
}

async function acceptLoss({ stack, urn, declaration, resolution }: Failure): Promise<void> {
  const ids = stack.managed.filter((entry) => entry.urn === urn).map(({ id }) => id);
  await stack.acceptMovedServer();
  if (declaration && resolution === "adopt") change(stack, declaration, { adopt: "overwrite" });
  else for (const { kind, id } of stack.unmanaged.values()) if (kind === "AclAuthMethod" && ids.includes(id)) remove(stack, { kind, id });
}

/**
 * Whether the named method was the default before. The error is right even if the program takes the default away from that method in this
 * update, because the order of both changes is open.
 */
function isDefaultHeld({ declaration, before }: Failure, [, holder = ""]: RegExpMatchArray): boolean {
  return declaration?.kind === "AclAuthMethod" && defaultBefore(before, holder) !== undefined;
}

/** The method of this name, if it was the default before the operation. */
function defaultBefore(before: Failure["before"], name: string) {
  const method = [...before.objects.values()].find(({ kind, id }) => kind === "AclAuthMethod" && id === name);
  return method?.bytes.includes('"Default":true') ? method : undefined;
}

function demote({ stack, declaration, before }: Failure, [, holder = ""]: RegExpMatchArray): void {
  const isOurs = before.entries.some(({ kind, id }) => kind === "AclAuthMethod" && id === holder);
  if (isOurs) declaration && change(stack, declaration, { isDefault: false });
  else stack.simulator.cluster.methods.put({ Name: holder, Default: false });
}

function agentsOf({ stack, urn }: Failure): string[] {
  const { pools } = stack.simulator;
  return stack.managed.filter((entry) => entry.urn === urn).flatMap(({ id }) => pools.agents(id).map((agent) => agent.id));
}

function stopAgents(failure: Failure): void {
  for (const id of agentsOf(failure)) failure.stack.simulator.pools.removeAgent(id);
}

function isSecretMissing({ stack, declaration, before }: Failure): boolean {
  if (declaration?.kind !== "AclAuthMethod" || declaration.secret !== undefined) return false;
  // Responses don't show whether there is a secret: the provider assumes one wherever there is a configuration.
  if (stack.simulator.dialect === "documented") return true;
  // A method that is to be renamed still has its old name.
  const held = entryOf(before.entries, declaration)?.id;
  return [declaration.name, held].some(
    (name) => name !== undefined && !!stack.simulator.cluster.methods.get(name)?.Config.OIDCClientSecret,
  );
}

function isJwtUpdate({ stack, declaration }: Failure): boolean {
  if (declaration?.kind !== "AclAuthMethod" || stack.simulator.dialect !== "documented") return false;
  return [declaration.type, stack.simulator.cluster.methods.get(declaration.name)?.Type].includes("JWT");
}

function giveSecret({ stack, declaration }: Failure): void {
  if (declaration) change(stack, declaration, { secret: `${ownSecret}given` });
}

function rename(stack: RandomStack, declaration: Declared): void {
  change(
    stack,
    declaration,
    declaration.kind === "AclBindingRule" ? { description: `${declaration.description}y` } : { name: `${declaration.name}y` },
  );
}

/** Changes the declaration in the program. */
function change(stack: RandomStack, { slot }: Declared, values: object): void {
  const declaration: Declaration | undefined = stack.program.get(slot);
  if (declaration) stack.program.set(slot, { ...declaration, ...values });
}
