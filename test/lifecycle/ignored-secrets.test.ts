import { everything } from "./contents";
import { type Inputs, only, type TestStack, throughEveryAdapter } from "./harness";
import { at } from "./paths";
import { oidc, pkce } from "./samples";

const path = "config.oidcClientSecret";
const remark = "(changed outside of this program)";
const stored = (stack: TestStack) => stack.simulator.cluster.methods.get("sso");
const method = (config: Inputs = {}, more: Inputs = {}, ignoreChanges = [path, "config.oidcScopes"]) =>
  only("AclAuthMethod", oidc({ oidcClientSecret: "s1", ...config }, more), { ignoreChanges });

throughEveryAdapter("a client secret that others rotate and the program ignores", (start) => {
  const begin = async () => {
    const stack = await start();
    await stack.up(method());
    return stack;
  };

  test("stays theirs through two updates of another property, and the state has the program's", async () => {
    const stack = await begin();
    stack.simulator.cluster.rotateClientSecret("sso", "s2");
    const change = method({}, { maxTokenTtl: "2h" });
    expect((await stack.preview(change)).changedProperties()).toEqual(["maxTokenTtl"]);
    expect((await stack.up(change)).writes).toEqual(["POST /v1/acl/auth-method/sso"]);
    await stack.up(method({}, { maxTokenTtl: "3h" }));
    expect(stored(stack)).toMatchObject({ MaxTokenTTL: "3h0m0s", Config: { OIDCClientSecret: "s2" } });
    expect(at(stack.inputs(), path)).toBe("s1");
    expect(at(stack.outputs(), path)).toBe("s1");
    expect(stack.outputs().hash).not.toBe(stored(stack)?.Hash);
  });

  test("causes a warning of a refresh that mentions ignoreChanges, and an unchanged program writes nothing", async () => {
    const stack = await begin();
    stack.simulator.cluster.rotateClientSecret("sso", "s2");
    const { warnings } = await stack.refresh();
    expect(warnings.join()).toMatch(/config\.oidcClientSecret was changed or rewritten.*Unless the program ignores that by ignoreChanges/);
    expect((await stack.preview(method())).changes).toEqual([]);
    expect((await stack.up(method())).writes).toEqual([]);
    await stack.up(method({}, { maxTokenTtl: "2h" }));
    expect(stored(stack)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { OIDCClientSecret: "s2" } });
  });

  test("makes an update of another property of config fail before the write, and the error says what to do", async () => {
    const stack = await begin();
    stack.simulator.cluster.rotateClientSecret("sso", "s2");
    const before = everything(stack.simulator);
    const { errors, writes } = await stack.fails("up", method({ boundAudiences: ["cluster"] }));
    expect(errors).toMatch(/config\.oidcClientSecret: others have changed this secret.*Set the intended secret.*from ignoreChanges/);
    expect(writes).toEqual([]);
    expect(everything(stack.simulator)).toEqual(before);
  });

  test("makes that update fail in the preview, without a request, after a refresh has seen it", async () => {
    const stack = await begin();
    stack.simulator.cluster.rotateClientSecret("sso", "s2");
    await stack.refresh();
    for (const command of ["preview", "up"] as const) {
      const { errors, requests } = await stack.fails(command, method({ boundAudiences: ["cluster"] }));
      expect(errors).toContain("config.oidcClientSecret: others have changed this secret");
      expect(requests).toEqual([]);
    }
    expect(stored(stack)?.Config.OIDCClientSecret).toBe("s2");
  });

  test.each([false, true])("is overwritten with the program's once it is ignored no more (after a refresh: %s)", async (refreshed) => {
    const stack = await begin();
    stack.simulator.cluster.rotateClientSecret("sso", "s2");
    if (refreshed) await stack.refresh();
    const given = method({ oidcClientSecret: "s3", boundAudiences: ["cluster"] }, {}, []);
    await stack.up(given);
    expect(stored(stack)?.Config).toMatchObject({ OIDCClientSecret: "s3", BoundAudiences: ["cluster"] });
    expect((await stack.preview(given, { refresh: true })).changes).toEqual([]);
  });

  test("that they have not rotated does not block a change of config", async () => {
    const stack = await begin();
    await stack.up(method({ oidcClientSecret: "ignored", boundAudiences: ["cluster"] }));
    expect(stored(stack)?.Config).toMatchObject({ OIDCClientSecret: "s1", BoundAudiences: ["cluster"] });
    expect(stack.outputs().hash).toBe(stored(stack)?.Hash);
  });

  test("makes a replacement fail in the preview, before any request", async () => {
    const stack = await begin();
    stack.simulator.cluster.rotateClientSecret("sso", "s2");
    await stack.refresh();
    const before = everything(stack.simulator);
    for (const command of ["preview", "up"] as const) {
      const { errors, requests } = await stack.fails(command, method({}, { name: "other" }));
      expect(errors).toMatch(/config\.oidcClientSecret was changed by others.*Nothing was deleted or created/);
      expect(requests).toEqual([]);
    }
    expect(everything(stack.simulator)).toEqual(before);
    await stack.up(method({ oidcClientSecret: "s3" }, { name: "other" }, []));
    expect(stack.simulator.cluster.methods.list()).toMatchObject([{ Name: "other", Config: { OIDCClientSecret: "s3" } }]);
  });

  test("can't be the placeholder of a state in a new method: check refuses it", async () => {
    const stack = await start();
    const { errors, requests } = await stack.fails("preview", method({ oidcClientSecret: remark }));
    expect(errors).toContain("config.oidcClientSecret was changed by others");
    expect(requests).toEqual([]);
  });
});

throughEveryAdapter("a client secret that may have been changed with something else", (start) => {
  test("shows as changed in the inputs, and the output hash is the server's", async () => {
    const stack = await start();
    await stack.up(method({}, {}, []));
    stack.simulator.cluster.methods.put({ Name: "sso", MaxTokenTTL: "2h", Config: { OIDCClientSecret: "s2" } });
    await stack.refresh();
    expect(at(stack.inputs(), path)).toBe(remark);
    expect(stack.outputs().hash).toBe(stored(stack)?.Hash);
    const agreed = method({}, { maxTokenTtl: "2h" }, []);
    expect((await stack.preview(agreed)).changedProperties()).toContain("config");
    await stack.up(agreed);
    expect(stored(stack)?.Config.OIDCClientSecret).toBe("s1");
    expect((await stack.preview(agreed, { refresh: true })).changes).toEqual([]);
  });
});

throughEveryAdapter("a client secret, after an update that left ignored drift, so the state has no hash,", (start) => {
  const begin = async (ignoreChanges: string[]) => {
    const stack = await start();
    await stack.up(method({}, {}, ignoreChanges));
    stack.simulator.cluster.methods.put({ Name: "sso", Config: { OIDCScopes: ["groups"] } });
    await stack.up(method({}, { maxTokenTtl: "2h" }, ignoreChanges));
    expect(at(stack.inputs(), path)).toBe("s1");
    return stack;
  };

  test("shows at the refresh after others rotate it, and is overwritten with the program's", async () => {
    const ignored = ["config.oidcScopes"];
    const stack = await begin(ignored);
    stack.simulator.cluster.rotateClientSecret("sso", "s2");
    await stack.refresh();
    expect(at(stack.inputs(), path)).toBe(remark);
    await stack.up(method({}, { maxTokenTtl: "2h" }, ignored));
    expect(stored(stack)?.Config).toMatchObject({ OIDCClientSecret: "s1", OIDCScopes: ["groups"] });
    expect((await stack.preview(method({}, { maxTokenTtl: "2h" }, ignored), { refresh: true })).changes).toEqual([]);
  });

  test("stays theirs after they rotate it, if the program ignores it from then on", async () => {
    const stack = await begin(["config.oidcScopes"]);
    stack.simulator.cluster.rotateClientSecret("sso", "s2");
    await stack.up(method({}, { maxTokenTtl: "3h" }));
    await stack.up(method({}, { maxTokenTtl: "4h" }));
    const { errors } = await stack.fails("up", method({ boundAudiences: ["cluster"] }, { maxTokenTtl: "4h" }));
    expect(errors).toContain("config.oidcClientSecret: others have changed this secret");
    await stack.refresh();
    expect(at(stack.inputs(), path)).toBe(remark);
    await stack.fails("up", method({ boundAudiences: ["cluster"] }, { maxTokenTtl: "4h" }));
    expect(stored(stack)?.Config.OIDCClientSecret).toBe("s2");
  });
});

throughEveryAdapter("a client secret that the state does not have", (start) => {
  test("is in an output, and a change of config that would erase it fails in the preview, without a request", async () => {
    const stack = await start();
    const program = (more: Inputs = {}) => only("AclAuthMethod", pkce(more));
    await stack.up(program());
    stack.simulator.cluster.rotateClientSecret("sso", "theirs");
    await stack.refresh();
    expect(stack.outputs().unmanagedSecrets).toEqual([path]);
    const { errors, requests } = await stack.fails("preview", program({ oidcScopes: ["groups"] }));
    expect(errors).toContain("config.oidcClientSecret: the server holds a secret that the program does not give");
    expect(requests).toEqual([]);
    expect((await stack.preview(only("AclAuthMethod", oidc({ oidcScopes: ["groups"] })))).changes).toEqual(["update AclAuthMethod it"]);
    expect((await stack.refresh()).changes).toEqual([]);
  });
});
