import { configurationOf, operationWith } from "../../test/support/session";
import { Simulator } from "../../testing/simulator";
import type { Properties } from "../model/remote";
import * as authMethod from "../resources/acl-auth-method";
import * as bindingRule from "../resources/acl-binding-rule";
import * as role from "../resources/acl-role";
import * as token from "../resources/acl-token";
import * as all from ".";
import type { ProviderFunction } from "./definition";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start({ poolsPerOrganization: Number.POSITIVE_INFINITY });
});
afterAll(() => simulator.stop());
beforeEach(() => simulator.journal.clear());

async function run<R extends Properties>(definition: ProviderFunction<R>, args: Properties, configured: Properties = {}): Promise<R> {
  const { context, close } = operationWith({ ...configurationOf(simulator), maxRetries: 0, ...configured });
  try {
    return await definition.run(context, args);
  } finally {
    await close();
  }
}

test("getToken and listTokens return a token without its secret", async () => {
  const { ID } = simulator.cluster.roles.put({ Name: "of-token", Policies: [{ Name: "read" }] });
  const made = simulator.cluster.tokens.put({ Name: "shown", Policies: ["read"], Roles: [{ ID }] });
  const expected = {
    accessorId: made.AccessorID,
    name: "shown",
    type: "client",
    policies: ["read"],
    global: false,
    createTime: made.CreateTime,
    createIndex: made.CreateIndex,
    modifyIndex: made.ModifyIndex,
    hash: made.Hash,
  };
  expect(await run(token.getToken, { accessorId: made.AccessorID })).toEqual({ ...expected, roles: [{ id: ID, name: "of-token" }] });
  expect((await run(token.listTokens, {})).tokens).toContainEqual({ ...expected, roleIds: [ID] });
});

test("getToken never shows an unknown accessor, which may be a secret", async () => {
  const { SecretID } = simulator.cluster.tokens.put({ Name: "ci", Policies: ["read"] });
  const error = await run(token.getToken, { accessorId: SecretID }).catch((reason: unknown) => reason);
  expect(String(error)).toContain(
    "the cluster has no ACL token with the accessor ID that was given, which may be a secret and is not shown",
  );
  expect(String(error)).not.toContain(SecretID);
});

test.each(all.functions.map((definition) => [definition.name, definition] as const))(
  "%s reports all wrong arguments at once, before any request",
  async (name, definition) => {
    const args = Object.fromEntries([...definition.inputs.keys(), "surprise"].map((key) => [key, 7]));
    const error = await run(definition, args).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    for (const key of Object.keys(args)) expect(String(error)).toMatch(new RegExp(`${name}: .*\\b${key} (is|must)`));
    expect(simulator.journal.entries).toEqual([]);
  },
);

test("the suggestion of a similar name is the end of the sentence", async () => {
  await expect(run(role.getRole, { nmae: "dev" })).rejects.toThrow(/^getRole: nmae is not a property here; did you mean name\?$/);
  await expect(run(role.getRole, { name: 7 })).rejects.toThrow(/ received number\.$/);
});

describe("agent pools", () => {
  const linksOf = (id: string) => ({
    self: `/api/v2/agent-pools/${id}`,
    agents: `/api/v2/agent-pools/${id}/agents`,
    authenticationTokens: `/api/v2/agent-pools/${id}/authentication-tokens`,
  });
  const pool = (name: string, values: { allowedWorkspaceIds?: string[]; organizationScoped?: boolean } = {}) =>
    simulator.pools.put({ organization: simulator.organization, name, ...values });

  test("getAgentPool finds a pool by its ID, and by organization and name", async () => {
    const made = pool("by-both", { allowedWorkspaceIds: ["ws-1"], organizationScoped: false });
    pool("by-both-and-more");
    const expected = {
      id: made.id,
      name: "by-both",
      createdAt: made.createdAt,
      organization: simulator.organization,
      organizationScoped: false,
      allowedWorkspaceIds: ["ws-1"],
      allowedProjectIds: [],
      excludedWorkspaceIds: [],
      workspaceIds: [],
      links: linksOf(made.id),
    };
    expect(await run(all.getAgentPool, { id: made.id })).toEqual(expected);
    expect(await run(all.getAgentPool, { name: "by-both" })).toEqual({ ...expected, agentCount: 0 });
    expect(await run(all.getAgentPool, { name: "by-both", organization: simulator.organization }, { organization: "other" })).toMatchObject(
      expected,
    );
  });

  test("functions leave out missing fields, and getAgentPool by name reads the pool singly if a list lacks fields", async () => {
    const made = pool("quiet", { allowedWorkspaceIds: ["ws-1"] });
    const { id, name, createdAt, organizationScoped } = made;
    const known = { id, name, createdAt, organizationScoped, links: {} };
    const resource = { id, type: "agent-pools", attributes: { name, "created-at": createdAt, "organization-scoped": organizationScoped } };
    const says = (path: string, body: object) =>
      simulator.faults.add({ path, times: 2, fault: { kind: "status", status: 200, body: JSON.stringify(body) } });
    says(`/api/v2/organizations/${simulator.organization}/agent-pools`, { data: [resource], meta: { pagination: {} } });
    expect((await run(all.listAgentPools, {})).agentPools).toEqual([known]);
    expect(await run(all.getAgentPool, { name })).toEqual({
      ...known,
      organization: simulator.organization,
      allowedWorkspaceIds: ["ws-1"],
      allowedProjectIds: [],
      excludedWorkspaceIds: [],
      workspaceIds: [],
      links: linksOf(id),
    });
    says(`/api/v2/agent-pools/${id}`, { data: resource });
    expect(await run(all.getAgentPool, { id })).toEqual(known);
    simulator.faults.clear();
  });

  test("getAgentPool and listAgentPools include the attached workspaces on request, with the names that the service returns", async () => {
    const { id } = pool("attached");
    const app = simulator.pools.addWorkspace(simulator.organization, { name: "app" });
    simulator.pools.attachWorkspace(id, app.id);
    const included = { workspaceIds: [app.id], workspaces: [{ id: app.id, name: "app" }] };
    for (const args of [{ id }, { name: "attached" }]) {
      expect(await run(all.getAgentPool, args)).toHaveProperty("workspaces", undefined);
      expect(await run(all.getAgentPool, { ...args, include: "workspaces" })).toMatchObject(included);
    }
    const listed = await run(all.listAgentPools, { query: "attached", include: "workspaces" });
    expect(listed.agentPools).toEqual([expect.objectContaining({ ...included, agentCount: 0, links: linksOf(id) })]);
    const { createdAt } = listed.agentPools[0] ?? {};
    const attributes = { name: "attached", "created-at": createdAt, "organization-scoped": true };
    const relationships = { workspaces: { data: [{ id: app.id, type: "workspaces" }] } };
    const body = JSON.stringify({ data: { id, type: "agent-pools", attributes, relationships, links: { self: "/there" } } });
    simulator.faults.add({ path: `/api/v2/agent-pools/${id}`, fault: { kind: "status", status: 200, body } });
    const unnamed = await run(all.getAgentPool, { id, include: "workspaces" });
    expect(unnamed).toMatchObject({ workspaces: [{ id: app.id }], links: { self: "/there" } });
  });

  test("getAgent and listAgents include the workspaces of the pool on request", async () => {
    const { id } = pool("serving");
    const app = simulator.pools.addWorkspace(simulator.organization, { name: "app" });
    simulator.pools.attachWorkspace(id, app.id);
    const agent = simulator.pools.addAgent(id);
    const workspaces = [{ id: app.id, name: "app" }];
    expect(await run(all.getAgent, { id: agent.id })).toHaveProperty("workspaces", undefined);
    expect(await run(all.getAgent, { id: agent.id, include: "workspaces" })).toMatchObject({ id: agent.id, workspaces });
    expect((await run(all.listAgents, { agentPoolId: id })).agents).toEqual([expect.objectContaining({ workspaces: undefined })]);
    expect((await run(all.listAgents, { agentPoolId: id, include: "workspaces" })).agents).toMatchObject([{ id: agent.id, workspaces }]);
    await expect(run(all.getAgent, { id: agent.id, include: "runs" })).rejects.toThrow('include must be "workspaces"');
  });

  test("getWorkspace and getProject find the ID of exactly the given name", async () => {
    const { organization } = simulator;
    const website = simulator.pools.addWorkspace(organization, { name: "website" });
    const shop = simulator.pools.addProject(organization, { name: "shop" });
    simulator.pools.addProject(organization, { name: "shops" });
    expect(await run(all.getWorkspace, { name: "website" })).toEqual({ id: website.id, name: "website" });
    expect(await run(all.getProject, { name: "shop", organization }, { organization: "other" })).toEqual({ id: shop.id, name: "shop" });
    await expect(run(all.getWorkspace, { name: "web" })).rejects.toThrow('has no workspace named "web"');
    await expect(run(all.getProject, { name: "sho" })).rejects.toThrow('has no project named "sho"');
  });

  test("listAgentPools finds the pools that a project may use, with their projects and exclusions", async () => {
    const { organization } = simulator;
    const { id: project } = simulator.pools.addProject(organization, { name: "filtered" });
    const { id: excluded } = simulator.pools.addWorkspace(organization, { name: "excluded", projectId: project });
    const made = simulator.pools.put({
      organization,
      name: "of-project",
      organizationScoped: false,
      allowedProjectIds: [project],
      excludedWorkspaceIds: [excluded],
    });
    pool("of-nobody", { organizationScoped: false });
    const { agentPools } = await run(all.listAgentPools, { query: "of-", allowedProjectName: "filtered" });
    expect(agentPools).toMatchObject([{ id: made.id, organization, allowedProjectIds: [project], excludedWorkspaceIds: [excluded] }]);
  });

  test("all look-ups with include return the same fields, even if a list lacks some", async () => {
    const { id } = pool("attached");
    const app = simulator.pools.addWorkspace(simulator.organization, { name: "app" });
    simulator.pools.attachWorkspace(id, app.id);
    const byId = await run(all.getAgentPool, { id, include: "workspaces" });
    const listed = { id, type: "agent-pools", attributes: { name: "attached", "created-at": byId.createdAt, "organization-scoped": true } };
    const relationships = {
      workspaces: { data: [{ id: app.id, type: "workspaces" }] },
      "allowed-workspaces": { data: [] },
    };
    for (const data of [listed, { ...listed, relationships }]) {
      const meta = { pagination: { "current-page": 1, "total-pages": 1, "next-page": null, "prev-page": null, "total-count": 1 } };
      const body = JSON.stringify({ data: [{ ...data, links: {} }], meta });
      const path = `/api/v2/organizations/${simulator.organization}/agent-pools`;
      simulator.faults.clear();
      simulator.faults.add({ path, times: 9, fault: { kind: "status", status: 200, body } });
      const [ofList] = (await run(all.listAgentPools, { include: "workspaces" })).agentPools;
      const byName = await run(all.getAgentPool, { name: "attached", include: "workspaces" });
      for (const found of [ofList, byName]) {
        expect(found).toMatchObject({ workspaces: [{ id: app.id, name: "app" }], workspaceIds: [app.id], allowedWorkspaceIds: [] });
        expect(Object.keys(found ?? {})).toEqual(Object.keys(byId));
      }
    }
    simulator.faults.clear();
  });

  test("getAgentPool names the missing pool or organization", async () => {
    await expect(run(all.getAgentPool, { name: "by-bot" })).rejects.toThrow(
      'getAgentPool: organization "example-org" has no agent pool named "by-bot" that the token may see.',
    );
    await expect(run(all.getAgentPool, { id: "apool-missing" })).rejects.toThrow(/404.*It does not exist, or this token may not see it/);
    await expect(run(all.getAgentPool, { name: "a" }, { organization: undefined })).rejects.toThrow("The organization is not known");
  });

  test.each([[{}], [{ id: "apool-1", name: "a" }], [{ organization: "a" }]])(
    "getAgentPool takes either an ID or a name (%j)",
    async (args) => {
      await expect(run(all.getAgentPool, args)).rejects.toThrow("getAgentPool: give either id, or name");
      expect(simulator.journal.entries).toEqual([]);
    },
  );

  test("listAgentPools reads all pages, filters and sorts", async () => {
    simulator.pools.addOrganization("many");
    for (let index = 0; index < 120; index++) simulator.pools.put({ organization: "many", name: `p${String(index).padStart(3, "0")}` });
    const names = async (args: Properties) =>
      (await run(all.listAgentPools, { organization: "many", ...args })).agentPools.map(({ name }) => name);
    const found = await names({ sort: "-name" });
    expect(found).toHaveLength(120);
    expect([found[0], found.at(-1)]).toEqual(["p119", "p000"]);
    expect(await names({ query: "p11", sort: "name" })).toHaveLength(10);
    const workspace = simulator.pools.addWorkspace("many", { name: "shop" });
    const [first] = simulator.pools.list("many");
    for (const { id } of simulator.pools.list("many")) simulator.pools.update(id, { organizationScoped: false });
    simulator.pools.update(first?.id ?? "", { allowedWorkspaceIds: [workspace.id] });
    expect(await names({ allowedWorkspaceName: "shop" })).toEqual(["p000"]);
  });

  test("getAgent and listAgents return the status of an agent, and leave out a missing name", async () => {
    const { id } = pool("with-agents");
    const named = simulator.pools.addAgent(id, { name: "one", status: "busy", ip: "10.0.0.1", lastPingAt: "2026-01-01T00:00:00.000Z" });
    const unnamed = simulator.pools.addAgent(id, { status: "exited", lastPingAt: "2025-01-01T00:00:00.000Z" });
    const expected = {
      id: named.id,
      name: "one",
      status: "busy",
      ipAddress: "10.0.0.1",
      lastPingAt: "2026-01-01T00:00:00.000Z",
      links: { self: `/api/v2/agents/${named.id}` },
    };
    expect(await run(all.getAgent, { id: named.id })).toEqual(expected);
    expect(await run(all.getAgent, { id: unnamed.id })).toHaveProperty("name", undefined);
    expect((await run(all.listAgents, { agentPoolId: id })).agents.map((agent) => agent.id)).toEqual([named.id, unnamed.id]);
    expect((await run(all.listAgents, { agentPoolId: id, lastPingSince: "2025-06-01T00:00:00Z" })).agents).toEqual([expected]);
    await expect(run(all.getAgent, { id: "agent-missing" })).rejects.toThrow("404");
  });

  test.each(["yesterday", "", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-15", "1768435200", "2026-01-15T25:00:00Z"])(
    "listAgents refuses %j as lastPingSince before any request, by the property's name",
    async (lastPingSince) => {
      const message = 'listAgents: lastPingSince must be an ISO 8601 timestamp like "2026-01-15T00:00:00Z".';
      await expect(run(all.listAgents, { agentPoolId: "apool-1", lastPingSince })).rejects.toThrow(message);
      expect(simulator.journal.entries).toEqual([]);
    },
  );

  test.each(["2026-01-15T00:00:00Z", "2026-01-15T00:00:00.123Z", "2024-02-29T12:00:00+02:00", "2026-01-15T00:00Z", "2026-01-15T00:00:00"])(
    "listAgents sends %s as lastPingSince",
    async (lastPingSince) => {
      const { id } = pool(`since-${lastPingSince.replaceAll(/\W/g, "-")}`);
      expect(await run(all.listAgents, { agentPoolId: id, lastPingSince })).toEqual({ agents: [] });
      expect(simulator.journal.entries.at(-1)?.query["filter[last-ping-since]"]).toBe(lastPingSince);
    },
  );
});

describe("cluster", () => {
  const id = "6e4dfb0c-0000-4000-8000-000000000001";

  test("getAuthMethod returns the configuration in the form of the inputs, without its secrets", async () => {
    const stored = simulator.cluster.methods.put({
      Name: "sso",
      MaxTokenTTL: "90m",
      Config: {
        OIDCDiscoveryURL: "https://idp.example.com",
        OIDCClientID: "cluster",
        OIDCClientSecret: "hunter2",
        OIDCScopes: ["groups"],
        ClaimMappings: { Foo: "a", foo: "b" },
        OIDCClientAssertion: {
          KeySource: "private_key",
          KeyAlgorithm: "RS256",
          Audience: ["https://idp.example.com"],
          PrivateKey: { PemKey: "hunter3", PemKeyFile: "", KeyIDHeader: "", PemCert: "", PemCertFile: "", KeyID: "k1" },
          ExtraHeaders: null,
          ClientSecret: "",
        },
      },
    });
    const found = await run(authMethod.getAuthMethod, { name: "sso" });
    expect(found).toMatchObject({
      name: "sso",
      type: "OIDC",
      maxTokenTtl: "1h30m0s",
      default: false,
      createTime: stored.CreateTime,
      hash: stored.Hash,
    });
    expect(found.config).toMatchObject({
      oidcDiscoveryUrl: "https://idp.example.com",
      oidcScopes: ["groups"],
      claimMappings: { Foo: "a", foo: "b" },
      oidcClientAssertion: { keySource: "private_key", privateKey: { keyId: "k1" } },
    });
    expect(JSON.stringify(found)).not.toMatch(/hunter|redacted|oidcClientSecret|pemKey"/);
    expect((await run(authMethod.listAuthMethods, {})).authMethods).toEqual([
      { name: "sso", type: "OIDC", default: false, createIndex: stored.CreateIndex, modifyIndex: stored.ModifyIndex, hash: stored.Hash },
    ]);
    await expect(run(authMethod.getAuthMethod, { name: "none" })).rejects.toThrow(
      /^getAuthMethod: the cluster has no ACL auth method named "none"\. Check .*404 ACL auth-method not found/,
    );
  });

  test("getRole finds a role by its ID or by its name, and takes only one of them", async () => {
    simulator.cluster.policies.put("read");
    const dev = simulator.cluster.roles.put({ Name: "dev", Description: "d", Policies: [{ Name: "read" }] });
    const expected = {
      id: dev.ID,
      name: "dev",
      description: "d",
      policies: ["read"],
      createIndex: dev.CreateIndex,
      modifyIndex: dev.ModifyIndex,
      hash: dev.Hash,
    };
    expect(await run(role.getRole, { id: dev.ID })).toEqual(expected);
    expect(await run(role.getRole, { name: "dev" })).toEqual(expected);
    for (const args of [{}, { id: dev.ID, name: "dev" }])
      await expect(run(role.getRole, args)).rejects.toThrow("getRole: give either id or name.");
    await expect(run(role.getRole, { name: "none" })).rejects.toThrow(
      /^getRole: the cluster has no ACL role named "none"\. Check .*: 404 ACL role not found\.$/,
    );
    await expect(run(role.getRole, { id })).rejects.toThrow("404 ACL role not found");
  });

  test.each(["measured", "documented"] as const)(
    "listRoles finds any beginning of an ID, with or without dashes, on a %s server",
    async (dialect) => {
      const server = await Simulator.start({ dialect });
      server.cluster.policies.put("read");
      const { ID } = server.cluster.roles.put({ ID: "6e4dfb0c-1a2b-4c3d-8e4f-0123456789ab", Name: "wanted", Policies: [{ Name: "read" }] });
      server.cluster.roles.put({ ID: "6e4dfb0c-1a2b-4c3d-8e4f-0123456789ff", Name: "other", Policies: [{ Name: "read" }] });
      const configuration = { clusterAddress: server.clusterAddress, clusterToken: server.clusterToken };
      const found = async (prefix?: string) => (await run(role.listRoles, { prefix }, configuration)).roles.map(({ name }) => name).sort();
      try {
        for (const prefix of [undefined, "", "6", "6e4", "6E4DFB0C-", "6e4dfb0c1a", "6e4dfb0c-1a2b-4", ID.slice(0, 34)])
          expect([prefix, await found(prefix)]).toEqual([prefix, ["other", "wanted"]]);
        for (const prefix of [ID, ID.replaceAll("-", "")]) expect(await found(prefix)).toEqual(["wanted"]);
        for (const prefix of ["7", "6e4dfb0d", "6e4dfb0c-1a2c"]) expect(await found(prefix)).toEqual([]);
        await expect(found("xy")).rejects.toThrow("listRoles: prefix must be hexadecimal digits and dashes");
      } finally {
        await server.stop();
      }
    },
  );

  test("getBindingRule returns the whole rule, listBindingRules its stub", async () => {
    const rule = simulator.cluster.rules.put({ AuthMethod: "sso", Selector: "true", BindType: "role", BindName: "dev", Description: "d" });
    expect(await run(bindingRule.getBindingRule, { id: rule.ID })).toEqual({
      id: rule.ID,
      authMethod: "sso",
      description: "d",
      selector: "true",
      bindType: "role",
      bindName: "dev",
      createIndex: rule.CreateIndex,
      modifyIndex: rule.ModifyIndex,
      hash: rule.Hash,
      createTime: rule.CreateTime,
      modifyTime: rule.ModifyTime,
    });
    expect((await run(bindingRule.listBindingRules, {})).bindingRules).toEqual([
      { id: rule.ID, authMethod: "sso", description: "d", createIndex: rule.CreateIndex, modifyIndex: rule.ModifyIndex, hash: rule.Hash },
    ]);
    for (const name of ["sso/d", "sso/true"]) expect(await run(bindingRule.getBindingRule, { id: name })).toMatchObject({ id: rule.ID });
    await expect(run(bindingRule.getBindingRule, { id: "sso/e" })).rejects.toThrow("There is no ACL binding rule of auth method");
    await expect(run(bindingRule.getBindingRule, { id })).rejects.toThrow("404 ACL binding rule not found");
    await expect(run(bindingRule.getBindingRule, { id: "d" })).rejects.toThrow(
      'There is no ACL binding rule "d". Give the rule\'s ID, METHOD/DESCRIPTION or METHOD/SELECTOR.',
    );
  });
});
