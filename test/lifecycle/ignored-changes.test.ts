/**
 * `ignoreChanges` of parts of a value and of an immutable property, and an update that sends unknown values back. properties.test.ts has
 * whole values of the inputs that an update can change, except for secrets.
 */
import { type Inputs, only, type TestStack, toEveryServer } from "./harness";
import { oidc, pkce, role } from "./samples";

const methodOf = ({ simulator: { cluster } }: TestStack) => cluster.methods.list()[0];
const roleOf = ({ simulator: { cluster } }: TestStack) => cluster.roles.list()[0];

toEveryServer("changes of others to a resource", (start, dialect) => {
  const client = dialect === "measured" ? pkce : oidc;

  test("a map with one ignored key keeps the others' values of this key and of new keys, and takes the program's of the rest", async () => {
    const stack = await start();
    const program = (a: string) =>
      only("AclAuthMethod", client({ claimMappings: { a, b: "ours" } }), { ignoreChanges: ['config.claimMappings["b"]'] });
    await stack.up(program("one"));
    stack.simulator.cluster.methods.put({ Name: "sso", Config: { ClaimMappings: { a: "one", b: "theirs", c: "theirs" } } });
    await stack.up(program("two"));
    expect(methodOf(stack)?.Config.ClaimMappings).toEqual({ a: "two", b: "theirs", c: "theirs" });
  });

  test("a list with an ignored item is written with the state's item in its place, and the state has what the server has", async () => {
    const stack = await start();
    const program = (policies: string[], more: Inputs = {}) =>
      only("AclRole", role({ policies, ...more }), { ignoreChanges: ["policies[0]"] });
    await stack.up(program(["read"]));
    const { warnings } = await stack.up(program(["write", "admin"], { description: "new" }));
    expect(warnings).toEqual([]);
    expect(roleOf(stack)).toMatchObject({ Description: "new", Policies: [{ Name: "read" }, { Name: "admin" }] });
    expect(stack.entry().outputs).toMatchObject({ policies: ["read", "admin"] });
    expect((await stack.up(program(["write", "admin"], { description: "new" }))).writes).toEqual([]);
  });

  test("an unknown value of the server is sent back by an update of another property", async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", client()));
    stack.simulator.cluster.methods.put({ Name: "sso", TokenLocality: "", Type: "LDAP" });
    stack.simulator.faults.add({ method: "POST", path: "/v1/acl/auth-method/sso", fault: { kind: "status", status: 400, body: "any" } });
    const { requests } = await stack.fails("up", only("AclAuthMethod", client({}, { maxTokenTtl: "2h" })));
    expect(requests.at(-1)?.body).toMatchObject({ Type: "LDAP", TokenLocality: "", MaxTokenTTL: "2h" });
  });

  test("an ignored change of an immutable property forces no replacement", async () => {
    const stack = await start();
    const program = (name: string) => only("AclAuthMethod", client({}, { name }), { ignoreChanges: ["name"] });
    await stack.up(program("sso"));
    expect((await stack.up(program("other"))).writes).toEqual([]);
    expect(stack.simulator.cluster.methods.list().map(({ Name }) => Name)).toEqual(["sso"]);
  });
});
