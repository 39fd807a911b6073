/** Programs in TypeScript, CommonJS and ES modules, and `main` in Pulumi.yaml. */
import { onBothEngines } from "../support/both-engines";
import type { Files } from "../support/programs";

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
