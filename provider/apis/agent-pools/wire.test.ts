import { agentDocument, poolDocument, poolPage } from "./wire";

const pool = {
  id: "apool-1",
  type: "agent-pools",
  attributes: { name: "a", "created-at": "2026-01-01T00:00:00.000Z", "organization-scoped": false },
  relationships: {
    workspaces: { data: [{ id: "ws-1", type: "workspaces" }] },
    "allowed-workspaces": { data: [{ id: "ws-2", type: "workspaces" }] },
  },
};

it("a pool is read with its workspaces", () => {
  expect(poolDocument.parse({ data: pool })).toEqual({
    id: "apool-1",
    name: "a",
    createdAt: "2026-01-01T00:00:00.000Z",
    organizationScoped: false,
    updatesLeaveRest: false,
    agentCount: undefined,
    workspaceIds: ["ws-1"],
    allowedWorkspaceIds: ["ws-2"],
    links: {},
  });
});

it("a pool of the service that its clients know has its organization, projects and exclusions, and updates leave what they do not send", () => {
  const relationships = {
    organization: { data: { id: "example-org", type: "organizations" } },
    "allowed-projects": { data: [{ id: "prj-1", type: "projects" }] },
    "excluded-workspaces": { data: [] },
  };
  expect(poolDocument.parse({ data: { ...pool, relationships } })).toMatchObject({
    organization: "example-org",
    allowedProjectIds: ["prj-1"],
    excludedWorkspaceIds: [],
    updatesLeaveRest: true,
  });
});

it.each([
  ["all of them", "/pool", "/agents", { self: "/pool", agents: "/agents", authenticationTokens: "/tokens" }],
  ["none and odd ones", null, 7, { authenticationTokens: "/tokens" }],
])("a pool's links are read: %s", (_, self, agents, links) => {
  const relationships = { agents: { links: { related: agents } }, "authentication-tokens": { links: { related: "/tokens" } } };
  expect(poolDocument.parse({ data: { ...pool, relationships, links: { self } } }).links).toEqual(links);
});

it("a pool without relationships has workspaces that nobody knows, and not none", () => {
  const unknown = { workspaceIds: undefined, allowedWorkspaceIds: undefined, workspaces: undefined };
  for (const relationships of [undefined, null, {}, { workspaces: {}, "allowed-workspaces": { data: null } }]) {
    const document = { data: { ...pool, relationships }, included: [{ id: "ws-1", type: "workspaces", attributes: { name: "network" } }] };
    expect(poolDocument.parse(document)).toMatchObject(unknown);
  }
  const none = { workspaces: { data: [] }, "allowed-workspaces": { data: [] } };
  expect(poolDocument.parse({ data: { ...pool, relationships: none } })).toMatchObject({ workspaceIds: [], allowedWorkspaceIds: [] });
});

it("the names of included workspaces stand beside their ids, and other included objects do no harm", () => {
  const included = [
    { id: "ws-1", type: "workspaces", attributes: { name: "network" } },
    { id: "ws-9", type: "workspaces", attributes: { name: "another" } },
    { id: "ws-1", type: "agents" },
  ];
  expect(poolDocument.parse({ data: pool, included }).workspaces).toEqual([{ id: "ws-1", name: "network" }]);
  expect(poolDocument.parse({ data: pool, included: [] }).workspaces).toEqual([{ id: "ws-1" }]);
});

it("an agent without a name, an address and a ping is read", () => {
  const attributes = { name: null, status: "sleeping", "ip-address": null };
  expect(agentDocument.parse({ data: { id: "agent-1", type: "agents", attributes } })).toEqual({
    id: "agent-1",
    name: undefined,
    status: "sleeping",
    ipAddress: "",
    lastPingAt: "",
    links: { self: undefined },
  });
});

it.each([
  ["another type", { data: { ...pool, type: "agents" } }, "data.type"],
  ["no data", { data: null }, "data"],
  ["no scope", { data: { ...pool, attributes: { name: "a" } } }, "data.attributes.organization-scoped"],
])("a document with %s is refused, and the place is named", (_, document, place) => {
  expect(poolDocument.safeParse(document).error?.issues.map((issue) => issue.path.join("."))).toEqual([place]);
});

it("a list that does not say how it goes on is refused: it may be a part only", () => {
  expect(poolPage.safeParse({ data: [pool] }).success).toBe(false);
  expect(poolPage.safeParse({ data: [pool], meta: {} }).success).toBe(false);
});
