import * as z from "zod";
import { defined } from "../../common/own-property";
import { unknown } from "../../common/unknown";
import { UserError } from "../../common/user-error";
import type { AgentPool, AgentPoolInput, AgentPoolsClient } from "../apis/agent-pools/client";
import { isConflict, isRejected } from "../apis/http/errors";
import { getAgentPool, listAgentPools } from "../functions/agent-pools";
import { adopt } from "../lifecycle/adopt";
import { defineResource } from "../lifecycle/define";
import { readOrMissing } from "../lifecycle/gone";
import type { KindRequests, Scope } from "../lifecycle/kind";
import { sameMeaning } from "../model/diff";
import { field, fieldOf } from "../model/fields";
import type { Properties } from "../model/remote";
import { labelInProgram, labelOfObject, listOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { deletePool } from "./agent-pool-delete";
import { inOrganization, isPoolListed, organizationOf } from "./agent-pool-organization";

export { getAgentPool, listAgentPools };

const source = "Agent Pool Management Interface, Create an agent pool";

const publicReference = "Public reference, Agent Pools: Create an agent pool";

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
    "Whether all workspaces of the organization may use the pool. Default: true for a new pool, or false when allowedWorkspaceIds or allowedProjectIds is given, an empty list included. A limited pool stays limited until the program sets true.",
    { missingReason: "is required", source },
  ),
  allowedWorkspaceIds: field(
    z.array(z.string().min(1, "must be the identifier of a workspace")).optional(),
    "Identifiers of the workspaces that may use the pool. Left out, they are not managed here: an update leaves them, and fails if a service that follows the API document does not return them.",
    { set: true, emptyMatters: true, source },
  ),
  allowedProjectIds: field(
    z.array(z.string().min(1, "must be the identifier of a project")).optional(),
    "Identifiers of the projects whose workspaces may use the pool, except the workspaces of excludedWorkspaceIds. Left out, they are not managed here. Not in the API document: a service that follows it refuses or ignores them, which is an error.",
    { set: true, emptyMatters: true, source: publicReference },
  ),
  excludedWorkspaceIds: field(
    z.array(z.string().min(1, "must be the identifier of a workspace")).optional(),
    "Identifiers of the workspaces that may not use the pool, although their project may. Left out, they are not managed here. Not in the API document, like allowedProjectIds.",
    { set: true, emptyMatters: true, source: publicReference },
  ),
  forceDestroy: field(
    z.boolean().default(false),
    "Whether a delete that agents block removes the agents with the status `unknown`, `errored` or `exited`, and tries again. It removes none while workspaces are attached.",
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
    "Identifiers of the workspaces that are attached to the pool, in alphabetical order, at the last read or write of the pool. Undefined if the service has never returned them.",
    { kept: true },
  ),
});

type Inputs = z.output<typeof inputs>;

const relationships = ["allowedWorkspaceIds", "allowedProjectIds", "excludedWorkspaceIds"] as const;

/** A pool with its organization, which some services don't return. */
interface OwnPool extends AgentPool {
  readonly organization: string;
}

/** An agent pool: self-hosted workers that run the remote operations of an organization's workspaces. */
export const agentPool = defineResource<typeof inputs, typeof outputs, OwnPool, OwnPool>({
  kind: "AgentPool",
  label: "agent pool",
  api: "pools",
  lookUps: [getAgentPool, listAgentPools],
  description: `An agent pool of an organization of HCP Terraform or Terraform Enterprise: a group of self-hosted agents that run remote operations on private infrastructure.

The API's document allows one agent pool for an organization, and a free tier includes one self-hosted agent. Services may allow more.

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
    const label = labelInProgram("agent pool", given.name);
    const idle = relationships.filter((name) => isFilled(given[name]));
    const waits = typeof given.drainTimeoutSeconds === "number" && given.drainTimeoutSeconds > 0;
    return [
      ...(given.organizationScoped === true && idle.length > 0
        ? [`${label}: organizationScoped: true lets every workspace use the pool, regardless of ${listOf(idle)}.`]
        : []),
      ...(waits && given.forceDestroy === false ? [`${label}: drainTimeoutSeconds has no effect without forceDestroy: true.`] : []),
    ];
  },

  identity: { property: "name", names: ["organization", "name"], isUnique: true },

  errorProperties: [
    [/allowed-?workspaces/i, "allowedWorkspaceIds"],
    [/allowed-?projects/i, "allowedProjectIds"],
    [/excluded-?workspaces/i, "excludedWorkspaceIds"],
    [/organization-?scoped/i, "organizationScoped"],
    [/name/i, "name"],
  ],

  requests: requestsOf,
  // The API's document has no allowed workspaces in lists.
  toWhole: (pool) => pool.allowedWorkspaceIds && pool,
  /** Workspaces that the response leaves out keep their known values: the document does not have them in all responses. */
  toRemote(pool, server, known = managedByImport(pool)) {
    const { id, name, organization, organizationScoped, createdAt, workspaceIds } = pool;
    // A list that the program does not manage is undefined, so it is not compared.
    const allowedWorkspaceIds = known.allowedWorkspaceIds && (pool.allowedWorkspaceIds ?? known.allowedWorkspaceIds);
    const allowedProjectIds = known.allowedProjectIds && pool.allowedProjectIds;
    const excludedWorkspaceIds = known.excludedWorkspaceIds && pool.excludedWorkspaceIds;
    return {
      id,
      inputs: defined({ name, organization, organizationScoped, allowedWorkspaceIds, allowedProjectIds, excludedWorkspaceIds }),
      outputs: { createdAt, server, ...(workspaceIds && { workspaceIds: workspaceIds.toSorted() }) },
    };
  },
  toId: idOfPool,

  labelOfExisting: ({ name, organization }) => `An agent pool named ${quoted(name)} in organization ${quoted(organization)}`,
  async find(context, { name, organization }) {
    const id = await findId(context, organization, name);
    const pool = id === undefined ? undefined : await readOrMissing(() => requestsOf(context, { organization }).read(id));
    return pool ? [pool] : [];
  },
  checksBeforeCreate: true,
  async create(context, news) {
    const { organization, allowedWorkspaceIds = [] } = news;
    const pool = await inOrganization(organization, () => context.pools().createPool(organization, { ...news, allowedWorkspaceIds }));
    return ownPool(context, pool, news);
  },
  isNameConflict: (error) => isConflict(error) || isRejected(error),
  unreadable: unreadableOf,
  isOwnCreate: (pool, _, news) => unreadableOf(news, pool).length === 0,

  async update(context, id, { known, sent, whole: pool, ignores }) {
    const pools = context.pools();
    const label = labelOf(id, known ?? sent);
    if (!known && sent.organizationScoped && !pool.organizationScoped) {
      context.warn(
        `${label} was limited, and adopt: "overwrite" opens it to all workspaces: organizationScoped is true, which is the default of a new resource. ` +
          "Write organizationScoped: false to limit it.",
      );
    }
    // An ignored list has the state's value, which is not the program's and may be outdated.
    const news = ignores(["allowedWorkspaceIds"]) ? { ...sent, allowedWorkspaceIds: undefined } : sent;
    return { whole: ownPool(context, await pools.updatePool(id, toSend(pools, label, pool, news)), pool) };
  },

  delete: (context, id, { name, forceDestroy = false, drainTimeoutSeconds = 0 }) =>
    deletePool(context, context.pools(), { id, label: labelOf(id, { name }), forceDestroy, drainTimeoutSeconds }),
});

function requestsOf(context: CallContext, scope?: Scope): KindRequests<OwnPool, OwnPool> {
  const pools = context.pools();
  return {
    read: async (id) => ownPool(context, await pools.showPool(id), scope),
    delete: (id) => pools.deletePool(id),
    isListed: (id) => isPoolListed(context, id, organizationOf(context, scope)),
    list: async () => (await pools.listPools(organizationOf(context, scope))).map((pool) => ownPool(context, pool, scope)),
    async recent(id) {
      const pool = scope?.organization === undefined ? undefined : await pools.recentPool(scope.organization, id);
      return pool && ownPool(context, pool, scope);
    },
  };
}

/**
 * A pool with its organization, in the spelling of the program. If the response leaves the organization out, as some services do, it is
 * that of the program or the configuration.
 *
 * @throws when the pool is of another organization than the program's or the state's
 */
function ownPool(context: CallContext, pool: AgentPool, scope: Scope | undefined): OwnPool {
  const { organization = organizationOf(context, scope) } = pool;
  const given = scope?.organization ?? organization;
  if (given.toLowerCase() === organization.toLowerCase()) return { ...pool, organization: given };
  throw new UserError(
    "pool-in-another-organization",
    `Agent pool ${quoted(pool.name)} (${pool.id}) is in organization ${quoted(organization)}, and not in ${quoted(given)}. Nothing was changed. Correct the organization or the ID; if the organization was renamed, take the pool out of the state with \`pulumi state delete\`, and import it again.`,
  );
}

/** The pool that an import names: by ORGANIZATION/POOL-NAME, or by an id in the organization of the configuration. */
async function idOfPool(context: CallContext, text: string): Promise<Scope & { readonly id: string }> {
  const slash = text.indexOf("/");
  const unknownPool = new UserError(
    "pool-id-unknown",
    `There is no agent pool ${quoted(text)}. Give its ID, apool-..., or ORGANIZATION/POOL-NAME.`,
  );
  if (slash >= 0) {
    const organization = text.slice(0, slash);
    const id = await findId(context, organization, text.slice(slash + 1));
    if (id === undefined) throw unknownPool;
    return { id, organization };
  }
  const pool = await readOrMissing(() => context.pools().showPool(text));
  if (pool?.organization !== undefined) return { id: text, organization: pool.organization };
  if (!pool && !(text.startsWith("apool-") && context.settings.organization)) throw unknownPool;
  const organization = organizationOf(context);
  if (!pool || (await isPoolListed(context, text, organization))) return { id: text, organization };
  throw new UserError(
    "pool-in-another-organization",
    `Agent pool ${quoted(pool.name)} (${text}) is not in organization ${quoted(organization)}, and a response does not say which one it is in. Import it as ORGANIZATION/${pool.name}.`,
  );
}

async function findId(context: CallContext, organization: string, name: string): Promise<string | undefined> {
  return (await inOrganization(organization, () => context.pools().findPool(organization, name)))?.id;
}

/** The lists that decide who may use a pool without organizationScoped. Others manage a list that the program leaves out. */
type Relationships = Pick<Inputs, (typeof relationships)[number]>;

/** Inputs that can't be compared, because the response leaves them out. */
function unreadableOf(news: Inputs, pool: AgentPool): string[] {
  return relationships.filter((name) => news[name] !== undefined && pool[name] === undefined);
}

/**
 * The lists that an import manages: those that are not empty, and also an empty list of workspaces if the pool is limited and has no
 * projects.
 */
function managedByImport({ organizationScoped, allowedWorkspaceIds, allowedProjectIds, excludedWorkspaceIds }: AgentPool): Relationships {
  const [workspaces, projects, excluded] = [allowedWorkspaceIds, allowedProjectIds, excludedWorkspaceIds].map((ids) =>
    isFilled(ids) ? ids : undefined,
  );
  const isForNobody = !organizationScoped && projects === undefined;
  return {
    allowedWorkspaceIds: workspaces ?? (isForNobody ? allowedWorkspaceIds : undefined),
    allowedProjectIds: projects,
    excludedWorkspaceIds: excluded,
  };
}

/**
 * The body of an update. A service that keeps missing relationships gets only the changed ones, so an update touches none that others
 * manage. A service that follows the document would lose the workspaces, so it gets the workspaces of its own response back.
 *
 * @throws if the workspaces are needed, but the response about the pool does not name them
 */
function toSend(pools: AgentPoolsClient, label: string, pool: AgentPool, news: Inputs): AgentPoolInput {
  const { name, organizationScoped } = news;
  if (!pool.updatesLeaveRest) return { ...news, allowedWorkspaceIds: news.allowedWorkspaceIds ?? allowedIn(pools, label, pool) };
  const isChanged = (key: (typeof relationships)[number]) => !sameMeaning(fieldOf(inputs.shape[key]), news[key], pool[key]);
  const changed = relationships.filter((key) => news[key] !== undefined && isChanged(key));
  return { name, organizationScoped, ...Object.fromEntries(changed.map((key) => [key, news[key]])) };
}

/** The workspaces that an update sends back when the program leaves them out. @throws when the response about the pool does not name them */
function allowedIn(pools: AgentPoolsClient, label: string, pool: AgentPool): readonly string[] {
  if (pool.allowedWorkspaceIds) return pool.allowedWorkspaceIds;
  throw new UserError(
    "pool-workspaces-unknown",
    `allowedWorkspaceIds: ${label} can't be updated without them. An update has to send the workspaces that may use the pool, and ${pools.server} does not return them. ` +
      "Nothing was changed. Set allowedWorkspaceIds in the program ([] for none), remove it from ignoreChanges if that lists it, then run the update again.",
  );
}

function labelOf(id: string, { name }: { readonly name?: string | undefined }): string {
  return labelOfObject("agent pool", id, name);
}

function quoted(name: unknown): string {
  return JSON.stringify(name);
}

/** The inputs that limit a pool. Exclusions alone limit nothing. */
const limits = ["allowedWorkspaceIds", "allowedProjectIds"];

/**
 * The scope of a pool without organizationScoped in the program, with the necessary warnings. A missing input never opens a pool to all
 * workspaces.
 */
function defaultScope(context: CallContext, given: Properties, olds: Properties): boolean | typeof unknown {
  const pool = labelInProgram("agent pool", given.name);
  const named = limits.filter((name) => given[name] !== undefined && given[name] !== null);
  const lists = named.filter((name) => given[name] !== unknown);
  if (olds.organizationScoped === false) {
    // The engine removes an ignored list if the state has none. That must not open a limited pool.
    if (named.length === 0) {
      context.warn(
        `${pool}: it stays limited (organizationScoped: false), as the state has it, because the program gives neither organizationScoped nor ` +
          `${limits.join(" nor ")}, or ignores what it gives. Write organizationScoped: true to open it to all workspaces, or false to keep it limited.`,
      );
      return false;
    }
  } else if (named.length > 0 && lists.length === 0) {
    // Only the update knows whether there is a list at all, so a preview promises neither.
    context.warn(
      `${pool}: ${listOf(named)} is not known yet, so neither is organizationScoped: without a list in the update, all workspaces may use the pool. ` +
        "Write organizationScoped: false to limit the pool in any case, or true to open it.",
    );
    return unknown;
  }
  if (named.length > 0 && named.every((name) => isEmpty(given[name]))) {
    context.warn(
      `${pool}: ${named.map((name) => `${name}: []`).join(" and ")} limits it to no workspace, so nobody may use it. Write organizationScoped: false if that is intended, or true to open it ` +
        "to all workspaces, or the identifiers of those that may use it.",
    );
  }
  return named.length === 0;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
