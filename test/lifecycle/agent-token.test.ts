import { type Inputs, only, type Program, type TestStack, throughEveryAdapter } from "./harness";

const organization = "example-org";
const options = { additionalSecretOutputs: ["token"] };

function poolOf({ simulator }: TestStack): string {
  return simulator.pools.put({ organization, name: "runners" }).id;
}

const token = (agentPoolId: string, more: Inputs = {}): Program =>
  only("AgentToken", { agentPoolId, description: "runners", ...more }, options);
const tokens = ({ simulator }: TestStack) => simulator.pools.list().flatMap(({ id }) => simulator.pools.agentTokens(id));
const create = (id: string) => ({ method: "POST", path: `/api/v2/agent-pools/${id}/authentication-tokens` });

throughEveryAdapter("an agent token", (start) => {
  test("is created once, and its secret is a secret of the state that refreshes and updates keep", async () => {
    const stack = await start();
    const pool = poolOf(stack);
    await stack.up(token(pool));
    const [made] = tokens(stack);
    expect(stack.outputs()).toMatchObject({ agentPoolId: pool, description: "runners", token: made?.token, organization });
    expect(JSON.stringify(stack.state?.resources)).not.toContain(`"token":"${made?.token}"`);
    stack.simulator.pools.useAgentToken(made?.id ?? "");
    expect((await stack.refresh()).changes).toEqual([]);
    expect(stack.outputs()).toMatchObject({ token: made?.token, lastUsedAt: expect.stringContaining("T") });
    const { changes, writes } = await stack.up(token(pool));
    expect([changes, writes]).toEqual([[], []]);
    await stack.destroy();
    expect(tokens(stack)).toEqual([]);
  });

  test.each([
    ["description", { description: "others" }],
    ["keepers", { keepers: { month: "2026-12" } }],
  ])("is replaced after a change of %s, before the old one is deleted", async (_, change) => {
    const stack = await start();
    const pool = poolOf(stack);
    await stack.up(token(pool, { keepers: { month: "2026-11" } }));
    const [old] = tokens(stack);
    const { writes } = await stack.up(token(pool, { keepers: { month: "2026-11" }, ...change }));
    const [made] = tokens(stack);
    expect(writes).toEqual([`POST ${create(pool).path}`, `DELETE /api/v2/authentication-tokens/${old?.id}`]);
    expect(stack.outputs().token).toBe(made?.token);
    expect(made?.token).not.toBe(old?.token);
  });

  test("names the busy agents that its delete ends, and deletedWith, which lets them finish", async () => {
    const stack = await start();
    const pool = poolOf(stack);
    await stack.up(token(pool));
    const { pools } = stack.simulator;
    pools.addAgent(pool, { name: "waiting", status: "idle" });
    expect((await stack.up(token(pool, { keepers: { month: "2026-12" } }))).warnings).toEqual([]);
    const agent = pools.addAgent(pool, { name: "working", status: "busy" });
    const { warnings } = await stack.destroy();
    expect(warnings).toEqual([
      expect.stringMatching(/its delete ends the agents that have joined with it.*agent "working" \(.*busy.*deletedWith/),
    ]);
    expect(warnings.join()).not.toContain("waiting");
    expect([tokens(stack), pools.agent(agent.id)?.status]).toEqual([[], "busy"]);
  });

  test("that others have deleted is created again", async () => {
    const stack = await start();
    const pool = poolOf(stack);
    await stack.up(token(pool));
    stack.simulator.pools.removeAgentToken(stack.entry().id);
    expect((await stack.preview(token(pool), { refresh: true })).changes).toEqual(["refresh delete AgentToken it", "create AgentToken it"]);
    stack.simulator.pools.delete(pool);
    await stack.refresh();
    expect(stack.entries()).toEqual([]);
  });

  test("whose create returns no secret is an error that names it, the old one stays, and the next update creates a working one", async () => {
    const stack = await start();
    const pool = poolOf(stack);
    await stack.up(token(pool));
    const [old] = tokens(stack);
    stack.simulator.faults.add({ ...create(pool), fault: { kind: "null", property: "token" } });
    const { errors, writes } = await stack.fails("up", token(pool, { keepers: { month: "2026-12" } }));
    const [, useless] = tokens(stack);
    expect(errors).toContain(
      `Agent token "runners" (${useless?.id}) on ${stack.simulator.poolsAddress} was created, but the response lacks its secret`,
    );
    expect(errors).not.toContain(useless?.token);
    expect(writes).toEqual([`POST ${create(pool).path}`]);
    expect(stack.outputs().token).toBe(old?.token);
    await stack.up(token(pool, { keepers: { month: "2026-12" } }));
    expect(tokens(stack).map(({ id }) => id)).toEqual([useless?.id, stack.entry().id]);
    expect(stack.outputs().token).toBe(tokens(stack)[1]?.token);
  });

  test("that may be left over after a lost response and a failed search: the error says to delete it", async () => {
    const stack = await start();
    const pool = poolOf(stack);
    stack.simulator.faults.add({ ...create(pool), fault: { kind: "drop-after" } });
    stack.simulator.faults.add({ ...create(pool), method: "GET", skip: 1, fault: { kind: "status", status: 403 } });
    const { errors } = await stack.fails("up", token(pool));
    expect(errors).toContain("looking for what it made failed");
    expect(errors).toContain(`If it made an agent token on ${stack.simulator.poolsAddress}, delete that by hand`);
    expect(errors).not.toContain("take it over");
  });

  test("is read and imported without its secret, and a warning says so", async () => {
    const stack = await start();
    const pool = poolOf(stack);
    const theirs = stack.simulator.pools.addAgentToken(pool, "runners");
    for (const id of [`${pool}/${theirs.id}`, theirs.id]) {
      const { log } = await stack.up((declare) => void declare.get("AgentToken", "it", id));
      expect(stack.outputs()).toMatchObject({ agentPoolId: pool, description: "runners", createdAt: theirs.createdAt });
      expect(stack.outputs()).not.toHaveProperty("token");
      expect(log.join()).toContain("returns a token's secret only to its create");
    }
    const { errors } = await stack.fails("up", (declare) => void declare.get("AgentToken", "it", "at-unknown"));
    expect(errors).toContain("Give POOL-ID/TOKEN-ID");
  });

  test("without its pool or the pool's tokens is an error that says which is missing", async () => {
    const stack = await start();
    const pool = poolOf(stack);
    stack.simulator.faults.add({
      ...create(pool),
      method: "GET",
      fault: { kind: "status", status: 404, body: '{"errors":[{"status":"404"}]}' },
    });
    const { errors } = await stack.fails("up", token(pool));
    expect(errors).toContain(`agentPoolId: agent pool ${pool} exists, but the service returns 404 for its tokens`);
    const gone = await stack.fails("up", token("apool-gone"));
    expect(gone.errors).toContain("agentPoolId: agent pool apool-gone does not exist, or the configured token may not see it");
  });

  test("is not found in another pool or a missing one", async () => {
    const stack = await start();
    const theirs = stack.simulator.pools.addAgentToken(poolOf(stack), "runners");
    const other = stack.simulator.pools.put({ organization, name: "other" }).id;
    for (const pool of [other, "apool-missing"]) {
      const { errors } = await stack.fails("up", (declare) => void declare.get("AgentToken", "it", `${pool}/${theirs.id}`));
      expect(errors).toContain(`Agent pool ${pool} does not exist or does not have a token "${theirs.id}"`);
    }
  });

  test("given by its secret is an error without the secret", async () => {
    const stack = await start();
    const { token: secret } = stack.simulator.pools.addAgentToken(poolOf(stack), "runners");
    for (const text of [secret, `${poolOf(stack)}/${secret}`]) {
      const { errors, log } = await stack.fails("up", (declare) => void declare.get("AgentToken", "it", text), {
        env: { AGENTPOOL_ACL_LOG: "debug" },
      });
      expect(errors).toContain("may be a secret, so it is not shown: import by POOL-ID/TOKEN-ID");
      expect(log.length).toBeGreaterThan(0);
      expect(`${errors}\n${log.join("\n")}`).not.toContain(secret);
    }
  });
});
