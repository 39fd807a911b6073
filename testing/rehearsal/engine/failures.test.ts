import { Cloud, changesOf, errors, pair, THING, things, urnOf } from "../../../test/support/rehearsal/cloud";
import { rehearseInProcess } from "..";

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
  expect(errors(result)).toEqual([`${THING} "a": property value: bad is not allowed`, `${THING} "a": property fixed: bad is not allowed`]);
  expect(cloud.objects.size).toBe(0);
});

it("failures that leave an incomplete object keep it with the reasons, and the next update completes it", async () => {
  const cloud = new Cloud();
  const failed = await cloud.up(things({ a: { partly: "create" } }));
  expect(errors(failed)).toEqual(["unfinished\nnot ready"]);
  expect(cloud.resource("a")).toMatchObject({ id: "a-1", initErrors: ["not ready"], outputs: { serial: "a-1" } });
  expect(changesOf(await cloud.up(things({ a: { partly: "create" } })))).toEqual(["update a"]);
  expect(cloud.resource("a").initErrors).toBeUndefined();
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
