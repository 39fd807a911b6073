import * as z from "zod";
import type { Absence } from "../http/errors";

/** For pools, agents and organizations, the service reports a missing object by an error document, unlike other web servers. */
const absence: Absence = { unknown: ({ isErrorDocument }) => isErrorDocument };

/** The options of every request to this API. */
export const protocol = { mediaType: "application/vnd.api+json", absence };

/** A workspace that is attached to a pool. The name is known when the request included workspaces. */
export interface Workspace {
  readonly id: string;
  readonly name?: string;
}

/** An agent pool ("Agent pool" in the document). Undefined means that a response does not have it, not that there is none. */
export interface AgentPool {
  readonly id: string;
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly organizationScoped: boolean;
  /** Name of the organization. The document's responses do not have it. */
  readonly organization: string | undefined;
  /** Whether an update leaves what it does not send: a service whose responses have more relationships than the document's does. */
  readonly updatesLeaveRest: boolean;
  /** In lists only. */
  readonly agentCount: number | undefined;
  /** Workspaces that use the pool. Not documented for lists. */
  readonly workspaceIds: string[] | undefined;
  /** Workspaces that may use the pool. Not documented for lists. */
  readonly allowedWorkspaceIds: string[] | undefined;
  /** Projects whose workspaces may use the pool. Not in the document. */
  readonly allowedProjectIds: string[] | undefined;
  /** Workspaces of these projects that may not use the pool. Not in the document. */
  readonly excludedWorkspaceIds: string[] | undefined;
  /** The workspaces that use the pool, with their names; only where `include` requested them. */
  readonly workspaces?: Workspace[];
  /** Paths, or addresses, of the pool and its related objects. */
  readonly links: { readonly self?: string; readonly agents?: string; readonly authenticationTokens?: string };
}

/** An agent ("Agent" in the document). */
export interface Agent {
  readonly id: string;
  readonly name: string | null;
  /** `idle`, `busy`, `exited`, `errored`, `unknown`, or another status of a newer server. */
  readonly status: string;
  /** "" when the server gives none. */
  readonly ipAddress: string;
  /** ISO 8601, UTC; "" when the server gives none. */
  readonly lastPingAt: string;
  /** Path, or address, of the agent. */
  readonly links: { readonly self?: string };
}

/** The body of a create or update. What it leaves out an update keeps; but a service of the document sets it to the default. */
export interface AgentPoolInput {
  readonly name: string;
  readonly organizationScoped: boolean;
  readonly allowedWorkspaceIds?: readonly string[] | undefined;
  readonly allowedProjectIds?: readonly string[] | undefined;
  readonly excludedWorkspaceIds?: readonly string[] | undefined;
}

export const id = z.string().min(1);
/** A text that a response may leave out. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

const linkedIds = z
  .object({ data: z.array(z.object({ id })).nullish() })
  .nullish()
  .transform((relationship) => relationship?.data?.map((link) => link.id));

/** A link is a text or, in JSON:API, an object; an invalid one is ignored. */
const link = z
  .union([z.string(), z.object({ href: z.string() }).transform(({ href }) => href)])
  .optional()
  .catch(undefined);
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

const agentResource = z
  .object({
    id,
    type: z.literal("agents"),
    attributes: z.object({
      name: z
        .string()
        .nullish()
        .transform((value) => value ?? null),
      status: z.string(),
      "ip-address": text,
      "last-ping-at": text,
    }),
    links: self,
  })
  .transform(
    ({ id, attributes, links }): Agent => ({
      id,
      name: attributes.name,
      status: attributes.status,
      ipAddress: attributes["ip-address"],
      lastPingAt: attributes["last-ping-at"],
      links: links?.self === undefined ? {} : { self: links.self },
    }),
  );

/** The part that `include=workspaces` adds to a document, which may have resources of other types, too. */
const included = z.array(z.object({ id, type: z.string(), attributes: z.object({ name: z.string().optional() }).optional() })).optional();

export const pagination = z.object({
  pagination: z.object({
    "current-page": z.number().int().optional(),
    "next-page": z.number().int().nullish(),
    "total-pages": z.number().int().optional(),
    "total-count": z.number().int().nullish(),
  }),
});

/** A page of a list, and the number of the next one. */
export interface Page<T> {
  readonly items: T[];
  readonly current: number | undefined;
  readonly next: number | undefined;
  /** How many pages there are. */
  readonly total: number | undefined;
  /** How many items all pages have together. */
  readonly count: number | undefined;
}

export function page<T>(items: T[], meta: z.output<typeof pagination>): Page<T> {
  const { "current-page": current, "next-page": next, "total-pages": total, "total-count": count } = meta.pagination;
  return { items, current, next: next ?? undefined, total, count: count ?? undefined };
}

function toPool(resource: z.output<typeof poolResource>, extra: z.output<typeof included>): AgentPool {
  const { attributes, relationships } = resource;
  const workspaceIds = relationships?.workspaces;
  const { organization, "allowed-projects": allowedProjectIds, "excluded-workspaces": excludedWorkspaceIds } = relationships ?? {};
  return {
    id: resource.id,
    name: attributes.name,
    createdAt: attributes["created-at"],
    organizationScoped: attributes["organization-scoped"],
    organization: organization?.data?.id,
    updatesLeaveRest: [organization, allowedProjectIds, excludedWorkspaceIds].some((one) => one !== undefined),
    agentCount: attributes["agent-count"] ?? undefined,
    workspaceIds,
    allowedWorkspaceIds: relationships?.["allowed-workspaces"],
    allowedProjectIds,
    excludedWorkspaceIds,
    links: linksOf(resource),
    ...(extra && workspaceIds && { workspaces: workspaceIds.map((id) => namedWorkspace(id, extra)) }),
  };
}

function linksOf({ links, relationships }: z.output<typeof poolResource>): AgentPool["links"] {
  const agents = relationships?.agents?.links?.related;
  const authenticationTokens = relationships?.["authentication-tokens"]?.links?.related;
  return {
    ...(links?.self !== undefined && { self: links.self }),
    ...(agents !== undefined && { agents }),
    ...(authenticationTokens !== undefined && { authenticationTokens }),
  };
}

function namedWorkspace(id: string, extra: NonNullable<z.output<typeof included>>): Workspace {
  const name = extra.find((resource) => resource.type === "workspaces" && resource.id === id)?.attributes?.name;
  return name === undefined ? { id } : { id, name };
}

export const poolDocument = z.object({ data: poolResource, included }).transform(({ data, included }) => toPool(data, included));
export const poolPage = z.object({ data: z.array(poolResource), included, meta: pagination }).transform(({ data, included, meta }) =>
  page(
    data.map((resource) => toPool(resource, included)),
    meta,
  ),
);
export const agentDocument = z.object({ data: agentResource }).transform(({ data }) => data);
export const agentPage = z.object({ data: z.array(agentResource), meta: pagination }).transform(({ data, meta }) => page(data, meta));

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
