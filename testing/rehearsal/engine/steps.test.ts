import { Cloud, changesOf, errors, pair, STACK, THING, things, urnOf } from "../../../test/support/rehearsal/cloud";
import { rehearseInProcess } from "..";

describe("failures", () => {
  it("failures of a create keep the resources made before, and no dependent begins", async () => {
    const cloud = new Cloud();
    const result = await cloud.up(pair({ fails: "create" }));
    expect(result).toMatchObject({ ok: false, summary: { create: 1 } });
    expect(result.diagnostics).toEqual([{ severity: "error", message: "create of a refused", urn: urnOf("a") }]);
    expect(cloud.names()).toEqual(["rehearsed-rehearsal"]);
  });

  it("failures let running calls finish, and keep their results", async () => {
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

  it("failures of check are reported all at once, each with its property, and nothing is created", async () => {
    const cloud = new Cloud();
    const result = await cloud.up(things({ a: { value: "bad", fixed: "bad" } }));
    expect(errors(result)).toEqual([
      `${THING} "a": property value: bad is not allowed`,
      `${THING} "a": property fixed: bad is not allowed`,
    ]);
    expect(cloud.objects.size).toBe(0);
  });

  it("failures that leave an incomplete object keep it with the reasons, and the next update completes it", async () => {
    const cloud = new Cloud();
    const failed = await cloud.up(things({ a: { partly: "create" } }));
    expect(errors(failed)).toEqual(["unfinished\nnot ready"]);
    expect(cloud.resource("a")).toMatchObject({ id: "a-1", initErrors: ["not ready"], outputs: { serial: "a-1" } });
    expect(changesOf(await cloud.up(things({ a: { partly: "create" } })))).toEqual(["update a"]);
    expect(cloud.resource("a").initErrors).toEqual([]);
  });

  it("failures of an update keep the old inputs and the new outputs", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { value: "1" } }));
    await cloud.up(things({ a: { value: "2", partly: "update" } }));
    expect(cloud.resource("a")).toMatchObject({ inputs: { value: "1" }, outputs: { value: "2" }, initErrors: ["not ready"] });
  });

  it("failures of the program delete nothing", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: {} }));
    const result = await cloud.run("up", () => {
      throw new Error("the program failed");
    });
    expect(errors(result)).toEqual(["the program failed"]);
    expect(cloud.names()).toContain("a");
  });

  it("failures of the program keep the old outputs beside the new", async () => {
    const cloud = new Cloud();
    await cloud.run("up", () => ({ kept: "old" }));
    await cloud.run("up", (stack) => {
      stack.resource(THING, "gone", { key: "gone" });
      return { kept: "old" };
    });
    cloud.objects.set("gone-1", { blocked: true });
    expect(await cloud.run("up", () => ({ added: "new" }))).toMatchObject({ ok: false, outputs: { kept: "old", added: "new" } });
  });

  it("failures of a type without a provider say what to give", async () => {
    const result = await rehearseInProcess({ command: "up", providers: {}, program: things({ a: {} }) });
    expect(errors(result)).toEqual([`there is no provider for the type ${THING}: give one under that name, or one for "*"`]);
  });

  it("failures of an output that cannot be sent name the property", async () => {
    const providers = { "*": () => ({ create: async () => ({ id: "1", outs: { left: undefined } }) }) };
    const result = await rehearseInProcess({ command: "up", providers, program: things({ a: {} }) });
    expect(errors(result)).toEqual(["Unexpected struct type: the property left is undefined; leave it out instead"]);
  });

  it("failures of an input that is not JSON say what to do", async () => {
    const inputs = [Promise.resolve(1), () => 1].map((value) => new Cloud().up(things({ a: { value } })));
    const messages = (await Promise.all(inputs)).map(errors);
    expect(messages).toEqual([
      ["an input cannot be a promise: await it first"],
      ["an input cannot be a function: give JSON, or an output of another resource"],
    ]);
  });

  it("failures: a create that returns no id is an error", async () => {
    const providers = { "*": () => ({ create: async () => ({ id: "" }) }) };
    const result = await rehearseInProcess({ command: "up", providers, program: things({ a: {} }) });
    expect(errors(result)).toEqual([`create of ${urnOf("a")} returned no id: the provider must return the new object's id`]);
  });
});

describe("refresh", () => {
  it("refresh puts changes into the state, and the next update undoes them", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { value: "1" }, b: {} }));
    cloud.objects.set("a-1", { key: "a", size: 1, value: "meddled", serial: "a-1" });
    const result = await cloud.run("refresh");
    expect(result).toMatchObject({ ok: true, summary: { same: 2, update: 1 } });
    expect(result.steps.find(({ name }) => name === "a")).toMatchObject({ op: "refresh", outcome: "update", changedProperties: ["value"] });
    expect(cloud.resource("a")).toMatchObject({ inputs: { value: "meddled" }, outputs: { value: "meddled" } });
    expect(changesOf(await cloud.up(things({ a: { value: "1" }, b: {} })))).toEqual(["update a"]);
  });

  it("refresh removes deleted objects, and the references to them", async () => {
    const cloud = new Cloud();
    await cloud.up((stack) => {
      const first = stack.resource(THING, "a", { key: "a" });
      stack.resource(THING, "b", { key: "b", value: first.output("serial") }, { parent: first });
    });
    cloud.objects.delete("a-1");
    expect(await cloud.run("refresh")).toMatchObject({ ok: true, summary: { same: 2, delete: 1 } });
    expect(cloud.resource("b")).toMatchObject({ parent: STACK, dependencies: [], propertyDependencies: {} });
  });

  it("refresh keeps an object that can't be read, and reads the others", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { fails: "read" }, b: { value: "1" } }));
    cloud.objects.set("b-2", { key: "b", size: 1, value: "meddled", serial: "b-2" });
    expect(errors(await cloud.run("refresh"))).toEqual(["read of a-1 refused"]);
    expect(cloud.resource("a").id).toBe("a-1");
    expect(cloud.resource("b").outputs.value).toBe("meddled");
  });

  it("refresh before a preview shows what an update would repair, and keeps nothing", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { value: "1" }, b: {} }));
    const before = cloud.state;
    cloud.objects.delete("a-1");
    const result = await cloud.run("preview", things({ a: { value: "1" }, b: {} }), { refresh: true });
    expect(changesOf(result)).toEqual(["delete a", "create a"]);
    expect(result.summary).toEqual({ same: 2, create: 1 });
    expect(cloud.state).toEqual(before);
  });

  it("refresh before an up creates a deleted object again", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: {} }));
    cloud.objects.delete("a-1");
    expect(await cloud.up(things({ a: {} }), { refresh: true })).toMatchObject({ ok: true, summary: { create: 1, same: 1 } });
    expect(cloud.resource("a").id).toBe("a-2");
  });

  it("refresh that fails prevents the up", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { fails: "read" } }));
    await cloud.up(things({ a: { value: "2" } }), { refresh: true });
    expect(cloud.calls).toEqual(["read a-1"]);
  });
});

describe("replacement", () => {
  it("a replacement creates first, updates dependents, and deletes at the end", async () => {
    const cloud = new Cloud();
    await cloud.up(pair({ fixed: "1" }));
    const result = await cloud.up(pair({ fixed: "2" }));
    expect(cloud.calls).toEqual(["check a", "diff a-1", "check a", "create a", "check b", "diff b-2", "update b-2", "delete a-1"]);
    expect(changesOf(result)).toEqual(["create-replacement a", "replace a", "update b", "delete-replaced a"]);
    expect(result.summary).toEqual({ same: 1, replace: 1, update: 1 });
    expect(result.steps.find(({ op }) => op === "replace")).toMatchObject({ replaceKeys: ["fixed"], changedProperties: ["fixed"] });
  });

  it("a replacement checks a second time, without the old inputs", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { fixed: "1" } }));
    await cloud.up(things({ a: { fixed: "2" } }));
    const olds = cloud.details.filter(({ call }) => call === "check").map(({ arguments: [first] }) => first);
    expect(olds).toEqual([{ key: "a", fixed: "1", size: 1 }, {}]);
  });

  it("a replacement deletes first when the provider says so, together with the dependents that must be replaced", async () => {
    const cloud = new Cloud();
    const program = (fixed: string) => pair({ fixed, deleteFirst: true }, "fixed");
    await cloud.up(program("1"));
    const result = await cloud.up(program("2"));
    const deleted = ["check a", "diff a-1", "check a", "diff b-2", "delete b-2", "delete a-1"];
    expect(cloud.calls).toEqual([...deleted, "create a", "check b", "create b"]);
    expect(changesOf(result).filter((step) => step.startsWith("replace"))).toEqual(["replace a", "replace b"]);
    expect(cloud.state?.resources.some(({ delete: waits, pendingReplacement }) => waits || pendingReplacement)).toBe(false);
  });

  it("a replacement keeps dependents that a changed input does not replace", async () => {
    const cloud = new Cloud();
    await cloud.up(pair({ fixed: "1", deleteFirst: true }));
    await cloud.up(pair({ fixed: "2", deleteFirst: true }));
    expect(cloud.calls).toContain("update b-2");
    expect(cloud.calls).not.toContain("delete b-2");
  });

  it("a replacement follows the program's deleteBeforeReplace", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { fixed: "1" }, b: { fixed: "1", deleteFirst: true } }));
    const order = { a: { deleteBeforeReplace: true }, b: { deleteBeforeReplace: false } };
    await cloud.up(things({ a: { fixed: "2" }, b: { fixed: "2", deleteFirst: true } }, order));
    const of = (name: string) =>
      cloud.calls.filter((call) => /^(create|delete)/.test(call) && call.includes(` ${name}`)).map((call) => call.split(" ")[0]);
    expect([of("a"), of("b")]).toEqual([
      ["delete", "create"],
      ["create", "delete"],
    ]);
  });

  it("a replacement that was deleted and could not be created is tried again, without deleting again", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { fixed: "1", deleteFirst: true } }));
    const failed = await cloud.up(things({ a: { fixed: "2", deleteFirst: true, fails: "create" } }));
    expect(errors(failed)).toEqual(["create of a refused"]);
    expect(cloud.resource("a")).toMatchObject({ id: "a-1", pendingReplacement: true });
    await cloud.up(things({ a: { fixed: "2", deleteFirst: true } }));
    expect(cloud.calls).toEqual(["check a", "diff a-1", "check a", "create a"]);
    expect(cloud.resource("a").pendingReplacement).toBeUndefined();
  });

  it("a replacement that was deleted and is not registered any more leaves the state", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { fixed: "1", deleteFirst: true } }));
    await cloud.up(things({ a: { fixed: "2", deleteFirst: true, fails: "create" } }));
    expect(changesOf(await cloud.up(() => undefined))).toEqual(["remove-pending-replace a"]);
    expect(cloud.names()).toEqual(["rehearsed-rehearsal"]);
  });

  it("a replacement whose old object cannot be deleted yet keeps it in the state, and tries again", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { fixed: "1", blocked: true } }));
    const failed = await cloud.up(things({ a: { fixed: "2" } }));
    expect(errors(failed)).toEqual(["a-1 is in use"]);
    expect(cloud.state?.resources.filter((resource) => resource.delete)).toMatchObject([{ id: "a-1" }]);
    cloud.objects.set("a-1", {});
    expect(changesOf(await cloud.up(things({ a: { fixed: "2" } })))).toEqual(["delete-replaced a"]);
    expect([...cloud.objects.keys()]).toEqual(["a-2"]);
  });

  it("a replacement can be forced, without the provider's diff", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: {}, b: {} }));
    const result = await cloud.up(things({ a: {}, b: {} }), { replace: [urnOf("a")] });
    expect(cloud.calls.filter((call) => call.includes("a"))).toEqual(["check a", "create a", "delete a-1"]);
    expect(result.steps.find(({ op }) => op === "replace")).toMatchObject({ name: "a", replaceKeys: ["id"] });
  });

  it("a replacement of a resource that does not exist can't be forced", async () => {
    const cloud = new Cloud();
    const result = await cloud.up(things({ a: {} }), { replace: [urnOf("nobody")] });
    expect(errors(result)).toEqual([`there is no resource ${urnOf("nobody")} to replace: check the URN`]);
    expect(cloud.calls).toEqual([]);
  });

  it("a replacement that failed after its deletion, and then creates first, deletes the new object where ids are names: so does the real engine", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { named: true, fixed: "1", deleteFirst: true } }));
    await cloud.up(things({ a: { named: true, fixed: "2", deleteFirst: true, fails: "create" } }));
    await cloud.up(things({ a: { named: true, fixed: "2" } }));
    expect(cloud.calls.slice(-2)).toEqual(["create a", "delete a"]);
    expect(cloud.objects.size).toBe(0);
  });
});
