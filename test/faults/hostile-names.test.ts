import { aclRole } from "../../provider/resources/acl-role";
import { agentPool } from "../../provider/resources/agent-pool";
import { type Fault, Simulator } from "../../testing/simulator";
import { samples } from "../kinds";
import { everything } from "../lifecycle/contents";
import { only, type TestStack, throughEveryAdapter } from "../lifecycle/harness";
import { pool, role, rule } from "../lifecycle/samples";
import { configurationOf, operationWith } from "../support/session";
import { shareOf } from "../support/share";
import { addTheirs } from "./scenarios";

/** Texts with a special meaning in a path, and texts with characters that a path must encode. */
const paths = [
  "../roles",
  "..",
  ".",
  "../../../v1/acl/role",
  "a/../../b",
  "%2e%2e%2froles",
  "a%2fb",
  "a%00b",
  "a?b=c",
  "a#b",
  "a;b",
  "a\\..\\b",
  "//elsewhere.test/a",
  "https://elsewhere.test/a",
  "ünïcode-Ω-😀",
  "a b",
  " ",
  "a\r\nX-Injected: 1",
  "\ud800",
];

/** Every request has the expected form: the hostile text is one encoded segment of the path. */
function expectSafe(stack: TestStack, segments: number): void {
  for (const { path, headers } of stack.simulator.journal.entries.filter((entry) => entry.path !== "/v1/regions")) {
    expect(path).toMatch(/^\/(v1|api\/v2)\/[\w%.~!'()*-]+(\/[\w%.~!'()*-]+)*$/);
    expect(path.split("/").length).toBeLessThanOrEqual(segments);
    expect(path.split("/")).not.toContain("..");
    expect(headers).not.toHaveProperty("x-injected");
  }
}

throughEveryAdapter("a name or an id with the characters of paths", (start) => {
  const filled = async () => {
    const stack = await start();
    addTheirs(stack.simulator);
    return { stack, before: everything(stack.simulator) };
  };

  test.each(shareOf(2, samples))(
    "$kind: such an ID finds nothing, changes nothing, and is sent as one segment of a path",
    async ({ kind }) => {
      const { stack, before } = await filled();
      for (const id of paths) {
        const { errors, writes } = await stack.fails("up", (declare) => void declare.get(kind, "known", id));
        expect(errors).not.toBe("");
        expect(writes).toEqual([]);
        expect(stack.entries("known")).toEqual([]);
      }
      expect(everything(stack.simulator)).toEqual(before);
      expectSafe(stack, 7);
    },
  );

  test("AgentPool: an ID of organization and name matches this pool only", async () => {
    const { stack } = await filled();
    const getting = (id: string) => (declare: Parameters<Parameters<TestStack["up"]>[0]>[0]) => void declare.get("AgentPool", "known", id);
    await stack.up(getting("example-org/theirs"));
    stack.forget();
    for (const id of [
      "example-org/theirs/",
      "example-org/theirs/..",
      "example-org/theirs/more",
      "example-org//theirs",
      "/theirs",
      "example-org/",
    ]) {
      await stack.fails("up", getting(id));
      expect(stack.entries("known")).toEqual([]);
    }
  });

  test.each(shareOf(6, paths))("AgentPool: the organization %j is sent unchanged and encoded, or not at all", async (organization) => {
    const { stack, before } = await filled();
    const { writes } = await stack.fails("up", only("AgentPool", pool({ organization })));
    expect(writes).toEqual([]);
    expect(everything(stack.simulator)).toEqual(before);
    expectSafe(stack, 6);
  });

  test.each(["über org/#1?", "a%2fb", "100% ours", "ünïcode-Ω-😀"])(
    "AgentPool: the organization %j works like any other when it exists",
    async (organization) => {
      const { stack } = await filled();
      stack.simulator.pools.addOrganization(organization);
      const program = only("AgentPool", pool({ organization }));
      await stack.up(program);
      expect(stack.simulator.pools.list(organization).map(({ id }) => id)).toEqual([stack.entry().id]);
      expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
      await stack.destroy();
      expect(stack.simulator.pools.list(organization)).toEqual([]);
      expectSafe(stack, 6);
    },
  );
  test("AclBindingRule: such texts in the body arrive unchanged", async () => {
    const { stack } = await filled();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    for (const text of paths.filter((path) => path !== "\ud800")) {
      const program = only("AclBindingRule", rule({ description: text, bindName: text }));
      await stack.up(program);
      const stored = stack.simulator.cluster.rules.get(stack.entry().id);
      expect([stored?.Description, stored?.BindName]).toEqual([text, text]);
      expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
    }
    expectSafe(stack, 5);
  });
});

throughEveryAdapter("an id from a hostile server", (start) => {
  const ids = ["../auth-method/theirs", "..", ".", "", "name/theirs", "a/../../auth-method/theirs", "a\r\nX-Injected: 1"];

  test.each(ids)("(%j) directs no later request to another object", async (id) => {
    const stack = await start();
    addTheirs(stack.simulator);
    const before = everything(stack.simulator);
    const made = { ID: id, Name: "dev", Description: "", Policies: [{ Name: "read" }], CreateIndex: 900, ModifyIndex: 900 };
    const fault: Fault = { kind: "status", status: 200, body: JSON.stringify(made) };
    stack.simulator.faults.add({ method: "POST", path: "/v1/acl/role", fault });
    await stack.attempt("up", only("AclRole", role()));
    await stack.attempt("refresh", () => {});
    await stack.attempt("up", only("AclRole", role({ description: "new" })));
    await stack.attempt("destroy", () => {});
    expect(
      everything(stack.simulator).filter((object) => before.some((theirs) => JSON.stringify(theirs) === JSON.stringify(object))),
    ).toEqual(before);
    expectSafe(stack, 6);
  });
});

test.each(["to\r\nX-Injected: 1", "to\nken", "to\u0000ken", "tök\u0100en"])(
  "a token with a line break or the like (%j) is not sent, and not shown",
  async (token) => {
    const simulator = await Simulator.start();
    const { context, progress, warnings, close } = operationWith({
      ...configurationOf(simulator),
      clusterToken: token,
      poolsToken: token,
    });
    for (const attempt of [
      aclRole.create(context, role()),
      agentPool.create(context, { name: "build", organization: "example-org", organizationScoped: true }),
    ]) {
      const error = await attempt.then(() => "none", String);
      expect(error).toContain("the token holds a line break or another character that can't be sent");
      expect(error + progress.join() + warnings.join()).not.toContain(token);
      expect(error).not.toContain("X-Injected");
    }
    expect(simulator.journal.entries).toEqual([]);
    expect(everything(simulator)).toEqual([]);
    await close();
    await simulator.stop();
  },
);

throughEveryAdapter("a configuration that would inject", (start) => {
  test.each(["a\r\nX-Injected: 1", "../x", "a&token=b", "a#b"])(
    "the region %j is sent as one value of the query",
    async (clusterRegion) => {
      const stack = await start();
      await stack.fails("up", only("AclRole", role()), { config: { clusterRegion } });
      expect(stack.simulator.journal.entries.length).toBeGreaterThan(0);
      for (const { query, headers } of stack.simulator.journal.entries) {
        expect(query).toEqual({ region: clusterRegion });
        expect(headers).not.toHaveProperty("x-injected");
      }
    },
  );
});
