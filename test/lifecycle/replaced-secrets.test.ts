import { everything, forgetSecrets } from "./contents";
import { type Inputs, nothing, only, type Program, type TestStack, toEveryServer } from "./harness";
import { jwt, oidc, pkce, role } from "./samples";

const missing =
  /config\.oidcClientSecret: the server holds a secret that the program does not give.*Nothing was deleted or created\. Give the secret/;

/** Runs an update that must fail before it writes. @returns the errors */
async function failsUnsent(stack: TestStack, program: Program, options = {}): Promise<string> {
  const before = everything(stack.simulator);
  const { errors, writes } = await stack.fails("up", program, options);
  expect(writes).toEqual([]);
  expect(everything(stack.simulator)).toEqual(before);
  return errors;
}

toEveryServer("a client secret that only the server has", (start, dialect) => {
  /** A stack whose state and program lack the server's secret, as after an import. */
  const begin = async (inputs: Inputs = {}) => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", oidc({}, inputs)));
    forgetSecrets(stack);
    await stack.refresh();
    expect((await stack.up(only("AclAuthMethod", pkce({}, inputs)))).writes).toEqual([]);
    return stack;
  };

  test.each([true, false])("blocks a new name of its method, also in the preview (default: %s)", async (isDefault) => {
    const stack = await begin({ default: isDefault });
    const renamed = only("AclAuthMethod", pkce({}, { name: "new", default: isDefault }));
    expect((await stack.fails("preview", renamed)).errors).toMatch(missing);
    expect(await failsUnsent(stack, renamed)).toMatch(missing);
    // A second default method can't be created, so a default method is deleted first.
    await stack.up(only("AclAuthMethod", oidc({}, { name: "new", default: isDefault }), { deleteBeforeReplace: isDefault }));
    const methods = stack.simulator.cluster.methods.list();
    expect(methods).toMatchObject([{ Name: "new", Default: isDefault, Config: { OIDCClientSecret: "its-secret" } }]);
  });

  test.each([{}, { maxTokenTtl: "2h" }])("blocks a forced delete-first replacement of its method, with %j", async (more) => {
    const stack = await begin();
    const forced = { replace: [stack.entry().urn] };
    const program = (inputs: Inputs) => only("AclAuthMethod", inputs, { deleteBeforeReplace: true });
    expect(await failsUnsent(stack, program(pkce({}, more)), forced)).toMatch(missing);
    await stack.up(program(oidc({}, more)), forced);
    expect(stack.simulator.cluster.methods.get("sso")?.Config.OIDCClientSecret).toBe("its-secret");
  });

  test("blocks a replacement of its method that another resource causes", async () => {
    const stack = await start();
    const program =
      (inputs: Inputs): Program =>
      (declare) => {
        const named = declare("AclRole", "role", role(), { deleteBeforeReplace: true });
        declare("AclAuthMethod", "it", { ...inputs, name: named.output("name") });
      };
    await stack.up(program(oidc()));
    forgetSecrets(stack);
    await stack.refresh();
    await stack.up(program(pkce()));
    const forced = { replace: [stack.entry("role").urn] };
    expect(await failsUnsent(stack, program(pkce()), forced)).toMatch(missing);
  });

  test("is given again to a method with a new name, while another method takes the old name", async () => {
    const stack = await begin();
    const { faults } = stack.simulator;
    const program =
      (other: Inputs): Program =>
      (declare) => {
        declare("AclAuthMethod", "it", oidc({}, { name: "new" }), { deleteBeforeReplace: true });
        declare("AclAuthMethod", "other", other);
      };
    // The other method is declared, and refused, while the delete reads the method.
    faults.add({ method: "GET", path: "/v1/acl/auth-method/sso", fault: { kind: "delay", ms: 300 } });
    const { errors } = await stack.fails("up", program(pkce()));
    expect(faults.pending()).toBe(0);
    expect(errors).toContain("run the update again");
    expect(errors).not.toMatch(missing);
    await stack.up(program(oidc({ oidcClientSecret: "of-other" })));
    const methods = stack.simulator.cluster.methods.list();
    expect(methods).toMatchObject([
      { Name: "new", Config: { OIDCClientSecret: "its-secret" } },
      { Name: "sso", Config: { OIDCClientSecret: "of-other" } },
    ]);
  });

  test("does not block a change to type JWT, which uses none, or a delete", async () => {
    const stack = await begin();
    await stack.up(only("AclAuthMethod", jwt({}, { name: "ci" })));
    expect(stack.simulator.cluster.methods.list()).toMatchObject([{ Name: "ci", Config: { OIDCClientSecret: "" } }]);
    const other = await begin();
    await other.up(nothing);
    expect(other.simulator.cluster.methods.list()).toEqual([]);
  });

  // A documented server gives no sign of a secret that others have set, and has no methods of OIDC without a secret.
  if (dialect === "measured")
    test("that others added to a method without one blocks a new name and a delete-first replacement, with and without a refresh", async () => {
      const stack = await start();
      await stack.up(only("AclAuthMethod", pkce()));
      stack.simulator.cluster.rotateClientSecret("sso", "theirs");
      const forced = { replace: [stack.entry().urn] };
      expect(await failsUnsent(stack, only("AclAuthMethod", pkce(), { deleteBeforeReplace: true }), forced)).toMatch(missing);
      await stack.refresh();
      expect(await failsUnsent(stack, only("AclAuthMethod", pkce({}, { name: "new" })))).toMatch(missing);
    });
});
