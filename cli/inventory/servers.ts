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
  /** Which of the listed objects to read. Default: all of them. */
  readonly isChosen?: (listed: ListedObject) => boolean;
  /** Called after each object, with how many are read, and how many there are until now. */
  readonly onProgress?: CommandIo["progress"];
  /** Retries, and waits for rate limits. */
  readonly report?: (message: string) => void;
  readonly signal?: AbortSignal;
}

/** What a list shows of every object. */
export interface ListedObject {
  readonly kind: string;
  /** For people: a rule's is its description, or its id. */
  readonly name: string;
}

export interface ServerInventory extends Inventory {
  /** All that the lists show, also what was not read. */
  readonly listed: readonly ListedObject[];
}

/** How reading reports, and stops. */
export type Reporting = Pick<ReadOptions, "report" | "onProgress" | "signal">;

/** Reading that reports on the output of a command. */
export function reportingTo({ complain, progress }: CommandIo, signal: AbortSignal): Reporting {
  return { report: complain, onProgress: progress, signal };
}

/**
 * Reads what the servers of the configuration have: a list for each kind, and a single read for each object that the list does not show
 * whole, as many at once as `maxConcurrentRequests` allows. Sends no write. What can't be read is a gap.
 *
 * @throws when nothing at all could be read: the first error of a service that is configured, or how to configure each
 */
export async function readServers(options: ReadOptions): Promise<ServerInventory> {
  return withServers(options, async (context) => {
    const progress = progressOf(options);
    const parts = await Promise.all(partsOf(options, context).map((part) => readPart(part, context, options, progress)));
    const gaps = parts.flatMap((part) => part.gaps);
    if (parts.length > 0 && parts.every(({ failure }) => failure !== undefined)) throw failureOfAll(parts, gaps);
    const read = parts.flatMap((part) => part.objects);
    const listed = parts.flatMap((part) => part.listed);
    return { source: serversIn(read), listed, objects: inOrder(read), gaps: [...gaps, ...(await unseenRoles(parts, context))] };
  });
}

function failureOfAll(parts: readonly ReadPart[], gaps: readonly Gap[]): unknown {
  const failed = parts.find(({ gaps: [gap] }) => gap?.reason !== "unconfigured");
  return failed ? failed.failure : new CommandError([...new Set(gaps.map(({ message }) => message))].join("\n"));
}

/** Runs work with the connections of a configuration, and closes them. */
export async function withServers<T>(
  { configuration, report = () => undefined, signal }: Pick<ReadOptions, "configuration" | "report" | "signal">,
  work: (context: CallContext) => Promise<T>,
): Promise<T> {
  const clients = new Clients(() => configuration);
  // Each request in flight listens to it, and Node warns from eleven listeners on.
  if (signal) setMaxListeners(0, signal);
  try {
    const result = await work(new Session(clients).call({ warn: report, progress: report, ...(signal && { signal }) }));
    // What a signal has ended may look like objects that could not be read.
    signal?.throwIfAborted();
    return result;
  } finally {
    await clients.close();
  }
}

/** A kind, and of agent pools an organization. */
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

/** Requests each list once, for all that look at it. */
export class Lists {
  private readonly requested = new Map<string, Promise<readonly Listed[]>>();

  constructor(private readonly context: CallContext) {}

  async of({ resource, organization }: ListedPart): Promise<readonly Listed[]> {
    const key = JSON.stringify([resource.kind, organization]);
    const list = this.requested.get(key) ?? resource.list(this.context, organization);
    this.requested.set(key, list);
    return list;
  }
}

interface ReadPart extends ListedPart {
  readonly listed: readonly ListedObject[];
  readonly objects: readonly InventoryObject[];
  readonly gaps: readonly Gap[];
  /** Why nothing of it could be read. */
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
    // What others have deleted since the list was read is not there.
    listed: listed.filter((object) => !gone.has(object)).map(({ name }) => ({ kind, name })),
    objects: objects.filter((object) => object !== undefined),
    gaps: first === undefined ? [] : [gapOf(part, first, `${failures.length} of ${chosen.length} could not be read. `)],
  };
}

function toObject(resource: Resource, remote: ResourceState, context: CallContext): InventoryObject {
  const { kind, outputs: fields } = resource;
  const { secretId } = remote.outputs;
  // Only the secret tells, so it is compared before it is left out: no command needs it, and some write what they have read to files.
  const isInUse = typeof secretId === "string" && context.cluster().usesToken(secretId);
  const shown = Object.entries(remote.outputs).filter(([name]) => !fields.get(name)?.traits.secret);
  const object = { kind, name: nameOf(remote.outputs, remote.id), ...remote, outputs: Object.fromEntries(shown) };
  return isInUse ? { ...object, isInUse } : object;
}

/** @throws an error that is a defect of this package */
export function gapOf({ resource, organization }: ListedPart, error: unknown, before = ""): Gap {
  if (!isApiError(error) && !(error instanceof UserError)) throw error;
  const isForbidden = isDenied(error) || (resource.api === "pools" && isNotFound(error));
  const isUnconfigured = error instanceof ConfigurationError || (error instanceof UserError && error.code === "organization-unknown");
  const reason = isForbidden ? "denied" : isUnconfigured ? "unconfigured" : "failed";
  return { kind: resource.kind, ...(organization !== undefined && { organization }), reason, message: before + error.message };
}

/**
 * A token that is not for management gets a list of its own roles alone, without an error. The list of binding rules takes a management
 * token, and so shows whether that of roles is whole.
 */
async function unseenRoles(parts: readonly ReadPart[], context: CallContext): Promise<Gap[]> {
  const [roles, rules] = ["AclRole", "AclBindingRule"].map((kind) => parts.find(({ resource }) => resource.kind === kind));
  if (!roles || roles.failure !== undefined) return [];
  try {
    if (!rules) await context.cluster().rules.list();
    else if (rules.failure !== undefined) throw rules.failure;
    return [];
  } catch (error) {
    return [gapOf(roles, error, "Roles may be missing: a token that is not for management gets a list of its own roles only. ")];
  }
}

function serversIn(objects: readonly InventoryObject[]): string {
  const servers = new Set(objects.map(({ outputs }) => outputs.server).filter((server) => typeof server === "string"));
  return servers.size > 0 ? [...servers].join(" and ") : "the servers";
}

/** Counts the objects of all kinds. */
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
