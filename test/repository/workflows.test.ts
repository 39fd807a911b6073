/** The workflows of GitHub Actions. `npm run release -- --dry-run` tries the making of a release locally. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { root } from "../../tools/repository";

const { load } = jest.requireActual<{ load(text: string): unknown }>("js-yaml");

const { scripts, engines, peerDependencies } = z
  .object({
    scripts: z.record(z.string(), z.string()),
    engines: z.object({ node: z.string() }),
    peerDependencies: z.record(z.string(), z.string()),
  })
  .parse(jest.requireActual("../../package.json"));

const permissions = z.record(z.string(), z.enum(["read", "write", "none"]));
const step = z.strictObject({
  name: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const job = z.strictObject({
  needs: z.string().optional(),
  strategy: z.object({ "fail-fast": z.boolean(), matrix: z.record(z.string(), z.array(z.union([z.string(), z.number()]))) }).optional(),
  "runs-on": z.string(),
  "timeout-minutes": z.number(),
  environment: z.string().optional(),
  permissions: permissions.optional(),
  defaults: z.strictObject({ run: z.strictObject({ shell: z.literal("bash"), "working-directory": z.string() }) }).optional(),
  steps: z.array(step).min(1),
});
const workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions,
  env: z.record(z.string(), z.string()).optional(),
  concurrency: z.record(z.string(), z.unknown()).optional(),
  jobs: z.record(z.string(), job),
});

const folder = join(root, ".github/workflows");
const read = (name: string) => workflow.parse(load(readFileSync(join(folder, name), "utf8")));
const names = readdirSync(folder);
const [ci, release] = [read("ci.yml"), read("release.yml")];

describe.each(names)("%s", (name) => {
  const { jobs, permissions: own } = read(name);
  const steps = Object.values(jobs).flatMap((one) => one.steps);

  test("pins every action by its commit, and keeps no token in the checkout", () => {
    const actions = steps.filter(({ uses }) => uses !== undefined);
    expect(actions.filter(({ uses = "" }) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    const checkouts = actions.filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));
    expect(checkouts.map((one) => one.with?.["persist-credentials"])).toEqual(checkouts.map(() => false));
  });

  test("may read the repository, and nothing else", () => {
    expect(own).toEqual({ contents: "read" });
  });

  test("calls npm scripts that exist", () => {
    const lines = steps.flatMap(({ run = "" }) => run.split("\n"));
    const called = lines.flatMap((line) => [...line.matchAll(/\bnpm run ([\w:]+)/g)].map(([, script = ""]) => script));
    expect(called).not.toEqual([]);
    expect(called.filter((script) => !(script in scripts))).toEqual([]);
  });

  test("gives no expression of a matrix or of a pull request to a shell", () => {
    const unsafe = steps.filter(({ run = "" }) => /\$\{\{/.test(run));
    expect(unsafe.map(({ run }) => run)).toEqual([]);
  });
});

test("changes are tested on three systems with every long-term line of Node, the oldest among them", () => {
  const matrix = ci.jobs.test?.strategy?.matrix;
  expect(matrix?.os?.map((os) => String(os).split("-")[0])).toEqual(["ubuntu", "macos", "windows"]);
  expect(matrix?.node).toEqual([20, 22, 24]);
  expect(engines.node).toMatch(/^>=20\./);
});

test("changes are tested with the oldest SDK that package.json allows, and with the newest", () => {
  expect(ci.jobs.sdk?.strategy?.matrix.sdk).toEqual([peerDependencies["@pulumi/pulumi"]?.replace("^", ""), "latest"]);
});

test("a dry run in a workflow fails if a step is left out", () => {
  const dryRuns = [ci, release].flatMap(({ jobs }) => Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = "" }) => run)));
  expect(dryRuns.filter((run) => run.includes("--dry-run"))).toEqual(Array(2).fill("npm run release -- --dry-run --complete"));
});

test("only the job that publishes may write, after the tests: the release, and the proof of where the package comes from", () => {
  expect(Object.entries(ci.jobs).filter(([, one]) => one.permissions)).toEqual([]);
  const { publish, ...others } = release.jobs;
  expect(Object.values(others).filter((one) => one.permissions ?? one.environment)).toEqual([]);
  expect(publish).toMatchObject({ needs: "build", environment: "release", permissions: { contents: "write", "id-token": "write" } });
  expect(release.jobs.build).toMatchObject({ needs: "test" });
  expect(release.jobs.test?.steps.map(({ run }) => run)).toContain("npm run test:full");
});

test("the job that publishes runs no code of the repository or of others, and gets its files from the job that built them", () => {
  const { build, publish } = release.jobs;
  const actions = (publish?.steps ?? []).flatMap(({ uses }) => uses?.split("@")[0] ?? []);
  expect(actions).toEqual(["actions/download-artifact", "actions/setup-node"]);
  expect(publish?.steps.filter(({ run = "" }) => /\bcurl\b|\bnpx\b|\bnode\b|npm (ci|install|run|exec)\b/.test(run))).toEqual([]);
  const artifact = (steps: typeof build, name: string) => steps?.steps.find(({ uses = "" }) => uses.startsWith(`actions/${name}@`))?.with;
  expect(artifact(publish, "download-artifact")?.name).toBe(artifact(build, "upload-artifact")?.name);
});

test("a release is made with one version of the Pulumi CLI, which docs/versions.md names", () => {
  const installations = Object.values(release.jobs).flatMap(({ steps }) => steps.filter(({ run = "" }) => run.includes("get.pulumi.com")));
  expect(installations).toHaveLength(2);
  for (const { run } of installations) expect(run).toContain('| sh -s -- --version "$PULUMI_VERSION"\n');
  const [, newest] = /\| Pulumi CLI +\| [\d.]+ +\| ([\d.]+) /.exec(readFileSync(join(root, "docs/versions.md"), "utf8")) ?? [];
  expect(release.env).toEqual({ PULUMI_VERSION: newest });
});
