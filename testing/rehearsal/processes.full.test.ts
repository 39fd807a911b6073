/** More programs and errors in real processes. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command as rehearseCommand } from "../../cli/rehearse";
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

it("a TypeScript program in a separate folder runs unchanged", async () => {
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

it("an error of a destroy is reported once, although the host prints it as well", async () => {
  stage.plan({ resources: [{ name: "a", inputs: { value: "1" } }] });
  await stage.rehearse("up");
  stage.setStore({ ...stage.store(), blocked: ["a-1"] });
  const { ok, diagnostics } = await stage.rehearse("destroy");
  expect(ok).toBe(false);
  expect(diagnostics.filter(({ message }) => message.includes("a-1 is in use")).map(({ severity }) => severity)).toEqual(["error"]);
});

describe("variables for services", () => {
  const variables = { NOMAD_ADDR: "https://cluster.example", TFE_TOKEN: "hush-token", AGENTPOOL_ACL_REGION: "eu" };
  const seen = () =>
    `module.exports = { seen: Object.keys(process.env).filter((name) => /^(NOMAD|TFE|AGENTPOOL_ACL)_/.test(name)).sort().join() };\n`;
  beforeEach(() => {
    writeFileSync(join(stage.program, "index.js"), seen());
    Object.assign(process.env, variables);
  });
  afterEach(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
  });

  it("do not reach the program of a test, so it never uses the services of a shell", async () => {
    expect(await stage.rehearse("up")).toMatchObject({ ok: true, outputs: { seen: "" } });
  });

  it("reach it if they are given", async () => {
    expect(await stage.rehearse("up", { env: { NOMAD_ADDR: "http://127.0.0.1:1" } })).toMatchObject({ outputs: { seen: "NOMAD_ADDR" } });
  });

  const command = async (...flags: string[]) => {
    const args = ["up", "--program", stage.program, "--state", stage.stateFile, "--json", ...flags];
    const [printed, complaints]: [string[], string[]] = [[], []];
    const io = { print: (text: string) => printed.push(text), complain: (text: string) => complaints.push(text) };
    await rehearseCommand.run(args, io, new AbortController().signal);
    return { result: JSON.parse(printed.join("\n")), complaints };
  };

  it("do not reach the program of the command without --inherit-env", async () => {
    expect((await command()).result).toMatchObject({ ok: true, outputs: { seen: "" } });
    expect((await command("--inherit-env")).result).toMatchObject({ outputs: { seen: Object.keys(variables).sort().join() } });
  });

  it("are named if the command failed without them", async () => {
    writeFileSync(join(stage.program, "index.js"), "process.exit(3);\n");
    expect((await command()).complaints).toEqual(["not used without --inherit-env: AGENTPOOL_ACL_REGION, NOMAD_ADDR, TFE_TOKEN"]);
    expect((await command("--inherit-env")).complaints).toEqual([]);
  });
});
