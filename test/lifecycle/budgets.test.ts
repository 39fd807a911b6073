import { samples } from "../kinds";
import { nothing, only, type Program, throughEveryAdapter } from "./harness";
import { oidc, pool, role, rule } from "./samples";

const fifty: Program = (declare) => {
  for (let n = 0; n < 50; n++) declare("AclRole", `role-${n}`, role({ name: `dev-${n}` }));
};

/** A pool, a method, a role and a rule, the rule depending on the method and the role. */
const oneOfEach: Program = (declare) => {
  const method = declare("AclAuthMethod", "sso", oidc());
  const dev = declare("AclRole", "dev", role());
  declare("AclBindingRule", "rule", rule({ authMethod: method.output("name"), bindName: dev.output("name") }));
  declare("AgentPool", "pool", pool());
};

throughEveryAdapter("what operations cost", (start) => {
  test("fifty new roles take fifty requests, and at most three more", async () => {
    const stack = await start();
    const { requests, writes } = await stack.up(fifty);
    expect(stack.simulator.cluster.roles.list()).toHaveLength(50);
    expect(writes).toHaveLength(50);
    expect(requests.length).toBeLessThanOrEqual(53);
  });

  test("a preview of new objects, changes and deletes sends nothing", async () => {
    const stack = await start();
    expect((await stack.preview(oneOfEach)).requests).toEqual([]);
    await stack.up(oneOfEach);
    const changed: Program = (declare) => {
      const method = declare("AclAuthMethod", "sso", oidc({}, { default: true }));
      declare("AclRole", "dev", role({ description: "new" }));
      declare("AclBindingRule", "rule", rule({ authMethod: method.output("name") }));
    };
    const { requests, changes } = await stack.preview(changed);
    expect(changes.sort()).toEqual(["delete AgentPool pool", "update AclAuthMethod sso", "update AclRole dev"]);
    expect(requests).toEqual([]);
  });

  test("a new auth method takes at most three requests, and one for the regions", async () => {
    const stack = await start();
    const { requests, writes } = await stack.up(only("AclAuthMethod", oidc({ oidcClientSecret: "s" })));
    expect(writes).toEqual(["POST /v1/acl/auth-method"]);
    expect(requests.length).toBeLessThanOrEqual(4);
  });

  test("a refresh of one object takes one request for it, one for the regions, and no list", async () => {
    const stack = await start();
    for (const { kind, inputs, prepare } of samples) {
      await stack.up(nothing);
      prepare(stack);
      await stack.up(only(kind, inputs));
      const { id } = stack.entry("it");
      const { requests } = await stack.refresh();
      expect(requests.map(({ path }) => path.split("/").at(-1)).filter((last) => last !== "regions")).toEqual([id]);
    }
  });
});
