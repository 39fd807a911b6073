import { Cloud, errors, THING, things } from "../../../test/support/rehearsal/cloud";
import { type ProgramContext, rehearseInProcess } from "..";
import { secret } from "./values";

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

it("configuration is that of the up; a refresh and a destroy use that of the last up, unless keys are given", async () => {
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

it("configuration that is slow does not delay calls that come meanwhile, like in the real host", async () => {
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
