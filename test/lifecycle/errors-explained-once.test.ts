/** An error of many objects is explained once, with the server's knowledge of the token. */
import type { Fault } from "../../testing/simulator";
import { type Outcome, only, type Program, type TestStack, throughEveryAdapter, toEveryServer } from "./harness";
import { pool, role } from "./samples";

const forever = { times: Number.POSITIVE_INFINITY };
const roles: Program = (declare) => {
  for (let at = 0; at < 20; at++) declare("AclRole", `role-${at}`, role({ name: `dev-${at}` }));
};
const pools: Program = (declare) => {
  for (let at = 0; at < 20; at++) declare("AgentPool", `pool-${at}`, pool({ name: `build-${at}` }));
};
/** One message for each resource that failed. */
const messages = ({ result }: Outcome) =>
  result.diagnostics.filter(({ severity, urn }) => severity === "error" && urn !== undefined).map(({ message }) => message);
const about = (outcome: Outcome, pattern: RegExp) => messages(outcome).filter((message) => pattern.test(message));

throughEveryAdapter("a first login by a pipeline's identity", (start) => {
  test.each([
    ["that follows updates with a token of the environment", true],
    ["that follows updates with a configured token, which is gone", false],
  ])("%s says once, with --refresh, that it is not saved in the state", async (_, isOfEnvironment) => {
    const stack = await start();
    const { clusterAddress, clusterToken, clusterTokens } = stack.simulator;
    const before = { withoutTokens: true, env: { AGENTPOOL_ACL_CLUSTER_TOKEN: clusterToken } };
    await stack.up(roles, isOfEnvironment ? before : {});
    clusterTokens.remove(clusterToken);
    const env = { PULUMI_CONFIG: JSON.stringify({ clusterAddress, clusterLogin: '{"authMethod":"pipeline"}' }) };
    const outcome = await stack.fails("refresh", undefined, { env, withoutTokens: isOfEnvironment });
    const advice = /clusterLogin is set, but not saved in the state: run `pulumi up` once without --refresh\./;
    expect(messages(outcome)).toHaveLength(20);
    expect(about(outcome, advice)).toHaveLength(1);
    expect(about(outcome, /Another error of this operation says why, and what to do\.$/)).toHaveLength(19);
  });
});

toEveryServer("an error of twenty objects at once", (start) => {
  const shared: readonly { what: string; program: Program; fault: Fault; response: RegExp; advice: RegExp }[] = [
    {
      what: "a 403 of the cluster",
      program: roles,
      fault: { kind: "status", status: 403, body: "Permission denied" },
      response: /: 403 Permission denied\b/,
      advice: /Check that the token is valid, and what it may do\. The token comes from/,
    },
    {
      what: "a 401 of the agent pool service",
      program: pools,
      fault: { kind: "status", status: 401, body: '{"errors":[{"title":"unauthorized"}]}' },
      response: /: 401 unauthorized/,
      advice: /Check that the token is valid, and what it may do\. The token comes from/,
    },
    {
      what: "a connection that breaks",
      program: roles,
      fault: { kind: "refuse" },
      response: /\/v1\/\S*: \D/,
      advice: /Try again; when it stays so, check that the service is up/,
    },
  ];

  test.each(shared)("is explained once, and is one line for each other object: $what", async ({ program, fault, response, advice }) => {
    const stack = await start();
    // The engine begins no resource after the first failure. Reads that take a while let several writes fail at the same time.
    if (fault.kind === "status") stack.simulator.faults.add({ method: "GET", fault: { kind: "delay", ms: 200 }, ...forever });
    stack.simulator.faults.add({ fault, ...forever });
    const outcome = await stack.fails("up", program, { config: { maxRetries: "0" }, parallel: 20 });
    const told = about(outcome, response);
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(about(outcome, advice)).toHaveLength(1);
    const brief = told.filter((message) => !advice.test(message));
    expect(brief).toHaveLength(told.length - 1);
    for (const message of brief) {
      expect(message).toMatch(/(GET|POST) http\S+: .* Another error of this operation says why, and what to do\.$/);
      expect(message).not.toContain("\n");
    }
  });

  test("is explained again in the next operation", async () => {
    const stack = await start();
    stack.simulator.faults.add({ fault: { kind: "status", status: 403, body: "Permission denied" }, ...forever });
    for (let at = 0; at < 2; at++) expect(about(await stack.fails("up", roles), /Check that the token is valid/)).toHaveLength(1);
  });

  test("with another text is explained again", async () => {
    const stack = await start();
    stack.simulator.faults.add({ method: "POST", fault: { kind: "status", status: 403, body: "Permission denied" } });
    stack.simulator.faults.add({ method: "POST", fault: { kind: "status", status: 403, body: "blocked by the gateway" }, ...forever });
    expect(about(await stack.fails("up", roles, { parallel: 20 }), /Check that the token is valid/)).toHaveLength(2);
  });
});

const selfPath = "/v1/acl/token/self";
const asking = (stack: TestStack) => stack.simulator.journal.requests({ path: selfPath });

throughEveryAdapter("a token that the cluster refuses", (start) => {
  const unknown = "6e4dfb0c-0000-4000-8000-00000000abcd";
  const tokens = [
    {
      what: "is unknown",
      token: unknown,
      says: /The server does not know this token: it was deleted, has expired a while ago, or is another cluster's\./,
    },
    { what: "has expired", token: "expired", says: /The token has expired\./ },
    {
      what: "is no management token",
      token: "client",
      says: /The token is the client token "ci" \(policies read; roles ops\), and this needs a management token\./,
    },
    { what: "is no token at all", token: "vault:v1", says: /The text that is configured is no token: a token is a UUID\./ },
  ];

  const begin = async (dialect: "measured" | "documented" = "measured") => {
    const stack = await start({ dialect });
    const { cluster } = stack.simulator;
    cluster.roles.put({ Name: "ops", Policies: [{ Name: "read" }] });
    stack.simulator.clusterTokens.add({ token: "client", type: "client", name: "ci", policies: ["read"], roles: ["ops"] });
    stack.simulator.clusterTokens.add({ token: "expired", type: "management", name: "old", isExpired: true });
    return stack;
  };
  const withToken = (token: string) => ({ env: { AGENTPOOL_ACL_CLUSTER_TOKEN: token }, parallel: 20 });

  test.each(tokens)("because it $what: the error says so, after one question to the server for twenty objects", async ({ token, says }) => {
    const stack = await begin();
    const outcome = await stack.fails("up", roles, withToken(token));
    expect(about(outcome, says)).toHaveLength(1);
    expect(asking(stack)).toHaveLength(1);
    expect(outcome.errors).toContain("Check that the token is valid");
    expect(outcome.errors).not.toContain(token === "client" || token === "expired" ? "accessor-" : token);
    expect(stack.simulator.cluster.roles.list()).toHaveLength(1);
  });

  test("because it is in another header than the server reads: the error says that none has arrived", async () => {
    const stack = await begin();
    const outcome = await stack.fails("up", roles, { config: { clusterAuthHeader: "X-Other-Token" } });
    expect(
      about(outcome, /The server has got no token with the request: check the header's name, and any proxy in between\./),
    ).toHaveLength(1);
  });

  test("although it is a management token: the error says that something else refuses the request", async () => {
    const stack = await begin();
    stack.simulator.faults.add({ method: "POST", fault: { kind: "status", status: 403, body: "blocked" }, ...forever });
    const outcome = await stack.fails("up", roles);
    expect(about(outcome, /The server knows the token as the management token.*something else refuses the request/)).toHaveLength(1);
  });

  test("is explained without details if the server does not know the request for them", async () => {
    const stack = await begin("documented");
    const outcome = await stack.fails("up", roles, withToken(unknown));
    expect(about(outcome, /403 Permission denied\. Check that the token is valid/)).toHaveLength(1);
    expect(asking(stack)).toHaveLength(1);
  });

  test("is in no error if the server names the token by its secret", async () => {
    const stack = await begin();
    stack.simulator.clusterTokens.add({ token: "canary-client-token", type: "client", name: "canary-client-token" });
    const outcome = await stack.fails("up", roles, withToken("canary-client-token"));
    expect(outcome.errors).toContain("The token is the client token");
    expect(outcome.errors + outcome.log.join()).not.toContain("canary");
  });
});

toEveryServer("a server without ACLs", (start) => {
  test.each(["up", "refresh", "destroy"] as const)(
    "is an error of %s with the way to enable them, and the state keeps the object",
    async (command) => {
      const stack = await start();
      await stack.up(only("AclRole", role()));
      const disabled: Fault = { kind: "status", status: 400, body: "ACL support disabled", contentType: "text/plain" };
      stack.simulator.faults.add({ api: "cluster", fault: disabled, ...forever });
      const program = only("AclRole", role({ description: "new" }));
      const { errors } = await stack.fails(command, program);
      expect(errors).toMatch(
        /400 ACL support disabled\. This server runs without ACLs.*acl \{ enabled = true \}.*agentpool-acl:clusterAddress/,
      );
      expect(errors).not.toContain("Correct the input");
      expect(stack.entry().id).toBeTruthy();
    },
  );
});

toEveryServer("a request that the server refuses", (start) => {
  const refused: Fault = { kind: "status", status: 400, body: "unsupported request", contentType: "text/plain" };

  test.each(["refresh", "destroy"] as const)("as a part of a %s, mentions no input", async (command) => {
    const stack = await start();
    await stack.up(only("AclRole", role()));
    stack.simulator.faults.add({ fault: refused, ...forever });
    const { errors } = await stack.fails(command);
    expect(errors).toContain("400 unsupported request. The request holds no input to correct");
    expect(errors).not.toContain("Correct the input");
  });

  test("as a create, says to correct the input", async () => {
    const stack = await start();
    stack.simulator.faults.add({ method: "POST", fault: refused, ...forever });
    expect((await stack.fails("up", only("AclRole", role()))).errors).toContain(
      "400 unsupported request. Correct the input, then try again.",
    );
  });
});
