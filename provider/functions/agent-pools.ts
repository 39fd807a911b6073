import * as z from "zod";
import { capitalized } from "../../common/label";
import { UserError } from "../../common/user-error";
import type { AgentPool, AgentPoolsClient, PoolFilter } from "../apis/agent-pools/client";
import { type ApiError, isNotFound } from "../apis/http/errors";
import { field } from "../model/fields";
import type { CallContext } from "../operation/call-context";
import { defineFunction } from "./definition";
import { lister, nonEmpty } from "./look-ups";

const organization = field(
  z.string().min(1, "must be the name of an organization").optional(),
  "Name of the organization. Default: the one of the configuration.",
);

/** The accepted timestamps: with seconds and optional fractions, or to the minute. */
const timestamps = [undefined, -1].map((precision) => z.iso.datetime({ offset: true, local: true, precision }));
const timestamp = z
  .string()
  .refine((value) => timestamps.some((form) => form.safeParse(value).success), 'must be an ISO 8601 timestamp like "2026-01-15T00:00:00Z"');

const workspaces = (description: string) =>
  z
    .array(
      field(
        z.object({
          id: field(z.string(), "Identifier of the workspace."),
          name: field(z.string().optional(), "Name of the workspace. Left out if the service does not return it."),
        }),
        description,
      ),
    )
    .optional();

const pool = {
  id: field(z.string(), "Identifier of the pool, with the prefix `apool-`."),
  name: field(z.string(), "Name of the pool, unique in the organization."),
  createdAt: field(z.string(), "Time of the pool's creation (ISO 8601 with milliseconds, UTC)."),
  organization: field(z.string().optional(), "Name of the organization. Left out if the service does not return it."),
  organizationScoped: field(z.boolean(), "Whether all workspaces of the organization may use the pool."),
  allowedWorkspaceIds: field(
    z.array(z.string()).optional(),
    "Identifiers of the workspaces that have permission to use the pool. Left out if the service does not return it.",
  ),
  allowedProjectIds: field(
    z.array(z.string()).optional(),
    "Identifiers of the projects whose workspaces have permission to use the pool. Left out if the service does not return it.",
  ),
  excludedWorkspaceIds: field(
    z.array(z.string()).optional(),
    "Identifiers of the workspaces that may not use the pool, although their project may. Left out if the service does not return it.",
  ),
  workspaceIds: field(
    z.array(z.string()).optional(),
    "Identifiers of the workspaces that are attached to the pool. Left out if the service does not return it.",
  ),
  agentCount: field(
    z.int().optional(),
    "Number of the pool's agents. Left out if the service does not return it; most return it in lists only.",
  ),
  workspaces: field(
    workspaces("A workspace that is attached to the pool."),
    "The workspaces that are attached to the pool, with their names. Only with `include`.",
  ),
  links: field(
    z.object({
      self: field(z.string().optional(), "The pool itself."),
      agents: field(z.string().optional(), "The list of the pool's agents."),
      authenticationTokens: field(z.string().optional(), "The list of the pool's authentication tokens."),
    }),
    "Links to the pool and its related objects: paths or addresses, as the service returns them. Missing ones are left out.",
  ),
};

const included = () => z.enum(["workspaces"], 'must be "workspaces"').optional();

const include = field(
  included(),
  "`workspaces`: the result also has the workspaces that are attached, with their names. Default: their identifiers only.",
);

const ofAgents = {
  include: field(included(), "`workspaces`: the result also has the workspaces that are attached to the pool of the agents."),
};

const agent = {
  id: field(z.string(), "Identifier of the agent, with the prefix `agent-`."),
  name: field(z.string().optional(), "Name of the agent; left out when it has none."),
  status: field(z.string(), "Status of the agent: `idle`, `busy`, `exited`, `errored`, `unknown`, or another one of the service."),
  ipAddress: field(z.string(), "IP address of the agent."),
  lastPingAt: field(z.string(), "Time of the agent's last ping (ISO 8601 with milliseconds, UTC)."),
  workspaces: field(
    workspaces("A workspace that is attached to the agent's pool."),
    "The workspaces that are attached to the agent's pool, with their names. Only with `include`, if the service returns them.",
  ),
  links: field(
    z.object({ self: field(z.string().optional(), "The agent itself.") }),
    "Link to the agent: a path or an address, as the service returns it.",
  ),
};

export const getAgentPool = defineFunction({
  name: "getAgentPool",
  description: "Looks up one agent pool, by its ID or by organization and name. It fails when there is none.",
  source: "Agent Pool Management Interface, Show an agent pool",
  inputs: z.object({
    id: field(nonEmpty().optional(), "Identifier of the pool. Either this or `name`."),
    organization,
    name: field(nonEmpty().optional(), "Name of the pool. Either this or `id`."),
    include,
  }),
  outputs: z.object(pool),
  async run(context, { id, name, organization: given, include }) {
    if ((id === undefined) === (name === undefined))
      throw new UserError("arguments-unclear", "getAgentPool: give either id, or name (with organization, unless it is configured).");
    const pools = context.pools();
    if (id !== undefined) return withWorkspaces(await pools.showPool(id, { include }), include);
    const organizationName = organizationOf(context, given);
    const listed = name === undefined ? undefined : await pools.findPool(organizationName, name, { include });
    if (!listed) throw missingError("getAgentPool", organizationName, `agent pool named ${JSON.stringify(name)}`);
    return withWorkspaces(await completed(pools, listed, include), include);
  },
});

export const listAgentPools = lister("AgentPool", {
  many: "agentPools",
  of: "of an organization, from all pages",
  source: "Agent Pool Management Interface, List agent pools",
  inputs: z.object({
    organization,
    query: field(z.string().optional(), "Only pools whose name contains this text."),
    sort: field(
      z.enum(["name", "-name", "created-at", "-created-at"], 'must be "name", "-name", "created-at" or "-created-at"').optional(),
      "Order of the pools; a leading hyphen reverses it.",
    ),
    allowedWorkspaceName: field(z.string().optional(), "Only pools that the workspace of this name has permission to use."),
    allowedProjectName: field(
      z.string().optional(),
      "Only pools that the project of this name has permission to use. This filter is not in the API document: a service that follows the document ignores it.",
    ),
    include,
  }),
  item: z.object(pool),
  async run(context, { organization: given, ...filter }) {
    const pools = context.pools();
    const { include } = filter;
    const listed = await pools.listPools(organizationOf(context, given), filter);
    const whole = include === undefined ? listed : await Promise.all(listed.map((one) => completed(pools, one, include)));
    return whole.map((pool) => withWorkspaces(pool, include));
  },
});

export const getAgent = defineFunction({
  name: "getAgent",
  description: "Looks up one agent by its ID. It fails when there is none.",
  source: "Agent Pool Management Interface, Show an agent",
  inputs: z.object({ id: field(nonEmpty(), "Identifier of the agent."), ...ofAgents }),
  outputs: z.object(agent),
  run: (context, { id, include }) => context.pools().showAgent(id, { include }),
});

export const listAgents = lister("Agent", {
  many: "agents",
  of: "of a pool, from all pages",
  source: "Agent Pool Management Interface, List agents",
  inputs: z.object({
    agentPoolId: field(nonEmpty(), "Identifier of the pool."),
    lastPingSince: field(
      timestamp.optional(),
      'Only agents that have pinged since this time: an ISO 8601 timestamp like "2026-01-15T00:00:00Z". Default: all agents.',
    ),
    ...ofAgents,
  }),
  item: z.object(agent),
  run: (context, { agentPoolId, ...filter }) => context.pools().listAgents(agentPoolId, filter),
});

export const getWorkspace = idByName("workspace", {
  prefix: "ws-",
  uses: "`allowedWorkspaceIds` and `excludedWorkspaceIds`",
  source: "Public reference, Workspaces: Show workspace",
  find: (pools, where, name) => pools.showWorkspace(where, name),
});

export const getProject = idByName("project", {
  prefix: "prj-",
  uses: "`allowedProjectIds`",
  source: "Public reference, Projects: List projects",
  find: (pools, where, name) => pools.findProject(where, name),
});

interface IdByName {
  readonly prefix: string;
  /** The inputs of a pool that take the ID. */
  readonly uses: string;
  readonly source: string;
  find(pools: AgentPoolsClient, organization: string, name: string): Promise<{ id: string; name: string } | undefined>;
}

/** The function for the ID of an object of an organization, which no resource manages. */
function idByName(what: string, { prefix, uses, source, find }: IdByName) {
  const functionName = `get${capitalized(what)}`;
  return defineFunction({
    name: functionName,
    description: `Looks up the ID of a ${what} by its name, for ${uses} of a pool. It fails when there is none.

This request is not in the agent pools' API document. It is in the public reference of HCP Terraform and Terraform Enterprise.`,
    source,
    inputs: z.object({ organization, name: field(nonEmpty(), `Name of the ${what}.`) }),
    outputs: z.object({
      id: field(z.string(), `Identifier of the ${what}, with the prefix \`${prefix}\`.`),
      name: field(z.string(), `Name of the ${what}.`),
    }),
    async run(context, { name, organization: given }) {
      const where = organizationOf(context, given);
      const sought = `${what} named ${JSON.stringify(name)}`;
      const found = await find(context.pools(), where, name).catch((error: unknown) => {
        throw isNotFound(error) ? missingError(functionName, where, sought, error) : error;
      });
      if (found) return found;
      throw missingError(functionName, where, sought);
    },
  });
}

/** @param cause the service's 404, which is reported too: it may stand for a missing permission */
function missingError(functionName: string, organization: string, what: string, cause?: ApiError): UserError {
  const message = `${functionName}: organization ${JSON.stringify(organization)} has no ${what} that the token may see.`;
  return cause ? new UserError("not-found", `${message} ${cause.report}`, { cause }) : new UserError("not-found", message);
}

function organizationOf(context: CallContext, given: string | undefined): string {
  const organization = given ?? context.settings.organization;
  if (!organization)
    throw new UserError(
      "organization-unknown",
      "The organization is not known: give it, or set agentpool-acl:organization or the environment variable TFE_ORGANIZATION.",
    );
  return organization;
}

/** A pool of a list, with the fields that are documented for the read of a single pool only. */
async function completed(pools: AgentPoolsClient, listed: AgentPool, include: Include): Promise<AgentPool> {
  if (listed.allowedWorkspaceIds && listed.workspaceIds && (include === undefined || listed.workspaces)) return listed;
  const shown = await pools.showPool(listed.id, { include });
  return { ...shown, agentCount: shown.agentCount ?? listed.agentCount };
}

type Include = PoolFilter["include"];

/** Adds the attached workspaces if `include` requests them: with their names, or with their IDs alone if the service returns no names. */
function withWorkspaces(pool: AgentPool, include: Include) {
  return { ...pool, workspaces: include && (pool.workspaces ?? pool.workspaceIds?.map((id) => ({ id }))) };
}
