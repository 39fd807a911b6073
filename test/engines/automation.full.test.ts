/** Pulumi's Automation API with the CLI: programs that are functions in the user's process. */
import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Simulator } from "../../testing/simulator";
import { packages } from "../../tools/engines/engines";
import { configFor, startSimulator } from "../../tools/engines/project";
import { withProgram, writeFiles } from "../support/programs";
import { whyWithoutCli } from "../support/without-cli";

jest.setTimeout(180_000);

interface Scene {
  readonly dev: Simulator;
  readonly prod: Simulator;
  /** Runs a script from the folder of the packages, in that folder or in an empty one. @returns the last value that it prints */
  run(script: string, where: "next to the packages" | "in an empty folder"): Promise<unknown>;
}

const begin = `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { AclRole, getRoleOutput } = require("pulumi-agentpool-acl");
const configs = JSON.parse(process.env.TRIAL_CONFIGS);
const print = (result) => console.log("\\n" + JSON.stringify(result));
const operators = async () => ({ id: new AclRole("operators", { name: "operators", policies: ["read-only"] }).id });
const stackOf = async (stackName, program, options) => {
  const stack = await LocalWorkspace.createOrSelectStack({ stackName, projectName: "automated", program }, options);
  await stack.setAllConfig(configs[stackName]);
  return stack;
};
`;

function automation(title: string, use: (scene: Scene) => Promise<void>): void {
  test(title, async () => {
    const reason = whyWithoutCli();
    if (reason) return console.log(`Left out, because ${reason}: ${title}`);
    const [dev, prod] = [await startSimulator(), await startSimulator()];
    try {
      await withProgram({}, (folder) => withProgram({}, (empty) => use({ dev, prod, run: runner(folder, empty, { dev, prod }) })));
    } finally {
      await Promise.all([dev.stop(), prod.stop()]);
    }
  });
}

function runner(folder: string, empty: string, simulators: Record<string, Simulator>): Scene["run"] {
  symlinkSync(packages, join(folder, "node_modules"), "junction");
  for (const name of ["backend", "tmp"]) mkdirSync(join(folder, name));
  const configs = Object.entries(simulators).map(([stack, simulator]) => {
    const { config, secretConfig } = configFor(simulator);
    const values = Object.entries(config).map(([key, value]) => [key, { value }]);
    const secrets = Object.entries(secretConfig).map(([key, value]) => [key, { value, secret: true }]);
    return [stack, Object.fromEntries([...values, ...secrets])];
  });
  const env = {
    ...process.env,
    PATH: `${process.env.PATH ?? ""}${delimiter}${join(packages, "@pulumi/pulumi")}`,
    PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_CONFIG_PASSPHRASE: "trial",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // A workspace without a given folder makes a folder in TMPDIR, and does not remove it.
    TMPDIR: join(folder, "tmp"),
    TRIAL_CONFIGS: JSON.stringify(Object.fromEntries(configs)),
  };
  return async (script, where) => {
    writeFiles(folder, { "automate.js": `${begin}(async () => {${script}})();` });
    const cwd = where === "in an empty folder" ? empty : folder;
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "automate.js")], { cwd, env });
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  };
}

describe.each([
  ["with a workDir", "{ workDir: __dirname }"],
  ["without a workDir", "undefined"],
])("an inline program %s", (_, options) => {
  automation("is previewed, applied, refreshed and destroyed", async ({ dev, run }) => {
    const script = `
      const stack = await stackOf("dev", operators, ${options});
      const preview = await stack.preview();
      const up = await stack.up();
      const again = await stack.up();
      const refresh = await stack.refresh();
      await stack.destroy();
      print({ id: up.outputs.id.value, changes: [preview.changeSummary, ...[up, again, refresh].map(({ summary }) => summary.resourceChanges)] });
    `;
    expect(await run(script, "next to the packages")).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      changes: [{ create: 2 }, { create: 2 }, { same: 2 }, { same: 2 }],
    });
    expect(dev.journal.requests({ method: "POST", path: "/v1/acl/role" }).map(({ status }) => status)).toEqual([200]);
    expect(dev.cluster.roles.list()).toEqual([]);
  });
});

automation("an inline program in a process whose folder lacks the package fails with a remedy that works", async ({ dev, run }) => {
  const script = (options: string) => `
    const stack = await stackOf("dev", operators, ${options});
    const printed = [];
    const failed = await stack.up({ onOutput: (text) => printed.push(text) }).then(() => false, () => true);
    print({ failed, text: printed.join("") });
  `;
  expect(await run(script("undefined"), "in an empty folder")).toEqual({
    failed: true,
    text: expect.stringMatching(
      /warning: pulumi-agentpool-acl can't be found from the working directory of this process .*projectSettings .*main/,
    ),
  });
  expect(dev.journal.lines()).toEqual([]);
  const settings = `{ projectSettings: { name: "automated", runtime: "nodejs", main: __dirname } }`;
  expect(await run(script(settings), "in an empty folder")).toMatchObject({ failed: false });
  expect(dev.cluster.roles.list()).toMatchObject([{ Name: "operators" }]);
});

automation(
  "two stacks of one process each look up their own cluster's objects, one after the other and at the same time",
  async (scene) => {
    const [dev, prod] = [scene.dev, scene.prod].map(
      ({ cluster }) => cluster.roles.put({ Name: "ops", Policies: [{ Name: "read-only" }] }).ID,
    );
    const script = `
    const lookup = async () => ({ id: getRoleOutput({ name: "ops" }).id });
    const stacks = [await stackOf("dev", lookup), await stackOf("prod", lookup)];
    const up = async (stack) => (await stack.up()).outputs.id.value;
    print([await up(stacks[0]), await up(stacks[1]), ...await Promise.all(stacks.map(up))]);
  `;
    expect(await scene.run(script, "next to the packages")).toEqual([dev, prod, dev, prod]);
  },
);
