import type { Fault } from "../../testing/simulator";
import { only, type TestStack, throughEveryAdapter } from "../lifecycle/harness";
import { jwt, oidc, pool, role } from "../lifecycle/samples";
import { Gateway, type Impostor } from "./gateway";

const json = (body: unknown): Fault => ({ kind: "status", status: 200, body: typeof body === "string" ? body : JSON.stringify(body) });
const always = Number.POSITIVE_INFINITY;
const poolList = "/api/v2/organizations/example-org/agent-pools";
/** Keys with a special meaning in JavaScript that the engine's protocol can carry. */
const claims = { constructor: "c", toString: "t", hasOwnProperty: "h", valueOf: "v" };

throughEveryAdapter("keys with a special meaning in JavaScript", (start) => {
  const methodWith = (mappings: Record<string, string>) =>
    only("AclAuthMethod", jwt({ claimMappings: mappings, listClaimMappings: mappings }));

  test("are normal claims: the server has them, and a refresh finds no difference", async () => {
    const stack = await start();
    await stack.up(methodWith(claims));
    const stored = stack.simulator.cluster.methods.get("ci")?.Config;
    expect(stored?.ClaimMappings).toEqual(claims);
    expect(stored?.ListClaimMappings).toEqual(claims);
    expect((await stack.preview(methodWith(claims), { refresh: true })).changes).toEqual([]);
  });

  // Neither the engine's protocol nor the SDK's host can carry this key.
  test("do no harm as a claim of others, which the next change of the configuration removes", async () => {
    const stack = await start();
    await stack.up(methodWith({ a: "b" }));
    const added = Object.fromEntries([
      ["a", "b"],
      ["__proto__", "x"],
    ]);
    stack.simulator.cluster.methods.put({ Name: "ci", Config: { ClaimMappings: added } });
    await stack.refresh();
    await stack.up(methodWith({ a: "c" }));
    expect(Object.entries(stack.simulator.cluster.methods.get("ci")?.Config.ClaimMappings ?? {})).toEqual([["a", "c"]]);
  });

  test("do no harm in any response of the server", async () => {
    const stack = await start();
    await stack.up(only("AclRole", role()));
    const { id } = stack.entry();
    const text = JSON.stringify({ ...stack.simulator.cluster.roles.get(id) });
    const evil = '"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},';
    stack.simulator.faults.add({ method: "GET", path: `/v1/acl/role/${id}`, times: always, fault: json(text.replace("{", `{${evil}`)) });
    expect((await stack.refresh()).changes).toEqual([]);
    expect("polluted" in {}).toBe(false);
    expect(JSON.stringify(stack.state)).not.toContain("polluted");
  });
});

throughEveryAdapter("a list without end", (start) => {
  const page = (number: number, next: number | null, ids: readonly string[]) =>
    json({
      data: ids.map((id) => ({ id, type: "agent-pools", attributes: { name: id, "organization-scoped": true } })),
      meta: { pagination: { "current-page": number, "next-page": next } },
    });

  test("whose pages repeat is an error, and a pool that it lacks stays in the state", async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool()));
    const { id } = stack.entry();
    const missing: Fault = { kind: "status", status: 404, body: JSON.stringify({ errors: [{ title: "not found" }] }) };
    stack.simulator.faults.add({ path: `/api/v2/agent-pools/${id}`, times: always, fault: missing });
    stack.simulator.faults.add({ path: poolList, fault: page(1, 2, ["apool-1"]) });
    stack.simulator.faults.add({ path: poolList, times: always, fault: page(2, 3, ["apool-1"]) });
    const { errors, requests } = await stack.fails("refresh");
    expect(errors).toContain("has no new items");
    expect(requests).toHaveLength(3);
    expect(stack.entry().id).toBe(id);
  });
});

throughEveryAdapter("an impostor between the provider and the service", (start) => {
  const gateways: Gateway[] = [];
  afterEach(() => {
    for (const gateway of gateways.splice(0)) gateway.stop();
  });
  const behind = async (stack: TestStack, impostor: Impostor, more: Record<string, string> = {}) => {
    const gateway = await Gateway.before(stack.simulator.clusterAddress, impostor);
    gateways.push(gateway);
    return { config: { clusterAddress: gateway.address, maxRetries: "1", ...more } };
  };

  test.each(["AclRole", "AgentPool"] as const)(
    "that shows another %s than the state's is an error, and the state keeps its own",
    async (kind) => {
      const stack = await start();
      await stack.up(only(kind, kind === "AclRole" ? role() : pool()));
      const { simulator } = stack;
      const { id } = stack.entry();
      const other = {
        id: "apool-other",
        type: "agent-pools",
        attributes: { name: "other", "created-at": "", "organization-scoped": true },
      };
      const body = JSON.stringify(kind === "AclRole" ? simulator.cluster.roles.put({ Name: "other" }) : { data: other });
      simulator.faults.add({ method: "GET", path: new RegExp(`/${id}$`), fault: { kind: "malformed", body } });
      expect((await stack.fails("refresh")).errors).toContain("the response is about another object");
      expect(stack.entry().id).toBe(id);
    },
  );

  const endless = "[".repeat(65 * 1024 * 1024);
  test("that returns far too much is an error of limited size, and the state keeps its object", async () => {
    const stack = await start();
    let hasGrown = false;
    const options = await behind(stack, (_, response) => hasGrown && !!response.end(endless));
    await stack.up(only("AclRole", role()), options);
    hasGrown = true;
    expect((await stack.fails("refresh", undefined, options)).errors).toContain("the response is larger than");
    expect((await stack.fails("up", only("AclRole", role({ name: "more" })), options)).errors).toContain("the response is larger than");
    expect(stack.simulator.cluster.roles.list().map(({ ID }) => ID)).toEqual([stack.entry().id]);
  });

  test("that returns control characters can't write to the terminal by them", async () => {
    const stack = await start();
    const options = await behind(stack, (_, response) => !!response.writeHead(400).end("\u001b[2Jgone\r\n\u0007\u202eevil\u2028done"));
    const { errors, log } = await stack.fails("up", only("AclRole", role()), options);
    expect(errors).toContain("gone");
    expect((errors + log.join("")).replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});

throughEveryAdapter("a configuration that is nested without end", (start) => {
  test("is an error or ignored, and the state keeps its object", async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", oidc()));
    const stored = JSON.stringify(stack.simulator.cluster.methods.get("sso"));
    const depth = 100_000;
    const nested = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const fault = json(stored.replace('"Config":{', `"Config":{"Unknown":${nested},`));
    stack.simulator.faults.add({ method: "GET", path: "/v1/acl/auth-method/sso", times: always, fault });
    await stack.attempt("refresh", () => {});
    await stack.attempt("up", only("AclAuthMethod", oidc({ oidcScopes: ["groups"] })));
    expect(stack.entry().id).toBe("sso");
    stack.simulator.faults.clear();
    await stack.up(only("AclAuthMethod", oidc({ oidcScopes: ["groups"] })));
    expect(stack.simulator.cluster.methods.get("sso")?.Config.OIDCScopes).toEqual(["groups"]);
  });
});
