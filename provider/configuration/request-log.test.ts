import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../common/environment";
import { posixTest } from "../../test/support/systems";
import { Simulator } from "../../testing/simulator";
import { dynamicAdapter } from "../adapters/dynamic";
import { aclRole } from "../resources/acl-role";
import { packageVersion } from "./package";
import { requestLog, withVerbosity } from "./request-log";

let simulator: Simulator;
let folder: string;
beforeEach(async () => {
  simulator = await Simulator.start();
  simulator.cluster.policies.put({ Name: "read-only" });
  folder = mkdtempSync(join(tmpdir(), "request-log-"));
});
afterEach(async () => {
  await simulator.stop();
  rmSync(folder, { recursive: true });
});

/** Creates a role. @returns the messages to the user */
async function createRole(more: Environment, name = "logged"): Promise<string[]> {
  const shown: string[] = [];
  const env = { NOMAD_ADDR: simulator.clusterAddress, NOMAD_TOKEN: simulator.clusterToken, ...more };
  const provider = dynamicAdapter({ env, log: (message) => shown.push(message) })(aclRole);
  await provider.create({ name, policies: ["read-only"] });
  return shown;
}

test("AGENTPOOL_ACL_LOG=debug shows each request", async () => {
  expect(await createRole({}, "quiet")).toEqual([]);
  expect(await createRole({ AGENTPOOL_ACL_LOG: "debug" })).toEqual([
    expect.stringMatching(/^GET http:.*\/v1\/regions: 200 in/),
    expect.stringMatching(/^GET http:.*\/v1\/acl\/roles: 200 in \d+ ms, \d+ bytes, try 1$/),
    expect.stringMatching(/^POST http:.*\/v1\/acl\/role: 200 in \d+ ms, \d+ bytes, try 1$/),
  ]);
});

posixTest("AGENTPOOL_ACL_LOG_FILE gets the lines with the time and the process, and only its owner may read it", async () => {
  const path = join(folder, "requests.log");
  expect(await createRole({ AGENTPOOL_ACL_LOG: "debug", AGENTPOOL_ACL_LOG_FILE: path })).toEqual([]);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z ${process.pid} POST http`));
  expect(lines.join()).not.toContain(simulator.clusterToken);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test("AGENTPOOL_ACL_LOG_FILE is sufficient, and AGENTPOOL_ACL_LOG=off turns the log off", async () => {
  const [path, unused] = [join(folder, "requests.log"), join(folder, "unused.log")];
  await createRole({ AGENTPOOL_ACL_LOG_FILE: path });
  expect(readFileSync(path, "utf8")).toContain(" POST http");
  await createRole({ AGENTPOOL_ACL_LOG: "off", AGENTPOOL_ACL_LOG_FILE: unused }, "unlogged");
  expect(existsSync(unused)).toBe(false);
});

test("an existing file keeps its content", async () => {
  const path = join(folder, "requests.log");
  writeFileSync(path, "earlier\n");
  await createRole({ AGENTPOOL_ACL_LOG_FILE: path });
  expect(readFileSync(path, "utf8")).toMatch(/^earlier\n.* GET http/);
});

posixTest("the mode of a device, or of a redirected stream of the process, stays unchanged", async () => {
  const { mode } = statSync("/dev/null");
  expect(await createRole({ AGENTPOOL_ACL_LOG_FILE: "/dev/null" })).toEqual([]);
  expect(statSync("/dev/null").mode).toBe(mode);
  const path = join(folder, "redirected");
  const stream = openSync(path, "a", 0o644);
  await createRole({ AGENTPOOL_ACL_LOG_FILE: `/dev/fd/${stream}` }, "redirected");
  closeSync(stream);
  expect(readFileSync(path, "utf8")).toContain(" POST http");
  expect(statSync(path).mode & 0o777).toBe(0o644);
});

test("an invalid level or file is an error before any request", async () => {
  await expect(createRole({ AGENTPOOL_ACL_LOG: "trace" })).rejects.toThrow(
    "The environment variable AGENTPOOL_ACL_LOG must be debug or off.",
  );
  const missing = join(folder, "missing", "requests.log");
  await expect(createRole({ AGENTPOOL_ACL_LOG: "debug", AGENTPOOL_ACL_LOG_FILE: missing })).rejects.toThrow(
    /AGENTPOOL_ACL_LOG_FILE.*ENOENT/,
  );
  expect(simulator.journal.entries).toEqual([]);
});

test("a file that can't be written any more fails no request: the lines are shown instead", () => {
  const inner = mkdtempSync(join(folder, "inner-"));
  const log = requestLog({ AGENTPOOL_ACL_LOG: "debug", AGENTPOOL_ACL_LOG_FILE: join(inner, "requests.log") });
  rmSync(inner, { recursive: true });
  const shown: string[] = [];
  log?.("GET http://one: 200", (message) => shown.push(message));
  expect(shown).toEqual([expect.stringMatching(/requests\.log lacks a request \(.*ENOENT.*\): GET http:\/\/one: 200/)]);
});

test.each([
  ["the CLI's option -v=9 equals the variable", ["--logtostderr", "-v=9", "127.0.0.1:1"], {}, "debug"],
  ["a lower -v does not", ["-v=8", "127.0.0.1:1"], {}, undefined],
  ["the variable takes precedence", ["-v=11"], { AGENTPOOL_ACL_LOG: "off" }, "off"],
])("%s", (_, args, env: Environment, level) => {
  expect(withVerbosity(env, args).AGENTPOOL_ACL_LOG).toBe(level);
});

test("each request has the versions of the package, the SDK and Node in its User-Agent", async () => {
  await createRole({});
  const senders = simulator.journal.entries.map(({ headers }) => headers["user-agent"]);
  const { version } = jest.requireActual<{ version: string }>("@pulumi/pulumi/version");
  expect(new Set(senders)).toEqual(
    new Set([`pulumi-agentpool-acl/${packageVersion} pulumi-nodejs/${version} node/${process.versions.node}`]),
  );
});
