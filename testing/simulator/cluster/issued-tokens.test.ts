/** Tokens that the cluster issues: their permissions, expirations and regions. */
import { randomUUID } from "node:crypto";
import { callServer } from "../../../test/support/call";
import type { SimulatorOptions } from "..";
import { Simulator } from "..";

let simulator: Simulator;

async function start(options: SimulatorOptions = {}) {
  simulator = await Simulator.start({ regions: ["west"], ...options });
  simulator.cluster.policies.put("read");
}
afterEach(() => simulator.stop());

const call = (method: string, path: string, body?: unknown, token = simulator.clusterToken) =>
  callServer(method, `${simulator.clusterAddress}/v1/acl${path}`, { "X-Cluster-Token": token }, body);

const client = { Name: "ci", Type: "client", Policies: ["read"] };
const role = { Name: "dev", Policies: [{ Name: "read" }] };

test("a client token reads itself and writes nothing, and a management token may do everything", async () => {
  await start();
  const { body: ci } = await call("POST", "/token", client);
  expect((await call("GET", `/token/${ci.AccessorID}`, undefined, ci.SecretID)).body).toEqual(ci);
  expect((await call("GET", "/token/self", undefined, ci.SecretID)).body).toEqual(ci);
  for (const [method, path, body] of [
    ["POST", "/role", role],
    ["POST", "/token", client],
    ["GET", "/tokens"],
    ["GET", `/token/${randomUUID()}`],
  ] as const)
    expect((await call(method, path, body, ci.SecretID)).status).toBe(403);
  const { body: admin } = await call("POST", "/token", { Name: "admin", Type: "management" });
  expect((await call("POST", "/role", role, admin.SecretID)).status).toBe(200);
  await call("DELETE", `/token/${admin.AccessorID}`);
  expect((await call("POST", "/role", role, admin.SecretID)).status).toBe(403);
});

test("a token ends at its time, stays readable for an hour, and is then gone", async () => {
  await start();
  let at = Date.parse("2030-01-01T00:00:00Z");
  simulator.cluster.clock = () => at;
  const { body: token } = await call("POST", "/token", { ...client, Type: "management", Policies: null, ExpirationTTL: "10m" });
  expect(token).toMatchObject({ ExpirationTTL: "10m0s", CreateTime: "2030-01-01T00:00:00Z", ExpirationTime: "2030-01-01T00:10:00Z" });
  expect((await call("GET", "/tokens", undefined, token.SecretID)).status).toBe(200);
  at += 601_000;
  expect((await call("GET", "/tokens", undefined, token.SecretID)).status).toBe(403);
  expect((await call("GET", "/token/self", undefined, token.SecretID)).text).toBe("ACL token expired");
  expect((await call("GET", `/token/${token.AccessorID}`)).status).toBe(200);
  at += 3_600_000;
  expect((await call("GET", `/token/${token.AccessorID}`)).text).toBe("ACL token not found");
  expect(simulator.cluster.tokens.list()).toEqual([]);
});

test("an update must repeat the token's expiration, and never changes its secret", async () => {
  await start();
  const { body: token } = await call("POST", "/token", { ...client, ExpirationTTL: "1h" });
  const { AccessorID, ExpirationTTL, ExpirationTime } = token;
  const update = (more: object) => call("POST", `/token/${AccessorID}`, { ...client, AccessorID, Name: "new", ...more });
  expect((await update({})).text).toContain("cannot update expiration TTL");
  expect((await update({ ExpirationTTL })).text).toContain("cannot update expiration time");
  expect((await update({ ExpirationTTL, ExpirationTime, SecretID: randomUUID() })).body).toMatchObject({
    ...token,
    Name: "new",
    Hash: expect.not.stringContaining(token.Hash),
    ModifyIndex: expect.any(Number),
  });
});

test("the creator may choose the accessor and secret of a client token, but not of a management token, and not on older servers", async () => {
  await start();
  const chosen = { AccessorID: randomUUID(), SecretID: randomUUID() };
  expect((await call("POST", "/token", { ...client, ...chosen })).body).toMatchObject(chosen);
  expect((await call("GET", "/token/self", undefined, chosen.SecretID)).body).toMatchObject({ Name: "ci" });
  const other = { AccessorID: randomUUID(), SecretID: randomUUID() };
  const refused = { status: 400, text: `cannot find token ${other.AccessorID}` };
  expect(await call("POST", "/token", { Name: "admin", Type: "management", ...other })).toMatchObject(refused);
  expect(await call("POST", "/token", { ...client, AccessorID: other.AccessorID })).toMatchObject(refused);
  await simulator.stop();
  await start({ takesChosenTokens: false });
  expect(await call("POST", "/token", { ...client, ...other })).toMatchObject(refused);
});

test("a token is in the region of its create, and a global one in all regions", async () => {
  await start();
  const { body: local } = await call("POST", "/token?region=west", client);
  const { body: global } = await call("POST", "/token?region=west", { ...client, Global: true });
  const seen = async (region: string) => (await call("GET", `/tokens?region=${region}`)).body.map((one: typeof local) => one.AccessorID);
  expect(await seen("west")).toEqual([local.AccessorID, global.AccessorID]);
  expect(await seen("global")).toEqual([global.AccessorID]);
  expect((await call("DELETE", `/token/${local.AccessorID}`)).text).toBe(`Cannot delete nonexistent tokens: ${local.AccessorID}`);
  await call("DELETE", `/token/${global.AccessorID}?region=west`);
  expect(await seen("global")).toEqual([]);
  await call("DELETE", `/token/${local.AccessorID}?region=west`);
  expect(await seen("west")).toEqual([]);
});

test("roles have their current names, and deleted ones are left out; the list has only IDs", async () => {
  await start();
  const { body: dev } = await call("POST", "/role", role);
  const { body: token } = await call("POST", "/token", { ...client, Roles: [{ Name: "dev" }, { ID: dev.ID }] });
  expect(token.Roles).toEqual([{ ID: dev.ID, Name: "dev" }]);
  expect((await call("GET", "/tokens")).body).toMatchObject([{ Roles: [{ ID: dev.ID, Name: "" }] }]);
  simulator.cluster.roles.put({ ID: dev.ID, Name: "ops" });
  expect((await call("GET", `/token/${token.AccessorID}`)).body.Roles).toEqual([{ ID: dev.ID, Name: "ops" }]);
  simulator.cluster.roles.delete(dev.ID);
  expect((await call("GET", `/token/${token.AccessorID}`)).body.Roles).toEqual([]);
});
