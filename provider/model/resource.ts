import type * as z from "zod";
import { isConflict, isRejected } from "../apis/http/errors";
import type { CallContext } from "../context/call-context";
import type { ObjectOnServer } from "../context/object-set";
import { type CheckFailure, checkObject, type Fail, failsAsBefore, formatPath, leftAsItIs, type Path, withoutIdleDefaults } from "./check";
import { type Change, changesOf, reconcile, sameMeaning, type UpdateDiff } from "./diff";
import { type Field, propertiesOf } from "./fields";
import { writeFresh, writesOf } from "./fresh-write";
import { Ignored, leftAsWhole } from "./ignored";
import { InitError } from "./init-error";
import { contentOf, differences, isSent, topLevel } from "./inputs";
import { withoutLimits } from "./limits";
import { type Current, merged, type Updated, type Writing } from "./merge";
import { own } from "./own";
import type { Properties, Remote } from "./remote";
import { otherThan, replacedElsewhere, sameServer } from "./servers";
import { defined, parseState, pick, type StateOf, stateSchema, withoutDefaults } from "./state";
import { listOf } from "./text";
import { holdsUnknown } from "./unknown";
import { UserError } from "./user-error";

export type { Properties, Remote } from "./remote";

/** The description of a resource; {@link defineResource} derives everything else from it. */
export interface Definition<I extends z.ZodObject, O extends z.ZodObject, C extends Current<z.output<O>> = Current<z.output<O>>> {
  /** The name of the kind, as in the type token. */
  readonly kind: string;
  /** The name of the kind in messages: "ACL role". */
  readonly label: string;
  /** The API that it belongs to. */
  readonly api: "pools" | "cluster";
  /** Markdown for the registry's page and schema.json. */
  readonly description: string;
  readonly inputs: I;
  /** The server's fields, which the outputs add to the inputs. */
  readonly outputs: O;
  /** Defaults that depend on more than the property. */
  readonly applyDefaults?: (inputs: Properties, given: CheckContext) => void;
  /** Rules between properties, beyond the limits of each. Values may be missing, of a wrong type or unknown; `written` lacks defaults. */
  readonly validate?: (inputs: Properties, fail: Fail, given: CheckContext, written: Properties) => void;
  /** Warnings for the user before the update. It may record what later checks of the operation warn of. */
  readonly warnings?: (inputs: Properties, written: Properties, given: CheckContext) => string[];
  /** Properties whose change needs a new object, although they lack the trait. */
  readonly replaces?: (olds: Properties, news: Properties) => string[];
  /** Why an update or a replacement can't be made, as far as the state shows: then the preview fails, and not the update halfway. */
  readonly obstacle?: (olds: Properties, news: Properties, difference: Pick<Difference, "changes" | "replaces">) => string | undefined;
  /** Whether an object with the new inputs can't exist beside the old one. */
  readonly deleteBeforeReplace: (olds: Properties, news: Properties) => boolean;
  /** The property that a server's error is about, by its text; the first match is named. */
  readonly errorProperties: readonly (readonly [RegExp, string])[];
  /** Records the diff of an update for other calls of the operation, and warns of its consequences. */
  readonly onDiff?: (context: CallContext, id: string, diff: UpdateDiff) => void;
  readonly create: (context: CallContext, inputs: z.output<I>) => Promise<Remote<z.output<O>>>;
  /** Undefined when the object is certainly gone; any doubt is an error. */
  readonly read: (context: CallContext, id: string, state: StateOf<I, O> | undefined) => Promise<Remote<z.output<O>> | undefined>;
  /** The object that an update will overwrite, by a single read and not from a list. @throws when the object is gone */
  readonly current: (context: CallContext, id: string, state: StateOf<I, O>) => Promise<C>;
  readonly update: (context: CallContext, id: string, writing: Writing<z.output<I>, StateOf<I, O>, C>) => Promise<Updated<z.output<O>>>;
  readonly delete: (context: CallContext, id: string, state: StateOf<I, O>) => Promise<void>;
  /** Every object of the kind that the token may see, of the organization of the configuration unless another is given. */
  readonly list: (context: CallContext, organization?: string) => Promise<readonly Listed<Remote<z.output<O>>, StateOf<I, O>>[]>;
}

/** An object of a list. */
export interface Listed<Whole = ResourceState, State = Properties> {
  /** The id for an import. */
  readonly id: string;
  /** A name for people. */
  readonly name: string;
  /** Its version, where the list has one. */
  readonly version?: Version;
  /**
   * The whole object: the list's where that shows all of it, otherwise by a single read. Undefined: it is gone since.
   *
   * @param known what a state has of it: the result is in its spelling, as after a refresh. Without one, it is that of an import
   */
  read(known?: State): Promise<Whole | undefined>;
}

/** The version of an object in a list. */
export interface Version {
  readonly createIndex: number;
  readonly modifyIndex: number;
  readonly hash?: string;
}

/** The context of a check. */
export interface CheckContext {
  readonly context: CallContext;
  /** The inputs of the last update; empty for a new resource. */
  readonly olds: Properties;
  /** The resource's name in the program, where the adapter knows it. */
  readonly resourceName: string | undefined;
}

export interface Checked {
  readonly inputs: Properties;
  readonly failures: CheckFailure[];
}

export interface Difference {
  readonly changes: Change[];
  /** The top-level properties that force a replacement. */
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
}

export interface ResourceState {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
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
  /** The configured server, in the form of the output `server`. @throws ConfigurationError when there is none */
  server(context: CallContext): string;
  check(given: CheckContext, news: Properties): Checked;
  diff(context: CallContext, id: string, revision: Revision): Difference;
  /** Whether an update sends something; otherwise only the state changes. */
  writes(revision: Revision): boolean;
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

  /** Whether an update sends something for these changes. */
  function areSent(changes: readonly Change[]): boolean {
    return changes.some((change) => isSent(inputs, change));
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
    if (checks.isOfUpdate(kind, id, contentOf(inputs, news), isPartlyUnknown)) {
      if (changes.length === 0) objects.claim(object);
      else objects.expectChange(object);
      if (objects.isTakenOver(object)) throw takenOver(label, id);
      const ignores = (path: Path) => ignored.coversPath(inputs, path);
      const sent = replaces.length > 0 ? [] : changes.filter((change) => isSent(inputs, change)).map(({ path }) => path);
      definition.onDiff?.(context, id, { olds, news, sent, ignores });
      refuseObstacle(olds, news, difference);
      if (replaces.length > 0) warnOfOtherServer(context, id, olds);
    } else if (isPartlyUnknown && replaces.length > 0) {
      refuseObstacle(olds, news, difference);
      objects.release(object);
      warnOfOtherServer(context, id, olds);
    }
  }

  function warnOfOtherServer(context: CallContext, id: string, olds: Properties): void {
    const server = otherThan(serverOf(context), own(olds, "server"));
    if (server !== undefined && !context.operation.expectsMoves)
      context.warn(replacedElsewhere(`${label} ${id}`, server, serverOf(context)));
  }

  function refuseObstacle(olds: Properties, news: Properties, difference: Difference): void {
    const obstacle = definition.obstacle?.(olds, news, difference);
    if (obstacle) throw new UserError("secret-not-given", obstacle);
  }

  /** Outputs echo every checked input byte for byte, and add the server's fields. */
  function settle(context: CallContext, { news, sent, found, verb }: Written<z.output<O>>): ResourceState {
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
  async function naming<T>(write: () => Promise<T>): Promise<T> {
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
    server: serverOf,

    check(given, news) {
      const [failures, old]: [CheckFailure[], CheckFailure[]] = [[], []];
      const fail: Fail = (path, reason, isOld) => (isOld ? old : failures).push({ path: formatPath(path), reason });
      const { olds, context } = given;
      const draft = { ...news };
      definition.applyDefaults?.(draft, given);
      const checked = checkObject(inputs, draft, [], fail, olds) ?? {};
      const isBroken = failsAsBefore(olds, (failBefore) => definition.validate?.(olds, failBefore, given, olds));
      definition.validate?.(checked, (path, reason) => fail(path, reason, isBroken(path, reason)), given, draft);
      context.operation.checks.recordCheck(kind, contentOf(inputs, checked), checked);
      const cautions = [...old.map((one) => leftAsItIs(label, checked, one)), ...(definition.warnings?.(checked, draft, given) ?? [])];
      if (failures.length === 0) for (const caution of cautions) context.warn(caution);
      return { inputs: withoutIdleDefaults(inputs, checked, { written: draft, olds }), failures };
    },

    diff(context, id, revision) {
      for (const { item, list } of revision.ignored?.itemsOfLists(inputs) ?? []) context.warn(leftAsWhole(`${label} ${id}`, item, list));
      const difference = differenceBetween(revision, hasMoved(context, revision.olds));
      recordDiff(context, id, revision, difference);
      return difference;
    },

    async create(context, news) {
      context.operation.checks.consumeCheck(kind, contentOf(inputs, news));
      const found = await naming(() => definition.create(context, definition.inputs.parse(news)));
      return settle(context, { news, sent: news, found, verb: "created" });
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
      const known = parseState(state, olds);
      const ignores = (path: Path) => ignored.coversPath(inputs, path);
      const read = () => definition.current(context, id, known);
      const write = async (within: CallContext, current: C) => {
        const sent = sendable.parse(merged(inputs, { olds, news, server: current.inputs }, ignored, !current.isOfUnknownAge));
        return { sent, found: await naming(() => definition.update(within, id, { known, sent, current, ignores })) };
      };
      const { sent, found } = await context.operation.withLock(writesOf(kind, id), () => writeFresh(context, read, write));
      const settled = settle(context, { news, sent, found, verb: "updated" }).outputs;
      // With the server's hash, a list would show the object as unchanged, although it differs from the state. An older hash does not.
      const isEchoed = differences(inputs, news, found.inputs).length === 0;
      const { hash, ...rest } = settled;
      return isEchoed || hash === own(olds, "hash") ? settled : rest;
    },

    async delete(context, id, olds) {
      const { objects, checks } = context.operation;
      const object = objectOf(context, id, olds);
      const reason = objects.reasonToKeep(object, checks.isDeclared(kind, contentOf(inputs, olds)));
      if (reason === "claimed") {
        context.progress(`${label} ${id} belongs to another entry of the state; only the old entry is removed.`);
        return;
      }
      if (reason === "looked up") {
        context.warn(
          `${label} ${id} stays on the server, because the program looks it up with get in this update. It is removed from the state, and this stack does not manage it any more: ` +
            "if no other program does, delete it by hand when it is not needed any more.",
        );
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

/**
 * Otherwise two resources would write to one object, each would see the other's values at the next refresh, or one would delete the object
 * of the other.
 */
function takenOver(label: string, id: string): UserError {
  return new UserError(
    "taken-over-by-another",
    `${label} ${id}: another resource of this program, with adopt, has taken it over in this update. One object can't have two resources, so that this one was not changed. ` +
      "Remove this one from the state with `pulumi state delete`; the next update creates a separate object for it.",
  );
}
