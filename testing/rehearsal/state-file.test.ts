import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { posixTest } from "../../test/support/systems";
import type { StackState } from "./engine/state";
import { secret } from "./engine/values";
import { StateFile } from "./state-file";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "state-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (name = "state.json") => new StateFile(join(folder, name), "project", "stack");
const state: StackState = {
  project: "project",
  stack: "stack",
  config: { "project:token": { value: "hush-token", secret: true }, "project:open": { value: "plain" } },
  resources: [
    {
      urn: "urn:pulumi:stack::project::a:b:C::r",
      type: "a:b:C",
      custom: true,
      id: "1",
      inputs: { word: secret("hush-word"), list: [{ deep: secret({ of: "hush-deep" }) }], open: true },
      outputs: { word: secret("hush-word") },
      dependencies: [],
      propertyDependencies: {},
      initErrors: ["not ready"],
      additionalSecretOutputs: [],
      ignoreChanges: [],
      replaceOnChanges: [],
    },
  ],
};

it("is empty for a missing file, and does not write one by itself", () => {
  expect(open().state).toEqual({ project: "project", stack: "stack", config: {}, resources: [] });
  expect(existsSync(join(folder, "state.json"))).toBe(false);
});

it("returns the written state, with no secret readable", () => {
  open().write(state);
  expect(readFileSync(join(folder, "state.json"), "utf8")).not.toContain("hush");
  expect(open().state).toEqual(state);
});

posixTest("lets only the owner read the file and the key", () => {
  open().write(state);
  for (const name of ["state.json", "state.json.key"]) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

it("makes missing folders", () => {
  open("deep/er/state.json").write(state);
  expect(open("deep/er/state.json").state).toEqual(state);
});

it.each([
  ["another one", Buffer.alloc(32).toString("base64")],
  ["empty", ""],
])("needs its original key, and names the file of a key that is %s", (_, key) => {
  open().write(state);
  writeFileSync(join(folder, "state.json.key"), key);
  expect(() => open()).toThrow(`cannot be decrypted: they have another key than ${join(folder, "state.json.key")}`);
});

it("needs the key file, and never makes a second one for the same state", () => {
  open().write({ ...state, config: {}, resources: [] });
  rmSync(join(folder, "state.json.key"));
  expect(() => open().write(state)).toThrow("which is gone: restore it");
});

it("refuses another stack's state, and a file that is not a state", () => {
  open().write(state);
  expect(() => new StateFile(join(folder, "state.json"), "project", "other")).toThrow(
    'holds the state of stack "stack" of project "project"',
  );
  writeFileSync(join(folder, "state.json"), '{"version": 2}');
  expect(() => open()).toThrow("is not a state file of the rehearsal engine");
  writeFileSync(join(folder, "state.json"), "half a fi");
  expect(() => open()).toThrow("is not a state file of the rehearsal engine");
});
