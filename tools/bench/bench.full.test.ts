/** The built bench, run like `npm run bench`, on a very small stack. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasCli } from "../engines/engines";

const run = promisify(execFile);
const root = join(__dirname, "../..");

async function bench(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ["dist/tools/bench/main.js", "--size", "5", ...args], { cwd: root });
  return stdout;
}

/** The cells of the first row that contains these in this order. */
function row(printed: string, ...cells: string[]): string[] {
  const rows = printed.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  return rows.find((all) => all.join("|").includes(`|${cells.join("|")}|`)) ?? [];
}

// Each operation of the CLI takes seconds.
jest.setTimeout(900_000);

beforeAll(() => {
  if (!existsSync(join(root, "dist/testing/index.js"))) throw new Error("the package is not built: run `npm run build` first");
});

if (!hasCli()) {
  test("nothing is measured, because there is no pulumi on PATH", async () => {
    await expect(bench()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("there is no pulumi on PATH") });
  });
} else {
  describe("the parts of the bench", () => {
    let printed = "";
    beforeAll(async () => {
      printed = await bench("--runs", "1", "--part", "checkpoints", "--adapter", "plugin");
    });

    const requests = (operation: string) => row(printed, "0 ms", "plugin", operation)[6]?.split(" · ");

    test("the no-op sends nothing, and the naive provider two requests per created object and one per read object", () => {
      expect(requests("up")?.slice(1)).toEqual(["0", "14"]);
      expect(requests("refresh")?.slice(1)).toEqual(["0", "7"]);
      expect(requests("second up")).toEqual(["0", "0", "0"]);
    });

    test("this provider sends at least one request for each created object", () => {
      expect(Number(requests("up")?.[0])).toBeGreaterThanOrEqual(7);
      expect(row(printed, "requests of up, plugin")[3]).toBe(requests("up")?.[0]);
    });

    test("operations are measured, with the processes' time and memory if possible", () => {
      for (const operation of ["up", "preview", "preview with refresh", "update of 10 %", "refresh, 10 drifted", "destroy"]) {
        const [, , , , , , , time, all, provider, memory] = row(printed, "0 ms", "plugin", operation);
        for (const cell of process.platform === "linux" ? [time, all, provider] : [time])
          expect(cell).toMatch(/^\d+\.\d\d · \d+\.\d\d · \d+\.\d\d$/);
        if (process.platform === "linux") expect(memory).toMatch(/^\d+ · \d+ · \d+$/);
      }
      expect(row(printed, "100 ms", "plugin", "refresh")).not.toEqual([]);
    });

    test("targets are compared with the measured figures", () => {
      expect(row(printed, "peak memory, plugin, MiB", "140")[4]).toBe(process.platform === "linux" ? "yes" : "not measured");
      expect(row(printed, "state / no-op's, plugin")[3]).toMatch(/^\d\.\d\d$/);
      expect(row(printed, "processor time of 10 N / of N, plugin", "11.0")[4]).toBe("not measured");
    });
  });

  test("this provider is compared with another checkout", async () => {
    const printed = await bench("--runs", "1", "--checkout", root, "--no-checkpoints", "--adapter", "dynamic");
    expect(printed).toContain("Medians of own · other");
    const [own, other, ...more] = row(printed, "5", "no", "0 ms", "dynamic", "up")[6]?.split(" · ") ?? [];
    expect(more).toEqual([]);
    expect(Number(own)).toBeGreaterThanOrEqual(7);
    expect(Number(other)).toBeGreaterThanOrEqual(7);
  });
}

test("an invalid option is a usage error", async () => {
  await expect(bench("--runs", "many")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--runs many: give a whole number from 1\nusage: npm run bench"),
  });
  await expect(bench("--checkout", __dirname)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is no built provider"),
  });
});
