/** Warnings about secrets that the stack's configuration has in plain text, for both kinds of classes. */
import * as pulumi from "@pulumi/pulumi";
import { AclRole } from "..";
import * as plugin from "../plugin";

const warned: string[] = [];

beforeEach(() => {
  warned.length = 0;
  jest.spyOn(pulumi.log, "warn").mockImplementation(async (message) => void warned.push(message));
});

/** Begins a run of a program, as a unit test of a program does. */
async function start(config: Record<string, string> = {}, secretKeys: string[] = []): Promise<void> {
  await pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "id", state: inputs }), call: () => ({}) });
  pulumi.runtime.setAllConfig(config, secretKeys);
}

const inputs = { name: "dev", policies: ["read"] };
const classes = [
  ["a dynamic resource", (name: string) => new AclRole(name, inputs)],
  ["a resource of the plugin", (name: string) => new plugin.AclRole(name, inputs)],
] as const;

describe.each(classes)("a token in the configuration of a program with %s", (_, role) => {
  const keys = ["agentpool-acl:poolsToken", "agentpool-acl:clusterToken", "agentpool-acl:clusterClientKey"];

  const secretOf = (key: string) => (key.endsWith("Key") ? "-----BEGIN PRIVATE KEY-----sesame" : "sesame");

  test.each(keys)("%s in plain text causes one warning in each run, with the remedy and without the secret", async (key) => {
    for (let run = 1; run <= 2; run++) {
      await start({ [key]: secretOf(key) });
      role("one");
      role("two");
      expect(warned).toHaveLength(run);
    }
    expect(warned[0]).toContain(`pulumi config set --secret ${key} VALUE; and replace the ${key.endsWith("Key") ? "key" : "token"}`);
    expect(warned.join()).not.toContain("sesame");
  });

  test("that is the path of a key's file causes no warning", async () => {
    await start({ "agentpool-acl:clusterClientKey": "/etc/cluster/key.pem" });
    role("one");
    expect(warned).toEqual([]);
  });

  test("that is encrypted or missing causes no warning", async () => {
    await start(Object.fromEntries(keys.map((key) => [key, secretOf(key)])), keys);
    role("one");
    expect(warned).toEqual([]);
    await start({ "agentpool-acl:clusterAddress": "https://cluster.example.com" });
    role("one");
    expect(warned).toEqual([]);
  });
});

test("a program with resources of both kinds gets one warning", async () => {
  await start({ "agentpool-acl:clusterToken": "sesame" });
  for (const [kind, role] of classes) role(kind);
  expect(warned).toHaveLength(1);
});
