/**
 * The self-contained archives: their files, the examples in YAML, Python and Go on a Pulumi CLI that has the archive and no Node on PATH,
 * and the npm package that names the plugin. The runtimes come from the npm registry or npm's cache. A test whose tools or downloads are
 * missing is left out, with the reason.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import { extract, list } from "tar";
import * as z from "zod";
import { packages, withEngine } from "../../tools/engines/engines";
import { clientSecret, configFor, startSimulator } from "../../tools/engines/project";
import { sourceOf } from "../../tools/generate/source";
import { withVersion } from "../../tools/generate/version";
import { npmPackage, packNpmPackage } from "../../tools/package/npm-package";
import { targets } from "../../tools/package/runtimes";
import { goProgram, hasNpm, needs, root, run, schema, schemaFrom, scratch, withoutEmpty, works } from "../support/languages";
import { writeFiles } from "../support/programs";
import { whyWithoutCli } from "../support/without-cli";

jest.setTimeout(420_000);

const { version } = z.object({ version: z.string() }).parse(jest.requireActual("../../package.json"));
const archives = join(scratch, "archives");
const nameOf = (target: string) => `pulumi-resource-agentpool-acl-v${version}-${target}.tar.gz`;
const here = "linux-amd64";
/** The addresses of a made-up repository that has published the package. */
const source = sourceOf("git+https://github.com/else/where.git");
const isHere = process.platform === "linux" && process.arch === "x64";

const pack = (out: string, ...args: string[]) => run(process.execPath, [join(root, "dist/tools/package/main.js"), "--out", out, ...args]);

let areMade = false;
beforeAll(async () => {
  if (!(await hasNpm())) return;
  await pack(archives);
  areMade = true;
});

async function contentsOf(target: string): Promise<Map<string, { mode: number; content: Buffer }>> {
  const files = new Map<string, { mode: number; content: Buffer }>();
  const reads: Promise<unknown>[] = [];
  await list({
    file: join(archives, nameOf(target)),
    onReadEntry: (entry) => {
      const { path, mode = 0 } = entry;
      reads.push(entry.concat().then((content) => files.set(path, { mode, content })));
    },
  });
  await Promise.all(reads);
  return files;
}

/** The processor and the system that an executable is for. */
function platformOf(executable: Buffer): string {
  const magic = executable.toString("latin1", 0, 4);
  if (magic === "\x7fELF") return `ELF ${executable.readUInt16LE(18)}`;
  if (magic === "\xcf\xfa\xed\xfe") return `Mach-O ${executable.readUInt32LE(4).toString(16)}`;
  if (magic.startsWith("MZ")) return `PE ${executable.readUInt16LE(executable.readUInt32LE(0x3c) + 4).toString(16)}`;
  return "unknown";
}

const platforms: Record<string, string> = {
  "linux-amd64": "ELF 62",
  "linux-arm64": "ELF 183",
  "darwin-amd64": "Mach-O 1000007",
  "darwin-arm64": "Mach-O 100000c",
  "windows-amd64": "PE 8664",
};

test.each(targets)(
  "the archive for %s has Node for this system, the provider, a launcher, and the licences of all of them",
  async (target) => {
    if (!areMade) return;
    const isWindows = target === "windows-amd64";
    const files = await contentsOf(target);
    const [launcher, node] = isWindows ? ["pulumi-resource-agentpool-acl.cmd", "node.exe"] : ["pulumi-resource-agentpool-acl", "node"];
    const others = ["provider.js", "package.json", "schema.json", "LICENSE", "LICENSE-node", "LICENSE-packages"];
    expect([...files.keys()]).toEqual([launcher, node, ...others]);
    expect([...files.values()].map(({ mode }) => mode)).toEqual([0o755, 0o755, ...others.map(() => 0o644)]);
    const text = (name: string) => files.get(name)?.content.toString() ?? "";
    expect(platformOf(files.get(node)?.content ?? Buffer.alloc(4))).toBe(platforms[target]);
    expect(text(launcher).includes("\r\n")).toBe(isWindows);
    expect(text("LICENSE-node")).toContain("Node.js is licensed for use as follows");
    expect(text("LICENSE-packages")).toMatch(/^@grpc\/grpc-js .*^google-protobuf .*^undici .*^zod /ms);
    expect(JSON.parse(text("schema.json"))).toEqual(JSON.parse(readFileSync(schema, "utf8")));
    expect(text("package.json")).toContain(`"version": "${version}"`);
  },
);

test("two builds are equal byte for byte, and small enough", async () => {
  if (!areMade) return;
  const again = join(scratch, "again");
  expect((await pack(again, "--platform", here)).trim()).toBe(join(again, nameOf(here)));
  const archive = readFileSync(join(archives, nameOf(here)));
  expect(archive.equals(readFileSync(join(again, nameOf(here))))).toBe(true);
  expect(archive.length).toBeLessThan(46_000_000);
});

/**
 * PATH without Node, npm, and the plugin of this checkout. A folder that has one of them is replaced by a folder of links to its other
 * files.
 */
function pathWithoutNode(): string {
  const isNode = (name: string) => /^(node|nodejs|npm|npx|corepack|pulumi-resource-agentpool-acl)$/.test(name);
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => existsSync(folder))
    .map((folder) => {
      const names = readdirSync(folder);
      if (!names.some(isNode)) return folder;
      const copy = mkdtempSync(join(scratch, "path-"));
      for (const name of names) if (!isNode(name)) symlinkSync(join(folder, name), join(copy, name));
      return copy;
    })
    .join(delimiter);
}

const home = join(scratch, "installed");
let env: Record<string, string> = {};

/** Whether the archive for this system exists and can be tried here. If not, this prints the reason. */
function canRun(...programs: string[]): boolean {
  const reason = areMade ? (whyWithoutCli() ?? (isHere ? undefined : `this system is not ${here}`)) : "there are no archives";
  if (reason) console.log(`Left out, because ${reason}: ${expect.getState().currentTestName}`);
  return !reason && needs(...programs);
}

describe("with no Node on PATH", () => {
  beforeAll(async () => {
    env = { PULUMI_HOME: home, PATH: pathWithoutNode(), PULUMI_IGNORE_AMBIENT_PLUGINS: "true" };
    await expect(run("node", ["--version"], scratch, env)).rejects.toThrow("ENOENT");
    const args = ["plugin", "install", "resource", "agentpool-acl", version, "--file", join(archives, nameOf(here))];
    if (areMade && !whyWithoutCli() && isHere) await run("pulumi", args, scratch, env);
  });

  test("the archive is installed from its file, and serves the schema", async () => {
    if (!canRun()) return;
    expect(await schemaFrom(`agentpool-acl@${version}`, env)).toEqual(withoutEmpty(JSON.parse(readFileSync(schema, "utf8"))));
  });

  test("the archive is installed from a server by its name for this system", async () => {
    if (!canRun()) return;
    const own = { ...env, PULUMI_HOME: join(scratch, "from-server") };
    await withServer(async (address, requests) => {
      await run("pulumi", ["plugin", "install", "resource", "agentpool-acl", version, "--server", address], scratch, own);
      expect(requests).toEqual([`/${nameOf(here)}`]);
    });
    expect(await pluginsIn(own)).toEqual([expect.objectContaining({ name: "agentpool-acl", kind: "resource", version })]);
  });

  test("once the package is published, `pulumi install` downloads a missing plugin for a YAML program, and a preview downloads it by the written file", async () => {
    if (!canRun("pulumi-language-yaml")) return;
    const program = join(scratch, "program-yaml");
    cpSync(join(root, "examples/yaml"), program, { recursive: true });
    const project = join(program, "Pulumi.yaml");
    writeFileSync(project, withVersion(readFileSync(project, "utf8"), version, source));
    await withServer(async (address, requests) => {
      const instead = { PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^${source.pluginDownloadUrl}$=${address}` };
      const local = { PULUMI_BACKEND_URL: `file://${scratch}`, ...instead };
      await run("pulumi", ["install"], program, { ...env, ...local, PULUMI_HOME: join(scratch, "by-install") });
      expect(requests).toEqual([`/${nameOf(here)}`]);
      const file = `sdks/agentpool-acl/agentpool-acl-${version}.yaml`;
      expect(readFileSync(join(program, file), "utf8")).toContain(`downloadUrl: ${source.pluginDownloadUrl}\n`);
      const another = { ...env, ...local, PULUMI_HOME: join(scratch, "by-preview") };
      await run("pulumi", ["stack", "init", "trial"], program, another);
      await run(
        "pulumi",
        ["config", "set-all", "--plaintext", "discoveryUrl=https://login.example.com", "--secret", "clientSecret=x"],
        program,
        another,
      );
      // The provider is not configured. The error comes from the plugin, so the plugin was downloaded.
      await expect(run("pulumi", ["preview", "--non-interactive"], program, another)).rejects.toMatchObject({
        stdout: expect.stringContaining("The cluster API is not configured"),
      });
      expect(requests).toHaveLength(2);
    });
  });

  test("examples/yaml runs as it is", async () => {
    if (canRun("pulumi-language-yaml")) await runsAsItIs(join(root, "examples/yaml"));
  });

  test("examples/python runs as it is, with the SDK that `pulumi package add` makes", async () => {
    if (!canRun("pulumi-language-python", "pulumi-language-python-exec", "python3")) return;
    const program = join(scratch, "program-python");
    cpSync(join(root, "examples/python"), program, { recursive: true });
    const isInstalled = await works(async () => {
      await run("python3", ["-m", "venv", "venv"], program, env);
      await run("venv/bin/pip", ["install", "--quiet", "-r", "requirements.txt"], program, env);
    });
    if (!isInstalled) return;
    await run("pulumi", ["package", "add", `agentpool-acl@${version}`], program, env);
    await runsAsItIs(program);
  });

  test("examples/go runs as it is, with its generated SDK", async () => {
    if (!canRun("pulumi-language-go")) return;
    const program = await goProgram();
    if (program) await runsAsItIs(program.folder, program.env);
  });
});

test("the npm package for Node programs names the plugin: `pulumi plugin install` needs no arguments and no Pulumi.yaml", async () => {
  if (!canRun("pulumi-language-nodejs")) return;
  const folder = join(scratch, "program-node");
  const modules = join(folder, "node_modules");
  writeFiles(folder, {
    "Pulumi.yaml": "name: trial\nruntime: nodejs\n",
    "package.json": '{"name":"trial","main":"index.js"}',
    "index.js": "",
  });
  mkdirSync(join(modules, "pulumi-agentpool-acl-plugin"), { recursive: true });
  for (const name of ["@pulumi", "pulumi-agentpool-acl"]) symlinkSync(join(packages, name), join(modules, name), "junction");
  const file = join(scratch, `${npmPackage}.tgz`);
  writeFileSync(file, await packNpmPackage(source));
  await extract({ file, cwd: join(modules, "pulumi-agentpool-acl-plugin"), strip: 1 });
  const isSame = 'console.log(require("pulumi-agentpool-acl-plugin") === require("pulumi-agentpool-acl/plugin"))';
  expect(await run(process.execPath, ["-e", isSame], folder)).toBe("true\n");
  const own = { PULUMI_HOME: join(scratch, "by-npm"), PULUMI_IGNORE_AMBIENT_PLUGINS: "true" };
  await withServer(async (address, requests) => {
    const instead = { PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^github://.*=${address}` };
    await run("pulumi", ["plugin", "install"], folder, { ...own, ...instead });
    expect(requests).toEqual([`/${nameOf(here)}`]);
  });
  expect(await pluginsIn(own)).toEqual([expect.objectContaining({ name: "agentpool-acl", version })]);
});

/** Serves the archives, like the assets of a release. */
async function withServer(use: (address: string, requests: readonly string[]) => Promise<void>): Promise<void> {
  const requests: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    response.end(readFileSync(join(archives, url.slice(1))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = z.object({ port: z.number() }).parse(server.address());
    await use(`http://127.0.0.1:${port}`, requests);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

const pluginsIn = async (own: NodeJS.ProcessEnv) => JSON.parse(await run("pulumi", ["plugin", "ls", "--json"], scratch, own));

/** Runs preview, up, a preview without changes, and destroy on a simulator of its own. */
async function runsAsItIs(folder: string, more: Record<string, string> = {}): Promise<void> {
  const simulator = await startSimulator();
  const { config, secretConfig } = configFor(simulator);
  const project = {
    folder,
    config: { ...config, discoveryUrl: "https://login.example.com" },
    secretConfig: { ...secretConfig, clientSecret },
    env: { ...env, ...more },
  };
  try {
    await withEngine("cli", project, async (engine) => {
      adoptPlugins(join(engine.folder, "../home"));
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

/** Links the installed plugins into the home of an engine. */
function adoptPlugins(other: string): void {
  mkdirSync(other, { recursive: true });
  symlinkSync(join(home, "plugins"), join(other, "plugins"), "junction");
}
