import type * as pulumi from "@pulumi/pulumi";
import { dynamicProviders } from "../../test/support/adapters";
import { InstantClock } from "../../test/support/clock";
import { configurationOf } from "../../test/support/session";
import { Simulator } from "../../testing/simulator";
import { dynamicType } from "../configuration/tokens";
import * as entry from "../dynamic";
import { resources } from "../resources";
import { providerText } from "./dynamic";

describe("the text in the state of every dynamic resource", () => {
  // Old states keep this text for ever, so neither the text nor the names in it may change.
  test("names an export of the entry point for every resource, with the methods that the SDK's host calls", () => {
    const exported: Record<string, pulumi.dynamic.ResourceProvider> = { ...entry };
    expect(Object.keys(exported).sort()).toEqual(resources.map(({ kind }) => kind).sort());
    for (const provider of Object.values(exported)) {
      for (const method of ["configure", "check", "diff", "create", "read", "update", "delete"])
        expect(provider).toHaveProperty(method, expect.any(Function));
    }
  });
});

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start();
  simulator.cluster.policies.put("read");
});
afterAll(() => simulator.stop());
beforeEach(() => simulator.journal.clear());

/** The providers of one operation, configured from these keys and this environment. */
async function providers(configured: Record<string, string>, env: Record<string, string> = {}) {
  const logged: string[] = [];
  const made = dynamicProviders({ env, clock: new InstantClock(), log: (message) => logged.push(message) });
  const get = (key: string) => configured[key.replace(/^agentpool-acl:/, "")];
  const request = { config: { get, require: (key: string) => get(key) ?? "" } };
  for (const provider of Object.values(made)) await provider.configure?.(request);
  return { provider: (kind: string) => made[dynamicType(kind)], logged };
}

async function thrownBy(work: Promise<unknown> | undefined): Promise<Error> {
  const error = await work?.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error(`an error was expected, not ${String(error)}`);
}

const role = { name: "dev", policies: ["read"], description: "", adopt: false };

describe("a missing configuration", () => {
  const message =
    /^The cluster API is not configured: set clusterAddress .*NOMAD_ADDR; set clusterToken .*NOMAD_TOKEN\. .*--run-program\.$/;

  test("is a failure of check with keys and variables, in previews too", async () => {
    const { provider } = await providers({});
    expect(await provider("AclRole")?.check?.({}, role)).toEqual({
      inputs: role,
      failures: [{ property: "", reason: expect.stringMatching(message) }],
    });
  });

  test("is an error without a stack in calls without a check", async () => {
    const { provider } = await providers({});
    const error = await thrownBy(provider("AclRole")?.read?.("6e4dfb0c-0000-4000-8000-000000000001", role));
    expect(error.message).toMatch(message);
    expect(`${error}: ${error.stack}`).toBe(`agentpool-acl: ${error.message}`);
    expect(error.cause).toBeUndefined();
  });
});

test("a defect of this package keeps its stack", async () => {
  const { provider } = await providers(configurationOf(simulator));
  const error = await thrownBy(provider("AclRole")?.create({ policies: [] }));
  expect(error.stack).toMatch(/\n\s+at /);
});

describe("a state that the plugin wrote, without the provider's text", () => {
  const __provider = providerText("AclRole");

  test("is a change, and its update sends nothing to the API", async () => {
    const { provider } = await providers(configurationOf(simulator));
    const olds = { ...role, createIndex: 1, modifyIndex: 2, server: simulator.clusterAddress };
    const news = { ...role, __provider };
    expect(await provider("AclRole")?.diff?.("id", olds, news)).toMatchObject({ changes: true, replaces: [] });
    expect(await provider("AclRole")?.update?.("id", olds, news)).toEqual({ outs: olds });
    expect(simulator.journal.entries).toEqual([]);
  });

  test("is no change any more with the text", async () => {
    const { provider } = await providers(configurationOf(simulator));
    expect(await provider("AclRole")?.diff?.("id", { ...role, __provider }, { ...role, __provider })).toMatchObject({ changes: false });
  });
});

test("a look-up by an ID returns the necessary inputs and all outputs", async () => {
  simulator.cluster.methods.put({ Name: "bare", Config: { OIDCDiscoveryURL: "https://idp", OIDCClientID: "c", OIDCEnablePKCE: true } });
  const { provider } = await providers(configurationOf(simulator));
  const read = await provider("AclAuthMethod")?.read?.("bare", { __provider: providerText("AclAuthMethod") });
  const config = { oidcDiscoveryUrl: "https://idp", oidcClientId: "c", oidcEnablePkce: true };
  expect(read?.inputs).toEqual({ name: "bare", type: "OIDC", tokenLocality: "local", maxTokenTtl: "1h0m0s", config });
  expect(read?.props).toMatchObject({ ...read?.inputs, default: false, config: { ...config, verboseLogging: false } });
});
