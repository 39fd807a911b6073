/**
 * The package in the Pulumi CLI: the schema that the CLI reads, and the SDK for Node that it generates. A test whose tools are missing is
 * left out, with the reason.
 */
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { packages } from "../../tools/engines/engines";
import { compile } from "../support/compile";
import { executable, generatedSdk, hasNpm, needs, run, schema, schemaFrom, scratch, withoutEmpty } from "../support/languages";
import { writeFiles } from "../support/programs";

jest.setTimeout(420_000);

test("the CLI reads the schema from the executable", async () => {
  if (!needs("pulumi")) return;
  expect(await schemaFrom(executable)).toEqual(withoutEmpty(JSON.parse(readFileSync(schema, "utf8"))));
});

test("the generated SDK for Node compiles", async () => {
  const sdk = await generatedSdk("nodejs");
  if (!sdk) return;
  symlinkSync(packages, join(sdk, "node_modules"), "junction");
  await expect(compile([join(sdk, "index.ts")], sdk)).resolves.toBe("");
});

test("`pulumi package add` adds an SDK that a program compiles with", async () => {
  if (!needs("pulumi", "pulumi-language-nodejs") || !(await hasNpm())) return;
  const folder = join(scratch, "added");
  const manifest = {
    name: "added",
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.246.0" },
    devDependencies: { typescript: "^5.9.0" },
  };
  writeFiles(folder, {
    "Pulumi.yaml": "name: added\nruntime: nodejs\n",
    "package.json": JSON.stringify(manifest),
    "index.ts":
      'import * as acl from "pulumi-agentpool-acl-sdk";\nexport const id = new acl.AclRole("dev", { name: "dev", policies: ["read"] }).id;\n',
  });
  await run("pulumi", ["package", "add", executable], folder);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "node16", "index.ts"];
  await expect(run(join(folder, "node_modules/.bin/tsc"), options, folder)).resolves.toBe("");
});
