/** Pairs the objects of both sides: by ID and URN together, then by each kind's other keys, such as the name. */
import { isDeepStrictEqual } from "node:util";
import { boundNames } from "../../access/bound-names";
import { type InventoryObject, isUncertain } from "../inventory/inventory";
import type { PreviewedChange } from "../inventory/preview";

/** An object before and after a change. An added or removed object has one side. */
export interface Pair {
  readonly kind: string;
  readonly before?: InventoryObject;
  readonly after?: InventoryObject;
  /** Whether the update leaves the resource as it is, so its secret and unknown parts are the same before and after. */
  readonly isUntouched: boolean;
}

type Key = (object: InventoryObject) => string | undefined;

const byId: Key = ({ id }) => id;
const byUrn: Key = ({ urn }) => urn;
const byBoth: Key = ({ id, urn }) => (id === undefined || urn === undefined ? undefined : JSON.stringify([id, urn]));
const byName: Key = ({ outputs: { name } }) => (typeof name === "string" && !isUncertain(name) ? name : undefined);
/** Objects without an ID are distinguished by the properties that servers have. An unreadable value equals no other. */
const byContent: Key = ({ outputs: { adopt, ...outputs } }) =>
  isUncertain({ adopt, ...outputs }) ? undefined : JSON.stringify(Object.entries(outputs).sort());

/**
 * The keys in order of precedence. The name of a method or a policy is its ID on the server; tokens with the same name are several objects.
 */
const keysByKind: Readonly<Record<string, readonly Key[]>> = {
  AclAuthMethod: [byBoth, byName, byId, byUrn],
  AclPolicy: [byBoth, byName, byId, byUrn],
  AclToken: [byBoth, byId, byUrn, byContent, byName],
  AclBindingRule: [byBoth, byId, byUrn, byContent],
};
const otherKeys = [byBoth, byId, byUrn, byName, byContent];

export function pairsOf({ before, after, unchanged }: PreviewedChange): Pair[] {
  const kinds = [...new Set([...before.objects, ...after.objects].map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const ofKind = ({ objects }: typeof before) => new Set(objects.filter((object) => object.kind === kind));
    const [olds, news] = [ofKind(before), ofKind(after)];
    const pairs: Pair[] = [];
    for (const key of keysByKind[kind] ?? otherKeys) {
      const places = grouped(olds, key);
      for (const now of news) {
        const was = places.get(key(now) ?? "")?.find((one) => olds.has(one) && (key === byBoth || mayBeOne(one, now)));
        if (!was) continue;
        olds.delete(was);
        news.delete(now);
        pairs.push({ kind, before: was, after: now, isUntouched: isUntouched(was, now, unchanged) });
      }
    }
    const alone = (side: "before" | "after") => (object: InventoryObject) => ({ kind, [side]: object, isUntouched: false });
    return [...pairs, ...[...olds].map(alone("before")), ...[...news].map(alone("after"))];
  });
}

/** Whether another object takes the place of the old one, so references by ID to the old object are lost. */
export function isReplaced({ kind, before, after }: Pair): boolean {
  if (!after || before?.id === undefined || before.id === after.id) return false;
  // A cluster has one role of a name: another ID is another role, also without a resource.
  return (before.urn !== undefined && before.urn === after.urn) || (kind === "AclRole" && after.id !== undefined);
}

/** Whether one provider takes an object over that another one deletes. Neither knows what the other does. */
export function isTakenOver({ before, after }: Pair): boolean {
  if (!before?.provider || !after?.provider || before.provider === after.provider) return false;
  const isMoved = before.urn !== after.urn;
  // Two stacks are never updated together.
  const [stack, other] = [before, after].map(({ urn }) => urn?.split("::")[0]);
  if (stack !== other) return false;
  // States do not show deletes: an object that another resource has now was deleted with the old one, or left on the server.
  const isDeleted = before.isDeleted ?? ((isMoved && before.keptBy !== "retainOnDelete") || before.hasLeftEntry === true);
  const { adopt = false } = after.outputs;
  return isDeleted && (isMoved || adopt !== false || after.id !== undefined);
}

/** Whether only its content identifies an object, as in an export without IDs. */
export function isUnidentified({ id, urn }: InventoryObject): boolean {
  return id === undefined && urn === undefined;
}

/**
 * Whether a token with an end may be another one than before, with the same content: exports without `--full` have no IDs, and do not show
 * that a token was made anew.
 */
export function mayBeRemade({ kind, before, after }: Pair): boolean {
  if (kind !== "AclToken" || !before?.outputs.expirationTtl || !after?.outputs.expirationTtl) return false;
  return [before, after].some(isUnidentified);
}

function isUntouched(was: InventoryObject, now: InventoryObject, unchanged: ReadonlySet<string>): boolean {
  return was.urn !== undefined && was.urn === now.urn && unchanged.has(was.urn) && isDeepStrictEqual(was.outputs, now.outputs);
}

/**
 * Whether two entries may be the same object. Two tokens or rules with different known IDs are two objects, unless one resource creates
 * both.
 */
function mayBeOne(was: InventoryObject, now: InventoryObject): boolean {
  const isUnnamed = was.kind === "AclToken" || was.kind === "AclBindingRule";
  if (!isUnnamed || (was.urn !== undefined && was.urn === now.urn)) return true;
  // A resource that an alias renames keeps its object, and one with `adopt` takes over an equal rule.
  if ((was.id !== undefined && was.id === now.id) || (now.id === undefined && Boolean(now.outputs.adopt))) return true;
  return (was.id === undefined || now.id === undefined) && (was.urn === undefined || now.urn === undefined);
}

function grouped(objects: Iterable<InventoryObject>, key: Key): Map<string, InventoryObject[]> {
  const groups = new Map<string, InventoryObject[]>();
  for (const object of objects) {
    const text = key(object);
    if (text === undefined) continue;
    const group = groups.get(text) ?? [];
    groups.set(text, group);
    group.push(object);
  }
  return groups;
}

export interface Rename {
  readonly before: string;
  readonly after: string;
}

/** Renamed roles, which keep their identity: tokens refer to them by ID. */
export function renamesOf(pairs: readonly Pair[]): Rename[] {
  return pairs.flatMap((pair): Rename[] => {
    const [before, after] = [pair.before, pair.after].map((one) => one && byName(one));
    const isRename = pair.kind === "AclRole" && before !== undefined && after !== undefined && before !== after;
    return isRename && !isReplaced(pair) ? [{ before, after }] : [];
  });
}

/**
 * The objects before a change, with the new names of renamed roles, so that a rename alone does not look like a change of grants. A role
 * keeps its old name here if the name itself matters: a rule may compute the old or the new name, an object already has the new name or
 * refers to it, or an object still refers to the old one. `left` has the renames of these roles.
 */
export function withNewNames(
  { before, after }: PreviewedChange,
  renames: readonly Rename[],
): { readonly objects: readonly InventoryObject[]; readonly left: readonly Rename[] } {
  const olds = new Set(renames.map((one) => one.before));
  const taken = new Set(before.objects.flatMap(namesOf).filter((name) => typeof name !== "string" || !olds.has(name)));
  const bound = [...before.objects, ...after.objects].flatMap(({ kind, outputs }) => (kind === "AclBindingRule" ? [outputs] : []));
  // Objects may still refer to an old name which no role has: a rule then loses the role, and a token keeps it.
  const left = new Set(after.objects.flatMap(namesOf));
  for (const { kind, outputs } of after.objects) if (kind === "AclRole") left.delete(outputs.name);
  // A rule with a hidden kind of grant stays as it is, so its name must not change.
  const mayBeNamed = (name: string) =>
    bound.some(({ bindType, bindName }) => (isUncertain(bindType) && bindName === name) || mayBe(bindName, name));
  const isFree = (one: Rename) => !taken.has(one.after) && !left.has(one.before) && ![one.before, one.after].some(mayBeNamed);
  // Names in a circle are changed together, or not at all.
  const free = renames.every(isFree) ? renames : renames.filter((one) => isFree(one) && !olds.has(one.after));
  const names = new Map(free.map((one) => [one.before, one.after]));
  const objects = names.size === 0 ? before.objects : before.objects.map((object) => renamed(object, names));
  return { objects, left: renames.filter((one) => !free.includes(one)) };
}

/** The names of roles that an object has or refers to. */
function namesOf({ kind, outputs: { name, bindType, bindName, roles } }: InventoryObject): unknown[] {
  if (kind === "AclRole") return [name];
  if (kind === "AclToken") return Array.isArray(roles) ? roles : [];
  return kind === "AclBindingRule" && bindType !== "policy" ? [bindName] : [];
}

/** Whether a bind name may become a name by claims. */
function mayBe(bindName: unknown, name: string): boolean {
  if (typeof bindName !== "string" || isUncertain(bindName)) return bindName !== undefined && bindName !== null;
  const names = bindName.includes("${") ? boundNames(bindName, undefined) : undefined;
  return names === undefined ? bindName.includes("${") : names.isComputed && names.test(name);
}

function renamed(object: InventoryObject, names: ReadonlyMap<string, string>): InventoryObject {
  const { kind, outputs } = object;
  const newName = (name: unknown) => (typeof name === "string" ? (names.get(name) ?? name) : name);
  const { name, bindType, bindName, roles } = outputs;
  const now = {
    ...outputs,
    ...(kind === "AclRole" && { name: newName(name) }),
    ...(kind === "AclBindingRule" && bindType === "role" && { bindName: newName(bindName) }),
    ...(kind === "AclToken" && Array.isArray(roles) && { roles: roles.map(newName) }),
  };
  return isDeepStrictEqual(now, outputs) ? object : { ...object, outputs: now };
}
