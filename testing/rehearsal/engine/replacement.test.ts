import { Cloud, changesOf, errors, pair, things, urnOf } from "../../../test/support/rehearsal/cloud";

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
