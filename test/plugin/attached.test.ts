/** A plugin that engines attach to (PULUMI_DEBUG_PROVIDERS): one process for several providers, stacks and operations. */

import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { attachedService } from "../../provider/adapters/plugin/attached";
import { channelOptions, Empty, grpc } from "../../provider/adapters/plugin/grpc";
import { providerService } from "../../provider/adapters/plugin/messages";
import { Simulator } from "../../testing/simulator";
import { listening, TestPlugin, urnOf } from "../support/plugin";
import { configurationOf } from "../support/session";

const role = { name: "dev", policies: ["read"] };
const urn = urnOf("AclRole");
const poolUrn = urnOf("AgentPool");
let attachable: Awaited<ReturnType<typeof listening>>;
let west: Simulator;
let east: Simulator;
const open: { stop(): unknown }[] = [];

async function simulate(): Promise<Simulator> {
  const simulator = await Simulator.start();
  simulator.cluster.policies.put("read");
  open.push(simulator);
  return simulator;
}

beforeEach(async () => {
  const server = new grpc.Server(channelOptions);
  server.addService(providerService, attachedService({}, 20));
  attachable = await listening(server);
  [west, east] = [await simulate(), await simulate()];
});
afterEach(async () => {
  attachable.server.forceShutdown();
  for (const one of open.splice(0)) await one.stop();
});

/** An engine, which runs until it is stopped. */
async function engine(): Promise<TestPlugin> {
  const one = await TestPlugin.start();
  open.push(one);
  return one;
}

/** A provider of the engine: its own connection to the process, configured. */
async function provider({ engineAddress }: TestPlugin, simulator: Simulator): Promise<TestPlugin> {
  const one = TestPlugin.connect(attachable.address);
  open.push(one);
  const handshake = new messages.ProviderHandshakeRequest().setEngineAddress(engineAddress);
  await one.call((client, done) => client.handshake(handshake, done));
  await one.call((client, done) => client.attach(new PluginAttach().setAddress(engineAddress), done));
  await one.configure(configurationOf(simulator), "mine");
  return one;
}

const cancel = (plugin: TestPlugin) => plugin.call((client, done) => client.cancel(new Empty(), done));
const made = async (plugin: TestPlugin, kind: string, inputs: Parameters<TestPlugin["check"]>[1]) =>
  plugin.create(urnOf(kind), (await plugin.check(urnOf(kind), inputs)).inputs);
const rolesOf = ({ cluster }: Simulator) => cluster.roles.list().map(({ Name }) => Name);

/** Begins to delete a pool whose agent stays busy. */
async function waiting(plugin: TestPlugin, simulator: Simulator) {
  const { id } = simulator.pools.put({ organization: simulator.organization, name: "busy" });
  simulator.pools.addAgent(id, { status: "busy" });
  // Read by an earlier operation, because an operation does not delete what it looks up.
  const { outputs } = await (await provider(await engine(), simulator)).read(poolUrn, id);
  let end: string | undefined;
  const ended = plugin
    .delete(poolUrn, id, { ...outputs, forceDestroy: true, drainTimeoutSeconds: 600 })
    .then(
      () => "deleted",
      (error: Error) => error.message,
    )
    .then((text) => {
      end = text;
      return text;
    });
  const isWaiting = () => simulator.journal.lines().includes(`GET /api/v2/agent-pools/${id}/agents`);
  while (!isWaiting() && end === undefined) await new Promise((resolve) => setImmediate(resolve));
  return { id, ended };
}

test("two stacks at the same time, or two providers of one program, each reach their own server", async () => {
  const [one, other] = [await provider(await engine(), west), await provider(await engine(), east)];
  const third = await provider(await engine(), west);
  expect((await made(one, "AclRole", { ...role, name: "one" })).outputs.server).toBe(west.clusterAddress);
  expect((await made(other, "AclRole", { ...role, name: "other" })).outputs.server).toBe(east.clusterAddress);
  expect((await made(third, "AclRole", { ...role, name: "third" })).outputs.server).toBe(west.clusterAddress);
  expect((await made(one, "AclRole", { ...role, name: "again" })).outputs.server).toBe(west.clusterAddress);
  expect(rolesOf(west).sort()).toEqual(["again", "one", "third"]);
  expect(rolesOf(east)).toEqual(["other"]);
});

test("a Cancel ends the calls of its own provider only, and none of a later operation", async () => {
  const ours = await engine();
  const [one, other] = [await provider(ours, west), await provider(await engine(), east)];
  const [first, second] = [await waiting(one, west), await waiting(other, east)];
  await cancel(one);
  expect(await first.ended).toContain("The operation was cancelled before this was done.");
  expect(west.pools.get(first.id)).toBeDefined();
  // The other one is still running, and completes.
  for (const { id } of east.pools.agents(second.id)) east.pools.setStatus(id, "exited");
  expect(await second.ended).toBe("deleted");
  expect(east.pools.get(second.id)).toBeUndefined();
  // The next operation, and the same connection once it is configured again.
  expect((await made(await provider(ours, west), "AclRole", role)).id).toBe(west.cluster.roles.list()[0]?.ID);
  await expect(made(one, "AclRole", { ...role, name: "late" })).rejects.toThrow("The operation was cancelled before this was done.");
  await one.configure(configurationOf(west), "mine");
  await made(one, "AclRole", { ...role, name: "afresh" });
  expect(rolesOf(west).sort()).toEqual(["afresh", "dev"]);
});

test("an object that one operation has created can be deleted by the next one", async () => {
  const first = await provider(await engine(), west);
  const { id, outputs } = await made(first, "AclRole", role);
  await cancel(first);
  const second = await provider(await engine(), west);
  await second.delete(urn, id, outputs);
  expect(rolesOf(west)).toEqual([]);
});

test("an object that one provider of a program has created is not deleted by another one", async () => {
  const ours = await engine();
  const [one, other] = [await provider(ours, west), await provider(ours, west)];
  const { id, outputs } = await made(one, "AclRole", role);
  await other.delete(urn, id, outputs);
  expect(rolesOf(west)).toEqual(["dev"]);
});

test("warnings go to the engine of their provider", async () => {
  const [mine, yours] = [await engine(), await engine()];
  const [one, other] = [await provider(mine, west), await provider(yours, east)];
  const everyone = { selector: "", bindType: "management" };
  await one.check(urnOf("AclBindingRule"), { ...everyone, authMethod: "one" });
  await other.check(urnOf("AclBindingRule"), { ...everyone, authMethod: "other" });
  expect(
    [mine, yours].map(({ logged: publishedFiles }) => publishedFiles.map(({ message }) => /logs in with (\w+)/.exec(message)?.[1])),
  ).toEqual([["one"], ["other"]]);
});

test("a provider of an engine that has ended is removed, with its published files, because another engine may get the port later", async () => {
  const ours = await engine();
  const one = await provider(ours, west);
  await made(one, "AclRole", role);
  const publishedFiles = () => readdirSync(folder).filter((file) => file.startsWith(`${ours.engineAddress.split(":")[1]}-`));
  const folder = join(tmpdir(), `agentpool-acl-${process.getuid?.() ?? "providers"}`);
  expect(publishedFiles()).toHaveLength(1);
  ours.stop();
  const asked = () => one.check(urn, role).then(String, (error: Error) => error.message);
  while (!(await asked()).includes("has not been configured yet")) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(publishedFiles()).toEqual([]);
});

test("providers that share a connection can't be distinguished: the last Configure counts, and running calls end with the earlier one", async () => {
  const one = await provider(await engine(), west);
  const { inputs } = await one.check(urn, role);
  west.faults.add({ method: "POST", fault: { kind: "delay", ms: 200 } });
  const creating = one.create(urn, inputs);
  while (!west.journal.lines().includes("POST /v1/acl/role")) await new Promise((resolve) => setImmediate(resolve));
  await one.configure(configurationOf(east), "other");
  expect((await creating).outputs.server).toBe(west.clusterAddress);
  expect((await one.create(urn, inputs)).outputs.server).toBe(east.clusterAddress);
  // The message does not name its provider.
  const sent = new messages.CreateRequest().setUrn(urn).toObject();
  expect(Object.keys(sent).sort()).toEqual([
    "name",
    "preview",
    "properties",
    "resourceStatusAddress",
    "resourceStatusToken",
    "timeout",
    "type",
    "urn",
  ]);
});
