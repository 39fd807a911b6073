/** The tests don't depend on the user's settings of Pulumi, the services and proxies. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { hasCli } from "../../tools/engines/engines";

const root = join(__dirname, "../..");

const nowhere = "http://127.0.0.1:1";
const names = (prefix: string, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]));

/** Variables that users of Pulumi, the services and proxies have set, with values that would disturb a test. */
const hostile = {
  ...names("PULUMI_", {
    ACCESS_TOKEN: "pul-hostile",
    BACKEND_URL: "file:///nonexistent/backend",
    CONFIG: '{"agentpool-acl:clusterAddress":"http://127.0.0.1:1"}',
    CONFIG_PASSPHRASE: "hostile",
    DEBUG_PROMISE_LEAKS: "true",
    DEBUG_PROVIDERS: "agentpool-acl:1,pulumi-nodejs:1",
    HOME: "/nonexistent/home",
    NODEJS_DRY_RUN: "true",
    NODEJS_MONITOR: "127.0.0.1:1",
    STACK: "hostile",
  }),
  ...names("NOMAD_", { ADDR: nowhere, CACERT: "/nonexistent/ca.pem", NAMESPACE: "hostile", REGION: "hostile", TOKEN: "hostile" }),
  ...names("TFE_", { ADDRESS: nowhere, HOSTNAME: "hostile.test", ORGANIZATION: "hostile", TOKEN: "hostile" }),
  ...names("AGENTPOOL_ACL_", { CLUSTER_ADDRESS: nowhere, CLUSTER_TOKEN: "hostile", ORGANIZATION: "hostile", POOLS_ADDRESS: nowhere }),
  ...Object.fromEntries(
    ["http", "https", "all", "grpc"].flatMap((kind) => [`${kind}_proxy`, `${kind}_PROXY`.toUpperCase()].map((name) => [name, nowhere])),
  ),
  NO_PROXY: "hostile.test",
};

/** One file of every kind of test. The last one uses the Pulumi CLI, if it is installed. */
const slice = [
  "provider/configuration/config.test.ts",
  "tools/demo/main.test.ts",
  "provider/adapters/dynamic-host.test.ts",
  "testing/rehearsal/processes.test.ts",
  "test/lifecycle/agent-pool.test.ts",
  "test/plugin/process.test.ts",
  "test/plugin/protocol.test.ts",
  "test/repository/state-size.test.ts",
];

const report = z.object({
  testResults: z.array(
    z.object({ name: z.string(), assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })).nonempty() }),
  ),
});

test("the tests pass with any variables of Pulumi, the services and proxies set", async () => {
  if (!hasCli()) console.log("The hostile variables were not tried with the Pulumi CLI, because there is no pulumi on PATH.");
  const args = [require.resolve("jest/bin/jest"), "--json", "--silent", "--runTestsByPath", ...slice];
  const running = promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, ...hostile }, maxBuffer: 2 ** 26 });
  // A run with failed tests ends with status 1, but prints a report, too.
  const { stdout } = await running.catch((error: unknown) => z.object({ stdout: z.string() }).parse(error));
  const { testResults } = report.parse(JSON.parse(stdout));
  expect(testResults.map(({ name }) => name).sort()).toEqual(slice.map((file) => join(root, file)).sort());
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status !== "passed"));
  expect(failed.map(({ fullName }) => fullName)).toEqual([]);
});
