import { Cloud, changesOf, errors, STACK, THING, things, urnOf } from "../../../test/support/rehearsal/cloud";
import { rehearseInProcess } from "..";

describe("a failure", () => {
  it("lets running calls finish, and keeps their results", async () => {
    const cloud = new Cloud();
    let fail: () => void = () => {};
    const failed = new Promise<void>((resolve) => {
      fail = resolve;
    });
    cloud.during = async (call) => {
      if (call === "create slow") await failed.then(() => new Promise(setImmediate));
      if (call === "create broken") fail();
    };
    const result = await cloud.up(things({ slow: {}, broken: { fails: "create" } }));
    expect(result.ok).toBe(false);
    expect(cloud.resource("slow").id).toBe("slow-1");
  });

  it("of the program deletes nothing", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: {} }));
    const result = await cloud.run("up", () => {
      throw new Error("the program failed");
    });
    expect(errors(result)).toEqual(["the program failed"]);
    expect(cloud.names()).toContain("a");
  });

  it("of the program keeps old outputs together with new ones", async () => {
    const cloud = new Cloud();
    await cloud.run("up", () => ({ kept: "old" }));
    await cloud.run("up", (stack) => {
      stack.resource(THING, "gone", { key: "gone" });
      return { kept: "old" };
    });
    cloud.objects.set("gone-1", { blocked: true });
    expect(await cloud.run("up", () => ({ added: "new" }))).toMatchObject({ ok: false, outputs: { kept: "old", added: "new" } });
  });

  it("of a type without a provider has the remedy", async () => {
    const result = await rehearseInProcess({ command: "up", providers: {}, program: things({ a: {} }) });
    expect(errors(result)).toEqual([`there is no provider for the type ${THING}: give one under that name, or one for "*"`]);
  });

  it("of an invalid output names the property", async () => {
    const providers = { "*": () => ({ create: async () => ({ id: "1", outs: { left: undefined } }) }) };
    const result = await rehearseInProcess({ command: "up", providers, program: things({ a: {} }) });
    expect(errors(result)).toEqual(["Unexpected struct type: the property left is undefined; leave it out instead"]);
  });

  it("of an input that is not JSON has the remedy", async () => {
    const inputs = [Promise.resolve(1), () => 1].map((value) => new Cloud().up(things({ a: { value } })));
    const messages = (await Promise.all(inputs)).map(errors);
    expect(messages).toEqual([
      ["an input cannot be a promise: await it first"],
      ["an input cannot be a function: give JSON, or an output of another resource"],
    ]);
  });

  it("is a create without an ID", async () => {
    const providers = { "*": () => ({ create: async () => ({ id: "" }) }) };
    const result = await rehearseInProcess({ command: "up", providers, program: things({ a: {} }) });
    expect(errors(result)).toEqual([`create of ${urnOf("a")} returned no id: the provider must return the new object's id`]);
  });
});

describe("a refresh", () => {
  it("removes deleted objects, and the references to them", async () => {
    const cloud = new Cloud();
    await cloud.up((stack) => {
      const first = stack.resource(THING, "a", { key: "a" });
      stack.resource(THING, "b", { key: "b", value: first.output("serial") }, { parent: first });
    });
    cloud.objects.delete("a-1");
    expect(await cloud.run("refresh")).toMatchObject({ ok: true, summary: { same: 2, delete: 1 } });
    expect(cloud.resource("b")).toMatchObject({ parent: STACK, dependencies: [], propertyDependencies: {} });
  });

  it("that fails prevents the up", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { fails: "read" } }));
    await cloud.up(things({ a: { value: "2" } }), { refresh: true });
    expect(cloud.calls).toEqual(["read a-1"]);
  });
});

describe("a replacement", () => {
  it("with a failed create after the delete is tried again, without another delete", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { fixed: "1", deleteFirst: true } }));
    const failed = await cloud.up(things({ a: { fixed: "2", deleteFirst: true, fails: "create" } }));
    expect(errors(failed)).toEqual(["create of a refused"]);
    expect(cloud.resource("a")).toMatchObject({ id: "a-1", pendingReplacement: true });
    await cloud.up(things({ a: { fixed: "2", deleteFirst: true } }));
    expect(cloud.calls).toEqual(["check a", "diff a-1", "check a", "create a"]);
    expect(cloud.resource("a").pendingReplacement).toBeUndefined();
  });

  it("with a finished delete leaves the state if it is no longer registered", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { fixed: "1", deleteFirst: true } }));
    await cloud.up(things({ a: { fixed: "2", deleteFirst: true, fails: "create" } }));
    expect(changesOf(await cloud.up(() => undefined))).toEqual(["remove-pending-replace a"]);
    expect(cloud.names()).toEqual(["rehearsed-rehearsal"]);
  });

  it("of a missing resource can't be forced", async () => {
    const cloud = new Cloud();
    const result = await cloud.up(things({ a: {} }), { replace: [urnOf("nobody")] });
    expect(errors(result)).toEqual([`there is no resource ${urnOf("nobody")} to replace: check the URN`]);
    expect(cloud.calls).toEqual([]);
  });

  it("that failed after its delete, and creates first when it is tried again, deletes the new object if IDs are names, like the real engine", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { named: true, fixed: "1", deleteFirst: true } }));
    await cloud.up(things({ a: { named: true, fixed: "2", deleteFirst: true, fails: "create" } }));
    await cloud.up(things({ a: { named: true, fixed: "2" } }));
    expect(cloud.calls.slice(-2)).toEqual(["create a", "delete a"]);
    expect(cloud.objects.size).toBe(0);
  });
});
