/** More programs and errors in real processes. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errors } from "../../test/support/rehearsal/cloud";
import { leftovers, Stage } from "../../test/support/rehearsal/stage";

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

it("a TypeScript program in a folder of its own runs as it is", async () => {
  mkdirSync(join(stage.program, "src"));
  renameSync(join(stage.program, "index.js"), join(stage.program, "src", "base.js"));
  writeFileSync(join(stage.program, "src", "index.ts"), 'const size: number = 2;\nexport = { ...require("./base"), size };\n');
  writeFileSync(join(stage.program, "Pulumi.yaml"), "name: rehearsed\nruntime: nodejs\nmain: src\n");
  writeFileSync(join(stage.program, "package.json"), "{}");
  stage.plan({ resources: [{ name: "a" }], outputs: { serial: "$a.serial" } });
  const result = await stage.rehearse("up", { env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" } });
  expect(result).toMatchObject({ ok: true, outputs: { serial: "a-1", size: 2 } });
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

  it("exports a value that never resolves", async () => {
    stage.plan({ resources: [], hangs: true });
    const result = await stage.rehearse("up");
    expect(result.ok).toBe(false);
    expect(errors(result).join("\n")).toContain("the program ended before it had registered everything");
  });

  it("kills the provider's process", async () => {
    stage.plan({ resources: [{ name: "a", inputs: { value: "2", kills: "update" } }] });
    const result = await stage.rehearse("up");
    expect(result.ok).toBe(false);
    expect(result.diagnostics.at(-1)).toMatchObject({ severity: "error", urn: expect.stringContaining("::a") });
  });
});
