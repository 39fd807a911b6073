import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { defined, ownProperty } from "../../common/own-property";
import { record } from "../../common/record";
import { isRecord } from "../../common/unknown";
import { changesOf, type Properties, parsePath, unknownMarker } from "../../provider/internal";
import { bridgedObject, inWords, isIn } from "./bridged";
import { type BridgedObject, isUncertain, kindAndName, secretMarker } from "./inventory";
import { resourceOfType } from "./state";

const state = z.object({
  /** The URN. In the old state of a resource that an alias renames, it is the old one. */
  urn: z.string().optional(),
  type: z.string(),
  id: z.string().optional(),
  /** Whether the resource has an object of a provider. Components have none. */
  custom: z.boolean().optional(),
  inputs: record(z.unknown()).nullish(),
  outputs: record(z.unknown()).nullish(),
  /** The provider's URN::ID. */
  provider: z.string().optional(),
  external: z.boolean().optional(),
  /** Whether its object was deleted for a replacement whose create is pending, in this update or since an earlier one. */
  pendingReplacement: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  /** The URN of a resource whose delete also deletes this object. */
  deletedWith: z.string().optional(),
  importID: z.string().optional(),
  ignoreChanges: z.array(z.string()).nullish(),
  /** The URN of the parent, which the engine creates first. */
  parent: z.string().optional(),
  /** The URNs of the resources that it waits for. */
  dependencies: z.array(z.string()).nullish(),
  propertyDependencies: record(z.array(z.string()).nullish()).nullish(),
});
export type StepState = z.output<typeof state>;

/** A text of a state that is neither secret nor unknown. */
export function knownText(value: unknown): string | undefined {
  return typeof value === "string" && value !== secretMarker && !value.includes(unknownMarker) ? value : undefined;
}

/**
 * A step of a preview. The flag `delete` of states is ignored: the CLI writes states while the engine works on them, so the flag of a
 * replaced resource may or may not be there.
 */
export const step = z.object({ op: z.string(), urn: z.string(), oldState: state.nullish(), newState: state.nullish() });
export type PreviewStep = z.output<typeof step>;

/** A resource's object in a step. */
export interface PreviewEntry {
  readonly urn: string;
  readonly state: StepState;
  readonly id: string | undefined;
  /** Whether no resource of the program has it any more: its delete is pending, or it stays on the server. */
  readonly isLeft: boolean;
  /** For an object that exists before the update: whether the update deletes it. */
  readonly isDeleted?: boolean;
  /** For a token: the roles that it holds, unless the update writes its roles by name. */
  readonly linkedRoles?: unknown;
}

/** The objects on the servers before and after a previewed update. */
export interface Sides {
  readonly before: readonly PreviewEntry[];
  readonly after: readonly PreviewEntry[];
  /** The URNs of resources with unchanged objects. */
  readonly unchanged: ReadonlySet<string>;
  /** The URNs of new resources that the update leaves out. */
  readonly skipped: readonly string[];
  /** Whether the update leaves out resources. Pending deletes under the URN of a resource in the program then have no steps. */
  readonly isLimited: boolean;
}

const partsOfReplacement: ReadonlySet<string> = new Set(["create-replacement", "import-replacement", "read-replacement"]);
export const deletes: ReadonlySet<string> = new Set(["delete", "delete-replaced"]);
const imports: ReadonlySet<string> = new Set(["import", "import-replacement"]);

/** The steps whose old state is an object. A refresh, and a step that forgets a looked-up object, are no changes. */
const ofOld: ReadonlySet<string> = new Set([
  "same",
  "read",
  "update",
  ...deletes,
  "replace",
  ...partsOfReplacement,
  "remove-pending-replace",
]);

/** The steps whose new state is a created or updated object. */
const ofNew: ReadonlySet<string> = new Set(["create", "update", "create-replacement", ...imports]);

/** The steps that change nothing on a server. */
const others: ReadonlySet<string> = new Set(["refresh", "discard", "discard-replaced"]);

/** The kinds of resources with a step of a newer engine, whose effect is unknown. */
export function strangeOps(steps: readonly PreviewStep[]): { readonly kind: string; readonly op: string }[] {
  const isKnown = (op: string) => [ofOld, ofNew, others].some((ops) => ops.has(op));
  return steps.flatMap(({ op, oldState, newState }) => {
    const one = newState ?? oldState;
    const resource = one && !isKnown(op) ? resourceOfType(one.type) : undefined;
    return resource ? [{ kind: resource.kind, op }] : [];
  });
}

/** Whether replacements lack their creates and deletes, as without `--show-replacement-steps`. Other deletes may then be missing, too. */
export function lacksReplacements(steps: readonly PreviewStep[]): boolean {
  const whole = new Set(steps.flatMap(({ op, urn }) => (partsOfReplacement.has(op) ? [urn] : [])));
  return steps.some(({ op, urn }) => op === "replace" && !whole.has(urn));
}

/** An object of the state before the update, and the operations of its steps. */
interface OldObject {
  readonly urn: string;
  readonly state: StepState;
  readonly id: string;
  readonly ops: Set<string>;
}

/** Decides whether each object exists before and after the update, from the operations of the object's steps. */
export function sidesOf(steps: readonly PreviewStep[]): Sides {
  const olds = oldsOf(steps);
  const keeps = keeperOf(steps);
  // A `delete-replaced` of an object that a resource of the program still has only removes an old entry from the state. A `delete`, as in a
  // destroy, deletes the object.
  const isDeleted = ({ ops }: OldObject) => ops.has("delete") || (ops.has("delete-replaced") && !ops.has("same"));
  // A pending replacement has deleted its object, unless deletes of the resource leave objects on the server.
  const exists = (old: OldObject) => isDeleted(old) || !old.state.pendingReplacement || keeps(old.state);
  const leaves = (old: OldObject) => isDeleted(old) && !keeps(old.state);
  const stays = (old: OldObject) => !old.ops.has("update") && !leaves(old);
  const entry = ({ urn, state, id }: OldObject, isLeft: boolean): PreviewEntry => {
    return { urn, state, id, isLeft, linkedRoles: state.outputs?.linkedRoles };
  };
  const existing = olds.filter(exists);
  const staying = existing.filter(stays);
  const [news, imported] = [newsOf(steps, keeps), importsOf(steps, olds)];
  const isAlone = (urn: string) => !news.has(urn) && olds.every((old) => old.urn !== urn || staying.includes(old));
  return {
    before: [...existing.map((old) => ({ ...entry(old, !isOfProgram(old.ops)), isDeleted: leaves(old) })), ...imported],
    after: [...staying.map((old) => ({ ...entry(old, !isUntouched(old.ops)), isDeleted: false })), ...news.values()],
    unchanged: new Set(staying.flatMap(({ urn, ops }) => (isUntouched(ops) && isAlone(urn) ? [urn] : []))),
    skipped: steps.filter(isSkipped).map(({ urn }) => urn),
    isLimited: steps.some((one) => isSkipped(one) || isLeftOut(one)),
  };
}

const isUntouched = (ops: ReadonlySet<string>) => ops.has("same") || ops.has("read");

/** Whether the program has the resource: pending deletes, and objects left by a replacement, have only these two kinds of steps. */
const isOfProgram = (ops: ReadonlySet<string>) => [...ops].some((op) => op !== "delete-replaced" && op !== "remove-pending-replace");

/** A new resource outside of the targets has a `same` step without an ID. */
function isSkipped({ op, oldState }: PreviewStep): boolean {
  return op === "same" && oldState?.id === undefined && oldState !== undefined && oldState !== null && isOurs(oldState);
}

/** An existing resource outside of the targets has a `same` step with outputs. For any other unchanged resource, the CLI writes none. */
function isLeftOut({ op, newState }: PreviewStep): boolean {
  return op === "same" && newState?.outputs !== undefined && newState.outputs !== null && isOurs(newState);
}

function isOurs({ type, external }: StepState): boolean {
  return resourceOfType(type) !== undefined && !external;
}

function oldsOf(steps: readonly PreviewStep[]): OldObject[] {
  const olds = new Map<string, OldObject>();
  for (const { op, urn, oldState, newState } of steps) {
    if (!oldState?.id || !ofOld.has(op) || !isOurs(oldState)) continue;
    // A program that reads an object of its own with `get` gives up its management.
    if (op === "read" && !newState?.external) continue;
    // A left object that another provider adopts has two entries: the provider of each in this update decides what becomes of it.
    const { provider } = op === "same" ? { ...oldState, ...newState } : oldState;
    const key = JSON.stringify([oldState.urn ?? urn, oldState.id, provider]);
    const known = olds.get(key);
    if (known) known.ops.add(op);
    else
      olds.set(key, {
        urn,
        state: op === "same" ? { ...newState, ...oldState, provider } : onServer(oldState, op, newState),
        id: oldState.id,
        ops: new Set([op]),
      });
  }
  return [...olds.values()];
}

/** An old state with the server's values instead of the program's. After a refresh, only the outputs may have them. */
function onServer(state: StepState, op: string, next: StepState | null | undefined): StepState {
  const { inputs, outputs } = state;
  if (!inputs || !outputs || !Object.keys(inputs).some((name) => Object.hasOwn(outputs, name))) return state;
  const shown = Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, known(value, ownProperty(inputs, name))]));
  // An update without a visible change changes something hidden.
  const fields = resourceOfType(state.type)?.inputs;
  const isVisible = op !== "update" || !fields || changesOf(fields, shown, next?.inputs ?? {}).length > 0;
  return { ...state, inputs: isVisible ? shown : { ...shown, ...hiddenOf(outputs) } };
}

const hiddenOf = (outputs: Properties) => Object.fromEntries(Object.entries(outputs).filter(([, value]) => value === secretMarker));

/**
 * The CLI hides a whole output if a part of it is secret: the input shows the rest. If the input has no secret part, the whole output is
 * secret.
 */
function known(output: unknown, input: unknown): unknown {
  if (isRecord(output) && isRecord(input))
    return Object.fromEntries(Object.entries(output).map(([name, value]) => [name, known(value, ownProperty(input, name))]));
  return isUncertain(output) && isUncertain(input) ? input : output;
}

/** Whether an update of a token writes its roles. A change of their order alone writes nothing. */
export function changesRoles(oldState: StepState | null | undefined, newState: StepState): boolean {
  const [olds, now] = [oldState, newState].map((one) => one?.inputs?.roles ?? []);
  return !Array.isArray(olds) || !Array.isArray(now) || !isDeepStrictEqual(new Set(olds), new Set(now));
}

/** The new object of each resource after the update, if the update creates or changes it. */
function newsOf(steps: readonly PreviewStep[], keeps: Keeper): Map<string, PreviewEntry> {
  const news = steps.flatMap(({ op, urn, oldState, newState: state }, place): PreviewEntry[] => {
    if (!state || !ofNew.has(op) || !isOurs(state)) return [];
    if (imports.has(op)) return [{ urn, state: asImported(state), id: idOfImport(state), isLeft: false }];
    if (op !== "update") return [{ urn, state, id: adoptedId(steps, place, keeps), isLeft: false }];
    return [
      {
        urn,
        state,
        id: oldState?.id,
        isLeft: false,
        ...(!changesRoles(oldState, state) && { linkedRoles: oldState?.outputs?.linkedRoles }),
      },
    ];
  });
  return new Map(news.map((entry) => [entry.urn, entry]));
}

/**
 * The ID of the object that a create with `adopt` takes over from an entry of the state, as in a forced replacement, or for a resource that
 * was renamed in the program: a later delete then leaves the object on the server. An earlier one may have left it, too.
 */
function adoptedId(steps: readonly PreviewStep[], place: number, keeps: Keeper): string | undefined {
  const { op = "", newState } = steps[place] ?? {};
  const { name, adopt } = newState?.inputs ?? {};
  if (!adopt || typeof name !== "string" || isUncertain(name) || !(op === "create" || op === "create-replacement")) return undefined;
  const isItsDelete = ({ op: later, oldState: old }: PreviewStep) =>
    deletes.has(later) && old?.type === newState?.type && old?.inputs?.name === name && old.provider === newState?.provider;
  const isThere = (one: PreviewStep, at: number) => at > place || (one.oldState ? keeps(one.oldState) : false);
  return steps.find((one, at) => isItsDelete(one) && isThere(one, at))?.oldState?.id;
}

/** Imported objects, which exist before the update. If the update also changes one, the old state of that step has its values. */
function importsOf(steps: readonly PreviewStep[], olds: readonly OldObject[]): PreviewEntry[] {
  return steps.flatMap(({ op, urn, newState }) => {
    if (!newState || !isOurs(newState) || !imports.has(op)) return [];
    const id = idOfImport(newState);
    const isRead = olds.some((old) => old.urn === urn && (old.id === id || old.ops.has("update")));
    return isRead ? [] : [{ urn, state: asImported(newState), id, isLeft: false }];
  });
}

/** An import keeps the server's values of properties that it ignores, and no step shows them. Its inputs have no defaults yet. */
function asImported(state: StepState): StepState {
  const ignored = state.ignoreChanges?.map((path) => parsePath(path)?.[0]) ?? [];
  // The engine may read a path that is unreadable here.
  const isIgnored = (name: string) => ignored.some((key) => key === name || key === "*" || key === undefined);
  const given = state.inputs ?? {};
  const fields = [...(resourceOfType(state.type)?.inputs ?? [])].filter(([, { traits }]) => !traits.local);
  const values = fields.map(([name, { defaultValue }]) => [
    name,
    isIgnored(name) ? unknownMarker : (ownProperty(given, name) ?? defaultValue),
  ]);
  return { ...state, inputs: { ...given, ...defined(Object.fromEntries(values)) } };
}

const idOfImport = ({ id, importID }: StepState) => id || importID || undefined;

/** The steps that remove an object from the state. For `deletedWith`, the engine also counts the ones that delete nothing on a server. */
const removals: ReadonlySet<string> = new Set([...deletes, "discard", "discard-replaced", "remove-pending-replace"]);

/** Whether a delete leaves the object of this state on its server: by `retainOnDelete`, or perhaps by `deletedWith`. */
type Keeper = (state: StepState) => boolean;

function keeperOf(steps: readonly PreviewStep[]): Keeper {
  const gone = new Set(steps.flatMap(({ op, urn }) => (removals.has(op) ? [urn] : [])));
  return ({ retainOnDelete, deletedWith }) => retainOnDelete === true || (deletedWith !== undefined && gone.has(deletedWith));
}

/**
 * The objects of clusters that may be on their server or not, in words. A cluster deletes no object together with another, also not with a
 * resource of another package. With `deletedWith`, the engine passes over the delete if it counts the other resource as deleted at that
 * time, which the steps do not show. An earlier update may have deleted the old object of a pending replacement.
 */
export function perhapsLeftIn(steps: readonly PreviewStep[]): string[] {
  const keeps = keeperOf(steps);
  const doubts = steps.flatMap(({ op, urn, oldState: state }) => {
    if (!state || state.retainOnDelete || resourceOfType(state.type)?.api !== "cluster") return [];
    const [isDeleted, isPending] = [deletes.has(op), state.pendingReplacement === true];
    if (isPending && (isDeleted || state.deletedWith))
      return [`whether ${kindAndName(urn)} is on the server, because its replacement is pending`];
    return isDeleted && keeps(state) ? [`whether ${kindAndName(urn)} stays on the server, because of its option deletedWith`] : [];
  });
  return [...new Set(doubts)];
}

/**
 * The objects that the program looks up, or no longer looks up, with their outputs in the state. Without outputs if the state lacks them,
 * also because the program looks up another object now.
 */
export function lookedUpIn(steps: readonly PreviewStep[]): PreviewEntry[] {
  return steps.flatMap((one) => {
    const state = one.newState ?? one.oldState;
    if (!state?.external || !resourceOfType(state.type)) return [];
    return [{ urn: one.urn, state: { ...state, outputs: outputsInState(one) }, id: state.id ?? one.oldState?.id, isLeft: false }];
  });
}

/** What the state has of a looked-up object; undefined if it has another one. */
function outputsInState({ oldState, newState }: PreviewStep): Properties | undefined {
  const isSame = !newState || newState.id === undefined || newState.id === oldState?.id;
  return (isSame && oldState?.outputs) || undefined;
}

/** The resources of other packages that become resources of this one by an alias of their type, in words. */
export function retypedIn(steps: readonly PreviewStep[]): string[] {
  return steps.flatMap(({ urn, oldState, newState }) => {
    const isRetyped = oldState?.id && newState && isOurs(newState) && !resourceOfType(oldState.type);
    return isRetyped ? [`what ${kindAndName(urn)} gave before, as ${oldState.type}`] : [];
  });
}

/** The objects of Pulumi's Nomad provider in the program, and the ones that stay on the server without it. */
export function bridgedAfter(steps: readonly PreviewStep[]): BridgedObject[] {
  const keeps = keeperOf(steps);
  return steps.flatMap((one) => {
    const { op, urn, oldState, newState } = one;
    const state = newState ?? (oldState && (oldState.external || (deletes.has(op) && keeps(oldState))) ? oldState : undefined);
    if (!state) return [];
    // A look-up shows its result only in the state. Ignored properties of another object may stay as the state has them.
    return bridgedObject({ ...state, outputs: state.external ? outputsInState(one) : oldState?.outputs }, urn) ?? [];
  });
}

/** The objects of Pulumi's Nomad provider that an update changes on their server, or may change, in words. */
export function bridgedIn(steps: readonly PreviewStep[]): string[] {
  const changed = steps.flatMap(({ op, urn, oldState, newState }) => {
    const [old, now] = [oldState, newState].map((state) => (state ? bridgedObject({ ...state, id: oldState?.id }, urn) : undefined));
    if (deletes.has(op)) return old && !oldState?.retainOnDelete ? [old] : [];
    if (op === "update") return now && !(old && isIn([old], now)) ? [now] : [];
    return now && (op === "create" || op === "create-replacement") ? [now] : [];
  });
  return inWords(changed);
}
