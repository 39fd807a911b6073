import type { ApiRequest, ApiResponse } from "../http";
import { parseBody, workspaceBody } from "./bodies";
import { documentResponse, errorResponse, notFound, paginate } from "./documents";
import type { Endpoint, PoolsContext, Route } from "./endpoint";
import { inOrganization, withObject } from "./endpoint";
import { projectResource } from "./resources";
import { mayBeUsedBy } from "./service";
import type { Project, Workspace } from "./store";

/** Workspaces and projects: how they are found, and how a workspace is attached to a pool. */
export const workspaceRoutes: Route[] = [
  ["GET", /^\/organizations\/([^/]+)\/workspaces$/, inOrganization(listWorkspaces)],
  ["GET", /^\/organizations\/([^/]+)\/workspaces\/([^/]+)$/, withNamedWorkspace(showWorkspace)],
  ["PATCH", /^\/organizations\/([^/]+)\/workspaces\/([^/]+)$/, withNamedWorkspace(updateWorkspace)],
  ["GET", /^\/workspaces\/([^/]+)$/, withWorkspace(showWorkspace)],
  ["PATCH", /^\/workspaces\/([^/]+)$/, withWorkspace(updateWorkspace)],
  // Nothing ever runs here: who scales agents by the runs that wait gets an empty list.
  ["GET", /^\/organizations\/([^/]+)\/runs$/, inOrganization(({ request }) => pageOf(request, []))],
  ["GET", /^\/organizations\/([^/]+)\/projects$/, inOrganization(listProjects)],
  ["GET", /^\/projects\/([^/]+)$/, withProject(showProject)],
];

type WorkspaceEndpoint = (context: PoolsContext, workspace: Workspace) => ApiResponse;

function withWorkspace(endpoint: WorkspaceEndpoint): Endpoint {
  return withObject(
    (store, id) => store.workspace(id),
    (workspace) => workspace.organization,
    endpoint,
  );
}

function withNamedWorkspace(endpoint: WorkspaceEndpoint): Endpoint {
  return inOrganization((context, organization, name) => {
    const workspace = context.store.workspaces(organization).find((workspace) => workspace.name === name);
    return workspace ? endpoint(context, workspace) : notFound();
  });
}

function withProject(endpoint: (context: PoolsContext, project: Project) => ApiResponse): Endpoint {
  return withObject(
    (store, id) => store.project(id),
    (project) => project.organization,
    endpoint,
  );
}

function listWorkspaces({ request, store, dialect }: PoolsContext, organization: string): ApiResponse {
  const search = request.query.get("search[name]")?.toLowerCase() ?? "";
  const all = request.query.has("filter[current-run][status]") ? [] : store.workspaces(organization);
  const inProject = request.query.get("filter[project][id]");
  const matching = all.filter(({ name, projectId }) => name.toLowerCase().includes(search) && (inProject ?? projectId) === projectId);
  return pageOf(
    request,
    matching.map((workspace) => dialect.shownWorkspace(workspace, store)),
  );
}

function showWorkspace({ store, dialect }: PoolsContext, workspace: Workspace): ApiResponse {
  return documentResponse(200, { data: dialect.shownWorkspace(workspace, store) });
}

/** The execution mode `agent` attaches the workspace to a pool, and any other detaches it. */
function updateWorkspace(context: PoolsContext, workspace: Workspace): ApiResponse {
  const { request, store } = context;
  const parsed = parseBody(workspaceBody, request.body);
  if (!parsed.ok) return errorResponse(422, ...parsed.errors);
  const attached = store.poolOf(workspace.id);
  const { executionMode = attached ? "agent" : "remote", agentPoolId = attached?.id } = parsed.body;
  const pool = store.get(agentPoolId ?? "");
  if (executionMode === "agent") {
    if (pool?.organization !== workspace.organization) return unusable("must be an agent pool of the organization");
    if (pool.id !== attached?.id && !mayBeUsedBy(pool, workspace)) return unusable("the workspace does not have access to this agent pool");
    store.attachWorkspace(pool.id, workspace.id);
  } else if (attached) {
    store.detachWorkspace(attached.id, workspace.id);
  }
  return showWorkspace(context, workspace);
}

function unusable(reason: string): ApiResponse {
  const source = { pointer: "/data/attributes/agent-pool-id" };
  return errorResponse(422, { title: "invalid attribute", detail: `agent-pool-id: ${reason}`, source });
}

function listProjects({ request, store }: PoolsContext, organization: string): ApiResponse {
  const names = request.query.get("filter[names]")?.split(",");
  const search = request.query.get("q")?.toLowerCase() ?? "";
  const matching = store
    .projects(organization)
    .filter(({ name }) => (names === undefined || names.includes(name)) && name.toLowerCase().includes(search));
  return pageOf(request, matching.map(projectResource));
}

function showProject(_: PoolsContext, project: Project): ApiResponse {
  return documentResponse(200, { data: projectResource(project) });
}

function pageOf(request: ApiRequest, resources: readonly object[]): ApiResponse {
  const { rows, envelope } = paginate(request, resources);
  return documentResponse(200, { data: rows, ...envelope });
}
