import { Cloud, changesOf, errors, THING, things, urnOf } from "../../../test/support/rehearsal/cloud";
import { type ProgramContext, type ResourceOptions, rehearseInProcess } from "..";
import { secret } from "./values";

describe("the resource option", () => {
  it("ignoreChanges with an inapplicable path causes a message", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: { value: { x: 1 } } }));
    const result = await cloud.up(things({ a: { value: 7 } }, { a: { ignoreChanges: ["value.x"] } }));
    const message = "cannot ignore changes in added or removed elements of the path: value.x";
    expect(result.diagnostics).toEqual([{ severity: "info", message, urn: urnOf("a") }]);
  });

  it("replaceOnChanges causes a replacement for changes of the provider's diff, or of the engine's own comparison", async () => {
    const options = { a: { replaceOnChanges: ["value"] } };
    const [open, closed] = [new Cloud(), new Cloud()];
    await open.up(things({ a: { undecided: true, value: "1" } }, options));
    expect(changesOf(await open.up(things({ a: { undecided: true, value: "2" } }, options)))).toContain("replace a");
    await closed.up(things({ a: { value: "1" } }, options));
    expect(changesOf(await closed.up(things({ a: { value: "2" } }, options)))).toEqual(["update a"]);
  });

  it("protect refuses a deletion, and keeps the resource's dependencies", async () => {
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

  it("protect refuses a replacement, including a dependent's, before anything is created", async () => {
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

  it("protect and retainOnDelete come from the parent", async () => {
    const cloud = new Cloud();
    await cloud.up((stack) => {
      const group = stack.component("cloud:index:Group", "group", { protect: true });
      stack.resource(THING, "a", { key: "a" }, { parent: group });
    });
    expect(cloud.resource("a").protect).toBe(true);
  });

  it("retainOnDelete removes the resource and keeps the object", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: {} }, { a: { retainOnDelete: true } }));
    expect(changesOf(await cloud.up(() => undefined))).toEqual(["delete a"]);
    expect(cloud.calls).toEqual([]);
    expect([...cloud.objects.keys()]).toEqual(["a-1"]);
  });

  it("deletedWith skips the delete if the host is deleted, even if that fails, and only then", async () => {
    const cloud = new Cloud();
    const program = (options: { readonly isHosted: boolean }) => (stack: ProgramContext) => {
      const host = stack.resource(THING, "host", { key: "host" });
      if (options.isHosted) stack.resource(THING, "guest", { key: "guest", value: host.output("serial") }, { deletedWith: host });
      return undefined;
    };
    await cloud.up(program({ isHosted: true }));
    expect(cloud.resource("guest").deletedWith).toBe(urnOf("host"));
    await cloud.up(program({ isHosted: false }));
    expect([...cloud.objects.keys()]).toEqual(["host-1"]);
    await cloud.up(program({ isHosted: true }));
    cloud.objects.set("host-1", { key: "host", serial: "host-1", blocked: true });
    expect(changesOf(await cloud.run("destroy"))).toEqual(["delete guest", "failed delete host"]);
    expect([cloud.names().slice(1), [...cloud.objects.keys()]]).toEqual([["host"], ["host-1", "guest-3"]]);
  });

  it("aliases move the state to a new name, with its children and references", async () => {
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

  it("aliases can't take over the state of another resource", async () => {
    const cloud = new Cloud();
    await cloud.up(things({ a: {} }));
    const result = await cloud.up((stack) => {
      const first = stack.resource(THING, "a", { key: "a" });
      stack.resource(THING, "b", { key: "b" }, { aliases: [{ name: "a" }], dependsOn: [first] });
    });
    expect(errors(result)).toEqual([
      `${urnOf("b")} has the alias ${urnOf("a")}, but that state belongs to ${urnOf("a")}: remove the alias`,
    ]);
  });

  it("name makes a URN that no other resource may have", async () => {
    const result = await new Cloud().up((stack) => {
      stack.resource(THING, "a", { key: "a" });
      stack.resource(THING, "a", { key: "b" });
    });
    expect(errors(result)).toEqual([`there are two resources with the URN ${urnOf("a")}: give one of them another name`]);
  });
});

describe("secrets and configuration", () => {
  it("secrets reach the provider in plain text and come back marked by their names", async () => {
    const cloud = new Cloud();
    const result = await cloud.run("up", (stack) => {
      const inputs = {
        key: "a",
        word: stack.secret("hush"),
        nested: { word: stack.secret("psst"), open: 1 },
        list: ["x", stack.secret("y")],
      };
      return { word: stack.resource(THING, "a", inputs, { additionalSecretOutputs: ["serial"] }).output("word") };
    });
    expect(cloud.objects.get("a-1")).toMatchObject({ word: "hush", nested: { word: "psst", open: 1 }, list: ["x", "y"] });
    const marked = { word: secret("hush"), nested: { word: secret("psst"), open: 1 }, list: secret(["x", "y"]) };
    expect(cloud.resource("a")).toMatchObject({ inputs: marked, outputs: { ...marked, serial: secret("a-1") } });
    expect(result.outputs).toEqual({ word: "[secret]" });
  });

  it("secrets stay marked through an update, a refresh and another resource", async () => {
    const cloud = new Cloud();
    const program = (value: string) => (stack: ProgramContext) => {
      const first = stack.resource(THING, "a", { key: "a", word: stack.secret("hush"), value });
      stack.resource(THING, "b", { key: "b", copy: first.output("word") });
      return undefined;
    };
    await cloud.up(program("1"));
    await cloud.up(program("2"));
    await cloud.run("refresh");
    expect(cloud.resource("a").outputs.word).toEqual(secret("hush"));
    expect(cloud.resource("b").outputs.copy).toEqual(secret("hush"));
  });

  it("secrets are shown in the outputs only with the option", async () => {
    const program = (stack: ProgramContext) => ({ word: stack.secret("hush") });
    expect((await new Cloud().run("up", program, { showSecrets: true })).outputs).toEqual({ word: "hush" });
  });

  const heard: (string | undefined)[] = [];
  const listener = {
    "*": () => ({
      configure: ({ config }: { config: { get(key: string): string | undefined } }) => void heard.push(config.get("token")),
      create: async () => ({ id: "1" }),
    }),
  };
  const run = (command: "up" | "refresh" | "destroy", options: object) =>
    rehearseInProcess({ command, providers: listener, program: things({ a: {} }), ...options });

  it("configuration of a refresh or a destroy is that of the last up, except for given keys", async () => {
    const { state } = await run("up", { secretConfig: { token: "first" } });
    expect(state.config).toEqual({ "rehearsed:token": { value: "first", secret: true } });
    await run("refresh", { state });
    await run("destroy", { state, secretConfig: { "rehearsed:token": "rotated" } });
    expect(heard).toEqual(["first", "first", "rotated"]);
  });

  it("configuration that a provider requires and that is missing is an error with the full key", async () => {
    const needy = {
      "*": () => ({
        configure: ({ config }: { config: { require(key: string): string } }) => void config.require("token"),
        create: async () => ({ id: "1" }),
      }),
    };
    const result = await rehearseInProcess({ command: "up", providers: needy, program: things({ a: {} }) });
    expect(errors(result)).toEqual(["Missing required configuration key: rehearsed:token"]);
  });

  it("configuration that is slow does not delay other calls, like in the real host", async () => {
    const events: string[] = [];
    const slow = {
      "*": () => ({
        configure: async () => {
          await new Promise(setImmediate);
          events.push("configured");
        },
        create: async () => ({ id: "1" }),
        delete: async () => void events.push("deleted"),
      }),
    };
    const { state } = await rehearseInProcess({ command: "up", providers: slow, program: things({ a: {}, b: {} }) });
    events.length = 0;
    await rehearseInProcess({ command: "destroy", providers: slow, program: () => undefined, state });
    expect(events).toEqual(["deleted", "configured", "deleted"]);
  });

  it("configuration that is secret is masked in a provider's messages", async () => {
    const leaky = {
      "*": () => ({
        create: async () => {
          throw new Error("401 for the token hush-token");
        },
      }),
    };
    const secretConfig = { token: "hush-token" };
    const result = await rehearseInProcess({ command: "up", providers: leaky, program: things({ a: {} }), secretConfig });
    expect(errors(result)).toEqual(["401 for the token [secret]"]);
  });
});
