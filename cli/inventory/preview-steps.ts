import * as z from "zod";
import { ownProperty } from "../../common/own-property";
import { record } from "../../common/record";
import { isRecord } from "../../common/unknown";
import { isUncertain } from "./inventory";
import { resourceOfType } from "./state";

const state = z.object({
  /** Of an old state, the one that it has: a resource that an alias renames has another one in its other steps. */
  urn: z.string().optional(),
  type: z.string(),
  id: z.string().optional(),
  inputs: record(z.unknown()).nullish(),
  outputs: record(z.unknown()).nullish(),
  /** URN::ID of the provider. */
  provider: z.string().optional(),
  external: z.boolean().optional(),
  /** Its object is deleted, and is to be made anew: by this update, or since an earlier one. */
  pendingReplacement: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  /** The URN of a resource whose delete takes this one's object with it. */
  deletedWith: z.string().optional(),
  importID: z.string().optional(),
  /** The URNs of the resources that it waits for. */
  dependencies: z.array(z.string()).nullish(),
  propertyDependencies: record(z.array(z.string()).nullish()).nullish(),
});
export type StepState = z.output<typeof state>;

/**
 * A step of a preview. The flag `delete` of states is not read: the CLI writes states while the engine works on them, so a replaced
 * resource has it or not.
 */
export const step = z.object({ op: z.string(), urn: z.string(), oldState: state.nullish(), newState: state.nullish() });
export type PreviewStep = z.output<typeof step>;

/** An object of a resource, as a step shows it. */
export interface PreviewEntry {
  readonly urn: string;
  readonly state: StepState;
  readonly id: string | undefined;
  /** Whether no resource of the program has it any more: it waits for its delete, or is left on the server. */
  readonly isLeft: boolean;
}

/** What the steps of a preview say of the servers. */
export interface Sides {
  readonly before: readonly PreviewEntry[];
  readonly after: readonly PreviewEntry[];
  /** The URNs of the resources whose objects stay as they are. */
  readonly unchanged: ReadonlySet<string>;
  /** The URNs of new resources that the update leaves out. */
  readonly skipped: readonly string[];
  /** Whether the update leaves out resources. What waits for its delete under the URN of one of the program has no steps then. */
  readonly isLimited: boolean;
}

const partsOfReplacement: ReadonlySet<string> = new Set(["create-replacement", "import-replacement", "read-replacement"]);
const deletes: ReadonlySet<string> = new Set(["delete", "delete-replaced"]);
const imports: ReadonlySet<string> = new Set(["import", "import-replacement"]);

/** The steps with an old state that is of an object. A refresh, and what forgets a looked up object, say nothing of a change. */
const ofOld: ReadonlySet<string> = new Set([
  "same",
  "read",
  "update",
  ...deletes,
  "replace",
  ...partsOfReplacement,
  "remove-pending-replace",
]);

/** The steps with a new state that the update puts in place of another, or makes. */
const ofNew: ReadonlySet<string> = new Set(["create", "update", "create-replacement", ...imports]);

/** Whether replacements lack their creates and deletes, as without `--show-replacement-steps`. Other deletes may be missing then. */
export function lacksReplacements(steps: readonly PreviewStep[]): boolean {
  const whole = new Set(steps.flatMap(({ op, urn }) => (partsOfReplacement.has(op) ? [urn] : [])));
  return steps.some(({ op, urn }) => op === "replace" && !whole.has(urn));
}

/** An object that the state has before the update, and the steps that name it. */
interface OldObject {
  readonly urn: string;
  readonly state: StepState;
  readonly id: string;
  readonly ops: Set<string>;
}

/** Reads each object's fate from the operations of its steps. */
export function sidesOf(steps: readonly PreviewStep[]): Sides {
  const olds = oldsOf(steps);
  const keeps = keeperOf(steps);
  // No replacement deletes an object that a resource of the program has: that takes an old entry out of the state. A destroy does.
  const isDeleted = ({ ops }: OldObject) => ops.has("delete") || (ops.has("delete-replaced") && !isUntouched(ops));
  // An update that makes it anew has deleted it, unless it keeps its objects.
  const exists = (old: OldObject) => isDeleted(old) || !old.state.pendingReplacement || keeps(old);
  const stays = (old: OldObject) => !old.ops.has("update") && (keeps(old) || !isDeleted(old));
  const entry = ({ urn, state, id }: OldObject, isLeft: boolean): PreviewEntry => ({ urn, state, id, isLeft });
  const existing = olds.filter(exists);
  const staying = existing.filter(stays);
  const [news, imported] = [newsOf(steps), importsOf(steps, olds)];
  const isAlone = (urn: string) => !news.has(urn) && olds.every((old) => old.urn !== urn || staying.includes(old));
  return {
    before: [...existing.map((old) => entry(old, !isOfProgram(old.ops))), ...imported],
    after: [...staying.map((old) => entry(old, !isUntouched(old.ops))), ...news.values()],
    unchanged: new Set(staying.flatMap(({ urn, ops }) => (isUntouched(ops) && isAlone(urn) ? [urn] : []))),
    skipped: steps.filter(isSkipped).map(({ urn }) => urn),
    isLimited: steps.some((one) => isSkipped(one) || isLeftOut(one)),
  };
}

const isUntouched = (ops: ReadonlySet<string>) => ops.has("same") || ops.has("read");

/** What waits for its delete, or was left by a replacement, has no other steps than these. */
const isOfProgram = (ops: ReadonlySet<string>) => [...ops].some((op) => op !== "delete-replaced" && op !== "remove-pending-replace");

/** A new resource that is no target is the same as itself, without an ID. */
function isSkipped({ op, oldState }: PreviewStep): boolean {
  return op === "same" && oldState?.id === undefined && oldState !== undefined && oldState !== null && isOurs(oldState);
}

/** What is no target, and exists, is the same with the outputs that it has. Of what a program leaves as it is, the CLI writes none. */
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
    // A program that gets an object which it has made lets go of it.
    if (op === "read" && !newState?.external) continue;
    const key = `${oldState.urn ?? urn} ${oldState.id}`;
    const known = olds.get(key);
    if (known) known.ops.add(op);
    else
      olds.set(key, { urn, state: op === "same" ? { ...newState, ...oldState } : onServer(oldState), id: oldState.id, ops: new Set([op]) });
  }
  return [...olds.values()];
}

/** An old state with what the server has in place of what the program gave: after a refresh, the outputs alone may say it. */
function onServer(state: StepState): StepState {
  const { inputs, outputs } = state;
  if (!inputs || !outputs || !Object.keys(inputs).some((name) => Object.hasOwn(outputs, name))) return state;
  return {
    ...state,
    inputs: Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, known(value, ownProperty(inputs, name))])),
  };
}

/** The CLI hides a whole output of which a part is a secret: the input shows the rest. */
function known(output: unknown, input: unknown): unknown {
  if (isRecord(output) && isRecord(input))
    return Object.fromEntries(Object.entries(output).map(([name, value]) => [name, known(value, ownProperty(input, name))]));
  return input !== undefined && isUncertain(output) ? input : output;
}

/** The object that each resource has once the update is done, if that is not the one of before. */
function newsOf(steps: readonly PreviewStep[]): Map<string, PreviewEntry> {
  const news = steps.flatMap(({ op, urn, oldState, newState: state }): PreviewEntry[] => {
    if (!state || !ofNew.has(op) || !isOurs(state)) return [];
    return [{ urn, state, id: op === "update" ? oldState?.id : imports.has(op) ? idOfImport(state) : undefined, isLeft: false }];
  });
  return new Map(news.map((entry) => [entry.urn, entry]));
}

/** What an update imports is on the server already. If it changes it, too, the update's old state is what was read. */
function importsOf(steps: readonly PreviewStep[], olds: readonly OldObject[]): PreviewEntry[] {
  return steps.flatMap(({ op, urn, newState }) => {
    if (!newState || !isOurs(newState) || !imports.has(op)) return [];
    const id = idOfImport(newState);
    const isRead = olds.some((old) => old.urn === urn && (old.id === id || old.ops.has("update")));
    return isRead ? [] : [{ urn, state: newState, id, isLeft: false }];
  });
}

const idOfImport = ({ id, importID }: StepState) => id || importID || undefined;

/** Whether a delete leaves the object on its server: the program says so, or looks it up, or expects another delete to take it. */
function keeperOf(steps: readonly PreviewStep[]): (old: OldObject) => boolean {
  const lookedUp = new Set(
    steps.flatMap(({ op, newState }) => (op.startsWith("read") && newState?.external ? [`${newState.type} ${newState.id}`] : [])),
  );
  // No server deletes an object of these kinds because another one of them goes.
  const gone = new Set(steps.flatMap(({ op, urn, oldState }) => (deletes.has(op) && oldState && isOurs(oldState) ? [urn] : [])));
  return ({ state: { type, retainOnDelete, deletedWith }, id }) =>
    retainOnDelete === true || (deletedWith !== undefined && gone.has(deletedWith)) || lookedUp.has(`${type} ${id}`);
}
