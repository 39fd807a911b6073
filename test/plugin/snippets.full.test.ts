/**
 * The examples of the documents, in every language: each is compiled, or bound to the schema, by the language's own tools. A test whose
 * tools are missing is left out, with the reason. `archive.full.test.ts` runs a whole program in YAML, Python and Go.
 */
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { textFiles } from "../../cli/import/program";
import { packages } from "../../tools/engines/engines";
import { languages, programs } from "../../tools/generate/examples";
import { compile } from "../support/compile";
import { generatedSdk, needs, root, run, runWithPythonMocks, scratch, withGoSdk } from "../support/languages";
import { writeFiles } from "../support/programs";

jest.setTimeout(420_000);

/** The text files that the examples read. */
const texts = Object.fromEntries(
  Object.values(programs).flatMap(({ program }) => textFiles(program).map(({ path, text }): [string, string] => [path, text])),
);

/** Every example in a language, by its name. */
function allIn(language: string): [name: string, text: string][] {
  return Object.entries(programs).map(([name, program]) => [name, `${languages[language]?.(program)}\n`]);
}

test("TypeScript: every example compiles strictly, for dynamic resources too", async () => {
  const folder = join(scratch, "typescript");
  const files = allIn("typescript").flatMap(([name, text]): [string, string][] => [
    [`${name}.ts`, text],
    [`${name}-dynamic.ts`, text.replace("pulumi-agentpool-acl/plugin", "pulumi-agentpool-acl")],
  ]);
  writeFiles(folder, Object.fromEntries(files));
  symlinkSync(packages, join(folder, "node_modules"), "junction");
  await expect(
    compile(
      files.map(([name]) => name),
      folder,
    ),
  ).resolves.toBe("");
});

test("Python: every example compiles, and runs with mocks of the SDK that is generated from the schema", async () => {
  if (!needs("python3")) return;
  const folder = join(scratch, "python");
  writeFiles(folder, { ...texts, ...Object.fromEntries(allIn("python").map(([name, text]) => [`${name}.py`, text])) });
  const files = allIn("python").map(([name]) => `${name}.py`);
  await run("python3", ["-m", "py_compile", ...files], folder);
  await runWithPythonMocks(
    folder,
    files,
    Object.values(programs).flatMap(({ program }) => program.secrets),
  );
});

test("Go: every example has gofmt's form, and compiles with the SDK that is generated from the schema", async () => {
  if (!needs("gofmt")) return;
  const folder = join(scratch, "go");
  for (const [name, text] of allIn("go")) writeFiles(join(folder, name.toLowerCase()), { ...texts, "main.go": text });
  await expect(run("gofmt", ["-l", "."], folder)).resolves.toBe("");
  const env = await withGoSdk("snippets", folder);
  if (env) await expect(run("go", ["vet", "./..."], folder, env)).resolves.toBe("");
});

test("YAML: every example is a program that the CLI's converter binds to the schema", async () => {
  if (!needs("pulumi", "pulumi-language-yaml", "pulumi-converter-yaml", "pulumi-language-nodejs")) return;
  const head = `name: snippet\nruntime: yaml\nplugins:\n  providers:\n    - name: agentpool-acl\n      path: ${join(root, "bin")}\n`;
  for (const [name, text] of allIn("yaml")) {
    const folder = join(scratch, "yaml", name);
    writeFiles(folder, { ...texts, "Pulumi.yaml": `${head}${text}` });
    const out = join(folder, "converted");
    await run("pulumi", ["convert", "--from", "yaml", "--language", "nodejs", "--strict", "--out", out, "--generate-only"], folder);
    expect(existsSync(join(out, "index.ts"))).toBe(true);
  }
});

test("C#: every example compiles with the SDK that is generated from the schema (no other test compiles C#)", async () => {
  if (!needs("dotnet")) return;
  const sdk = await generatedSdk("dotnet");
  if (!sdk) return;
  for (const [name, text] of allIn("csharp")) {
    const folder = join(scratch, "csharp", name);
    const project = `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net8.0</TargetFramework><Nullable>enable</Nullable></PropertyGroup>
<ItemGroup><ProjectReference Include="${sdk}/AgentpoolAcl.Sdk.csproj" /></ItemGroup></Project>`;
    writeFiles(folder, { "Program.cs": text, "snippet.csproj": project });
    await run("dotnet", ["build", "--nologo"], folder);
  }
});
