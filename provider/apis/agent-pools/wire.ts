import * as z from "zod";

/** The options of every request to this API. */
export const protocol = { mediaType: "application/vnd.api+json" };

/**
 * The body of a create or update. The real service keeps properties that an update leaves out; a service as in the API's document resets
 * them.
 */
export interface AgentPoolInput {
  readonly name: string;
  readonly organizationScoped: boolean;
  readonly allowedWorkspaceIds?: readonly string[] | undefined;
  readonly allowedProjectIds?: readonly string[] | undefined;
  readonly excludedWorkspaceIds?: readonly string[] | undefined;
}

const id = z.string().min(1);
/** A text that a response may leave out. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

const linkedIds = z
  .object({ data: z.array(z.object({ id })).nullish() })
  .nullish()
  .transform((relationship) => relationship?.data?.map((link) => link.id));

/** An invalid link is ignored. */
const link = z.string().optional().catch(undefined);
const self = z.object({ self: link }).nullish();
const related = z.object({ links: z.object({ related: link }).nullish() }).nullish();

const poolResource = z.object({
  id,
  type: z.literal("agent-pools"),
  attributes: z.object({
    name: z.string(),
    "created-at": text,
    "organization-scoped": z.boolean(),
    "agent-count": z.number().int().nullish(),
  }),
  relationships: z
    .object({
      organization: z.object({ data: z.object({ id }).nullish() }).nullish(),
      workspaces: linkedIds,
      "allowed-workspaces": linkedIds,
      "allowed-projects": linkedIds,
      "excluded-workspaces": linkedIds,
      agents: related,
      "authentication-tokens": related,
    })
    .nullish(),
  links: self,
});

const agentResource = z.object({
  id,
  type: z.literal("agents"),
  attributes: z.object({ name: z.string().nullish(), status: z.string(), "ip-address": text, "last-ping-at": text }),
  links: self,
});

/** An agent ("Agent" in the document). */
export type Agent = ReturnType<typeof toAgent>;

/** The part that `include=workspaces` adds to a document, which may have resources of other types, too. */
const included = z.array(z.object({ id, type: z.string(), attributes: z.object({ name: z.string().optional() }).optional() })).optional();
type Included = z.output<typeof included>;

const pagination = z.object({
  pagination: z.object({
    "next-page": z.number().int().nullish(),
    "total-pages": z.number().int().optional(),
    "total-count": z.number().int().nullish(),
  }),
});

type Pagination = z.output<typeof pagination>;

/** A page of a list, and the number of the next one. */
export type Page<T> = ReturnType<typeof page<T>>;

function page<T>(items: T[], { pagination: { "next-page": next, "total-pages": total, "total-count": count } }: Pagination) {
  return {
    items,
    next: next ?? undefined,
    /** The number of pages. */
    total,
    /** The number of items on all pages. */
    count: count ?? undefined,
  };
}

function documentOf<T>(resource: z.ZodType<T>) {
  return z.object({ data: resource }).transform(({ data }) => data);
}

function pageOf<T>(resource: z.ZodType<T>) {
  return z.object({ data: z.array(resource), meta: pagination }).transform(({ data, meta }) => page(data, meta));
}

/** The same as `documentOf` and `pageOf`, for resources with parts that `include` adds to the document. */
function withIncluded<R, T>(resource: z.ZodType<R>, convert: (resource: R, extra: Included) => T) {
  return {
    document: z.object({ data: resource, included }).transform(({ data, included }) => convert(data, included)),
    page: z.object({ data: z.array(resource), included, meta: pagination }).transform(({ data, included, meta }) =>
      page(
        data.map((one) => convert(one, included)),
        meta,
      ),
    ),
  };
}

/**
 * An agent pool ("Agent pool" in the document). A property is undefined (`createdAt` is "") if the response lacks it. The pool may have a
 * value nevertheless.
 */
export type AgentPool = ReturnType<typeof toPool>;

function toPool({ id, attributes, relationships, links }: z.output<typeof poolResource>, extra: Included) {
  const { organization, workspaces: workspaceIds } = relationships ?? {};
  const { "allowed-projects": allowedProjectIds, "excluded-workspaces": excludedWorkspaceIds } = relationships ?? {};
  return {
    id,
    name: attributes.name,
    /** ISO 8601, UTC. */
    createdAt: attributes["created-at"],
    organizationScoped: attributes["organization-scoped"],
    /** Name of the organization. The document's responses do not have it. */
    organization: organization?.data?.id,
    /**
     * Whether an update keeps fields that it does not send. The service does so if its responses have relationships that the API's document
     * lacks.
     */
    updatesLeaveRest: [organization, allowedProjectIds, excludedWorkspaceIds].some((one) => one !== undefined),
    /** Only in lists. */
    agentCount: attributes["agent-count"] ?? undefined,
    /** Workspaces that use the pool. The API's document does not have this field, or the next one, in lists. */
    workspaceIds,
    /** Workspaces that may use the pool. */
    allowedWorkspaceIds: relationships?.["allowed-workspaces"],
    /** Projects whose workspaces may use the pool. Not in the document. */
    allowedProjectIds,
    /** Workspaces of these projects that may not use the pool. Not in the document. */
    excludedWorkspaceIds,
    /** The workspaces that use the pool, with their names; only where `include` requested them. */
    workspaces: extra && workspaceIds?.map((id): Workspace => ({ id, name: nameOfWorkspace(id, extra) })),
    /** Paths, or addresses, of the pool and its related objects. */
    links: {
      self: links?.self,
      agents: relationships?.agents?.links?.related,
      authenticationTokens: relationships?.["authentication-tokens"]?.links?.related,
    },
  };
}

/** A workspace that is attached to a pool. The name is known when the request included workspaces. */
export interface Workspace {
  readonly id: string;
  readonly name?: string | undefined;
}

function nameOfWorkspace(id: string, extra: NonNullable<Included>): string | undefined {
  return extra.find((resource) => resource.type === "workspaces" && resource.id === id)?.attributes?.name;
}

export const { document: poolDocument, page: poolPage } = withIncluded(poolResource, toPool);
export const { document: agentDocument, page: agentPage } = withIncluded(agentResource, toAgent);

function toAgent({ id, attributes, links }: z.output<typeof agentResource>, extra: Included) {
  const workspaces = extra?.filter(({ type }) => type === "workspaces");
  return {
    id,
    name: attributes.name ?? undefined,
    /** `idle`, `busy`, `exited`, `errored`, `unknown`, or another status of a newer server. */
    status: attributes.status,
    /** "" if the server returns none, as for the time of the last ping. */
    ipAddress: attributes["ip-address"],
    /** ISO 8601, UTC. */
    lastPingAt: attributes["last-ping-at"],
    /** Path, or address, of the agent. */
    links: { self: links?.self },
    /** The workspaces that use the agent's pool, with their names; only where `include` requested them. */
    workspaces: workspaces?.map(({ id, attributes }): Workspace => ({ id, name: attributes?.name })),
  };
}

/** A workspace or a project, to which pools refer. The document does not describe them; the service's public reference does. */
export type OrganizationObject = z.output<ReturnType<typeof organizationObject>>;

function organizationObject(type: "workspaces" | "projects") {
  const resource = z.object({ id, type: z.literal(type), attributes: z.object({ name: z.string() }) });
  return resource.transform(({ id, attributes }) => ({ id, name: attributes.name }));
}

export const workspaceDocument = documentOf(organizationObject("workspaces"));
export const projectPage = pageOf(organizationObject("projects"));

const tokenResource = z
  .object({
    id,
    type: z.enum(["authentication-tokens", "agent-tokens"]),
    attributes: z.object({ description: text, "created-at": text, "last-used-at": z.string().nullish(), token: z.string().nullish() }),
  })
  .transform(({ id, attributes }) => ({
    id,
    description: attributes.description,
    /** ISO 8601, UTC. */
    createdAt: attributes["created-at"],
    /** ISO 8601, UTC; undefined until an agent has used it. */
    lastUsedAt: attributes["last-used-at"] ?? undefined,
    /** The secret. Only the response to a create has it. */
    token: attributes.token ?? undefined,
  }));

/** A token by which agents join a pool. The service's public reference describes it ("Agent Tokens"), but the document does not. */
export type AgentToken = z.output<typeof tokenResource>;

export const tokenDocument = documentOf(tokenResource);
export const tokenPage = pageOf(tokenResource);

/** The body of a create. The service takes both names of the type; its own clients send this one. */
export function tokenBody(description: string): unknown {
  return { data: { type: "agent-tokens", attributes: { description } } };
}

/** The body of a create or update ("Create an agent pool", "Update an agent pool"). */
export function poolBody(input: AgentPoolInput): unknown {
  const { allowedWorkspaceIds, allowedProjectIds, excludedWorkspaceIds } = input;
  return {
    data: {
      type: "agent-pools",
      attributes: { name: input.name, "organization-scoped": input.organizationScoped },
      relationships: {
        ...(allowedWorkspaceIds && { "allowed-workspaces": linksTo("workspaces", allowedWorkspaceIds) }),
        ...(allowedProjectIds && { "allowed-projects": linksTo("projects", allowedProjectIds) }),
        ...(excludedWorkspaceIds && { "excluded-workspaces": linksTo("workspaces", excludedWorkspaceIds) }),
      },
    },
  };
}

function linksTo(type: "workspaces" | "projects", ids: readonly string[]) {
  return { data: ids.map((id) => ({ id, type })) };
}
