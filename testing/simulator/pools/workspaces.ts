import type { ApiResponse } from "../http";
import { parseBody, workspaceBody } from "./bodies";
import { documentResponse, errorResponse, notFound, pageResponse } from "./documents";
import type { Endpoint, PoolsContext, Route } from "./endpoint";
import { inOrganization, withObject } from "./endpoint";
import { projectResource } from "./resources";
import { mayBeUsedBy } from "./service";
import type { PoolsStore, Workspace } from "./store";

const workspaceOf = (store: PoolsStore, id: string) => store.workspace(id);

/** Look-ups of workspaces and projects, and attaching a workspace to a pool. */
export const workspaceRoutes: Route[] = [
  ["GET", /^\/organizations\/([^/]+)\/workspaces$/, inOrganization(listWorkspaces)],
  ["GET", /^\/organizations\/([^/]+)\/workspaces\/([^/]+)$/, withNamedWorkspace(showWorkspace)],
  ["PATCH", /^\/organizations\/([^/]+)\/workspaces\/([^/]+)$/, withNamedWorkspace(updateWorkspace)],
  ["GET", /^\/workspaces\/([^/]+)$/, withObject(workspaceOf, showWorkspace)],
  ["PATCH", /^\/workspaces\/([^/]+)$/, withObject(workspaceOf, updateWorkspace)],
  // Runs do not exist here, so clients that scale agents by waiting runs get an empty list.
  ["GET", /^\/organizations\/([^/]+)\/runs$/, inOrganization(({ request }) => pageResponse(request, [], () => ({})))],
  ["GET", /^\/organizations\/([^/]+)\/projects$/, inOrganization(listProjects)],
  [
    "GET",
    /^\/projects\/([^/]+)$/,
    withObject(
      (store, id) => store.project(id),
      (_, project) => documentResponse(200, { data: projectResource(project) }),
    ),
  ],
];

function withNamedWorkspace(endpoint: (context: PoolsContext, workspace: Workspace) => ApiResponse): Endpoint {
  return inOrganization((context, organization, name) => {
    const workspace = context.store.workspaces(organization).find((workspace) => workspace.name === name);
    return workspace ? endpoint(context, workspace) : notFound();
  });
}

function listWorkspaces({ request, store, dialect }: PoolsContext, organization: string): ApiResponse {
  const search = request.query.get("search[name]")?.toLowerCase() ?? "";
  const all = request.query.has("filter[current-run][status]") ? [] : store.workspaces(organization);
  const inProject = request.query.get("filter[project][id]");
  const matching = all.filter(({ name, projectId }) => name.toLowerCase().includes(search) && (inProject ?? projectId) === projectId);
  return pageResponse(request, matching, (workspace) => dialect.shownWorkspace(workspace, store));
}

function showWorkspace({ store, dialect }: PoolsContext, workspace: Workspace): ApiResponse {
  return documentResponse(200, { data: dialect.shownWorkspace(workspace, store) });
}

/** The execution mode `agent` attaches the workspace to a pool, and any other detaches it. */
function updateWorkspace(context: PoolsContext, workspace: Workspace): ApiResponse {
  const { request, store } = context;
  const body = parseBody(workspaceBody, request.body);
  const attached = store.poolOf(workspace.id);
  const { executionMode = attached ? "agent" : "remote", agentPoolId = attached?.id } = body;
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
  return pageResponse(request, matching, projectResource);
}
