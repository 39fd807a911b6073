import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { hasCli, packages } from "../demo/engines";
import { configFor, startSimulator } from "../demo/project";
import { onBothEngines } from "./support/both-engines";
import { type Files, withProgram } from "./support/programs";

const role = `const role = new AclRole("operators", { name: "operators", policies: ["read-only"] });`;
const modules = `import { AclRole } from "pulumi-agentpool-acl";`;

const kinds: [string, Files][] = [
  ["in CommonJS", { "index.js": `const { AclRole } = require("pulumi-agentpool-acl");\n${role}\nexports.id = role.id;` }],
  [
    "in ES modules",
    { "package.json": '{"name":"trial","main":"index.js","type":"module"}', "index.js": `${modules}\n${role}\nexport const id = role.id;` },
  ],
  [
    "in TypeScript",
    {
      "package.json": '{"name":"trial","main":"index.ts"}',
      "tsconfig.json": '{"compilerOptions":{"target":"es2022","module":"node16","types":[],"strict":true},"files":["index.ts"]}',
      "index.ts": `import type { Output } from "@pulumi/pulumi";\n${modules}\n${role}\nexport const id: Output<string> = role.id;`,
    },
  ],
  [
    "in a folder that main of Pulumi.yaml names",
    {
      "Pulumi.yaml": "name: trial\nruntime: nodejs\nmain: infrastructure\n",
      "infrastructure/index.js": `const { AclRole } = require("pulumi-agentpool-acl");\n${role}\nexports.id = role.id;`,
    },
  ],
];

it.each(kinds)("a program %s is previewed, applied and destroyed", async (_, files) => {
  await onBothEngines(files, async ({ engine, simulator }) => {
    expect((await engine.run("preview")).errors).toEqual([]);
    expect((await engine.run("up")).errors).toEqual([]);
    const [made] = simulator.cluster.roles.list();
    const stack = (await engine.resources()).find(({ type }) => type === "pulumi:pulumi:Stack");
    expect(stack?.outputs).toEqual({ id: made?.ID });
    expect((await engine.run("destroy")).errors).toEqual([]);
    expect(simulator.cluster.roles.list()).toEqual([]);
  });
});

/** A user's own script: the program is a function in it. It prints what every operation did. */
const script = `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { AclRole } = require("pulumi-agentpool-acl");
const program = async () => ({ id: new AclRole("operators", { name: "operators", policies: ["read-only"] }).id });
(async () => {
  const stack = await LocalWorkspace.createOrSelectStack({ stackName: "demo", projectName: "automated", program }, { workDir: __dirname });
  await stack.setAllConfig(JSON.parse(process.env.TRIAL_CONFIG));
  const preview = await stack.preview();
  const up = await stack.up();
  const again = await stack.up();
  const refresh = await stack.refresh();
  await stack.destroy();
  const [id, changes] = [up.outputs.id.value, [preview.changeSummary, up.summary.resourceChanges, again.summary.resourceChanges, refresh.summary.resourceChanges]];
  console.log(JSON.stringify({ id, changes }));
})();
`;

it("a program runs through the Automation API", async () => {
  if (!hasCli()) {
    console.log("The Automation API was not tried, because it needs the Pulumi CLI, and there is no pulumi on PATH.");
    return;
  }
  const simulator = await startSimulator();
  try {
    await withProgram({ "automate.js": script }, async (folder) => {
      symlinkSync(packages, join(folder, "node_modules"), "junction");
      mkdirSync(join(folder, "backend"));
      const { config, secretConfig } = configFor(simulator);
      const values = Object.entries(config).map(([key, value]) => [key, { value }]);
      const secrets = Object.entries(secretConfig).map(([key, value]) => [key, { value, secret: true }]);
      const env = {
        ...process.env,
        PATH: `${process.env.PATH ?? ""}${delimiter}${join(packages, "@pulumi/pulumi")}`,
        PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
        PULUMI_HOME: join(folder, "home"),
        PULUMI_CONFIG_PASSPHRASE: "trial",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        TRIAL_CONFIG: JSON.stringify(Object.fromEntries([...values, ...secrets])),
      };
      const { stdout } = await promisify(execFile)(process.execPath, ["automate.js"], { cwd: folder, env });
      const [created] = simulator.journal.requests({ method: "POST", path: "/v1/acl/role" });
      expect(JSON.parse(stdout)).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        changes: [{ create: 2 }, { create: 2 }, { same: 2 }, { same: 2 }],
      });
      expect(created?.status).toBe(200);
      expect(simulator.cluster.roles.list()).toEqual([]);
    });
  } finally {
    await simulator.stop();
  }
});
