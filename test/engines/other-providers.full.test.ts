/**
 * The examples with a second provider. Users generate its SDK from the downloaded provider. Here, small classes stand in for the parts of
 * the SDK that the examples use, by the documents of hashicorp/tfe and hashicorp/nomad. The programs are compiled, and run with Pulumi's
 * mocks.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import * as z from "zod";
import { packages } from "../../tools/engines/engines";
import { root } from "../../tools/repository";
import { compile } from "../support/compile";
import { withProgram } from "../support/programs";

jest.setTimeout(120_000);

/** The classes of a generated SDK: the type token of each class, and the TypeScript types of its arguments. */
type Classes = Readonly<Record<string, { token: string; args: Readonly<Record<string, string>> }>>;

const providers: Readonly<Record<string, Classes>> = {
  tfe: {
    Workspace: { token: "tfe:index/workspace:Workspace", args: { name: "string", organization: "string" } },
    WorkspaceSettings: {
      token: "tfe:index/workspaceSettings:WorkspaceSettings",
      args: { workspaceId: "string", executionMode: "string", agentPoolId: "string" },
    },
  },
  nomad: {
    Namespace: { token: "nomad:index/namespace:Namespace", args: { name: "string", description: "string" } },
    Job: { token: "nomad:index/job:Job", args: { jobspec: "string" } },
  },
};

/** A script that runs the example, and prints each resource with the values of its inputs as JSON. */
const run = `const pulumi = require("@pulumi/pulumi");
const registered = [];
pulumi.runtime.setAllConfig(JSON.parse(process.argv[2]));
pulumi.runtime.setMocks({
  newResource: ({ type, name, inputs }) => {
    const { __provider, ...rest } = inputs;
    registered.push({ type: type.split(":").at(-1), name, inputs: rest });
    return { id: name + "-id", state: inputs };
  },
  call: () => ({}),
}, "example", "test");
require("./index.js");
process.on("exit", () => console.log(JSON.stringify(registered)));
`;

const resources = z.array(z.object({ type: z.string(), name: z.string(), inputs: z.record(z.string(), z.unknown()) }));

async function registeredBy(example: string, provider: string, config: Readonly<Record<string, string>>) {
  const program = readFileSync(join(root, "examples", example, "index.ts"), "utf8");
  const classes = Object.entries(providers[provider] ?? {});
  const types = classes.map(([name, { args }]) => {
    const fields = Object.entries(args).map(([field, type]) => `${field}: pulumi.Input<${type}>`);
    const outputs = Object.entries(args).map(([field, type]) => `readonly ${field}: pulumi.Output<${type}>;`);
    return `export declare class ${name} extends pulumi.CustomResource {
  ${outputs.join("\n  ")}
  constructor(name: string, args: { ${fields.join("; ")} }, options?: pulumi.CustomResourceOptions);
}`;
  });
  const code = classes.map(
    ([name, { token, args }]) => `exports.${name} = class extends pulumi.CustomResource {
  constructor(name, args, options) { super("${token}", name, { ${Object.keys(args).map((field) => `${field}: args.${field}`)} }, options); }
};`,
  );
  const sdk = `node_modules/@pulumi/${provider}`;
  const files = {
    "index.ts": program,
    "index.js": ts.transpileModule(program, { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } })
      .outputText,
    "run.js": run,
    [`${sdk}/package.json`]: JSON.stringify({ name: `@pulumi/${provider}`, main: "index.js", types: "index.d.ts" }),
    [`${sdk}/index.d.ts`]: `import * as pulumi from "@pulumi/pulumi";\n${types.join("\n")}\n`,
    [`${sdk}/index.js`]: `const pulumi = require("@pulumi/pulumi");\n${code.join("\n")}\n`,
  };
  return withProgram(files, async (folder) => {
    mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
    for (const name of ["@pulumi/pulumi", "@types/node", "pulumi-agentpool-acl"])
      symlinkSync(join(packages, name), join(folder, "node_modules", name), "junction");
    await expect(compile([join(folder, "index.ts")], folder)).resolves.toBe("");
    const { stdout } = await promisify(execFile)(process.execPath, ["run.js", JSON.stringify(config)], { cwd: folder });
    return resources.parse(JSON.parse(stdout));
  });
}

test("examples/workspace lets the workspace into the pool, and attaches it by its execution mode", async () => {
  const found = await registeredBy("workspace", "tfe", { "example:workspace": "network", "agentpool-acl:organization": "example-org" });
  expect(found).toEqual(
    expect.arrayContaining([
      { type: "Workspace", name: "network", inputs: { name: "network", organization: "example-org" } },
      { type: "AgentPool", name: "runners", inputs: expect.objectContaining({ allowedWorkspaceIds: ["network-id"] }) },
      {
        type: "WorkspaceSettings",
        name: "network",
        inputs: { workspaceId: "network-id", executionMode: "agent", agentPoolId: "runners-id" },
      },
      { type: "AgentToken", name: "runners", inputs: expect.objectContaining({ agentPoolId: "runners-id" }) },
    ]),
  );
});

test("examples/namespace binds the role whose policy names the namespace of the other provider", async () => {
  const found = await registeredBy("namespace", "nomad", { "example:issuer": "https://login.example.com" });
  expect(found.find(({ type }) => type === "Job")?.inputs.jobspec).toContain('namespace = "payments"');
  expect(found).toEqual(
    expect.arrayContaining([
      {
        type: "AclPolicy",
        name: "payments-write",
        inputs: expect.objectContaining({ rules: 'namespace "payments" { policy = "write" }' }),
      },
      { type: "AclRole", name: "payments", inputs: expect.objectContaining({ policies: ["payments-write"] }) },
      { type: "AclBindingRule", name: "payments", inputs: expect.objectContaining({ authMethod: "company", bindName: "payments" }) },
    ]),
  );
});
