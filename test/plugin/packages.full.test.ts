/**
 * The package with the Pulumi CLI: SDKs, installations, and programs in other languages. A test whose tools are missing is left out, with
 * the reason.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { isRecord } from "../../provider/model/unknown";
import { findExecutable, foldersOf } from "../../provider/testing/rehearsal/processes/executable";
import { packages, withEngine } from "../../tools/engines/engines";
import { clientSecret, configFor, startSimulator } from "../../tools/engines/project";
import { compile } from "../support/compile";
import { writeFiles } from "../support/programs";

jest.setTimeout(420_000);

const execute = promisify(execFile);
const root = join(__dirname, "../..");
const executable = join(root, "bin/pulumi-resource-agentpool-acl");
const schema = join(root, "schema.json");

import { whyWithoutCli } from "../support/extent";

const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-packages-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const own = { PULUMI_HOME: join(scratch, "home"), PULUMI_CONFIG_PASSPHRASE: "trial", PULUMI_SKIP_UPDATE_CHECK: "true" };

/** Runs a program of the system. @returns its standard output @throws with its output, when it fails */
async function run(command: string, args: readonly string[], cwd = scratch, env: NodeJS.ProcessEnv = {}): Promise<string> {
  return (await execute(command, [...args], { cwd, env: { ...process.env, ...own, ...env }, maxBuffer: 64 * 1024 * 1024 })).stdout;
}

/** Leaves a test out, with the reason, where a program is missing. */
function needs(...programs: string[]): boolean {
  const missing = programs.filter((program) => !findExecutable(program, foldersOf(process.env.PATH)));
  if (missing.length > 0) console.log(`Left out, because ${missing.join(" and ")} is not on PATH: ${expect.getState().currentTestName}`);
  return missing.length === 0;
}

/** Whether this works; otherwise the error is printed. */
async function works(what: () => Promise<unknown>): Promise<boolean> {
  try {
    await what();
    return true;
  } catch (error) {
    console.log(`Left out: ${expect.getState().currentTestName}, because this is out of reach: ${String(error).slice(0, 500)}`);
    return false;
  }
}

const hasNpm = () => works(() => run("npm", ["ping", "--fetch-retries=0", "--fetch-timeout=10000"]));

/** Writes the SDK of a language. @returns its folder; undefined where the language's host can't */
async function generated(language: string): Promise<string | undefined> {
  if (!needs("pulumi", `pulumi-language-${language}`)) return undefined;
  const out = join(scratch, `sdk-${language}`);
  const isThere = await works(() => run("pulumi", ["package", "gen-sdk", schema, "--language", language, "--out", out]));
  return isThere ? join(out, language) : undefined;
}

test("the CLI reads the schema from the executable", async () => {
  if (!needs("pulumi")) return;
  expect(await schemaBy(executable)).toEqual(withoutEmpty(JSON.parse(readFileSync(schema, "utf8"))));
});

async function schemaBy(source: string): Promise<unknown> {
  return withoutEmpty(JSON.parse(await run("pulumi", ["package", "get-schema", source])));
}

/** The CLI leaves out empty values, and adds the plugin's source. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, withoutEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => typeof item !== "object" || item === null || Object.keys(item).length > 0));
}

test("the generated SDK for Node compiles", async () => {
  const sdk = await generated("nodejs");
  if (!sdk) return;
  symlinkSync(packages, join(sdk, "node_modules"), "junction");
  await expect(compile([join(sdk, "index.ts")], sdk)).resolves.toBe("");
});

test("the generated SDK for Python compiles", async () => {
  if (!needs("python3")) return;
  const sdk = await generated("python");
  if (sdk) await expect(run("python3", ["-m", "compileall", "-q", sdk])).resolves.toBe("");
});

const goModule = (name: string, more = "") => `module ${name}\n\ngo 1.24\n\nrequire github.com/pulumi/pulumi/sdk/v3 v3.200.0\n${more}`;
const goSdk = "github.com/pulumi-agentpool-acl/sdk/go/agentpoolacl";
// From the cache only: the many modules of Pulumi's Go SDK take minutes to fetch and compile.
const fromCache = { GOPROXY: "off", GOSUMDB: "off", GOFLAGS: "-mod=mod -buildvcs=false" };

test("the generated SDK for Go compiles, and so does the example", async () => {
  if (!needs("go")) return;
  const folder = await generated("go");
  if (!folder) return;
  const sdk = join(folder, "agentpoolacl");
  writeFileSync(join(sdk, "go.mod"), goModule(goSdk));
  if (!(await works(() => run("go", ["mod", "tidy"], sdk, fromCache)))) return;
  await expect(run("go", ["build", "./..."], sdk, fromCache)).resolves.toBe("");
  const program = join(scratch, "program-go");
  cpSync(join(root, "examples/go"), program, { recursive: true });
  const more = `require ${goSdk} v0.0.0\nreplace ${goSdk} => ${sdk}\n`;
  writeFileSync(join(program, "go.mod"), goModule("platform", more));
  await run("go", ["mod", "tidy"], program, fromCache);
  await expect(run("go", ["vet", "./..."], program, fromCache)).resolves.toBe("");
  if (needs("pulumi-language-go")) await runsAsItIs(program, fromCache);
});

test("the archive is installed from its file, and then serves a program that names no path", async () => {
  if (!needs("pulumi", "pulumi-language-nodejs", "pulumi-language-yaml") || !(await hasNpm())) return;
  const archive = (await run(process.execPath, [join(root, "dist/tools/package/main.js")])).trim();
  const version = /-v(.+)\.tar\.gz$/.exec(archive)?.[1] ?? "";
  await run("pulumi", ["plugin", "install", "resource", "agentpool-acl", version, "--file", archive]);
  expect(await schemaBy(`agentpool-acl@${version}`)).toEqual(withoutEmpty(JSON.parse(readFileSync(schema, "utf8"))));
  await runsAsItIs(join(root, "examples/yaml"), {}, own.PULUMI_HOME);
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
      'import * as acl from "@pulumi/agentpool-acl";\nexport const id = new acl.AclRole("dev", { name: "dev", policies: ["read"] }).id;\n',
  });
  await run("pulumi", ["package", "add", executable], folder);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "node16", "index.ts"];
  await expect(run(join(folder, "node_modules/.bin/tsc"), options, folder)).resolves.toBe("");
});

test("examples/yaml runs as it is", async () => {
  if (!needs("pulumi", "pulumi-language-yaml")) return;
  const program = join(scratch, "program-yaml");
  cpSync(join(root, "examples/yaml"), program, { recursive: true });
  const path = "plugins:\n  providers:\n    - name: agentpool-acl\n      path: node_modules/pulumi-agentpool-acl/bin\n";
  writeFileSync(join(program, "Pulumi.yaml"), `${readFileSync(join(program, "Pulumi.yaml"), "utf8")}\n${path}`);
  await runsAsItIs(program);
});

test("examples/python runs as it is, with the SDK that `pulumi package add` makes", async () => {
  if (!needs("pulumi", "pulumi-language-python", "pulumi-language-python-exec", "python3")) return;
  const program = join(scratch, "program-python");
  cpSync(join(root, "examples/python"), program, { recursive: true });
  const isInstalled = await works(async () => {
    await run("python3", ["-m", "venv", "venv"], program);
    await run("venv/bin/pip", ["install", "--quiet", "-r", "requirements.txt"], program);
    await run("pulumi", ["package", "add", executable], program);
  });
  if (isInstalled) await runsAsItIs(program);
});

/** PATH without the plugin of a checkout, which would hide the installed one. */
const withoutPlugin = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !existsSync(join(folder, "pulumi-resource-agentpool-acl")));

/** Preview, up, a preview without changes, and destroy, with separate servers. */
async function runsAsItIs(folder: string, env: Record<string, string> = {}, home?: string): Promise<void> {
  if (whyWithoutCli()) return;
  const simulator = await startSimulator();
  const { config, secretConfig } = configFor(simulator);
  const project = {
    folder,
    config: { ...config, discoveryUrl: "https://login.example.com" },
    secretConfig: { ...secretConfig, clientSecret },
    env: { ...env, PATH: [...(home ? [] : [join(root, "bin")]), ...withoutPlugin].join(delimiter) },
  };
  try {
    await withEngine("cli", project, async (engine) => {
      if (home) adoptPlugins(home, join(engine.folder, "../home"));
      expect(await engine.run("preview")).toMatchObject({ errors: [], changes: Array(6).fill({ op: "create" }) });
      expect(await engine.run("up")).toMatchObject({ errors: [] });
      const { pools, cluster } = simulator;
      expect([pools.list(), cluster.methods.list(), cluster.roles.list(), cluster.rules.list()].map((list) => list.length)).toEqual([
        1, 1, 2, 2,
      ]);
      expect(cluster.methods.get("company-sso")?.Config.OIDCClientSecret).toBe(clientSecret);
      expect(await engine.storedState()).not.toContain(clientSecret);
      expect(await engine.run("preview")).toMatchObject({ errors: [], changes: [] });
      expect(await engine.run("destroy")).toMatchObject({ errors: [] });
      expect([...pools.list(), ...cluster.methods.list(), ...cluster.roles.list(), ...cluster.rules.list()]).toEqual([]);
    });
  } finally {
    await simulator.stop();
  }
}

/** An engine has its own home, which gets the installed plugins. */
function adoptPlugins(home: string, other: string): void {
  mkdirSync(other, { recursive: true });
  symlinkSync(join(home, "plugins"), join(other, "plugins"), "junction");
}
