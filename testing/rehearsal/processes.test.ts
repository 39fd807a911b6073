/** In real processes: all commands, and the command line. processes.full.test.ts has more programs. */
import { readFileSync } from "node:fs";
import { runCommand } from "../../cli/command-line";
import { command as rehearseCommand } from "../../cli/rehearse";
import { changesOf } from "../../test/support/rehearsal/cloud";
import { leftovers, Stage } from "../../test/support/rehearsal/stage";

const THING = "pulumi-nodejs:dynamic/recorder:Thing";
let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.remove());

it("a real program runs preview, up, refresh and destroy, and leaves no process behind", async () => {
  stage.plan({
    resources: [
      { name: "group", kind: "group" },
      { name: "a", inputs: { value: "1", word: "config:token" }, options: { parent: "group" } },
      { name: "b", inputs: { value: "$a.serial" } },
    ],
    outputs: { serial: "$b.serial", word: "$a.word" },
  });
  const preview = await stage.rehearse("preview");
  expect(preview).toMatchObject({ ok: true, summary: { create: 4 }, outputs: { serial: "[unknown]", word: "[secret]" }, diagnostics: [] });
  expect(stage.store().objects).toEqual({});
  expect(await stage.rehearse("up")).toMatchObject({ ok: true, summary: { create: 4 }, outputs: { serial: "b-1", word: "[secret]" } });
  expect(readFileSync(stage.stateFile, "utf8")).not.toContain("hush-token");
  stage.setStore({ ...stage.store(), objects: { "a-1": { key: "a", size: 1, value: "meddled", serial: "a-1" } } });
  expect(changesOf(await stage.rehearse("refresh"))).toEqual(expect.arrayContaining(["update a", "delete b"]));
  expect(await stage.rehearse("destroy", { secretConfig: {} })).toMatchObject({ ok: true, summary: { delete: 3 } });
  expect(
    stage
      .takeCalls()
      .filter(({ call }) => call === "configure")
      .map(({ token }) => token),
  ).toEqual(Array(4).fill("hush-token"));
  expect(stage.store().objects).toEqual({});
  expect(leftovers(stage)).toEqual([]);
});

describe("the command", () => {
  const run = async (args: string[], signal = new AbortController().signal) => {
    const [printed, complaints]: [string[], string[]] = [[], []];
    const io = { print: (text: string) => printed.push(text), complain: (text: string) => complaints.push(text) };
    const code = await runCommand(rehearseCommand.usage, args, (given) => rehearseCommand.run(given, io, signal), io);
    return { code, printed: printed.join("\n"), complaints: complaints.join("\n") };
  };
  const where = () => ["--program", stage.program, "--state", stage.stateFile];
  // The command has no option for the environment: it passes its own on.
  beforeEach(() => Object.assign(process.env, stage.env));
  afterEach(() => {
    for (const name of Object.keys(stage.env)) delete process.env[name];
  });

  it("prints the steps, the outputs and a summary", async () => {
    stage.plan({ resources: [{ name: "a", inputs: { value: "1" } }], outputs: { serial: "$a.serial" } });
    const up = await run(["up", ...where(), "--secret-config", "token=hush-token"]);
    expect(up.code).toBe(0);
    expect(up.printed).toBe(` +  pulumi:pulumi:Stack  rehearsed-rehearsal  create
 +  ${THING}  a  create

Outputs:
    serial: "a-1"

Resources:
    create: 2

up succeeded`);
  });

  it("ends with 1 when something failed, and prints the error", async () => {
    stage.plan({ resources: [{ name: "a", inputs: { value: "bad" } }] });
    const { code, printed } = await run(["up", ...where()]);
    expect(code).toBe(1);
    expect(printed).toContain(`  ${THING} (a):\n    error: ${THING} "a": property value: bad is not allowed`);
    expect(printed).toContain("up failed");
  });

  it.each([
    [["launch"], "give one of preview, up, refresh and destroy"],
    [["up"], "--program and --state are needed"],
    [["up", "--program", "p", "--state", "s", "--config", "hush"], "--config: write KEY=VALUE"],
    [["up", "--program", "p", "--state", "s", "--parallel", "none"], "--parallel none: give a whole number from 1"],
    [["up", "--unknown"], "Unknown option '--unknown'"],
  ])("ends with 2 for %j, and prints the usage", async (args, message) => {
    const { code, complaints } = await run(args);
    expect(code).toBe(2);
    expect(complaints).toContain(message);
    expect(complaints).toContain("usage: npx --no-install pulumi-agentpool-acl rehearse preview|up|refresh|destroy");
    expect(complaints).not.toContain("hush");
  });

  it("ends with 1 when there is nothing to run", async () => {
    const { code, complaints } = await run(["up", "--program", stage.folder, "--state", stage.stateFile]);
    expect({ code, complaints }).toEqual({ code: 1, complaints: expect.stringContaining("there is no Pulumi.yaml in") });
  });

  it("ends with 130 when it is cancelled, after the running call, keeps its result, and with --json prints the whole", async () => {
    stage.plan({
      resources: [
        { name: "a", inputs: { slow: 300 } },
        { name: "b", inputs: { value: "$a.serial" } },
      ],
    });
    const cancellation = new AbortController();
    const running = run(["up", ...where(), "--json"], cancellation.signal);
    await until(() => stage.peekCalls().some(({ call }) => call === "create"));
    cancellation.abort();
    const { code, printed } = await running;
    expect(code).toBe(130);
    expect(JSON.parse(printed)).toMatchObject({
      ok: false,
      steps: expect.arrayContaining([expect.objectContaining({ name: "a", op: "create" })]),
    });
    expect(Object.keys(stage.store().objects)).toEqual(["a-1"]);
    expect(stage.rehearsedState().map(({ id }) => id)).toEqual([undefined, "a-1"]);
    expect(leftovers(stage)).toEqual([]);
  });
});

/** Polls, because another process changes the value. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
