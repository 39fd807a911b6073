import { Cloud, changesOf, errors, STACK, THING, things } from "../../../test/support/rehearsal/cloud";

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
