import { type Inputs, only, type TestStack, toEveryServer } from "./harness";
import { oidc, pkce, rule } from "./samples";

const stored = (stack: TestStack) => stack.simulator.cluster.methods.get("sso");
const emptied = { OIDCDiscoveryURL: "", OIDCClientID: "", OIDCClientSecret: "", AllowedRedirectURIs: null };

toEveryServer("invalid values that others have set", (start, dialect) => {
  // Measured servers: after each change by others, the provider could not know whether a secret has changed, so the method has none.
  const client = dialect === "measured" ? pkce : oidc;
  const methodWith = async (ignoreChanges: string[], theirs: object) => {
    const stack = await start();
    const program = (more: Inputs = {}) => only("AclAuthMethod", client({}, more), { ignoreChanges });
    await stack.up(program());
    stack.simulator.cluster.methods.put({ Name: "sso", ...theirs });
    await stack.refresh();
    return { stack, program };
  };

  const cases = [
    { path: "tokenLocality", theirs: { TokenLocality: "" }, named: 'tokenLocality must be "local" or "global"' },
    { path: "config.allowedRedirectUris", theirs: { Config: { AllowedRedirectURIs: null } }, named: "must hold at least one address" },
    { path: "config", theirs: { Config: emptied }, named: "config.oidcDiscoveryUrl is required for OIDC" },
  ];
  test.each(cases)("$path: cause a warning, and no error, if the program ignores them", async ({ path, theirs, named }) => {
    const { stack, program } = await methodWith([path], theirs);
    const before = stored(stack);
    for (const command of ["preview", "up"] as const) {
      const { changes, warnings } = await stack[command](program());
      expect(changes).toEqual([]);
      expect(warnings.join("\n")).toContain(`ACL auth method "sso": ${path === "config" ? "" : path}`);
      expect(warnings.join("\n")).toContain(named);
    }
    expect(stored(stack)).toEqual(before);
  });

  if (dialect === "documented")
    test("allow an update of another property if the server accepts it", async () => {
      const { stack, program } = await methodWith(["tokenLocality"], { TokenLocality: "" });
      await stack.up(program({ maxTokenTtl: "2h" }));
      expect(stored(stack)).toMatchObject({ MaxTokenTTL: "2h0m0s" });
      expect((await stack.preview(program({ maxTokenTtl: "2h" }), { refresh: true })).changes).toEqual([]);
    });

  if (dialect === "documented")
    test("are left out of an update that restores other erased values", async () => {
      const { stack, program } = await methodWith(["config"], { TokenLocality: "", Config: emptied });
      await stack.up(program());
      expect(stored(stack)).toMatchObject({ TokenLocality: "local", Config: emptied });
      expect((await stack.preview(program(), { refresh: true })).changes).toEqual([]);
    });

  if (dialect === "measured")
    test("allow an update without the config if the server accepts it", async () => {
      const { stack, program } = await methodWith(["config.allowedRedirectUris"], { Config: { AllowedRedirectURIs: null } });
      await stack.up(program({ maxTokenTtl: "2h" }));
      expect(stored(stack)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { AllowedRedirectURIs: null } });
    });

  test("are overwritten by a program that does not ignore them, and another invalid value is refused", async () => {
    const { stack } = await methodWith([], { TokenLocality: "" });
    const wrong = await stack.fails("up", only("AclAuthMethod", client({}, { tokenLocality: "region" })));
    expect(wrong.errors).toContain('tokenLocality must be "local" or "global"');
    expect(wrong.requests).toEqual([]);
    const { warnings } = await stack.up(only("AclAuthMethod", client()));
    expect(warnings.join()).not.toContain("tokenLocality");
    expect(stored(stack)).toMatchObject({ TokenLocality: "local" });
  });
});

toEveryServer("a binding rule that others changed to management", (start) => {
  const ruleOf = ({ simulator: { cluster } }: TestStack) => cluster.rules.list()[0];
  const begin = async (ignoreChanges: string[], inputs = rule()) => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    const program = (more: Inputs = {}, ignored = ignoreChanges) =>
      only("AclBindingRule", { ...inputs, ...more }, { ignoreChanges: ignored });
    await stack.up(program());
    stack.simulator.cluster.rules.put({ ID: stack.entry().id, BindType: "management", BindName: "" });
    await stack.refresh();
    return { stack, program };
  };

  test("stays theirs if the program ignores type and name, with a warning about management for everyone", async () => {
    const { selector: _, ...inputs } = rule();
    const { stack, program } = await begin(["bindType", "bindName"], inputs);
    const { warnings } = await stack.up(program({ description: "new" }));
    expect(warnings.join()).toContain('everyone who logs in with "sso" gets management');
    expect(ruleOf(stack)).toMatchObject({ BindType: "management", BindName: "", Description: "new" });
  });

  test.each([
    { ignored: "bindType", other: "bindName", reason: 'bindName is not allowed when bindType is "management"' },
    { ignored: "bindName", other: "bindType", reason: 'bindName is required when bindType is "role"' },
  ])("is refused if the program ignores $ignored alone", async ({ ignored, other, reason }) => {
    const { stack, program } = await begin([ignored]);
    const before = ruleOf(stack);
    const { errors, requests } = await stack.fails("up", program({ description: "new" }));
    expect(errors).toContain(reason);
    expect(requests).toEqual([]);
    expect(ruleOf(stack)).toEqual(before);
    await stack.up(program({ description: "new" }, [ignored, other]));
    expect(ruleOf(stack)).toMatchObject({ BindType: "management", BindName: "", Description: "new" });
    await stack.up(program({ description: "new" }, []));
    expect(ruleOf(stack)).toMatchObject({ BindType: "role", BindName: "dev" });
  });
});
