import * as z from "zod";
import { own } from "../../common/own";
import type { AgentPool, AgentPoolsClient } from "../apis/agent-pools/client";
import { isConflict, isNotFound, isRejected } from "../apis/http/errors";
import type { CallContext } from "../context/call-context";
import { adopt } from "../lifecycle/adopt";
import { create } from "../lifecycle/create";
import { writeFresh } from "../lifecycle/fresh-write";
import { assertSameServer, readOrMissing } from "../lifecycle/gone";
import type { Creating } from "../lifecycle/kind";
import { startingWith } from "../lifecycle/look";
import { defineResource } from "../lifecycle/resource";
import { field } from "../model/fields";
import type { Properties, Remote } from "../model/remote";
import type { StateOf } from "../model/state";
import { UserError } from "../model/user-error";
import { deletePool } from "./agent-pool-delete";
import { defaultScope, labelInProgram } from "./agent-pool-scope";

const kind = "AgentPool";
const source = "Agent Pool Management Interface, Create an agent pool";

const inputs = z.object({
  name: field(
    z.string().regex(/^[A-Za-z0-9_-]+$/, "must be one or more letters, digits, dashes or underscores"),
    "Name of the pool, unique in the organization: letters, digits, `-` and `_`. Default: the resource's name in the program.",
    { missingReason: "is required", source },
  ),
  organization: field(
    z.string().min(1, "must be the name of an organization"),
    "Organization that the pool belongs to. Default: that of the configuration; for an existing pool, its own.",
    {
      replaces: true,
      missingReason: "is required: give it in the program, or set agentpool-acl:organization or the environment variable TFE_ORGANIZATION",
      source,
    },
  ),
  organizationScoped: field(
    z.boolean(),
    "Whether all workspaces of the organization may use the pool. Default: true for a new pool, or false when allowedWorkspaceIds is given, an empty list included. A limited pool stays limited until the program sets true.",
    { missingReason: "is required", source },
  ),
  allowedWorkspaceIds: field(
    z.array(z.string().min(1, "must be the identifier of a workspace")).optional(),
    "Identifiers of the workspaces that may use the pool. Left out, they are not managed here: an update sends back the server's list, and fails where the server does not return it.",
    { set: true, emptyMatters: true, source },
  ),
  forceDestroy: field(
    z.boolean().default(false),
    "Whether a delete that the pool's agents block removes those that may be removed (`unknown`, `errored`, `exited`) and tries again. It removes none while workspaces are attached.",
    { local: true },
  ),
  drainTimeoutSeconds: field(
    z.number().min(0, "must be 0 or more").default(0),
    "With forceDestroy: how many seconds a delete waits for agents that are `idle` or `busy` to exit, 0 or more.",
    { local: true },
  ),
  adopt,
});

const outputs = z.object({
  createdAt: field(z.string(), "Time of the pool's creation (ISO 8601 with milliseconds, UTC).", { stable: true }),
  server: field(z.string(), "Address of the pool's service."),
  workspaceIds: field(
    z.array(z.string()).optional(),
    "Identifiers of the workspaces that are attached to the pool, in alphabetical order, at the last read or write of the pool. Undefined where the service has never returned them.",
  ),
});

type Inputs = z.output<typeof inputs>;
type State = StateOf<typeof inputs, typeof outputs>;

/** An agent pool: self-hosted workers that run the remote operations of an organization's workspaces. */
export const agentPool = defineResource({
  kind,
  label: "agent pool",
  api: "pools",
  description: `An agent pool of an organization of HCP Terraform or Terraform Enterprise: a group of self-hosted agents that run remote operations on private infrastructure.

A delete that agents or workspaces block fails and names them; \`forceDestroy\` removes the agents that may be removed, and none while workspaces are attached.

**Import** takes the pool's ID, or ORGANIZATION/POOL-NAME.`,
  inputs,
  outputs,

  applyDefaults(given, { context, olds, resourceName }) {
    given.name ??= resourceName;
    given.organization ??= olds.organization ?? context.settings.organization;
    given.organizationScoped ??= defaultScope(context, given, olds);
  },

  warnings(given) {
    const label = labelInProgram(given.name);
    const isLimited = Array.isArray(given.allowedWorkspaceIds) && given.allowedWorkspaceIds.length > 0;
    const waits = typeof given.drainTimeoutSeconds === "number" && given.drainTimeoutSeconds > 0;
    return [
      ...(given.organizationScoped === true && isLimited
        ? [`${label}: organizationScoped: true lets every workspace use the pool, regardless of allowedWorkspaceIds.`]
        : []),
      ...(waits && given.forceDestroy === false ? [`${label}: drainTimeoutSeconds has no effect without forceDestroy: true.`] : []),
    ];
  },

  identity,

  deleteBeforeReplace: (olds, news) => own(olds, "name") === own(news, "name") && own(olds, "organization") === own(news, "organization"),

  errorProperties: [
    [/allowed-?workspaces/i, "allowedWorkspaceIds"],
    [/organization-?scoped/i, "organizationScoped"],
    [/name/i, "name"],
  ],

  create: (context, news) => create(context, creating, news),

  async read(context, id, known) {
    const pools = context.pools();
    const slash = id.indexOf("/");
    const organization = slash < 0 ? (known?.organization ?? context.settings.organization) : id.slice(0, slash);
    const name = slash < 0 ? undefined : id.slice(slash + 1);
    if (!organization)
      throw new UserError(
        "organization-unknown",
        `Agent pool ${id}: its organization is not known. Set agentpool-acl:organization, or import it as ORGANIZATION/POOL-NAME.`,
      );
    const pool = name === undefined ? await readOwn(context, id, organization, known) : await findByName(pools, organization, name);
    if (!pool && !known && !id.startsWith("apool-")) {
      throw new UserError("pool-id-unknown", `There is no agent pool ${quoted(id)}. Give its ID, apool-..., or ORGANIZATION/POOL-NAME.`);
    }
    if (!pool) return undefined;
    return found(pools.server, { ...(known ?? managedByImport(pool)), organization }, pool);
  },

  async current(context, id, known) {
    const pools = context.pools();
    const { organization = context.settings.organization ?? "", allowedWorkspaceIds: managed } = known;
    const pool = await orGone(context, id, known, () => pools.showPool(id));
    const { allowedWorkspaceIds = managed } = pool;
    return { ...found(pools.server, { organization, allowedWorkspaceIds }, pool), pool };
  },

  async update(context, id, { known, sent, current: { pool }, ignores }) {
    const pools = context.pools();
    // Then the state's value is not the program's, and may be old.
    const keeps = sent.allowedWorkspaceIds === undefined || ignores(["allowedWorkspaceIds"]);
    const allowedWorkspaceIds = keeps ? allowedThere(pools, labelOf(id, known), pool) : (sent.allowedWorkspaceIds ?? []);
    const updated = await orGone(context, id, known, () => pools.updatePool(id, { ...sent, allowedWorkspaceIds }));
    return found(pools.server, { ...sent, workspaceIds: known.workspaceIds }, updated);
  },

  async delete(context, id, known) {
    const pools = context.pools();
    const organization = known.organization ?? context.settings.organization ?? "";
    const { forceDestroy = false, drainTimeoutSeconds = 0 } = known;
    try {
      await deletePool(context, pools, { id, label: labelOf(id, known), forceDestroy, drainTimeoutSeconds });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await confirmGone(context, id, organization, known);
    }
  },

  async list(context, organization = context.settings.organization) {
    if (!organization)
      throw new UserError(
        "organization-unknown",
        "The organization is not known: set agentpool-acl:organization or the environment variable TFE_ORGANIZATION.",
      );
    const pools = context.pools();
    const read = async (listed: AgentPool, known?: State) => {
      const pool = listed.allowedWorkspaceIds ? listed : await readOrMissing(() => pools.showPool(listed.id));
      return pool && found(pools.server, { ...(known ?? managedByImport(pool)), organization }, pool);
    };
    return (await pools.listPools(organization)).map((pool) => ({ id: pool.id, name: pool.name, read: (known) => read(pool, known) }));
  },
});

/** A pool with its organization, which responses do not name. */
interface OwnPool extends AgentPool {
  readonly organization: string;
}

interface PoolTypes {
  readonly News: Inputs;
  readonly Outputs: z.output<typeof outputs>;
  readonly Known: Partial<Inputs>;
  readonly Object: OwnPool;
  readonly Item: AgentPool;
  readonly Before: undefined;
}

const creating: Creating<PoolTypes> = {
  kind,
  api: "pools",
  inputs,
  outputs,
  identity,
  labelOf,
  toRemote: (pool, server, known) => found(server, { ...known, organization: pool.organization }, pool),
  labelOfExisting: ({ name, organization }) => `An agent pool named ${quoted(name)} in organization ${quoted(organization)}`,
  lockOf: ({ organization, name }) => `${organization}/${name}`,
  async find(context, { organization, name }) {
    const pool = await findByName(context.pools(), organization, name);
    return pool ? [{ ...pool, organization }] : [];
  },
  looksFirst: true,
  async create(context, news) {
    const { organization, allowedWorkspaceIds = [] } = news;
    const pool = await inOrganization(organization, () => context.pools().createPool(organization, { ...news, allowedWorkspaceIds }));
    return { ...pool, organization };
  },
  isTaken: (error) => isConflict(error) || isRejected(error),
  unreadable: unreadableOf,
  isOwnCreate: (pool, _, news) => unreadableOf(news, pool).length === 0,
  overwrite: (context, news, pool) => () => {
    const { organization } = news;
    // It has just been read. Only a write that has to wait reads it again.
    const read = startingWith<AgentPool>(pool, () => context.pools().showPool(pool.id));
    return writeFresh(context, read, async (within, present) => {
      const allowedWorkspaceIds = news.allowedWorkspaceIds ?? allowedThere(context.pools(), labelOf(pool.id, news), present);
      return { ...(await within.pools().updatePool(pool.id, { ...news, allowedWorkspaceIds })), organization };
    });
  },
};

/** The pool of a name, found by the list. Lists are not documented to have the allowed workspaces, which are read from the pool itself. */
async function findByName(pools: AgentPoolsClient, organization: string, name: string): Promise<AgentPool | undefined> {
  const listed = await inOrganization(organization, () => pools.findPool(organization, name));
  return listed && readOrMissing(() => pools.showPool(listed.id));
}

/** A request below an organization. @throws when there is no such organization, or the token may not see it */
async function inOrganization<T>(organization: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new UserError("organization-missing", `organization: ${noOrganization(organization)} ${error.report}`, { cause: error });
  }
}

/** A 404 may mean that the token may not see the pool; only a list of the organization without it says that it is gone. */
async function readOwn(context: CallContext, id: string, organization: string, known: State | undefined): Promise<AgentPool | undefined> {
  const pools = context.pools();
  const pool = (await pools.recentPool(organization, id)) ?? (await readOrMissing(() => pools.showPool(id)));
  if (pool && !known && !(await isListed(pools, id, organization))) {
    throw new UserError(
      "pool-in-another-organization",
      `Agent pool ${quoted(pool.name)} (${id}) is not in organization ${quoted(organization)}, and a response does not say which one it is in. Import it as ORGANIZATION/${pool.name}.`,
    );
  }
  if (pool) return pool;
  await confirmGone(context, id, organization, known);
  return undefined;
}

/** Shows or updates the pool of the state. @throws when it is gone, or when a 404 does not say so */
async function orGone(context: CallContext, id: string, known: State, request: () => Promise<AgentPool>): Promise<AgentPool> {
  const { server } = context.pools();
  const organization = known.organization ?? context.settings.organization ?? "";
  try {
    return await request();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (await isListed(context.pools(), id, organization)) throw error;
    assertSameServer(context, labelOf(id, known), { before: known.server, now: server });
    throw new UserError(
      "gone",
      `${labelOf(id, known)} no longer exists in organization ${quoted(organization)}, so it can't be updated. Run \`pulumi up --refresh\`, which creates it again.`,
      { cause: error },
    );
  }
}

async function confirmGone(context: CallContext, id: string, organization: string, known: State | undefined): Promise<void> {
  const pools = context.pools();
  if (await isListed(pools, id, organization)) {
    throw new UserError(
      "pool-not-certain",
      `${labelOf(id, known)}: the service returns 404 for the pool, but lists it in organization ${quoted(organization)}. Nothing is concluded; try again, and check what the token may do.`,
    );
  }
  assertSameServer(context, labelOf(id, known), { before: known?.server, now: pools.server });
}

async function isListed(pools: AgentPoolsClient, id: string, organization: string): Promise<boolean> {
  try {
    return await pools.isListed(organization, id);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new UserError(
      "pool-and-organization-missing",
      `Agent pool ${id} can't be found, and neither can organization ${quoted(organization)}: the service returns 404 both for missing objects and for those that the token may not see. ` +
        "The state keeps the pool. Check the token's permissions by listing the organization's agent pools with it, and the organization's name.",
      { cause: error },
    );
  }
}

/** The known values of a pool, from the program or the state. */
interface Known {
  readonly organization: string;
  /** Undefined when the program does not manage them, so that they are not compared. */
  readonly allowedWorkspaceIds?: readonly string[] | undefined;
  readonly workspaceIds?: readonly string[] | undefined;
}

/**
 * The pool in a response. Fields that the response leaves out keep their known values, because lists have fewer fields than other
 * responses.
 */
function found(server: string, known: Known, pool: AgentPool): Remote<z.output<typeof outputs>> {
  const { id, name, organizationScoped, createdAt } = pool;
  const allowedWorkspaceIds = known.allowedWorkspaceIds && (pool.allowedWorkspaceIds ?? known.allowedWorkspaceIds);
  const workspaceIds = pool.workspaceIds ?? known.workspaceIds;
  return {
    id,
    inputs: { name, organization: known.organization, organizationScoped, ...(allowedWorkspaceIds && { allowedWorkspaceIds }) },
    outputs: { createdAt, server, ...(workspaceIds && { workspaceIds: workspaceIds.toSorted() }) },
  };
}

/** Inputs that can't be compared, because the response leaves them out. */
function unreadableOf(wanted: Inputs, pool: AgentPool): string[] {
  return wanted.allowedWorkspaceIds !== undefined && pool.allowedWorkspaceIds === undefined ? ["allowedWorkspaceIds"] : [];
}

/** An import manages the allowed workspaces where the pool is limited. */
function managedByImport({ organizationScoped, allowedWorkspaceIds }: AgentPool): Pick<AgentPool, "allowedWorkspaceIds"> {
  return { allowedWorkspaceIds: organizationScoped && allowedWorkspaceIds?.length === 0 ? undefined : allowedWorkspaceIds };
}

/** The workspaces that an update sends back when the program leaves them out. @throws when the response about the pool does not name them */
function allowedThere(pools: AgentPoolsClient, label: string, pool: AgentPool): readonly string[] {
  if (pool.allowedWorkspaceIds) return pool.allowedWorkspaceIds;
  throw new UserError(
    "pool-workspaces-unknown",
    `allowedWorkspaceIds: ${label} can't be updated without them. An update has to send the workspaces that may use the pool, and ${pools.server} does not return them. ` +
      "Nothing was changed. Set allowedWorkspaceIds in the program ([] for none), and not among its ignoreChanges, then run the update again.",
  );
}

function identity({ organization, name }: Properties) {
  return { property: "name", values: { organization, name }, isUnique: true };
}

function noOrganization(organization: string): string {
  return `organization ${quoted(organization)} does not exist, or the token may not see it: the service returns 404 for both.`;
}

function labelOf(id: string, known?: { readonly name?: string | undefined }): string {
  return known?.name ? `Agent pool ${quoted(known.name)} (${id})` : `Agent pool ${id}`;
}

function quoted(name: unknown): string {
  return JSON.stringify(name);
}
