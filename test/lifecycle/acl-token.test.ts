/**
 * Tokens of a cluster: their secret, their end, the identifiers that the provider chooses for them, and the token that the provider itself
 * uses.
 */

import type { ResourceRef } from "../../testing/rehearsal";
import type { Fault } from "../../testing/simulator";
import { type Declare, type Inputs, only, type Program, type TestStack, throughEveryAdapter } from "./harness";
import { token as client } from "./samples";

const options = { additionalSecretOutputs: ["secretId"] };
const token = (more: Inputs = {}): Program => only("AclToken", client(more), options);
const management: Inputs = { name: "admin", type: "management", policies: [], roles: [] };
const tokens = ({ simulator }: TestStack) => simulator.cluster.tokens.list();
const create = { method: "POST", path: "/v1/acl/token" };
const older = { takesChosenTokens: false };

throughEveryAdapter("an ACL token", (start) => {
  /** The bodies of the updates of an existing token. */
  const updates = ({ simulator }: TestStack) =>
    simulator.journal.entries.filter(({ method, path }) => method === "POST" && path.startsWith("/v1/acl/token/")).map(({ body }) => body);

  test("is created once; its secret is a secret of the state, and no refresh or update changes it", async () => {
    const stack = await start();
    const { requests } = await stack.up(token({ expirationTtl: "60m" }));
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v1/regions", "POST /v1/acl/token"]);
    const [made] = tokens(stack);
    expect(stack.outputs()).toMatchObject({ accessorId: made?.AccessorID, secretId: made?.SecretID, createTime: made?.CreateTime });
    expect(stack.outputs()).toMatchObject({ expirationTtl: "60m", expirationTime: made?.ExpirationTime });
    expect(stack.entry().id).toBe(made?.AccessorID);
    expect(JSON.stringify(stack.state?.resources)).not.toContain(`"secretId":"${made?.SecretID}"`);
    const { writes, changes } = await stack.refresh();
    expect([writes, changes]).toEqual([[], []]);
    expect((await stack.up(token({ expirationTtl: "1h" }))).writes).toEqual([]);
    await stack.destroy();
    expect(tokens(stack)).toEqual([]);
  });

  test.each<[string, Inputs, object]>([
    ["its name", { name: "cd" }, { Name: "cd" }],
    ["its policies", { policies: ["read", "write"] }, { Policies: ["read", "write"] }],
    ["its type", { ...management, name: "ci" }, { Type: "management", Policies: [] }],
  ])("changes %s in place: the update repeats immutable values, and sends no secret", async (_, change, stored) => {
    const stack = await start();
    const program = (more: Inputs = {}) => token({ expirationTtl: "1h", ...more });
    await stack.up(program());
    const [before] = tokens(stack);
    const { changes } = await stack.up(program(change));
    expect(changes).toEqual(["update AclToken it"]);
    const { SecretID, AccessorID, CreateTime, ExpirationTime, ExpirationTTL } = before ?? {};
    expect(tokens(stack)).toMatchObject([{ ...stored, SecretID, AccessorID, CreateTime, ExpirationTime, ExpirationTTL }]);
    expect(updates(stack)).toEqual([expect.objectContaining({ AccessorID, ExpirationTime, ExpirationTTL, Global: false })]);
    expect(JSON.stringify(updates(stack))).not.toContain(SecretID);
    expect(stack.outputs().secretId).toBe(SecretID);
    expect((await stack.preview(program(change), { refresh: true })).changes).toEqual([]);
  });

  test("names a role by its name or its ID without a difference, and a role that others renamed is drift", async () => {
    const stack = await start();
    const { roles } = stack.simulator.cluster;
    const { ID } = roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    await stack.up(token({ policies: [], roles: ["dev"] }));
    for (const role of ["dev", ID, ID.toUpperCase(), "dev"]) {
      expect((await stack.up(token({ policies: [], roles: [role] }), { refresh: true })).writes).toEqual([]);
      expect(stack.outputs().linkedRoles).toEqual([{ id: ID, name: "dev" }]);
    }
    expect((await stack.up(token({ policies: [], roles: [ID, "dev"] }))).writes).toEqual([]);
    roles.put({ ID, Name: "ops" });
    roles.put({ Name: "dev", Policies: [{ Name: "admin" }] });
    await stack.up(token({ policies: [], roles: ["dev"] }), { refresh: true });
    expect(stack.outputs().linkedRoles).toEqual([{ id: roles.list().find(({ Name }) => Name === "dev")?.ID, name: "dev" }]);
    await stack.up(token({ policies: [], roles: [ID, "dev"] }));
    roles.delete(ID);
    expect((await stack.preview(token({ policies: [], roles: [ID, "dev"] }), { refresh: true })).changes).toContain("update AclToken it");
  });

  test.each([
    ["the same", []],
    ["an earlier", ["update AclRole x"]],
  ])("gets another role by a name that its role, given by its ID, had until %s update", async (_, earlier) => {
    const stack = await start();
    const role = (declare: Declare, name: string, as: string) => declare("AclRole", name, { name: as, policies: ["read"] });
    await stack.up((declare) => {
      declare("AclToken", "it", client({ policies: [], roles: [role(declare, "x", "ops").id] }), options);
    });
    if (earlier.length > 0) {
      const { changes } = await stack.up((declare) => {
        declare("AclToken", "it", client({ policies: [], roles: [role(declare, "x", "old").id] }), options);
      });
      expect(changes).toEqual(earlier);
    }
    await stack.up((declare) => {
      role(declare, "x", "old");
      const roles = [role(declare, "y", "ops").output("name")];
      declare("AclToken", "it", client({ policies: ["read"], roles }), options);
    });
    expect(tokens(stack)).toMatchObject([{ Policies: ["read"], Roles: [{ ID: stack.entry("y").id }] }]);
  });

  test.each<[string, (role: ResourceRef) => unknown, string[]]>([
    // The preview shows no update: the engine's calls for this token are the same as for an unchanged token.
    ["name", (role) => role.output("name"), []],
    ["id", ({ id }) => id, ["update AclToken it"]],
  ])("keeps a role, by its %s, whose replacement in the same update has another ID", async (_, named, previewed) => {
    const stack = await start();
    const program: Program = (declare) => {
      const role = declare("AclRole", "role", { name: "dev", policies: ["read"] }, { deleteBeforeReplace: true });
      declare("AclToken", "it", client({ policies: [], roles: [named(role)] }), options);
    };
    await stack.up(program);
    const replace = [stack.entry("role").urn];
    const ofToken = (changes: string[]) => changes.filter((change) => change.includes("AclToken"));
    expect(ofToken((await stack.preview(program, { replace })).changes)).toEqual(previewed);
    expect(ofToken((await stack.up(program, { replace })).changes)).toEqual(["update AclToken it"]);
    const [role] = stack.simulator.cluster.roles.list();
    expect(tokens(stack)).toMatchObject([{ AccessorID: stack.entry().id, Roles: [{ ID: role?.ID }] }]);
    expect(stack.outputs().linkedRoles).toEqual([{ id: role?.ID, name: "dev" }]);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test.each([
    ["is still on the server", 0],
    ["is removed by the server", 2 * 3_600_000],
  ])("that has expired and %s is replaced without a refresh, and not earlier", async (_, later) => {
    const stack = await start();
    const program = token({ expirationTtl: "1h" });
    await stack.up(program);
    const { id } = stack.entry();
    await stack.clock.sleep(3_500_000);
    expect((await stack.preview(program)).changes).toEqual([]);
    await stack.clock.sleep(100_000 + later);
    const { changes, warnings, log } = await stack.up(program);
    expect(changes.join()).toContain("create-replacement AclToken it");
    expect(warnings).toEqual([]);
    expect(log).toEqual([`ACL token ${id} ended at 2030-01-01T01:00:00Z: a new one takes its place.`]);
    expect(stack.entry().id).not.toBe(id);
    expect(tokens(stack)).toMatchObject([{ AccessorID: stack.entry().id }]);
  });

  test("that has expired stays in the state with keepExpired, until the program changes it", async () => {
    const stack = await start();
    const program = (more: Inputs = {}) => token({ expirationTtl: "1h", keepExpired: true, ...more });
    await stack.up(program());
    const properties = stack.properties();
    await stack.clock.sleep(4 * 3_600_000);
    expect((await stack.up(program(), { refresh: true })).changes).toEqual([]);
    expect([stack.properties(), tokens(stack)]).toEqual([properties, []]);
    expect((await stack.preview(program({ keepExpired: false }))).changes.join()).toContain("create-replacement");
    await stack.up(program({ name: "cd" }));
    expect(tokens(stack)).toMatchObject([{ Name: "cd" }]);
    await stack.clock.sleep(4 * 3_600_000);
    await stack.destroy();
    expect(stack.entries()).toEqual([]);
  });

  test("whose first create takes effect late, after a refused second try, is in the state", async () => {
    const stack = await start();
    const { cluster, faults, journal } = stack.simulator;
    faults.add({ ...create, fault: { kind: "refuse" } });
    faults.add({ ...create, fault: { kind: "status", status: 409 } });
    stack.clock.duringSleep = () => {
      const [first, second] = journal.requests(create);
      if (second && tokens(stack).length === 0) cluster.tokens.put(Object(first?.body));
    };
    const { warnings, writes } = await stack.up(token());
    expect([warnings, writes]).toEqual([[], ["POST /v1/acl/token", "POST /v1/acl/token"]]);
    expect(tokens(stack)).toMatchObject([{ AccessorID: stack.entry().id, SecretID: stack.outputs().secretId }]);
  });

  test("that may be left over after a lost response and a failed search is in the error", async () => {
    const stack = await start();
    stack.simulator.faults.add({ ...create, fault: { kind: "drop-after" } });
    stack.simulator.faults.add({ method: "GET", times: 20, fault: { kind: "status", status: 403 } });
    const { errors } = await stack.fails("up", token());
    const [lost] = tokens(stack);
    expect(errors).toContain(`If it made ACL token "ci" (${lost?.AccessorID})`);
    expect(errors).not.toContain(lost?.SecretID);
  });

  test("on an older server, one create of three tries to choose its identifiers", async () => {
    const stack = await start(older);
    const { writes } = await stack.up(
      (declare) => {
        for (const name of ["one", "two", "three"]) declare("AclToken", name, client({ name }), options);
      },
      { parallel: 1 },
    );
    expect(writes).toEqual(Array(4).fill("POST /v1/acl/token"));
    expect(tokens(stack)).toHaveLength(3);
  });

  test("is imported and looked up with its secret, by its accessor alone", async () => {
    const stack = await start();
    const theirs = stack.simulator.cluster.tokens.put({
      Name: "ci",
      Policies: ["read"],
      ExpirationTTL: "1h0m0s",
      ExpirationTime: "2030-01-01T01:00:00Z",
    });
    await stack.up((declare) => void declare.get("AclToken", "it", theirs.AccessorID));
    expect(stack.outputs()).toMatchObject({ secretId: theirs.SecretID, name: "ci", policies: ["read"], expirationTtl: "1h0m0s" });
    const { errors } = await stack.fails("up", (declare) => void declare.get("AclToken", "it", "ci"));
    expect(errors).toContain("is not the accessor of an ACL token");
  });

  test("that the program itself uses is not changed, replaced or deleted: the preview says so", async () => {
    const stack = await start();
    const own = stack.simulator.cluster.tokens.put({ Name: "admin", Type: "management" });
    const env = { AGENTPOOL_ACL_CLUSTER_TOKEN: own.SecretID };
    const program = (more: Inputs = {}) => only("AclToken", { ...management, ...more }, options);
    await stack.up(program());
    const { AccessorID } = stack.simulator.cluster.tokens.get(stack.entry().id) ?? own;
    const use = { env: { AGENTPOOL_ACL_CLUSTER_TOKEN: String(stack.outputs().secretId) } };
    for (const change of [{ name: "root" }, { global: true }]) {
      const { errors } = await stack.fails("preview", program(change), use);
      expect(errors).toContain(`(${AccessorID}) is the token by which this program sends its requests, and was not touched`);
      expect(errors).not.toContain(use.env.AGENTPOOL_ACL_CLUSTER_TOKEN);
    }
    await stack.up(program({ keepExpired: true }), use);
    expect((await stack.fails("destroy", undefined, use)).errors).toContain("pulumi state delete");
    expect(tokens(stack)).toHaveLength(2);
    await stack.destroy({ env });
    expect(tokens(stack)).toEqual([own]);
  });

  test("that is not global is created, read, changed and deleted in the configured region", async () => {
    const stack = await start({ regions: ["west"] });
    const config = { clusterRegion: "west" };
    await stack.up(token(), { config });
    const { id } = stack.entry();
    const inWest = async () => {
      const { clusterAddress, clusterToken } = stack.simulator;
      const response = await fetch(`${clusterAddress}/v1/acl/tokens?region=west`, { headers: { "X-Nomad-Token": clusterToken } });
      return response.json();
    };
    expect(await inWest()).toMatchObject([{ AccessorID: id, Name: "ci" }]);
    await stack.up(token({ name: "cd" }), { config, refresh: true });
    expect(await inWest()).toMatchObject([{ AccessorID: id, Name: "cd" }]);
    expect(tokens(stack)).toEqual([]);
    await stack.destroy({ config });
    expect(await inWest()).toEqual([]);
  });

  test.each<[string, Inputs, string]>([
    ["expirationTtl", { expirationTtl: "9999h" }, "expiration time cannot be more than 24h0m0s"],
    ["roles", { roles: ["none"] }, "cannot find role none"],
  ])("that the server refuses is an error of %s", async (property, change, message) => {
    const stack = await start();
    const { errors } = await stack.fails("up", token(change));
    expect(errors).toContain(`${property}: `);
    expect(errors).toContain(message);
    expect(tokens(stack)).toEqual([]);
  });

  test("of type management warns in the preview", async () => {
    const stack = await start();
    const { warnings } = await stack.preview(only("AclToken", management));
    expect(warnings.join()).toContain('ACL token "admin" is a management token: it may do everything in the cluster, and never expires.');
    expect((await stack.preview(token())).warnings).toEqual([]);
  });
});

/** Makes the server refuse the reads of a token, with an error that quotes the token's secret. */
function refusal({ simulator }: TestStack): void {
  const [token] = simulator.cluster.tokens.list();
  const fault: Fault = { kind: "status", status: 403, body: `no right to ${token?.SecretID}` };
  simulator.faults.add({ method: "GET", path: new RegExp(`/token/${token?.SecretID}$`, "i"), times: 2, fault });
}

throughEveryAdapter("the secret of an ACL token", (start) => {
  test.each([
    ["of an older server", client(), older],
    ["of type management", management, {}],
  ])("%s whose create returns no secret is an error that names the token, and the old token stays", async (_, inputs, server) => {
    const stack = await start(server);
    const program = (more: Inputs = {}) => only("AclToken", { ...inputs, ...more }, options);
    await stack.up(program());
    const { id } = stack.entry();
    // An older server refuses the first create, which chooses the identifiers.
    stack.simulator.faults.add({ ...create, skip: server === older ? 1 : 0, fault: { kind: "null", property: "SecretID" } });
    const { errors, writes } = await stack.fails("up", program({ global: true }));
    const useless = tokens(stack).find(({ AccessorID }) => AccessorID !== id);
    const label = `ACL token "${String(inputs.name)}" (${useless?.AccessorID})`;
    expect(errors).toContain(`${label} on ${stack.simulator.clusterAddress} was created, but the response lacks its secret`);
    expect(errors).not.toContain(useless?.SecretID);
    expect(writes.filter((line) => line !== "POST /v1/acl/token")).toEqual([]);
    expect(tokens(stack)).toHaveLength(2);
    expect(stack.entry().id).toBe(id);
  });

  test("whose create has chosen the secret needs no secret in the response", async () => {
    const stack = await start();
    stack.simulator.faults.add({ ...create, fault: { kind: "null", property: "SecretID" } });
    await stack.up(token());
    expect(tokens(stack)).toMatchObject([{ AccessorID: stack.entry().id, SecretID: stack.outputs().secretId }]);
  });

  test.each<[string, (stack: TestStack) => void, string]>([
    ["is no accessor", () => undefined, "There is no ACL token with that accessor."],
    ["meets a refusal that repeats it", refusal, "so something else refuses the request"],
    [
      "meets a server that is down",
      ({ simulator }) => simulator.faults.add({ path: /\/token\//, times: 20, fault: { kind: "status", status: 503 } }),
      "503",
    ],
  ])("given by its secret, which %s, shows it in no error and no line of the log", async (_, given, status) => {
    const stack = await start();
    const { SecretID } = stack.simulator.cluster.tokens.put({ Name: "ci", Policies: ["read"] });
    given(stack);
    const env = { AGENTPOOL_ACL_LOG: "debug" };
    for (const text of [SecretID, SecretID.toUpperCase()]) {
      const { errors, log } = await stack.fails("up", (declare) => void declare.get("AclToken", "it", text), { env });
      expect(errors).toContain(status);
      expect(errors).toContain("may be a secret, so it is not shown: import by the accessor");
      expect(log.join("\n")).toMatch(/GET http\S+\/v1\/acl\/token\/<secret>: \d+ in/);
      expect(`${errors}\n${log.join("\n")}`.toLowerCase()).not.toContain(SecretID);
    }
  });
});
