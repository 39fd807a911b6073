/** The built bench, run like `npm run bench`, on a very small stack. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";

const run = promisify(execFile);
const root = join(__dirname, "../..");
const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-bench-test-"));
const json = join(scratch, "figures.json");

const figures = z.object({
  engine: z.string(),
  samples: z.array(
    z.object({
      engine: z.string(),
      provider: z.string(),
      adapter: z.string(),
      operation: z.string(),
      requests: z.number(),
      wallMs: z.number().positive(),
      usage: z.object({ cpuMs: z.number(), peakMiB: z.number().positive() }).optional(),
      stateBytes: z.number().positive().optional(),
    }),
  ),
  starts: z.array(z.object({ what: z.string(), portMs: z.array(z.number().positive()) })),
});

let printed = "";
let measured: z.infer<typeof figures>;

beforeAll(async () => {
  if (!existsSync(join(root, "dist/testing/index.js"))) throw new Error("the package is not built: run `npm run build` first");
  const args = ["dist/tools/bench/main.js", "--engine", "rehearsal", "--size", "5", "--json", json];
  printed = (await run(process.execPath, args, { cwd: root })).stdout;
  measured = figures.parse(JSON.parse(readFileSync(json, "utf8")));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function requestsOf(provider: string, operation: string): number | undefined {
  return measured.samples.find((sample) => sample.provider === provider && sample.operation === operation)?.requests;
}

test("the operations are measured for this provider and the no-op, in turn", () => {
  const operations = ["up", "second up", "refresh", "update of 10 %", "refresh, 10 drifted", "destroy"];
  const onEngine = measured.samples.filter(({ engine }) => engine === "rehearsal");
  expect(onEngine.map(({ provider, operation }) => `${provider} ${operation}`)).toEqual(
    operations.flatMap((operation) => [`own ${operation}`, `no-op ${operation}`]),
  );
});

test("the no-op sends nothing, and the naive provider two requests per created object and one per read object", () => {
  expect(measured.samples.filter(({ provider }) => provider === "no-op").map(({ requests }) => requests)).toEqual(Array(6).fill(0));
  expect(requestsOf("naive", "up")).toBe(14);
  expect(requestsOf("naive", "refresh")).toBe(7);
  expect(requestsOf("naive", "second up")).toBe(0);
});

test("this provider sends nothing for unchanged objects, and at least one request per created object", () => {
  expect(requestsOf("own", "second up")).toBe(0);
  expect(requestsOf("own", "up")).toBeGreaterThanOrEqual(7);
});

test("the state is measured once, and the processes' time and memory with every operation where possible", () => {
  expect(measured.samples.filter(({ stateBytes }) => stateBytes !== undefined).map(({ operation }) => operation)).toEqual(["up", "up"]);
  const seen = measured.samples.filter(({ usage }) => usage !== undefined);
  expect(seen).toHaveLength(process.platform === "linux" ? measured.samples.length : 0);
});

test("tables of the operations, the starts and the targets are printed", () => {
  expect(printed).toMatch(/^### N = 5\n\n.+\n.+\n\| 0 ms +\| plugin +\| up +\| 1 · 1 · – +\| \d+ · 0 · – +\|/m);
  expect(printed).toMatch(/^### N = 5, without an engine\n\n(\|.+\n)+\| 0 ms +\| dynamic +\| destroy +\|/m);
  expect(printed).toMatch(/^\| own plugin +\| 1 /m);
  expect(printed).toMatch(/^\| target, at N = 5 +\| at most +\| measured +\| carrying +\| met +\|$/m);
});

test("an invalid option is a usage error", async () => {
  const wrong = run(process.execPath, ["dist/tools/bench/main.js", "--size", "many"], { cwd: root });
  await expect(wrong).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--size many: give a whole number from 1\nusage: npm run bench"),
  });
});

test("--profile prints where the time of creates goes, for both plugins", async () => {
  const { stdout } = await run(process.execPath, ["dist/tools/bench/main.js", "--profile", "--size", "5"], { cwd: root });
  expect(stdout).toMatch(/^\| ms of processor time per object created +\| own plugin +\| no-op plugin +\|\n/);
  expect(stdout).toMatch(/^\| provider\/adapters +\| \d+\.\d\d +\| 0\.00 +\|$/m);
  expect(stdout).toMatch(/^\| together +\| \d+\.\d\d +\| \d+\.\d\d +\|$/m);
});
