import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { AclRole } from "..";
import { providerText } from "../adapters/dynamic";
import { ignoredKey, providerKey } from "../adapters/values";
import { aclRole } from "../resources/acl-role";
import { dynamicResource } from "./dynamic";

const folder = process.cwd();
const elsewhere = mkdtempSync(join(tmpdir(), "program-"));
const warned: string[] = [];

beforeEach(() => {
  warned.length = 0;
  jest.spyOn(pulumi.log, "warn").mockImplementation(async (message) => void warned.push(message));
});
afterEach(() => {
  process.chdir(folder);
  delete process.env.PULUMI_NODEJS_MONITOR;
});
afterAll(() => rmSync(elsewhere, { recursive: true }));

/** Begins a run of a program, as a unit test of a program does. */
async function start(config: Record<string, string> = {}, secretKeys: string[] = []): Promise<void> {
  await pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "id", state: inputs }), call: () => ({}) });
  pulumi.runtime.setAllConfig(config, secretKeys);
}

const role = (name: string, options: pulumi.CustomResourceOptions = {}) => new AclRole(name, { name: "dev", policies: ["read"] }, options);

describe("a program in a folder without the package", () => {
  /** Begins a run with the address of an engine. That engine gets no request, because an error ends the run before. */
  const startWithEngine = () => pulumi.runtime.resetOptions("project", "stack", -1, "", "127.0.0.1:9", false, "");

  test.each([
    ["a resource", () => role("it")],
    ["get", () => AclRole.get("it", "dev")],
  ])("is an error with a remedy before the first declaration (%s)", (_, declaring) => {
    startWithEngine();
    process.env.PULUMI_NODEJS_MONITOR = "127.0.0.1:9";
    process.chdir(elsewhere);
    expect(declaring).toThrow(pulumi.RunError);
    expect(declaring).toThrow(`pulumi-agentpool-acl can't be found from the program's folder (${process.cwd()})`);
    expect(declaring).toThrow("Add it to the dependencies of the package.json there");
  });

  test("as an inline program of the Automation API causes a warning with a remedy, because its workspace may have another folder", () => {
    startWithEngine();
    process.chdir(elsewhere);
    expect(() => role("it", { import: "dev" })).toThrow("can't be imported");
    expect(() => role("it", { import: "dev" })).toThrow("can't be imported");
    expect(warned).toEqual([
      expect.stringMatching(
        /can't be found from the working directory of this process \(.*\)\. .*projectSettings.*main.*"pulumi-agentpool-acl\/plugin"\.$/,
      ),
    ]);
    expect(warned[0]).toContain(process.cwd());
  });

  test("as a unit test causes no warning, because it has no engine", async () => {
    await start();
    process.chdir(elsewhere);
    role("it");
    expect(warned).toEqual([]);
  });
});

describe("a dynamic resource", () => {
  const way = 'use the class of the plugin: import { AclRole } from "pulumi-agentpool-acl/plugin".';
  const provider = () => new (class extends pulumi.ProviderResource {})("agentpool-acl", "west");

  test("refuses the option import, which the SDK's host lacks, with the alternatives", async () => {
    await start();
    const declaring = () => role("it", { import: "dev" });
    expect(declaring).toThrow(pulumi.RunError);
    expect(declaring).toThrow("AclRole it: a dynamic resource can't be imported. Take the object over with adopt: true");
    expect(declaring).toThrow(way);
  });

  test("refuses the option provider, and names the plugin's classes", async () => {
    await start();
    const declaring = () => role("it", { provider: provider() });
    expect(declaring).toThrow(pulumi.RunError);
    expect(declaring).toThrow("AclRole it: a dynamic resource has no provider of its own, and takes the stack's configuration.");
    expect(declaring).toThrow(way);
  });

  test("passes ignoreChanges on as an input, because the engine does not send it to dynamic providers", async () => {
    await start();
    const registered = new Map<string, unknown>();
    const newResource = ({ name, inputs }: pulumi.runtime.MockResourceArgs) => {
      registered.set(name, inputs[ignoredKey]);
      return { id: name, state: inputs };
    };
    await pulumi.runtime.setMocks({ newResource, call: () => ({}) });
    const roles = [role("one", { ignoreChanges: ["policies"] }), role("two", { ignoreChanges: [] }), role("three")];
    await Promise.all(roles.map(({ urn }) => new Promise((resolve) => urn.apply(resolve))));
    expect(Object.fromEntries(registered)).toEqual({ one: ["policies"], two: undefined, three: undefined });
  });

  test("causes a warning about replaceOnChanges and customTimeouts, which have no effect", async () => {
    await start();
    role("one", { replaceOnChanges: ["policies"] });
    role("two", { replaceOnChanges: [], customTimeouts: {} });
    role("three", { customTimeouts: { delete: "4s" } });
    expect(warned).toEqual([
      expect.stringMatching(/^AclRole one: replaceOnChanges has no effect .*--replace URN/),
      expect.stringMatching(/^AclRole three: customTimeouts has no effect on a dynamic resource/),
    ]);
    for (const message of warned) expect(message).toContain(way);
  });
});

test.each(["*", "[*]", '["*"]'])(
  "ignoreChanges: %s of a dynamic resource becomes a list of its inputs, without its internal properties",
  async (all) => {
    await start();
    const [, , inputs, { ignoreChanges }] = dynamicResource(aclRole, "it", { name: "dev" }, { ignoreChanges: [all] });
    expect(ignoreChanges).toEqual(["name", "description", "policies", "adopt"]);
    expect(inputs).toMatchObject({ [providerKey]: providerText("AclRole"), [ignoredKey]: ignoreChanges });
  },
);

test("an unknown key of the configuration causes one warning with a similar key or all keys, and without the value", async () => {
  await start({
    "agentpool-acl:clusterAdress": "sesame",
    "agentpool-acl:retries": "sesame",
    "agentpool-acl:maxRetries": "1",
    "agentpool-acl:version": "0.1.0",
    "agentpool-acl:pluginDownloadURL": "https://plugins.example.com",
    "other:clusterAdress": "x",
  });
  role("one");
  role("two");
  expect(warned).toEqual([
    "The configuration key agentpool-acl:clusterAdress means nothing to this provider. Did you mean agentpool-acl:clusterAddress?",
    expect.stringMatching(
      /^The configuration key agentpool-acl:retries means nothing to this provider\. The keys are poolsAddress, .*acceptMovedServer\.$/,
    ),
  ]);
});
