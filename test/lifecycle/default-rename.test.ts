import type { Fault } from "../../provider/testing/simulator";
import { everything } from "./contents";
import { type Inputs, only, type Program, throughEveryAdapterToEveryServer, type World } from "./harness";
import { jwt, oidc, rule } from "./samples";

const denied: Fault = { kind: "status", status: 403, body: "Permission denied" };
const create = { method: "POST", path: "/v1/acl/auth-method" };
const named = (name: string, more: Inputs = {}) => only("AclAuthMethod", oidc({}, { name, default: true, ...more }));

/** The names of the methods, that of the default with a star. */
const methods = ({ simulator }: World) => simulator.cluster.methods.list().map(({ Name, Default }) => (Default ? `${Name}*` : Name));

/** What there is besides the versions, which taking and giving back the default counts up. */
const contentsOf = ({ simulator }: World) =>
  simulator.cluster.methods.list().map(({ ModifyIndex: _, ModifyTime: __, ...content }) => content);

throughEveryAdapterToEveryServer("the default auth method, renamed,", (start, dialect) => {
  const begin = async (inputs: Inputs = {}) => {
    const world = await start();
    await world.up(named("old", inputs));
    return { world, before: contentsOf(world) };
  };

  test("is made anew first, takes the default from the old one, which is deleted last, and its rules follow", async () => {
    const world = await start();
    const program =
      (name: string): Program =>
      (declare) => {
        const method = declare("AclAuthMethod", "a", oidc({}, { name, default: true }));
        declare("AclBindingRule", "rule", rule({ authMethod: method.output("name") }));
      };
    await world.up(program("old"));
    const oldRule = world.entry("rule").id;
    const { writes } = await world.up(program("new"));
    expect(writes).toEqual([
      "POST /v1/acl/auth-method",
      "POST /v1/acl/auth-method/old",
      "POST /v1/acl/auth-method",
      "POST /v1/acl/binding-rule",
      `DELETE /v1/acl/binding-rule/${oldRule}`,
      "DELETE /v1/acl/auth-method/old",
    ]);
    expect(methods(world)).toEqual(["new*"]);
    expect(world.simulator.cluster.rules.list().map(({ AuthMethod }) => AuthMethod)).toEqual(["new"]);
    expect((await world.preview(program("new"), { refresh: true })).changes).toEqual([]);
  });

  test("stays as it is to the byte when the server refuses the new one for another reason", async () => {
    const { world } = await begin();
    const before = everything(world.simulator);
    const { errors } = await world.fails("up", named("new", { maxTokenTtl: "30h" }));
    expect(errors).toContain("maxTokenTtl");
    expect(everything(world.simulator)).toEqual(before);
    expect(world.entry().id).toBe("old");
  });

  test("stays when others have given the default to a method of theirs, which the error names", async () => {
    const { world } = await begin();
    world.simulator.cluster.methods.put({ Name: "old", Default: false });
    world.simulator.cluster.methods.put({ Name: "theirs", Default: true });
    const before = everything(world.simulator);
    const { errors } = await world.fails("up", named("new"));
    expect(errors).toMatch(/because "theirs" is.*Nothing was changed/);
    expect(everything(world.simulator)).toEqual(before);
  });

  test("has the default again when the new one is refused after it was taken, and the state agrees with the server", async () => {
    const { world, before } = await begin();
    world.simulator.faults.add({ ...create, skip: 1, fault: denied });
    const { errors, writes } = await world.fails("up", named("new"));
    expect(errors).toContain("Permission denied");
    expect(writes).toEqual([
      "POST /v1/acl/auth-method",
      "POST /v1/acl/auth-method/old",
      "POST /v1/acl/auth-method",
      "POST /v1/acl/auth-method/old",
    ]);
    expect(contentsOf(world)).toEqual(before);
    expect((await world.refresh()).changes).toEqual([]);
    expect((await world.preview(named("old"))).changes).toEqual([]);
    await world.up(named("new"));
    expect(methods(world)).toEqual(["new*"]);
  });

  test("is named by the error when it can't have the default back, and the next up goes on", async () => {
    const { world } = await begin();
    world.simulator.faults.add({ ...create, skip: 1, fault: denied });
    world.simulator.faults.add({ method: "POST", path: "/v1/acl/auth-method/old", skip: 1, fault: denied });
    const { errors } = await world.fails("up", named("new"));
    expect(errors).toMatch(/The default had been taken from ACL auth method "old".*could not be given back.*with default: false/);
    expect(methods(world)).toEqual(["old"]);
    expect(world.entry().id).toBe("old");
    await world.up(named("new"));
    expect(methods(world)).toEqual(["new*"]);
    expect((await world.preview(named("new"), { refresh: true })).changes).toEqual([]);
  });

  test("goes on where the response to the new one is lost", async () => {
    const { world } = await begin();
    world.simulator.faults.add({ ...create, skip: 1, fault: { kind: "drop-after" } });
    await world.up(named("new"));
    expect(world.simulator.faults.pending()).toBe(0);
    expect(methods(world)).toEqual(["new*"]);
    expect((await world.preview(named("new"), { refresh: true })).changes).toEqual([]);
  });

  test("has the default again where the new one was never made, and nobody knows", async () => {
    const { world, before } = await begin();
    world.simulator.faults.add({ ...create, skip: 1, fault: { kind: "refuse" } });
    const { errors } = await world.fails("up", named("new"));
    expect(errors).toContain("It is not known whether the write took effect");
    expect(contentsOf(world)).toEqual(before);
  });

  test("can take its name and the default back after its delete has failed", async () => {
    const { world } = await begin();
    world.simulator.faults.add({ method: "DELETE", fault: denied });
    await world.fails("up", named("new"));
    expect(methods(world)).toEqual(["new*", "old"]);
    await world.up(named("old", { adopt: "overwrite" }));
    expect(methods(world)).toEqual(["old*"]);
    expect(world.entries()).toHaveLength(1);
  });

  test("of type JWT goes as any other, or where no update can take the default from it, by deleteBeforeReplace alone", async () => {
    const world = await start();
    const ci = (name: string, options = {}) => only("AclAuthMethod", jwt({}, { name, default: true }), options);
    await world.up(ci("old"));
    if (dialect === "documented") {
      const before = everything(world.simulator);
      const { errors, writes } = await world.fails("up", ci("new"));
      expect(errors).toMatch(/"old", from which the default is to be taken: .*type JWT can't be updated.*deleteBeforeReplace: true/);
      expect(writes).toEqual(["POST /v1/acl/auth-method"]);
      expect(everything(world.simulator)).toEqual(before);
    }
    await world.up(ci("new", dialect === "documented" ? { deleteBeforeReplace: true } : {}));
    expect(methods(world)).toEqual(["new*"]);
  });
});
