/**
 * Helpers for tests of programs in several languages: they run programs of the system, and generate SDKs, in a folder that is removed after
 * the tests.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isRecord } from "../../common/unknown";
import { findExecutable, foldersOf } from "../../testing/rehearsal/processes/executable";
import { goModule as goSdk } from "../../tools/generate/languages";

const execute = promisify(execFile);
export const root = join(__dirname, "../..");
export const executable = join(root, "bin/pulumi-resource-agentpool-acl");
export const schema = join(root, "schema.json");

export const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-languages-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const own = { PULUMI_HOME: join(scratch, "home"), PULUMI_CONFIG_PASSPHRASE: "trial", PULUMI_SKIP_UPDATE_CHECK: "true" };

/** Runs a program of the system. @returns its standard output @throws an error with the program's output, if the program fails */
export async function run(command: string, args: readonly string[], cwd = scratch, env: NodeJS.ProcessEnv = {}): Promise<string> {
  return (await execute(command, [...args], { cwd, env: { ...process.env, ...own, ...env }, maxBuffer: 64 * 1024 * 1024 })).stdout;
}

/** Whether all of these programs are on PATH. If one is missing, the test is to be left out: this prints the reason. */
export function needs(...programs: string[]): boolean {
  const missing = programs.filter((program) => !findExecutable(program, foldersOf(process.env.PATH)));
  if (missing.length > 0) console.log(`Left out, because ${missing.join(" and ")} is not on PATH: ${expect.getState().currentTestName}`);
  return missing.length === 0;
}

/** Whether a function succeeds. Prints the error if it fails. */
export async function works(what: () => Promise<unknown>): Promise<boolean> {
  try {
    await what();
    return true;
  } catch (error) {
    console.log(
      `Left out: ${expect.getState().currentTestName ?? "what needs it"}, because this is out of reach: ${String(error).slice(0, 500)}`,
    );
    return false;
  }
}

/** Whether the npm registry can be reached. Prints the error if not. */
export const hasNpm = () => works(() => run("npm", ["ping", "--fetch-retries=0", "--fetch-timeout=10000"]));

/** Generates the SDK of a language. @returns the folder of the SDK; undefined if a tool is missing or fails */
export async function generatedSdk(language: string): Promise<string | undefined> {
  if (!needs("pulumi", `pulumi-language-${language}`)) return undefined;
  const out = join(scratch, `sdk-${language}`);
  const isThere = await works(() => run("pulumi", ["package", "gen-sdk", schema, "--language", language, "--out", out]));
  return isThere ? join(out, language) : undefined;
}

let venv: Promise<string | undefined> | undefined;

/** Gives a folder a virtual environment, `venv`, with the generated SDK. @returns false if a tool is missing or fails */
export async function withPythonSdk(folder: string): Promise<boolean> {
  venv ??= makeVenv();
  const made = await venv;
  if (made !== undefined) symlinkSync(made, join(folder, "venv"));
  return made !== undefined;
}

/** Makes the virtual environment that all tests of a file share. */
async function makeVenv(): Promise<string | undefined> {
  const sdk = await generatedSdk("python");
  if (!sdk) return undefined;
  const folder = join(scratch, "venv");
  const isInstalled = await works(async () => {
    await run("python3", ["-m", "venv", folder]);
    await run(join(folder, "bin/pip"), ["install", "--quiet", sdk]);
  });
  return isInstalled ? folder : undefined;
}

/** A Python script that runs each given file with mocks: an unknown class, function or argument is an error. */
const pythonMocks = `import json, runpy, sys, pulumi
class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args): return [args.name, args.inputs]
    def call(self, args): return {}
config = json.loads(sys.argv[1])
for file in sys.argv[2:]:
    pulumi.runtime.set_mocks(Mocks(), preview=False)
    pulumi.runtime.set_all_config(config, list(config))
    runpy.run_path(file)
`;

/**
 * Runs Python programs of a folder with Pulumi's mocks and the generated SDK. Does nothing if the SDK can't be installed.
 *
 * @param secrets the keys of the configuration that they require
 * @throws an error with the program's output
 */
export async function runWithPythonMocks(folder: string, files: readonly string[], secrets: readonly string[] = []): Promise<void> {
  if (!(await withPythonSdk(folder))) return;
  writeFileSync(join(folder, "mocks.py"), pythonMocks);
  const config = JSON.stringify(Object.fromEntries(secrets.map((key) => [`project:${key}`, "x"])));
  await run("venv/bin/python", ["mocks.py", config, ...files], folder);
}

/** The schema that the CLI reads from an executable or an installed plugin. */
export async function schemaFrom(source: string, env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  return withoutEmpty(JSON.parse(await run("pulumi", ["package", "get-schema", source], scratch, env)));
}

/** A schema without its empty values, which the CLI leaves out. So both sides of a comparison lack them. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, withoutEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => typeof item !== "object" || item === null || Object.keys(item).length > 0));
}

const goModule = (name: string, more = "") => `module ${name}\n\ngo 1.24\n\nrequire github.com/pulumi/pulumi/sdk/v3 v3.200.0\n${more}`;
/** The environment of Go. Go downloads the modules that its cache lacks: those of Pulumi's Go SDK may take minutes, once. */
export const goEnvironment = { GOFLAGS: "-mod=mod -buildvcs=false" };

/**
 * Makes a folder with the example for Go and its generated SDK. @returns the folder, and the environment to compile the example with;
 * undefined if a tool is missing, or if the SDK or its modules can't be had @throws if the SDK does not compile
 */
export async function goProgram(): Promise<{ folder: string; env: Record<string, string> } | undefined> {
  const folder = join(scratch, "program-go");
  cpSync(join(root, "examples/go"), folder, { recursive: true });
  const env = await withGoSdk("platform", folder);
  return env && { folder, env };
}

/**
 * Turns a folder of Go packages into a module that requires the generated SDK.
 *
 * @returns the environment to compile the module with; undefined if a tool is missing, or if the SDK or its modules can't be had
 * @throws an error with the program's output, if the SDK does not compile
 */
export async function withGoSdk(name: string, folder: string): Promise<Record<string, string> | undefined> {
  if (!needs("go")) return undefined;
  const generated = await generatedSdk("go");
  if (!generated) return undefined;
  const sdk = join(generated, "agentpoolacl");
  writeFileSync(join(sdk, "go.mod"), goModule(goSdk));
  if (!(await works(() => run("go", ["mod", "tidy"], sdk, goEnvironment)))) return undefined;
  await run("go", ["build", "./..."], sdk, goEnvironment);
  writeFileSync(join(folder, "go.mod"), goModule(name, `require ${goSdk} v0.0.0\nreplace ${goSdk} => ${sdk}\n`));
  await run("go", ["mod", "tidy"], folder, goEnvironment);
  return goEnvironment;
}
