import type { Fault } from "../../testing/simulator";
import { adoptable } from "../kinds";
import { everything, unseenMethods } from "./contents";
import { only, type TestStack, toEveryServer } from "./harness";
import { oidc, pool, role } from "./samples";

toEveryServer("an object with the same content that others created while a create's response was lost", (start) => {
  // The provider can't tell whether its own create or somebody else made the object. Without a warning, two programs might manage one
  // object.
  test.each(adoptable.flatMap(({ twin, ...sample }) => (twin ? [{ ...sample, twin }] : [])))(
    "$kind: counts as the created one, and a warning names the other possibility",
    async (sample) => {
      const stack = await start();
      sample.prepare(stack);
      stack.simulator.faults.add({ method: "POST", path: sample.create, fault: { kind: "refuse" } });
      let theirs: string | undefined;
      stack.clock.duringSleep = () => {
        theirs ??= sample.twin(stack.simulator);
      };
      const { warnings, writes } = await stack.up(only(sample.kind, sample.inputs));
      expect(stack.simulator.faults.pending()).toBe(0);
      expect(writes).toEqual([`POST ${sample.create}`]);
      expect(stack.entry().id).toBe(theirs);
      expect(warnings.join()).toMatch(/response to its create was lost\. .*another program.*both manage it now.*pulumi state delete/);
    },
  );

  test("is not taken over with another content, and the error names both possible owners", async () => {
    const stack = await start();
    stack.simulator.faults.add({ method: "POST", path: "/v1/acl/role", fault: { kind: "refuse" } });
    stack.clock.duringSleep = () => {
      if (stack.simulator.cluster.roles.list().length === 0)
        stack.simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "admin" }] });
    };
    const { errors } = await stack.fails("up", only("AclRole", role()));
    expect(stack.simulator.faults.pending()).toBe(0);
    expect(errors).toContain("others made the object, or an earlier update that was interrupted");
    expect(stack.entries()).toEqual([]);
  });
});

toEveryServer("a create after another one by others between the look and the write", (start, dialect) => {
  test("is sent once more if the name is free again by the time of the look", async () => {
    const stack = await start();
    const refusal = { kind: "status", status: 400, body: "role with name dev already exists" } as const;
    stack.simulator.faults.add({ method: "POST", path: "/v1/acl/role", fault: refusal });
    const { writes } = await stack.up(only("AclRole", role()));
    expect(writes).toEqual(["POST /v1/acl/role", "POST /v1/acl/role"]);
    expect(stack.simulator.cluster.roles.list()).toMatchObject([{ ID: stack.entry().id, Name: "dev" }]);
  });

  test("reports the auth method of others with its time, overwritten or not", async () => {
    const stack = await start();
    const theirs = stack.simulator.cluster.methods.put({ Name: "sso", Config: { OIDCDiscoveryURL: "https://theirs.test" } });
    stack.simulator.faults.add(unseenMethods);
    const { errors } = await stack.fails("up", only("AclAuthMethod", oidc()));
    const [says, now] = {
      measured: ["has replaced another of that name that someone else made", stack.simulator.cluster.methods.get("sso")],
      documented: ["exists already: sso, made", theirs],
    }[dialect];
    expect(errors).toContain(says);
    expect(errors).toContain(theirs.CreateTime);
    expect(stack.simulator.cluster.methods.list()).toEqual([now]);
    expect(stack.entries()).toEqual([]);
  });

  test("leaves an agent pool of the same name alone, and names it", async () => {
    const stack = await start();
    const theirs = stack.simulator.pools.put({ organization: "example-org", name: "build" });
    const before = everything(stack.simulator);
    const meta = { pagination: { "current-page": 1, "next-page": null, "total-pages": 1 } };
    const unseen: Fault = {
      kind: "status",
      status: 200,
      body: JSON.stringify({ data: [], meta }),
      contentType: "application/vnd.api+json",
    };
    stack.simulator.faults.add({ method: "GET", path: "/api/v2/organizations/example-org/agent-pools", fault: unseen });
    const { errors } = await stack.fails("up", only("AgentPool", pool()));
    expect(errors).toContain(theirs.id);
    expect(everything(stack.simulator)).toEqual(before);
  });
});

const stored = (stack: TestStack) => stack.simulator.cluster.methods.get("sso");
const method = (more = {}, config = {}) => only("AclAuthMethod", oidc(config, more));
/** The configuration of `oidc()` without its secret, as the server has it. */
const shown = { OIDCDiscoveryURL: "https://idp.test", OIDCClientID: "cluster", AllowedRedirectURIs: ["http://localhost/callback"] };
const update = { method: "POST", path: "/v1/acl/auth-method/sso" };

toEveryServer("an auth method that others make while the response to its create is lost", (start) => {
  test("with the same content counts as the created one, and a warning says that both may manage it", async () => {
    const stack = await start();
    stack.simulator.faults.add({ method: "POST", path: "/v1/acl/auth-method", fault: { kind: "refuse" } });
    stack.clock.duringSleep = () => {
      const Config = { ...shown, OIDCClientSecret: "its-secret" };
      if (!stored(stack)) stack.simulator.cluster.methods.put({ Name: "sso", TokenLocality: "local", Config });
    };
    const { warnings, writes } = await stack.up(method());
    expect(stack.simulator.faults.pending()).toBe(0);
    expect(writes).toEqual(["POST /v1/acl/auth-method"]);
    expect(warnings.join()).toMatch(/response to its create was lost.*Should another program have made that one at the same time/);
    expect((await stack.preview(method(), { refresh: true })).changes).toEqual([]);
  });
});

toEveryServer("an auth method that others delete between the read and the write of its update", (start, dialect) => {
  const begin = async (meanwhile: (stack: TestStack) => void) => {
    const stack = await start();
    await stack.up(method());
    stack.simulator.faults.add({ ...update, fault: { kind: "status", status: 503 } });
    let isOver = false;
    stack.clock.duringSleep = () => {
      if (!isOver) meanwhile(stack);
      isOver = true;
    };
    return stack;
  };
  const remove = (stack: TestStack) => void stack.simulator.cluster.methods.delete("sso");

  test("is an error that says so, and no new method is created", async () => {
    const stack = await begin(remove);
    const { errors } = await stack.fails("up", method({ maxTokenTtl: "2h" }));
    expect(errors).toMatch(/"sso" no longer exists.*pulumi refresh/);
    expect(stored(stack)).toBeUndefined();
    await stack.up(method({ maxTokenTtl: "2h" }), { refresh: true });
    expect(stored(stack)?.MaxTokenTTL).toBe("2h0m0s");
  });

  test("is an error that says so if the server creates a new one, which is in the state", async () => {
    const stack = await begin(remove);
    const { errors } = await stack.fails("up", method({}, { oidcScopes: ["groups"] }));
    if (dialect === "documented") {
      expect(errors).toMatch(/"sso" no longer exists.*pulumi refresh/);
      expect(stored(stack)).toBeUndefined();
    } else {
      expect(errors).toMatch(/was deleted by others between the read and the write.*what names it applies.*pulumi refresh/);
      expect(stack.outputs().createTime).toBe(stored(stack)?.CreateTime);
      await stack.refresh();
      expect((await stack.preview(method({}, { oidcScopes: ["groups"] }))).changes).toEqual([]);
    }
    await stack.destroy({ refresh: true });
    expect(stored(stack)).toBeUndefined();
  });

  test("and create again is not taken over without an error", async () => {
    const stack = await begin((there) => {
      remove(there);
      there.simulator.cluster.methods.put({ Name: "sso", Config: { OIDCClientID: "theirs", AllowedRedirectURIs: ["http://x"] } });
    });
    const { errors } = await stack.fails("up", method({}, { oidcScopes: ["groups"] }));
    expect(errors).toMatch(/was deleted by others.*they made another of the same name.*Agree with its owner/);
    expect((await stack.fails("refresh")).errors).toContain("is not the one of the state");
  });
});
