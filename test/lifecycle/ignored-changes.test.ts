import { type Inputs, type Kind, only, type TestStack, toEveryServer } from "./harness";
import { at } from "./paths";
import { oidc, pkce, pool, role, rule } from "./samples";

interface Case {
  readonly kind: Kind;
  /** The input that others change. */
  readonly path: string;
  readonly inputs: Inputs;
  /** What the program changes besides. */
  readonly change: Inputs;
  /** What others do to the object, and what the server has then. */
  readonly theirs: (stack: TestStack) => void;
  readonly there: (stack: TestStack) => unknown;
}

const poolOf = ({ simulator: { pools } }: TestStack) => pools.list()[0];
const methodOf = ({ simulator: { cluster } }: TestStack) => cluster.methods.list()[0];
const roleOf = ({ simulator: { cluster } }: TestStack) => cluster.roles.list()[0];
const ruleOf = ({ simulator: { cluster } }: TestStack) => cluster.rules.list()[0];

/** @param client an auth method of OIDC: with a secret where servers need one, and elsewhere without, so nothing is in doubt but what others change */
const casesWith = (client: typeof oidc): readonly Case[] => [
  {
    kind: "AgentPool",
    path: "allowedWorkspaceIds",
    inputs: pool({ allowedWorkspaceIds: ["ws-1"] }),
    change: { name: "build-2" },
    theirs: (stack) => stack.simulator.pools.update(poolOf(stack)?.id ?? "", { allowedWorkspaceIds: ["ws-1", "ws-2"] }),
    there: (stack) => poolOf(stack)?.allowedWorkspaceIds,
  },
  {
    kind: "AgentPool",
    path: "organizationScoped",
    inputs: pool({ organizationScoped: true }),
    change: { name: "build-2" },
    theirs: (stack) => stack.simulator.pools.update(poolOf(stack)?.id ?? "", { organizationScoped: false }),
    there: (stack) => poolOf(stack)?.organizationScoped,
  },
  {
    kind: "AclRole",
    path: "policies",
    inputs: role(),
    change: { description: "new" },
    theirs: (stack) => stack.simulator.cluster.roles.put({ ID: roleOf(stack)?.ID ?? "", Policies: [{ Name: "write" }] }),
    there: (stack) => roleOf(stack)?.Policies,
  },
  {
    kind: "AclBindingRule",
    path: "selector",
    inputs: rule({ selector: "dev in list.groups" }),
    change: { description: "new" },
    theirs: (stack) => stack.simulator.cluster.rules.put({ ID: ruleOf(stack)?.ID ?? "", Selector: "ops in list.groups" }),
    there: (stack) => ruleOf(stack)?.Selector,
  },
  {
    kind: "AclAuthMethod",
    path: "tokenLocality",
    inputs: client(),
    change: { maxTokenTtl: "2h" },
    theirs: (stack) => stack.simulator.cluster.methods.put({ Name: "sso", TokenLocality: "global" }),
    there: (stack) => methodOf(stack)?.TokenLocality,
  },
  {
    kind: "AclAuthMethod",
    path: "config.oidcScopes",
    inputs: client({ oidcScopes: ["openid"] }),
    change: { maxTokenTtl: "2h" },
    theirs: (stack) => stack.simulator.cluster.methods.put({ Name: "sso", Config: { OIDCScopes: ["openid", "groups"] } }),
    there: (stack) => methodOf(stack)?.Config.OIDCScopes,
  },
  {
    kind: "AclAuthMethod",
    path: "config.claimMappings",
    inputs: client({ claimMappings: { a: "one" } }),
    change: client({ claimMappings: { a: "one" }, boundAudiences: ["cluster"] }),
    theirs: (stack) => stack.simulator.cluster.methods.put({ Name: "sso", Config: { ClaimMappings: { a: "one", b: "two" } } }),
    there: (stack) => methodOf(stack)?.Config.ClaimMappings,
  },
];

toEveryServer("what others change of a resource", (start, dialect) => {
  const client = dialect === "measured" ? pkce : oidc;
  const cases = casesWith(client);
  const begin = async ({ kind, inputs, theirs, there }: Case, ignoreChanges: string[] = []) => {
    const stack = await start();
    if (kind === "AclBindingRule") stack.simulator.cluster.methods.put({ Name: "sso" });
    const program = (more: Inputs = {}, ignored = ignoreChanges) => only(kind, { ...inputs, ...more }, { ignoreChanges: ignored });
    await stack.up(program());
    const ours = there(stack);
    theirs(stack);
    const changed = there(stack);
    expect(changed).not.toEqual(ours);
    return { stack, program, ours, changed };
  };

  test.each(cases)("$kind: $path, where it is ignored, is not taken back by an update of something else", async (one) => {
    const { stack, program, changed } = await begin(one, [one.path]);
    const { writes } = await stack.up(program(one.change));
    expect(writes).toHaveLength(1);
    expect(one.there(stack)).toEqual(changed);
    expect(at(stack.outputs(), one.path)).toEqual(at(stack.inputs(), one.path));
    expect((await stack.up(program(one.change))).requests).toEqual([]);
  });

  test.each(cases)("$kind: $path, where it is ignored, is left to them after a refresh, by an unchanged program too", async (one) => {
    const { stack, program, changed } = await begin(one, [one.path]);
    await stack.refresh();
    expect((await stack.preview(program())).changes).toEqual([]);
    expect((await stack.up(program())).writes).toEqual([]);
    expect(one.there(stack)).toEqual(changed);
    expect((await stack.up(program(one.change))).writes).toHaveLength(1);
    expect(one.there(stack)).toEqual(changed);
    expect((await stack.preview(program(one.change), { refresh: true })).changes).toEqual([]);
  });

  test.each(cases)(
    "$kind: $path, where nobody has seen it, survives an update of something else, and shows at the next refresh",
    async (one) => {
      const { stack, program, ours, changed } = await begin(one);
      await stack.up(program(one.change));
      expect(one.there(stack)).toEqual(changed);
      expect((await stack.refresh()).changes).toEqual([`refresh update ${one.kind} it`]);
      expect((await stack.up(program(one.change))).writes).toHaveLength(1);
      expect(one.there(stack)).toEqual(ours);
      expect((await stack.preview(program(one.change), { refresh: true })).changes).toEqual([]);
    },
  );

  test.each(cases)("$kind: $path, ignored until now, shows at the refresh after the program stops to ignore it", async (one) => {
    const { stack, program, ours } = await begin(one, [one.path]);
    await stack.up(program(one.change));
    await stack.refresh();
    expect((await stack.up(program(one.change, []))).writes).toHaveLength(1);
    expect(one.there(stack)).toEqual(ours);
  });

  test("a map of which one key is ignored keeps theirs of that key and of new ones, and takes the program's of the others", async () => {
    const stack = await start();
    const program = (a: string) =>
      only("AclAuthMethod", client({ claimMappings: { a, b: "ours" } }), { ignoreChanges: ['config.claimMappings["b"]'] });
    await stack.up(program("one"));
    stack.simulator.cluster.methods.put({ Name: "sso", Config: { ClaimMappings: { a: "one", b: "theirs", c: "theirs" } } });
    await stack.up(program("two"));
    expect(methodOf(stack)?.Config.ClaimMappings).toEqual({ a: "two", b: "theirs", c: "theirs" });
  });

  test("a list of which one item is ignored is theirs as a whole, which a warning says once, with the path that means it", async () => {
    const stack = await start();
    const program = (more: Inputs = {}, ignored = "policies[0]") =>
      only("AclRole", role({ policies: ["read"], ...more }), { ignoreChanges: [ignored] });
    await stack.up(program());
    stack.simulator.cluster.roles.put({ ID: stack.entry().id, Policies: [{ Name: "write" }, { Name: "admin" }] });
    const { warnings } = await stack.up(program({ description: "new" }));
    expect(warnings).toEqual([expect.stringContaining("so changes of policies in the program are not written")]);
    expect(roleOf(stack)).toMatchObject({ Description: "new", Policies: [{ Name: "write" }, { Name: "admin" }] });
    expect((await stack.up(program({ description: "newer" }, "policies"))).warnings).toEqual([]);
  });

  test("a value that this version does not know is sent back as the server has it by an update of something else", async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", client()));
    stack.simulator.cluster.methods.put({ Name: "sso", TokenLocality: "", Type: "LDAP" });
    stack.simulator.faults.add({ method: "POST", path: "/v1/acl/auth-method/sso", fault: { kind: "status", status: 400, body: "any" } });
    const { requests } = await stack.fails("up", only("AclAuthMethod", client({}, { maxTokenTtl: "2h" })));
    expect(requests.at(-1)?.body).toMatchObject({ Type: "LDAP", TokenLocality: "", MaxTokenTTL: "2h" });
  });

  test("a new value of a property that would force a replacement forces none where it is ignored", async () => {
    const stack = await start();
    const program = (name: string) => only("AclAuthMethod", client({}, { name }), { ignoreChanges: ["name"] });
    await stack.up(program("sso"));
    expect((await stack.up(program("other"))).writes).toEqual([]);
    expect(stack.simulator.cluster.methods.list().map(({ Name }) => Name)).toEqual(["sso"]);
  });
});
