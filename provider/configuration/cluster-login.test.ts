import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../common/environment";
import { InstantClock } from "../../test/support/clock";
import { identityToken, letIn, tokenOfJob } from "../../test/support/identity-token";
import { Simulator } from "../../testing/simulator";
import { Clients } from "./clients";
import { resolveConfiguration } from "./config";

let simulator: Simulator;
let folder: string;
let clock: InstantClock;
let clients: Set<Clients>;
beforeEach(async () => {
  simulator = await Simulator.start();
  folder = mkdtempSync(join(tmpdir(), "cluster-login-"));
  clock = new InstantClock();
  clients = new Set();
  letIn(simulator);
  simulator.journal.clear();
});
afterEach(async () => {
  await Promise.all([...clients].map((one) => one.close()));
  await simulator.stop();
  rmSync(folder, { recursive: true });
});

const file = () => join(folder, "identity-token");

/** Clients of one process, which log in with the token in the file unless the test configures another source. */
function connect(more: Record<string, unknown> = {}, env: Environment = {}) {
  const login = { authMethod: "pipeline", jwtFile: file() };
  const values: Record<string, unknown> = { clusterAddress: simulator.clusterAddress, clusterLogin: JSON.stringify(login), ...more };
  const made = new Clients(() => resolveConfiguration((key) => values[key], env), clock);
  clients.add(made);
  const close = () => {
    clients.delete(made);
    return made.close();
  };
  return { api: made.cluster(), close, missingToken: () => made.missingToken("cluster") };
}

const logins = () => simulator.journal.requests({ path: "/v1/acl/login" });
const identitiesSent = () => logins().map(({ body }) => (body as { LoginToken: string }).LoginToken);
const deletes = () => simulator.journal.requests({ method: "DELETE" }).map(({ status }) => status);
/** The tokens of logins that still exist. */
const tokens = () => simulator.cluster.tokens.list();
const secret = () => tokens().at(-1)?.SecretID ?? "";

/** The error of a request. It must hold no secret. */
async function errorOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error("the request was to fail");
  for (const shown of [error.message, String(error.stack), JSON.stringify(error)]) {
    for (const hidden of [...identitiesSent(), ...tokens().map(({ SecretID }) => SecretID)]) expect(shown).not.toContain(hidden);
  }
  return error.message;
}

test("without a request there is no login", async () => {
  await connect().close();
  expect(simulator.journal.entries).toEqual([]);
});

test("a new login comes a minute before the token ends, not earlier, and reads the file again", async () => {
  const [first, second] = [tokenOfJob(), tokenOfJob()];
  writeFileSync(file(), first);
  const { api } = connect();
  await api.methods.read("pipeline");
  writeFileSync(file(), second);
  await clock.sleep(13 * 60_000);
  await api.methods.read("pipeline");
  expect(identitiesSent()).toEqual([first]);
  await clock.sleep(60_000);
  await Promise.all([api.methods.read("pipeline"), api.rules.list()]);
  expect(identitiesSent()).toEqual([first, second]);
});

test("a token that never worked is not replaced, and the error lists the settings to check", async () => {
  writeFileSync(file(), tokenOfJob());
  const { api } = connect({ clusterAuthHeader: "X-Other-Token" });
  const message = await errorOf(api.rules.list());
  expect(message).toContain('The token comes from a login by the auth method "pipeline" (agentpool-acl:clusterLogin)');
  expect(message).toContain("It goes in the header X-Other-Token");
  expect(logins()).toHaveLength(1);
});

test("a login without management may read, and the error of its first write names the missing permission", async () => {
  simulator.cluster.rules.delete(simulator.cluster.rules.list()[0]?.ID ?? "");
  letIn(simulator, { bindType: "policy" });
  writeFileSync(file(), tokenOfJob());
  const made = connect();
  await made.api.policies.list();
  const message = await errorOf(made.api.roles.create({ name: "dev", description: "", policies: ["read"] }));
  expect(message).toContain('The token is the client token "JWT-pipeline" (policies read), and this needs a management token.');
  expect(message).toContain("the rights that the method's binding rules give, which must be management");
  expect(logins()).toHaveLength(1);
  await made.close();
  // A client token may not delete itself.
  expect(deletes()).toEqual([]);
});

describe("an identity token that can't be used is an error before any request, and is not shown:", () => {
  const jwt = tokenOfJob();
  test.each<[string, object, string, string]>([
    ["a variable that is not set", { jwtVariable: "CI_TOKEN" }, "", /variable CI_TOKEN \(.*\) is not set/.source],
    ["an empty file", { jwtFile: "FILE" }, " \n", "the file that agentpool-acl:clusterLogin.jwtFile names is empty"],
    ["a file that is not there", { jwtFile: "/missing/identity" }, jwt, /can't be read \(ENOENT\)/.source],
    ["another secret", { jwtFile: "FILE" }, "hunter2-hunter2", "holds no JWT"],
    ["a token in place of its file", { jwtFile: jwt }, "", "can't be read"],
  ])("%s", async (_, given, content, message) => {
    writeFileSync(file(), content);
    const settings = { authMethod: "pipeline", ...JSON.parse(JSON.stringify(given).replace("FILE", file())) };
    const made = connect({ clusterLogin: settings });
    for (const shown of [await errorOf(made.api.rules.list()), made.missingToken() ?? ""]) {
      expect(shown).toMatch(new RegExp(message));
      for (const hidden of [jwt, "hunter2"]) expect(shown).not.toContain(hidden);
    }
    expect(made.missingToken()).toMatch(/^The cluster API has no token\. A preview without a refresh needs none/);
    expect(logins()).toEqual([]);
  });

  test("the variable that the configuration names has the identity token", async () => {
    const made = connect({ clusterLogin: { authMethod: "pipeline", jwtVariable: "CI_TOKEN" } }, { CI_TOKEN: jwt });
    expect(made.missingToken()).toBeUndefined();
    await made.api.rules.list();
    expect(identitiesSent()).toEqual([jwt]);
  });
});

describe("the error of a refused login has the server's reason and the settings to check:", () => {
  const advice = "Check agentpool-acl:clusterLogin, what the auth method takes";
  test.each<[string, string, () => string, string]>([
    ["no such method", "other", tokenOfJob, '400 auth-method "other" not found'],
    ["no rule", "pipeline", () => tokenOfJob("test"), "400 no role or policy bindings matched"],
    ["another signature", "pipeline", () => `${tokenOfJob().slice(0, -8)}AAAAAAAA`, "401 unable to validate provided token"],
    ["an expired token", "pipeline", () => identityToken({ job: "deploy", exp: 1_700_000_000 }), "401 unable to validate provided token"],
  ])("%s", async (_, authMethod, token, reason) => {
    const sent = token();
    writeFileSync(file(), sent);
    const { api } = connect({ clusterLogin: { authMethod, jwtFile: file() } });
    const message = await errorOf(api.rules.list());
    expect(message).toContain(`The login by the auth method "${authMethod}" with the identity token of the file that`);
    expect(message).toContain(reason);
    expect(message).toContain(advice);
    expect(message).not.toContain(sent);
    expect(tokens()).toEqual([]);
  });

  test("the error of a server that repeats the token does not show it", async () => {
    writeFileSync(file(), tokenOfJob());
    simulator.faults.add({ path: "/v1/acl/login", fault: { kind: "status", status: 401, body: `no: ${tokenOfJob()}` } });
    await errorOf(connect().api.rules.list());
    const sent = identitiesSent()[0] ?? "";
    simulator.faults.add({ path: "/v1/acl/login", fault: { kind: "status", status: 401, body: `no: ${sent} and ${sent.slice(9, 40)}` } });
    writeFileSync(file(), sent);
    expect(await errorOf(connect().api.rules.list())).toContain("(not shown: it holds a part of a secret)");
  });
});

test.each([
  ["whose response was lost", { kind: "drop-after" }, 2],
  ["that gets status 503", { kind: "status", status: 503 }, 1],
  ["that is cut off", { kind: "cut-off" }, 2],
  ["that is refused because of the rate", { kind: "status", status: 429, headers: { "retry-after": "1" } }, 1],
] as const)("a login %s is retried", async (_, fault, made) => {
  writeFileSync(file(), tokenOfJob());
  simulator.faults.add({ path: "/v1/acl/login", fault });
  await connect().api.rules.list();
  expect(logins()).toHaveLength(2);
  // A token whose response was lost stays until its time is over.
  expect(tokens()).toHaveLength(made);
});

test("a failed login fails all waiting requests, and the next request logs in again", async () => {
  writeFileSync(file(), tokenOfJob());
  simulator.faults.add({ path: "/v1/acl/login", fault: { kind: "status", status: 503 }, times: 5 });
  const { api } = connect();
  const messages = await Promise.all([errorOf(api.rules.list()), errorOf(api.methods.read("pipeline"))]);
  for (const message of messages) expect(message).toContain("failed: POST");
  expect(logins()).toHaveLength(5);
  await api.rules.list();
});

test("a request that waits for a login can be cancelled at once, and the login goes on for the others", async () => {
  writeFileSync(file(), tokenOfJob());
  const { api } = connect();
  const controller = new AbortController();
  const cancelled = api.with({ signal: controller.signal }).methods.read("pipeline");
  const other = api.rules.list();
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ kind: "cancelled" });
  expect(logins()).toEqual([]);
  await other;
  expect(logins()).toHaveLength(1);
});

test("the log of requests has neither of the two tokens", async () => {
  const log = join(folder, "requests.log");
  writeFileSync(file(), tokenOfJob());
  const made = connect({}, { AGENTPOOL_ACL_LOG_FILE: log });
  await made.api.rules.list();
  const hidden = [secret(), ...identitiesSent()];
  await made.close();
  const text = readFileSync(log, "utf8");
  expect(text).toMatch(/POST .*\/v1\/acl\/login: 200/);
  expect(text).toMatch(/DELETE .*\/v1\/acl\/token\//);
  for (const one of hidden) expect(text).not.toContain(one);
});
