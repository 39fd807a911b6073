/** The cost of taking over a large cluster: 1,000 roles, 100 auth methods, 100 policies, 1,000 rules and 200 tokens. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { Simulator } from "../../testing/simulator";
import { packages } from "../../tools/engines/engines";
import { runImport } from "../support/commands";
import { compile } from "../support/compile";
import { withProgram } from "../support/programs";
import { everyClusterKind, fill } from "../support/random-objects";
import { configurationOf } from "../support/session";

jest.setTimeout(600_000);

test("1,000 roles, 100 auth methods, 100 policies, 1,000 rules and 200 tokens are read by five lists and 1,400 reads, and the program compiles strictly", async () => {
  const simulator = await Simulator.start();
  try {
    await fill(simulator, { pools: 0, methods: 100, policies: 100, roles: 1_000, rules: 1_000, tokens: 200 });
    const startedAt = performance.now();
    const { status, out, files } = await runImport(configurationOf(simulator), ...everyClusterKind);
    console.log(`Read and written in ${Math.round(performance.now() - startedAt)} ms`);
    expect([status, out]).toEqual([0, expect.stringContaining("2400 of 2400 objects are written")]);
    const requests = simulator.journal.requests({ api: "cluster" });
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    const lists = requests.map(({ path }) => path).filter((path) => /s$/.test(path) && path.split("/").length === 4);
    expect(lists.sort()).toEqual(["/v1/acl/auth-methods", "/v1/acl/binding-rules", "/v1/acl/policies", "/v1/acl/roles", "/v1/acl/tokens"]);
    // One more request is for the regions.
    expect(requests).toHaveLength(1 + 5 + 1_400);
    expect((await runImport(configurationOf(simulator), ...everyClusterKind)).files).toEqual(files);
    await withProgram(files, async (folder) => {
      symlinkSync(packages, join(folder, "node_modules"), "junction");
      await expect(compile(["index.ts"], folder)).resolves.toBe("");
    });
  } finally {
    await simulator.stop();
  }
});
