import { setMaxListeners } from "node:events";
import { ConfigurationError, UserError } from "../../common/user-error";
import {
  type CallContext,
  Clients,
  isApiError,
  isDenied,
  isNotFound,
  type Listed,
  type Resolved,
  type Resource,
  type ResourceState,
  Session,
} from "../../provider/internal";
import { CommandError, type CommandIo } from "../command-line";
import { type Gap, type Inventory, type InventoryObject, inOrder, nameOf } from "./inventory";

export interface ReadOptions {
  readonly configuration: Resolved;
  /** The kinds to read. */
  readonly resources: readonly Resource[];
  /** The organizations of the agent pools; the configured one unless given. */
  readonly organizations?: readonly string[];
  /** Chooses the listed objects to read. Default: all of them. */
  readonly isChosen?: (listed: ListedObject) => boolean;
  /** Called after each object, with the numbers of read objects and of objects found so far. */
  readonly onProgress?: CommandIo["progress"];
  /** Called for retries, for waits for rate limits, and for the lines of the request log. */
  readonly report?: (message: string) => void;
  readonly signal?: AbortSignal;
}

/** An object in a list. */
export interface ListedObject {
  readonly kind: string;
  /** A name for messages. The name of a rule is its description, or its id. */
  readonly name: string;
}

export interface ServerInventory extends Inventory {
  /** The objects of the lists, including ones that were not read. Built-in objects, and objects deleted meanwhile, are left out. */
  readonly listed: readonly ListedObject[];
}

/** The functions that get messages and the progress, and the signal that stops the reading. */
export type Reporting = Pick<ReadOptions, "report" | "onProgress" | "signal">;

/** Reports to the output of a command. */
export function reportingTo({ complain, progress }: CommandIo, signal: AbortSignal): Reporting {
  return { report: complain, onProgress: progress, signal };
}

/**
 * Reads the objects of the configured servers: lists of each kind, and a single read for each object that the list shows only in part,
 * with at most `maxConcurrentRequests` at a time. Writes nothing except for a configured login. Unreadable objects are gaps.
 *
 * @throws if nothing could be read: the first error of a configured service, or instructions to configure one
 */
export async function readServers(options: ReadOptions): Promise<ServerInventory> {
  return withServers(options, async (context) => {
    const progress = progressOf(options);
    const parts = await Promise.all(partsOf(options, context).map((part) => readPart(part, context, options, progress)));
    const gaps = parts.flatMap((part) => part.gaps);
    if (parts.length > 0 && parts.every(({ failure }) => failure !== undefined)) throw failureOfAll(parts, gaps);
    const read = parts.flatMap((part) => part.objects);
    const listed = parts.flatMap((part) => part.listed);
    return { source: serversIn(read), listed, objects: inOrder(read), gaps: [...gaps, ...(await unseenObjects(parts, context))] };
  });
}

function failureOfAll(parts: readonly ReadPart[], gaps: readonly Gap[]): unknown {
  const failed = parts.find(({ gaps: [gap] }) => gap?.reason !== "unconfigured");
  return failed ? failed.failure : new CommandError([...new Set(gaps.map(({ message }) => message))].join("\n"));
}

/** Runs work with the connections of a configuration, and closes them at the end. */
export async function withServers<T>(
  { configuration, report = () => undefined, signal }: Pick<ReadOptions, "configuration" | "report" | "signal">,
  work: (context: CallContext) => Promise<T>,
): Promise<T> {
  const clients = new Clients(() => configuration);
  // The failure of one request may end the work while others are still retried.
  const ended = new AbortController();
  const end = () => ended.abort(signal?.reason);
  if (signal?.aborted) end();
  signal?.addEventListener("abort", end, { once: true });
  // Each request in flight adds a listener, and Node warns from eleven on.
  setMaxListeners(0, ended.signal);
  try {
    const result = await work(new Session(clients).call({ warn: report, progress: report, signal: ended.signal }));
    // Requests that a signal has ended would look like unreadable objects.
    signal?.throwIfAborted();
    return result;
  } finally {
    signal?.removeEventListener("abort", end);
    end();
    await clients.close();
  }
}

/** A kind and, for agent pools and their tokens, an organization. */
export interface ListedPart {
  readonly resource: Resource;
  readonly organization?: string;
}

function partsOf({ resources, organizations = [] }: ReadOptions, { settings }: CallContext): ListedPart[] {
  const all = organizations.length > 0 ? organizations : settings.organization ? [settings.organization] : [];
  return resources.flatMap((resource): ListedPart[] =>
    resource.api === "pools" && all.length > 0 ? [...new Set(all)].map((organization) => ({ resource, organization })) : [{ resource }],
  );
}

/** Requests each list only once. Also requests each whole object of a list only once, unless the caller gives its old values. */
export class Lists {
  private readonly requested = new Map<string, Promise<readonly Listed[]>>();

  constructor(private readonly context: CallContext) {}

  async of({ resource, organization }: ListedPart): Promise<readonly Listed[]> {
    const key = JSON.stringify([resource.kind, organization]);
    const list = this.requested.get(key) ?? resource.list(this.context, organization).then((all) => all.map(readOnce));
    this.requested.set(key, list);
    return list;
  }
}

function readOnce(one: Listed): Listed {
  let whole: ReturnType<Listed["read"]> | undefined;
  return {
    ...one,
    read(olds) {
      if (olds) return one.read(olds);
      whole ??= one.read();
      return whole;
    },
  };
}

interface ReadPart extends ListedPart {
  readonly listed: readonly ListedObject[];
  readonly objects: readonly InventoryObject[];
  readonly gaps: readonly Gap[];
  /** The error, if nothing of this part could be read. */
  readonly failure?: unknown;
}

async function readPart(part: ListedPart, context: CallContext, options: ReadOptions, progress: Progress): Promise<ReadPart> {
  const { kind } = part.resource;
  let listed: readonly Listed[];
  try {
    listed = (await part.resource.list(context, part.organization)).filter(({ isBuiltIn }) => !isBuiltIn);
  } catch (failure) {
    return { ...part, listed: [], objects: [], gaps: [gapOf(part, failure)], failure };
  }
  const chosen = listed.filter(({ name }) => options.isChosen?.({ kind, name }) ?? true);
  progress.add(chosen.length);
  const failures: unknown[] = [];
  const gone = new Set<Listed>();
  const objects = await Promise.all(
    chosen.map(async (object) => {
      try {
        const remote = await object.read();
        if (!remote) gone.add(object);
        return remote && toObject(part.resource, remote, context);
      } catch (error) {
        failures.push(error);
        return undefined;
      } finally {
        progress.next();
      }
    }),
  );
  const [first] = failures;
  return {
    ...part,
    // Leaves out objects that were deleted after the list was read.
    listed: listed.filter((object) => !gone.has(object)).map(({ name }) => ({ kind, name })),
    objects: objects.filter((object) => object !== undefined),
    gaps: first === undefined ? [] : [gapOf(part, first, `${failures.length} of ${chosen.length} could not be read. `)],
  };
}

function toObject(resource: Resource, remote: ResourceState, context: CallContext): InventoryObject {
  const { kind, outputs: fields } = resource;
  const { secretId } = remote.outputs;
  // The comparison needs the secret, which is removed then: no command needs it later, and some write their results to files.
  const isInUse = typeof secretId === "string" && context.cluster().usesToken(secretId);
  const shown = Object.entries(remote.outputs).filter(([name]) => !fields.get(name)?.traits.secret);
  const object = { kind, name: nameOf(remote.outputs, remote.id), ...remote, outputs: Object.fromEntries(shown) };
  return isInUse ? { ...object, isInUse } : object;
}

/** The gap that a failed read leaves. @throws the given error if it is a defect of this package */
export function gapOf({ resource, organization }: ListedPart, error: unknown, before = ""): Gap {
  if (!isApiError(error) && !(error instanceof UserError)) throw error;
  const isForbidden = isDenied(error) || (resource.api === "pools" && isNotFound(error));
  const isUnconfigured = error instanceof ConfigurationError || (error instanceof UserError && error.code === "organization-unknown");
  const reason = isForbidden ? "denied" : isUnconfigured ? "unconfigured" : "failed";
  return { kind: resource.kind, ...(organization !== undefined && { organization }), reason, message: before + error.message };
}

/**
 * A client token gets lists of its own roles and policies alone, without an error. The list of binding rules needs a management token, so
 * its success shows that these lists are complete.
 */
async function unseenObjects(parts: readonly ReadPart[], context: CallContext): Promise<Gap[]> {
  const read = parts.filter(({ resource, failure }) => resource.kind in ownAlone && failure === undefined);
  if (read.length === 0) return [];
  const rules = parts.find(({ resource }) => resource.kind === "AclBindingRule");
  try {
    if (!rules) await context.cluster().rules.list();
    else if (rules.failure !== undefined) throw rules.failure;
    return [];
  } catch (error) {
    return read.map((part) => {
      const name = ownAlone[part.resource.kind] ?? "";
      return gapOf(part, error, `${name} may be missing: a client token gets a list of its own ${name.toLowerCase()} only. `);
    });
  }
}

/** The kinds whose lists show a client token only its own objects, with a word for messages. */
export const ownAlone: Readonly<Record<string, string>> = { AclRole: "Roles", AclPolicy: "Policies" };

function serversIn(objects: readonly InventoryObject[]): string {
  const servers = new Set(objects.map(({ outputs }) => outputs.server).filter((server) => typeof server === "string"));
  return servers.size > 0 ? [...servers].join(" and ") : "the servers";
}

/** Counts objects of all kinds. */
export function progressOf({ onProgress }: Reporting) {
  let [read, known] = [0, 0];
  return {
    add: (count: number) => {
      known += count;
    },
    next: () => onProgress?.(++read, known),
  };
}

export type Progress = ReturnType<typeof progressOf>;
