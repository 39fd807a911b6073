import type * as z from "zod";
import { own } from "../../common/own";
import { isConflict, isRejected } from "../apis/http/errors";
import type { CallContext } from "../context/call-context";
import type { Move } from "../context/moved-server";
import type { ObjectOnServer } from "../context/object-set";
import {
  type CheckFailure,
  checkObject,
  type Fail,
  failsAsBefore,
  formatPath,
  leftAsItIs,
  type Path,
  withoutIdleDefaults,
} from "../model/check";
import { type Change, changesOf, reconcile, sameMeaning } from "../model/diff";
import { type Field, propertiesOf } from "../model/fields";
import { calledInProgram, identityText, oneObjectReason } from "../model/identities";
import { Ignored, leftAsWhole } from "../model/ignored";
import { InitError } from "../model/init-error";
import { contentOf, differences, isSent, topLevel } from "../model/inputs";
import { withoutLimits } from "../model/limits";
import { type Current, merged, type Updated } from "../model/merge";
import {
  adoptedMessage,
  entryRemovedMessage,
  lookedUpMessage,
  namesInCircleError,
  namesInCircleMessage,
  notReplacedMessage,
  takenOverError,
} from "../model/one-object";
import type { Properties, Remote } from "../model/remote";
import { otherThan, sameServer } from "../model/servers";
import { defined, parseState, pick, stateSchema, withoutDefaults } from "../model/state";
import { listOf } from "../model/text";
import { holdsUnknown } from "../model/unknown";
import { UserError } from "../model/user-error";
import type { CheckContext, Definition, Difference, Identity, Listed, ResourceState } from "./definition";
import { writeFresh, writesOf } from "./fresh-write";

export type { Properties, Remote } from "../model/remote";
export type { CheckContext, Definition, Difference, Identity, Listed, ResourceState, Version } from "./definition";

export interface Checked {
  readonly inputs: Properties;
  readonly failures: CheckFailure[];
}

/** What the state has of a resource, and what the program asks for. */
export interface Revision {
  readonly olds: Properties;
  readonly news: Properties;
  /** What the program leaves to others (`ignoreChanges`); nothing unless given. */
  readonly ignored?: Ignored | undefined;
}

/** A resource for the adapters. */
export interface Resource {
  readonly kind: string;
  readonly label: string;
  readonly api: "pools" | "cluster";
  readonly description: string;
  readonly inputs: ReadonlyMap<string, Field>;
  readonly outputs: ReadonlyMap<string, Field>;
  /** What identifies the object of such inputs. */
  identity(inputs: Properties): Identity;
  /** The configured server, in the form of the output `server`. @throws ConfigurationError when there is none */
  server(context: CallContext): string;
  check(given: CheckContext, news: Properties): Checked;
  diff(context: CallContext, id: string, revision: Revision): Difference;
  /** Whether an update sends something; otherwise only the state changes. */
  writes(revision: Revision): boolean;
  /** Warns of what a create will do, also in its preview. */
  announceCreate(context: CallContext, inputs: Properties): void;
  create(context: CallContext, inputs: Properties): Promise<ResourceState>;
  read(context: CallContext, id: string, olds: Properties | undefined): Promise<ResourceState | undefined>;
  update(context: CallContext, id: string, revision: Revision): Promise<Properties>;
  delete(context: CallContext, id: string, olds: Properties): Promise<void>;
  /** The objects have the form of an import, unless their state is given: inputs without the defaults, and outputs with them. */
  list(context: CallContext, organization?: string): Promise<readonly Listed[]>;
}

/**
 * The diff of a resource that moves to a provider of another server: a new object there, and a delete of the old one by the old provider.
 */
const movedServer: Change = { path: ["server"], kind: "update", replaces: true };

/** The interface for both adapters, derived from a resource's description. */
export function defineResource<I extends z.ZodObject, O extends z.ZodObject, C extends Current<z.output<O>>>(
  definition: Definition<I, O, C>,
): Resource {
  const { kind, label } = definition;
  const sendable = withoutLimits(definition.inputs);
  const inputs = propertiesOf(definition.inputs);
  const outputs = propertiesOf(definition.outputs);
  const state = stateSchema<I["shape"], O["shape"]>(definition.inputs, definition.outputs);
  const areSent = (changes: readonly Change[]) => changes.some((change) => isSent(inputs, change));

  function objectOf(context: CallContext, id: string, outputs: Properties): ObjectOnServer {
    const createTime = own(outputs, "createTime");
    return { kind, id, server: serverOf(context), createTime: typeof createTime === "string" ? createTime : undefined };
  }

  function serverOf(context: CallContext): string {
    return (definition.api === "pools" ? context.pools() : context.cluster()).server;
  }

  /** Whether the resource had another provider until now, with the object on its server. */
  function hasMoved(context: CallContext, olds: Properties): boolean {
    return context.operation.expectsMoves && otherThan(serverOf(context), own(olds, "server")) !== undefined;
  }

  /** The changes of the program, without ignored ones. */
  function changesBetween({ olds, news, ignored = Ignored.nothing }: Revision): Change[] {
    return changesOf(inputs, olds, news).filter(({ path }) => !ignored.coversPath(inputs, path));
  }

  function differenceBetween(revision: Revision, moved: boolean): Difference {
    const { olds, news, ignored = Ignored.nothing } = revision;
    const changes = [...changesBetween(revision), ...(moved ? [movedServer] : [])];
    const forced = (definition.replaces?.(olds, news) ?? []).filter((property) => !ignored.coversPath(inputs, [property]));
    const replaces = [...new Set([...changes.filter((change) => change.replaces).map(topLevel), ...forced])];
    return {
      changes: changes.map((change) => (replaces.includes(topLevel(change)) ? { ...change, replaces: true } : change)),
      replaces,
      // Also where nothing is replaced: with --replace, for example, the engine uses the result of the last diff.
      deleteBeforeReplace: !moved && definition.deleteBeforeReplace(olds, news),
    };
  }

  /**
   * Records the diff for other calls of the operation: whether the program keeps or changes the object, or a replacement of another one
   * deletes it.
   *
   * @throws UserError when the update or the replacement will fail
   */
  function recordDiff(context: CallContext, id: string, revision: Revision, difference: Difference): void {
    const { olds, news, ignored = Ignored.nothing } = revision;
    const { checks, objects } = context.operation;
    const { changes, replaces } = difference;
    const object = objectOf(context, id, olds);
    const isPartlyUnknown = holdsUnknown(news);
    recordMove(context, olds, identityOf(kind, inputs, news));
    if (checks.isOfUpdate(kind, id, contentOf(inputs, news), isPartlyUnknown)) {
      if (changes.length === 0) objects.claim(object);
      else objects.expectChange(object);
      if (objects.isTakenOver(object)) throw takenOverError(label, id);
      const ignores = (path: Path) => ignored.coversPath(inputs, path);
      const sent = replaces.length > 0 ? [] : changes.filter((change) => isSent(inputs, change)).map(({ path }) => path);
      definition.onDiff?.(context, id, { olds, news, sent, ignores });
      refuseObstacle(olds, news, difference);
      refuseCircleOfNames(context, { kind, label: `${label} ${id}` }, revision, difference);
      if (replaces.length > 0) warnOfOtherServer(context, id, olds);
    } else if (isPartlyUnknown && replaces.length > 0) {
      refuseObstacle(olds, news, difference);
      objects.release(object);
      warnOfOtherServer(context, id, olds);
    }
  }

  /** The move of the object to another server, where the user has not accepted it. */
  function moveOf(context: CallContext, olds: Properties): Move | undefined {
    const configured = serverOf(context);
    const before = otherThan(configured, own(olds, "server"));
    if (before === undefined || context.operation.expectsMoves || context.settings.acceptMovedServer) return undefined;
    return { before, configured };
  }

  function recordMove(context: CallContext, olds: Properties, identity?: string): void {
    const move = moveOf(context, olds);
    if (move) context.operation.movedServer.record(move, identity);
  }

  function warnOfOtherServer(context: CallContext, id: string, olds: Properties): void {
    const move = moveOf(context, olds);
    if (move) context.warn(context.operation.movedServer.replacementMessage(`${label} ${id}`, move));
  }

  /** @returns the move, where the new object is that of a replacement: its diff has warned */
  function announceCreate(context: CallContext, news: Properties): Move | undefined {
    const { movedServer } = context.operation;
    const move = movedServer.moveTo(serverOf(context));
    if (move === undefined || movedServer.isReplacement(identityOf(kind, inputs, news))) return move;
    context.warn(movedServer.createMessage(move));
    return undefined;
  }

  /** Refuses a resource for an object that another one of the program is for. */
  function refuseSecond({ context, olds, resourceName, urn }: CheckContext, checked: Properties, fail: Fail): void {
    const { property, values, isUnique } = definition.identity(checked);
    if (holdsUnknown(values)) return;
    const resource = { resourceName, urn, isNew: Object.keys(olds).length === 0 };
    const other = context.operation.identities.record(identityText(kind, values), resource, isUnique);
    if (other) fail([property], oneObjectReason(label, calledInProgram(other, resource)));
  }

  function refuseObstacle(olds: Properties, news: Properties, difference: Difference): void {
    const obstacle = definition.obstacle?.(olds, news, difference);
    if (obstacle) throw new UserError("secret-not-given", obstacle);
  }

  /** Outputs echo every checked input byte for byte, and add the server's fields. */
  function toState(context: CallContext, { news, sent, found, verb }: Written<z.output<O>>): ResourceState {
    context.operation.objects.claim(objectOf(context, found.id, found.outputs));
    const kept = differences(inputs, { ...sent, ...pick(found.inputs, found.unsent ?? []) }, found.inputs);
    if (kept.length === 0) return { id: found.id, inputs: news, outputs: { ...news, ...found.outputs } };
    const returned = [...inputs].map(([name, field]) => {
      const [asked, actual] = [own(sent, name), own(found.inputs, name)];
      return [name, sameMeaning(field, asked, actual) ? own(news, name) : reconcile(field, own(news, name), actual)];
    });
    const actual = { ...Object.fromEntries(returned), ...found.outputs };
    const message = `The server ${verb} ${label} ${found.id}, but returned other values than were sent for ${listOf(kept)}. Compare them with what the server supports, then refresh and run the update again.`;
    throw new InitError("values-not-kept", message, found.id, defined(actual));
  }

  /** An object of the server without a state: an import generates a program from the inputs, which need not have the defaults. */
  function imported({ id, inputs: there, outputs: server }: Remote<z.output<O>>): ResourceState {
    const valueThere = (name: string, field: Field) =>
      own(there, name) ?? (field.traits.local ? undefined : structuredClone(field.defaultValue));
    const values = new Map([...inputs].map(([name, field]) => [name, valueThere(name, field)]));
    const read = defined(Object.fromEntries([...inputs].map(([name, field]) => [name, withoutDefaults(field, values.get(name))])));
    return { id, inputs: read, outputs: { ...defined(Object.fromEntries(values)), ...server } };
  }

  /** An object of the server in the spelling of its state. */
  function refreshed(olds: Properties, found: Remote<z.output<O>>): ResourceState {
    const values = [...inputs].map(([name, field]) => [name, reconcile(field, own(olds, name), own(found.inputs, name))]);
    const read = defined(Object.fromEntries(values));
    return { id: found.id, inputs: read, outputs: { ...read, ...found.outputs, ...sameServer(olds, found.outputs) } };
  }

  /** Adds the name of the property to a server's error. */
  async function withPropertyName<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!isRejected(error) && !isConflict(error)) throw error;
      const hint = definition.errorProperties.find(([pattern]) => error.says(pattern));
      throw hint ? new UserError("property-refused", `${hint[1]}: ${error.message}`, { cause: error }) : error;
    }
  }

  return {
    kind,
    label,
    api: definition.api,
    description: definition.description,
    inputs,
    outputs,
    identity: definition.identity,
    server: serverOf,

    check(given, news) {
      const [failures, old]: [CheckFailure[], CheckFailure[]] = [[], []];
      const fail: Fail = (path, reason, isOld) => (isOld ? old : failures).push({ path: formatPath(path), reason });
      const { olds, context } = given;
      const withoutToken = context.missingToken(definition.api);
      if (withoutToken !== undefined) context.warn(withoutToken);
      const draft = { ...news };
      definition.applyDefaults?.(draft, given);
      const checked = checkObject(inputs, draft, [], fail, olds) ?? {};
      const isBroken = failsAsBefore(olds, (failBefore) => definition.validate?.(olds, failBefore, given, olds));
      definition.validate?.(checked, (path, reason) => fail(path, reason, isBroken(path, reason)), given, draft);
      refuseSecond(given, checked, fail);
      const { checks, objects } = context.operation;
      checks.recordCheck(kind, contentOf(inputs, checked), checked);
      objects.recordUpdate();
      const warnings = [...old.map((one) => leftAsItIs(label, checked, one)), ...(definition.warnings?.(checked, draft, given) ?? [])];
      if (failures.length === 0) for (const warning of warnings) context.warn(warning);
      return { inputs: withoutIdleDefaults(inputs, checked, { written: draft, olds }), failures };
    },

    diff(context, id, revision) {
      for (const { item, list } of revision.ignored?.itemsOfLists(inputs) ?? []) context.warn(leftAsWhole(`${label} ${id}`, item, list));
      const difference = differenceBetween(revision, hasMoved(context, revision.olds));
      recordDiff(context, id, revision, difference);
      return difference;
    },

    announceCreate: (context, news) => void announceCreate(context, news),

    async create(context, news) {
      const move = announceCreate(context, news);
      if (move) throw context.operation.movedServer.replacementError(label, move);
      context.operation.checks.consumeCheck(kind, contentOf(inputs, news));
      context.operation.objects.requireSiblings();
      const found = await withPropertyName(() => definition.create(context, definition.inputs.parse(news)));
      if (context.operation.objects.isAdoptedHere(objectOf(context, found.id, found.outputs)))
        context.progress(adoptedMessage(label, found.id, news));
      return toState(context, { news, sent: news, found, verb: "created" });
    },

    async read(context, id, olds) {
      const found = await definition.read(context, id, olds && parseState(state, olds));
      if (!found) return undefined;
      const { objects, checks } = context.operation;
      if (olds) {
        checks.recordRead(kind, id);
        objects.foundInState(kind, id);
      } else objects.lookUp(objectOf(context, found.id, found.outputs));
      return olds ? refreshed(olds, found) : imported(found);
    },

    writes: (revision) => areSent(changesBetween(revision)),

    async update(context, id, revision) {
      const { olds, news, ignored = Ignored.nothing } = revision;
      if (!areSent(changesBetween(revision))) {
        context.operation.objects.claim(objectOf(context, id, olds));
        return { ...news, ...pick(olds, outputs.keys()) };
      }
      context.operation.objects.requireSiblings();
      const known = parseState(state, olds);
      const ignores = (path: Path) => ignored.coversPath(inputs, path);
      const read = () => definition.current(context, id, known);
      const write = async (within: CallContext, current: C) => {
        const sent = sendable.parse(merged(inputs, { olds, news, server: current.inputs }, ignored, !current.isOfUnknownAge));
        return { sent, found: await withPropertyName(() => definition.update(within, id, { known, sent, current, ignores })) };
      };
      const { sent, found } = await context.operation.withLock(writesOf(kind, id), () => writeFresh(context, read, write));
      const updated = toState(context, { news, sent, found, verb: "updated" }).outputs;
      // With the server's hash, a list would show the object as unchanged, although it differs from the state. An older hash does not.
      const isEchoed = differences(inputs, news, found.inputs).length === 0;
      const { hash, ...rest } = updated;
      return isEchoed || hash === own(olds, "hash") ? updated : rest;
    },

    async delete(context, id, olds) {
      const { objects, checks } = context.operation;
      recordMove(context, olds);
      const object = objectOf(context, id, olds);
      const reason = objects.reasonToKeep(object, checks.isDeclared(kind, contentOf(inputs, olds)));
      if (reason === "claimed") {
        if (objects.isAdopted(object)) context.warn(notReplacedMessage(label, id));
        else context.progress(entryRemovedMessage(label, id));
        return;
      }
      if (reason === "looked up") {
        context.warn(lookedUpMessage(label, id));
        return;
      }
      await definition.delete(context, id, parseState(state, olds));
      objects.markDeleted(object);
    },

    async list(context, organization) {
      const listed = await definition.list(context, organization);
      return listed.map((object) => ({
        ...object,
        async read(olds?: Properties) {
          const found = await object.read(olds && parseState(state, olds));
          return found && (olds ? refreshed(olds, found) : imported(found));
        },
      }));
    },
  };
}

/** A write and its result. */
interface Written<Outputs> {
  /** The program's inputs. */
  readonly news: Properties;
  readonly sent: Properties;
  readonly found: Updated<Outputs>;
  readonly verb: string;
}

/** One text for the object that these inputs ask for, also where a check without the old inputs fills other defaults. */
function identityOf(kind: string, inputs: ReadonlyMap<string, Field>, news: Properties): string {
  const name = own(news, "name");
  return JSON.stringify(name === undefined ? [kind, contentOf(inputs, news)] : [kind, own(news, "organization"), name]);
}

/** A preview fails where resources exchange their names by updates: each update would find its new name taken. */
function refuseCircleOfNames(
  context: CallContext,
  { kind, label }: { readonly kind: string; readonly label: string },
  { olds, news }: Revision,
  { changes, replaces }: Difference,
): void {
  const [from, to] = [own(olds, "name"), own(news, "name")];
  const isRenamed = changes.some((change) => topLevel(change) === "name") && own(olds, "organization") === own(news, "organization");
  if (!isRenamed || typeof from !== "string" || typeof to !== "string") return;
  const names = context.operation.renames.record(JSON.stringify([kind, own(news, "organization")]), from, to);
  if (names === undefined) return;
  if (!replaces.includes("name")) throw namesInCircleError(label, names);
  context.warn(namesInCircleMessage(label, names));
}
