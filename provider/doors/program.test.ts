import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

const folder = process.cwd();
const elsewhere = mkdtempSync(join(tmpdir(), "program-"));

afterEach(() => process.chdir(folder));
afterAll(() => rmSync(elsewhere, { recursive: true }));

/** A program of its own, on the same SDK: what is checked once for a program is checked anew. */
async function start(config: Record<string, string> = {}, secretKeys: string[] = []) {
  jest.resetModules();
  jest.doMock("@pulumi/pulumi", () => pulumi);
  const { AclRole } = jest.requireActual<typeof import("..")>("..");
  await pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "id", state: inputs }), call: () => ({}) });
  pulumi.runtime.setAllConfig(config, secretKeys);
  const warned: string[] = [];
  jest.spyOn(pulumi.log, "warn").mockImplementation(async (message) => void warned.push(message));
  const role = (name: string) => new AclRole(name, { name: "dev", policies: ["read"] });
  const get = (name: string) => AclRole.get(name, "dev");
  const importing = (name: string) => new AclRole(name, { name: "dev", policies: ["read"] }, { import: "dev" });
  const replacing = (name: string, replaceOnChanges: string[]) =>
    new AclRole(name, { name: "dev", policies: ["read"] }, { replaceOnChanges });
  return { role, get, importing, replacing, warned };
}

describe("a program whose folder the package can't be found from", () => {
  test.each(["role", "get"] as const)("is told so, and what to do, before anything is declared (%s)", async (declare) => {
    const program = await start();
    process.chdir(elsewhere);
    const declaring = () => program[declare]("it");
    expect(declaring).toThrow(pulumi.RunError);
    expect(declaring).toThrow(`pulumi-agentpool-acl can't be found from the program's folder (${process.cwd()})`);
    expect(declaring).toThrow("npm install pulumi-agentpool-acl");
  });
});

test("the option import, which the SDK's host can't serve, is refused with the ways on", async () => {
  const program = await start();
  const declaring = () => program.importing("it");
  expect(declaring).toThrow(pulumi.RunError);
  expect(declaring).toThrow("AclRole it: a dynamic resource can't be imported. Take the object over with adopt: true");
});

test("the option replaceOnChanges, which the engine does not follow for dynamic resources, is warned of", async () => {
  const program = await start();
  program.replacing("one", ["policies"]);
  program.replacing("two", []);
  expect(program.warned).toEqual([
    expect.stringMatching(/^AclRole one: replaceOnChanges has no effect .*--replace URN.*pulumi-agentpool-acl\/plugin\.$/),
  ]);
});

describe("a token in the configuration", () => {
  const keys = ["agentpool-acl:poolsToken", "agentpool-acl:clusterToken", "agentpool-acl:clusterClientKey"];

  test.each(keys)("%s in plain text is warned of once, without the token, and with the way out", async (key) => {
    const program = await start({ [key]: "sesame" });
    program.role("one");
    program.role("two");
    expect(program.warned).toEqual([expect.stringContaining(`pulumi config set --secret ${key} VALUE`)]);
    expect(program.warned.join()).not.toContain("sesame");
  });

  test("that is encrypted, or not there, is not warned of", async () => {
    const encrypted = await start(Object.fromEntries(keys.map((key) => [key, "sesame"])), keys);
    encrypted.role("one");
    expect(encrypted.warned).toEqual([]);
    const without = await start({ "agentpool-acl:clusterAddress": "https://cluster.example.com" });
    without.role("one");
    expect(without.warned).toEqual([]);
  });
});

test("a key of the configuration that means nothing is warned of once, with what was probably meant, and without its value", async () => {
  const program = await start({
    "agentpool-acl:clusterAdress": "sesame",
    "agentpool-acl:retries": "sesame",
    "agentpool-acl:maxRetries": "1",
    "agentpool-acl:version": "0.1.0",
    "agentpool-acl:pluginDownloadURL": "https://plugins.example.com",
    "other:clusterAdress": "x",
  });
  program.role("one");
  program.role("two");
  expect(program.warned).toEqual([
    "The configuration key agentpool-acl:clusterAdress means nothing to this provider. Did you mean agentpool-acl:clusterAddress?",
    expect.stringMatching(
      /^The configuration key agentpool-acl:retries means nothing to this provider\. The keys are poolsAddress, .*acceptMovedServer\.$/,
    ),
  ]);
});
