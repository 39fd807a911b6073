/** The outputs of previews of creates and updates, by real messages over a real connection. */
import { type PropertyMap, UNKNOWN } from "../../testing/rehearsal/engine/values";
import { Simulator } from "../../testing/simulator";
import { method, TestPlugin, urnOf } from "../support/plugin";
import { configurationOf } from "../support/session";

let simulator: Simulator;
let plugin: TestPlugin;

const configured = () => plugin.configure(configurationOf(simulator));

beforeEach(async () => {
  simulator = await Simulator.start();
  plugin = await TestPlugin.start();
  await configured();
});
afterEach(async () => {
  plugin.stop();
  await simulator.stop();
});

/** The outputs of an auth method that are no inputs and that a write may change. */
const unknownOutputs = { createIndex: UNKNOWN, modifyIndex: UNKNOWN, hash: UNKNOWN, modifyTime: UNKNOWN, unmanagedSecrets: UNKNOWN };

const checked = async (kind: string, inputs: PropertyMap) => (await plugin.check(urnOf(kind), inputs)).inputs;

test("a preview returns the inputs, leaves the rest unknown, and sends nothing", async () => {
  const inputs = await checked("AclAuthMethod", method({ oidcClientSecret: "s", boundAudiences: [UNKNOWN] }));
  const { id, outputs } = await plugin.create(urnOf("AclAuthMethod"), inputs, true);
  const server = { ...unknownOutputs, createTime: UNKNOWN };
  expect({ id, outputs }).toEqual({ id: "", outputs: { ...inputs, ...server, server: simulator.clusterAddress } });
  expect(simulator.journal.lines()).toEqual([]);
});

test("a pool whose list of workspaces is not known yet has an unknown scope in the preview, with a warning and its remedy", async () => {
  const pool = (more: PropertyMap) => checked("AgentPool", { name: "build", ...more });
  const warned = () => plugin.logged.map(({ message }) => message).join();
  expect(await pool({ allowedWorkspaceIds: UNKNOWN, organizationScoped: false })).toMatchObject({ organizationScoped: false });
  expect(await pool({ allowedWorkspaceIds: [UNKNOWN] })).toMatchObject({ organizationScoped: false });
  expect(warned()).toBe("");
  const inputs = await pool({ allowedWorkspaceIds: UNKNOWN });
  expect(inputs).toMatchObject({ allowedWorkspaceIds: UNKNOWN, organizationScoped: UNKNOWN });
  expect(warned()).toContain('Agent pool "build": allowedWorkspaceIds is not known yet, so neither is organizationScoped');
  expect((await plugin.create(urnOf("AgentPool"), inputs, true)).outputs).toMatchObject({ organizationScoped: UNKNOWN });
  const limited = { name: "build", organization: simulator.organization, organizationScoped: false, allowedWorkspaceIds: ["ws-1"] };
  const next = await plugin.check(urnOf("AgentPool"), { name: "build", allowedWorkspaceIds: UNKNOWN }, limited);
  expect(next.inputs).toMatchObject({ organizationScoped: false });
  const open = { ...limited, organizationScoped: true };
  const opened = await plugin.check(urnOf("AgentPool"), { name: "build", allowedWorkspaceIds: UNKNOWN }, open);
  expect(opened.inputs).toMatchObject({ organizationScoped: UNKNOWN });
});

test("the preview of an update keeps the outputs that do not change, and all of them when only this provider's settings change", async () => {
  const inputs = await checked("AgentPool", {});
  const { id, outputs } = await plugin.create(urnOf("AgentPool"), inputs);
  simulator.journal.clear();
  const scoped = { ...inputs, organizationScoped: false };
  expect(await plugin.update(urnOf("AgentPool"), id, outputs, scoped, true)).toEqual({
    ...scoped,
    createdAt: outputs.createdAt,
    server: simulator.poolsAddress,
    // Others may attach workspaces, and only the update reads them.
    workspaceIds: UNKNOWN,
  });
  const forced = { ...inputs, forceDestroy: true };
  expect(await plugin.update(urnOf("AgentPool"), id, outputs, forced, true)).toEqual({ ...outputs, forceDestroy: true });
  expect(simulator.journal.lines()).toEqual([]);
});

test("the preview of an update that only restores a secret has the outputs of the update", async () => {
  const inputs = await checked("AclAuthMethod", method({ oidcClientSecret: "s" }));
  const { id, outputs } = await plugin.create(urnOf("AclAuthMethod"), inputs);
  simulator.cluster.methods.put({ Name: "sso", MaxTokenTTL: "2h0m0s" });
  await configured();
  const refreshed = await plugin.read(urnOf("AclAuthMethod"), id, outputs, inputs);
  const agreed = { ...inputs, maxTokenTtl: "2h0m0s" };
  simulator.journal.clear();
  const server = { ...unknownOutputs, createTime: outputs.createTime };
  expect(await plugin.update(urnOf("AclAuthMethod"), id, refreshed.outputs, agreed, true)).toEqual({
    ...agreed,
    ...server,
    server: simulator.clusterAddress,
  });
  expect(simulator.journal.lines()).toEqual([]);
  expect(await plugin.update(urnOf("AclAuthMethod"), id, refreshed.outputs, agreed)).toMatchObject(agreed);
  expect(simulator.journal.requests({ method: "POST" }).map(({ path, body }) => [path, body])).toMatchObject([
    ["/v1/acl/auth-method/sso", { Config: { OIDCClientSecret: "s" } }],
  ]);
});
