/** More programs and errors in real processes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { errors } from "./fixtures/cloud";
import { leftovers, Stage } from "./fixtures/stage";

const THING = "pulumi-nodejs:dynamic/recorder:Thing";
let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.remove());

it("the diagnostics have the output of the program and the provider, without secrets of the configuration", async () => {
  stage.plan({ resources: [] });
  writeFileSync(
    join(stage.program, "chatty.js"),
    'console.log("token:", new (require("@pulumi/pulumi").Config)().require("token")); require("./index.js");',
  );
  writeFileSync(join(stage.program, "package.json"), '{ "main": "chatty.js" }');
  expect((await stage.rehearse("preview")).diagnostics).toEqual([{ severity: "info", message: "token: [secret]" }]);
});

it("a program and its providers find the engine even if the user's proxy does not work", async () => {
  stage.plan({ resources: [{ name: "a" }], outputs: { serial: "$a.serial" } });
  const nowhere = "http://127.0.0.1:1";
  const proxies = { http_proxy: nowhere, https_proxy: nowhere, grpc_proxy: nowhere, no_proxy: "example.com" };
  expect(await stage.rehearse("up", { env: proxies })).toMatchObject({ ok: true, outputs: { serial: "a-1" } });
});

describe("deletes nothing when the program", () => {
  beforeEach(async () => {
    stage.plan({ resources: [{ name: "a" }] });
    await stage.rehearse("up");
  });
  afterEach(() => {
    expect(stage.store().objects).toHaveProperty("a-1");
    expect(leftovers(stage)).toEqual([]);
  });

  it.each([
    ["fails", { resources: [], throws: "the program failed" }, "the program failed"],
    [
      "calls a function of a provider",
      { resources: [], invokes: "some:module:function" },
      "there is no pulumi-resource-some among the program's packages or on PATH",
    ],
    [
      "imports",
      { resources: [{ name: "a", options: { import: "x" } }] },
      `${THING} "a": the rehearsal engine does not know the option import`,
    ],
  ])("%s", async (_, plan, message) => {
    stage.plan(plan);
    const result = await stage.rehearse("up");
    expect(result.ok).toBe(false);
    expect(errors(result).join("\n")).toContain(message);
  });
});
