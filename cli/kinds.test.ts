/** Commands with an object of each kind that has updates, against the simulator. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { samples } from "../test/kinds";
import { type CommandScene, commandScene } from "../test/support/commands";

let scene: CommandScene;
const command = (...args: string[]) => scene.command(...args);

beforeEach(async () => {
  scene = await commandScene();
});
afterEach(() => scene.stop());

describe.each(samples)("an object of the kind $kind", ({ kind, rows, given, twin, faults }) => {
  beforeEach(() => {
    const { simulator } = scene;
    given?.(simulator);
    faults.prepare({ simulator });
    (twin ?? faults.theirs)?.(simulator);
  });

  it("is written by an export and by an import, and stays unchanged on the server", async () => {
    const { simulator, folder } = scene;
    const before = rows(simulator);
    const exported = await command("export", "--only", kind);
    expect([exported.status, exported.err]).toEqual([0, ""]);
    const listed = JSON.parse(exported.out).objects[kind];
    const out = join(folder, "out");
    const imported = await command("import", "--output", out, "--only", kind);
    expect(imported).toMatchObject({ status: 0, out: expect.stringContaining(`${listed.length} of ${listed.length} objects are written`) });
    const { resources } = JSON.parse(readFileSync(join(out, "import.json"), "utf8"));
    expect(resources).toHaveLength(listed.length);
    const program = readFileSync(join(out, "index.ts"), "utf8");
    expect(program.match(/new \w+\(/g)).toEqual(listed.map(() => `new ${kind}(`));
    expect(rows(simulator)).toEqual(before);
  });

  it("is compared with a state, which shows changes by others", async () => {
    const { simulator } = scene;
    const state = await scene.stateFile();
    expect(await command("drift", "--state", state)).toMatchObject({ status: 0, err: "" });
    faults.drift(simulator);
    const { status, out } = await command("drift", "--state", state);
    expect(status).toBe(3);
    expect(out).toMatch(new RegExp(`^${kind} .*: changed$`, "m"));
  });
});
