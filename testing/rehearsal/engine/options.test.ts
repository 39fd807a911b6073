import { Cloud, changesOf, errors, THING, things, urnOf } from "../../../test/support/rehearsal/cloud";
import type { ProgramContext, ResourceOptions } from "..";

it("resource options ignoreChanges keeps the old value before the provider sees it", async () => {
  const cloud = new Cloud();
  await cloud.up(things({ a: { value: "1" } }));
  await cloud.up(things({ a: { value: "2" } }, { a: { ignoreChanges: ["value"] } }));
  expect(cloud.details[0]?.arguments[1]).toEqual({ key: "a", value: "1" });
  expect(cloud.calls).not.toContain("update a-1");
});

it("resource options ignoreChanges reports a path that it can't apply", async () => {
  const cloud = new Cloud();
  await cloud.up(things({ a: { value: { x: 1 } } }));
  const result = await cloud.up(things({ a: { value: 7 } }, { a: { ignoreChanges: ["value.x"] } }));
  const message = "cannot ignore changes in added or removed elements of the path: value.x";
  expect(result.diagnostics).toEqual([{ severity: "info", message, urn: urnOf("a") }]);
});

it("resource options replaceOnChanges replaces for a change that the engine finds, and not for one that the provider does not report", async () => {
  const options = { a: { replaceOnChanges: ["value"] } };
  const [open, closed] = [new Cloud(), new Cloud()];
  await open.up(things({ a: { undecided: true, value: "1" } }, options));
  expect(changesOf(await open.up(things({ a: { undecided: true, value: "2" } }, options)))).toContain("replace a");
  await closed.up(things({ a: { value: "1" } }, options));
  expect(changesOf(await closed.up(things({ a: { value: "2" } }, options)))).toEqual(["update a"]);
});

it("resource options protect refuses a deletion, and keeps the resource's dependencies", async () => {
  const cloud = new Cloud();
  await cloud.up((stack) => {
    const first = stack.resource(THING, "a", { key: "a" });
    stack.resource(THING, "b", { key: "b", value: first.output("serial") }, { protect: true });
    stack.resource(THING, "c", { key: "c" });
  });
  const result = await cloud.run("destroy");
  expect(errors(result)).toEqual([expect.stringContaining(`${urnOf("b")} cannot be deleted because it is protected`)]);
  expect([...cloud.objects.values()].map(({ key }) => key)).toEqual(["a", "b"]);
  expect(cloud.names()).toEqual(["rehearsed-rehearsal", "a", "b"]);
});

it("resource options protect refuses a replacement, also that of a dependent, before anything is created", async () => {
  const cloud = new Cloud();
  const options = { a: { protect: true } };
  await cloud.up(things({ a: { fixed: "1" } }, options));
  expect(errors(await cloud.up(things({ a: { fixed: "2" } }, options)))).toEqual([
    expect.stringContaining("cannot be replaced because it is protected"),
  ]);
  expect([...cloud.objects.keys()]).toEqual(["a-1"]);

  const family = new Cloud();
  const program = (fixed: string) => (stack: ProgramContext) => {
    const first = stack.resource(THING, "a", { key: "a", fixed, deleteFirst: true });
    stack.resource(THING, "b", { key: "b", fixed: first.output("serial") }, { protect: true });
    return undefined;
  };
  await family.up(program("1"));
  expect(errors(await family.up(program("2")))).toEqual([
    expect.stringContaining(`it depends on ${urnOf("a")}, which must be deleted first`),
  ]);
  expect(family.objects.size).toBe(2);
});

it("resource options protect and retainOnDelete come from the parent", async () => {
  const cloud = new Cloud();
  await cloud.up((stack) => {
    const group = stack.component("cloud:index:Group", "group", { protect: true });
    stack.resource(THING, "a", { key: "a" }, { parent: group });
  });
  expect(cloud.resource("a").protect).toBe(true);
});

it("resource options retainOnDelete removes the resource and keeps the object", async () => {
  const cloud = new Cloud();
  await cloud.up(things({ a: {} }, { a: { retainOnDelete: true } }));
  expect(changesOf(await cloud.up(() => undefined))).toEqual(["delete a"]);
  expect(cloud.calls).toEqual([]);
  expect([...cloud.objects.keys()]).toEqual(["a-1"]);
});

it("resource options aliases move the state to a new name, with its children and references", async () => {
  const cloud = new Cloud();
  const program = (name: string, aliases: ResourceOptions["aliases"]) => (stack: ProgramContext) => {
    const parent = stack.resource(THING, name, { key: "p" }, { aliases: aliases ?? [] });
    stack.resource(THING, `${name}-child`, { key: "c", value: parent.output("serial") }, { parent });
    return undefined;
  };
  await cloud.up(program("old", []));
  for (const [name, alias] of [
    ["new", { name: "old" }],
    ["newer", urnOf("new")],
  ] as const) {
    expect(changesOf(await cloud.up(program(name, [alias])))).toEqual([]);
    expect(cloud.names()).toEqual(["rehearsed-rehearsal", name, `${name}-child`]);
    expect(cloud.resource(`${name}-child`)).toMatchObject({ parent: urnOf(name), dependencies: [urnOf(name)] });
  }
});

it("resource options aliases can't take over the state of another resource", async () => {
  const cloud = new Cloud();
  await cloud.up(things({ a: {} }));
  const result = await cloud.up((stack) => {
    const first = stack.resource(THING, "a", { key: "a" });
    stack.resource(THING, "b", { key: "b" }, { aliases: [{ name: "a" }], dependsOn: [first] });
  });
  expect(errors(result)).toEqual([`${urnOf("b")} has the alias ${urnOf("a")}, but that state belongs to ${urnOf("a")}: remove the alias`]);
});

it("resource options two resources cannot have one URN", async () => {
  const result = await new Cloud().up((stack) => {
    stack.resource(THING, "a", { key: "a" });
    stack.resource(THING, "a", { key: "b" });
  });
  expect(errors(result)).toEqual([`there are two resources with the URN ${urnOf("a")}: give one of them another name`]);
});
