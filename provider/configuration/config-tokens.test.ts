/**
 * The servers that get tokens, and the precedence of tokens and logins. NOMAD_TOKEN and TFE_TOKEN are never sent to another server than the
 * one that the environment names.
 */

import type { Environment } from "../../common/environment";
import { ConfigurationError } from "../../common/user-error";
import { Clients } from "./clients";
import { type Origin, resolveConfiguration } from "./config";

const resolve = (configured: Record<string, unknown>, env: Environment = {}, origin: Origin = "stack") =>
  resolveConfiguration((key) => configured[key], env, origin);

test("an explicit provider with an address takes no other setting of that service from the environment, which is for another server", async () => {
  const env = { NOMAD_ADDR: "https://one.test", NOMAD_TOKEN: "of one", NOMAD_REGION: "one", TFE_ORGANIZATION: "org" };
  const settings = (given: Record<string, unknown>) => {
    const { clusterAddress, clusterToken, clusterRegion, organization } = resolve(given, env, "program").settings;
    return [clusterAddress, clusterToken, clusterRegion, organization];
  };
  expect(settings({ clusterAddress: "https://two.test" })).toEqual(["https://two.test", undefined, undefined, "org"]);
  expect(settings({})).toEqual(["https://one.test", "of one", "one", "org"]);
  const connections = new Clients(() => resolve({ clusterAddress: "https://two.test" }, env, "program"));
  await expect(connections.cluster().roles.list()).rejects.toThrow(
    "The cluster API is not configured: give the provider the argument clusterToken. A destroy",
  );
});

describe("a token of the environment", () => {
  const other = "is set, but not used: it is for the server that";
  test.each<[what: string, configured: string | undefined, env: Environment, tokens: [string?, string?], unused: string | undefined]>([
    ["goes to the address of the environment", undefined, { NOMAD_ADDR: "https://a.test", NOMAD_TOKEN: "t" }, ["t"], undefined],
    ["goes to the stack's address if the environment has none", "https://b.test", { NOMAD_TOKEN: "t" }, ["t"], undefined],
    [
      "goes to the stack's address if the environment has the same one in another spelling",
      "https://A.test:443/v1/",
      { NOMAD_ADDR: "https://a.test", NOMAD_TOKEN: "t" },
      ["t"],
      undefined,
    ],
    [
      "never goes to the stack's address if the environment has another server",
      "https://b.test",
      { NOMAD_ADDR: "https://a.test", NOMAD_TOKEN: "t" },
      [],
      `NOMAD_TOKEN ${other} NOMAD_ADDR names, which is not that of agentpool-acl:clusterAddress.`,
    ],
    ["goes nowhere if its address is invalid", "https://b.test", { NOMAD_ADDR: "a.test", NOMAD_TOKEN: "t" }, [], `NOMAD_TOKEN ${other}`],
    [
      "gives way to AGENTPOOL_ACL_CLUSTER_TOKEN, which goes wherever the stack points",
      "https://b.test",
      { NOMAD_ADDR: "https://a.test", NOMAD_TOKEN: "t", AGENTPOOL_ACL_CLUSTER_TOKEN: "mine" },
      ["mine"],
      undefined,
    ],
  ])("%s", (_, clusterAddress, env, [clusterToken], unused) => {
    const pools: Environment = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [
        name.replace("NOMAD_ADDR", "TFE_ADDRESS").replace("NOMAD", "TFE").replace("CLUSTER", "POOLS"),
        value?.replace("/v1", "/api/v2"),
      ]),
    );
    const cluster = resolve({ clusterAddress }, env);
    expect(cluster.settings.clusterToken).toBe(clusterToken);
    expect(cluster.unused.clusterToken?.slice(0, unused?.length)).toBe(unused);
    const poolsAddress = clusterAddress?.replace("/v1", "/api/v2");
    expect(resolve({ poolsAddress }, pools).settings.poolsToken).toBe(clusterToken);
    if (unused === undefined) expect(cluster.unused).toEqual({});
  });

  test("is for TFE_HOSTNAME, too", () => {
    const env = { TFE_HOSTNAME: "a.test", TFE_TOKEN: "t", TFE_ORGANIZATION: "org" };
    expect(resolve({ poolsAddress: "https://a.test/api/v2" }, env).settings.poolsToken).toBe("t");
    expect(resolve({ poolsAddress: "https://b.test" }, env).settings).toMatchObject({ organization: "org" });
    expect(resolve({ poolsAddress: "https://b.test" }, env).settings.poolsToken).toBeUndefined();
  });

  test("that is not used is in the error, with the reason and the remedy", async () => {
    const env = { NOMAD_ADDR: "https://a.test", NOMAD_TOKEN: "sesame" };
    const message =
      "The cluster API is not configured: set clusterToken with `pulumi config set --secret agentpool-acl:clusterToken` or the " +
      "environment variable AGENTPOOL_ACL_CLUSTER_TOKEN. NOMAD_TOKEN is set, but not used: it is for the server that NOMAD_ADDR names, which " +
      "is not that of agentpool-acl:clusterAddress. If both are the same server, give both the same address, or unset NOMAD_ADDR. A destroy";
    const made = new Clients(() => resolve({ clusterAddress: "https://b.test" }, env));
    await expect(made.cluster().roles.list()).rejects.toThrow(message);
    await expect(made.cluster().roles.list()).rejects.not.toThrow(/sesame/);
    expect(made.missingToken("cluster")).toContain("NOMAD_TOKEN is set, but not used");
  });
});

describe("a provider with a name that the engine chose", () => {
  const passed = (configured: object): Environment => ({ PULUMI_CONFIG: JSON.stringify(configured) });
  const variables = { AGENTPOOL_ACL_CLUSTER_TOKEN: "rotated", NOMAD_TOKEN: "t" };
  const given = { clusterAddress: "https://a.test", clusterToken: "given" };
  const tokenOf = (env: Environment) => resolve(given, { ...variables, ...env }, "by address").settings.clusterToken;

  test("gets the token of a variable if its address is that of the stack or of the environment", () => {
    expect(tokenOf(passed({ clusterAddress: "https://a.test/v1/" }))).toBe("rotated");
    expect(tokenOf({ NOMAD_ADDR: "https://a.test" })).toBe("rotated");
    expect(resolve({}, { ...variables, NOMAD_ADDR: "https://a.test" }, "by address").settings.clusterToken).toBe("rotated");
  });

  test.each<[string, Environment]>([
    ["not the stack's", passed({ clusterAddress: "https://b.test" })],
    ["not the environment's", { NOMAD_ADDR: "https://b.test" }],
    ["the stack's one of agent pools", passed({ poolsAddress: "https://a.test" })],
    ["its own, in a stack without configuration", passed({})],
    ["its own, and the engine did not start this process", {}],
    ["its own, and PULUMI_CONFIG is not JSON", { PULUMI_CONFIG: "[" }],
  ])("gets no token of a variable if its address is %s, and the error has the reason", async (_, env) => {
    expect(tokenOf(env)).toBe("given");
    const withoutToken = resolve({ clusterAddress: "https://a.test" }, { ...variables, ...env }, "by address");
    expect(withoutToken.settings.clusterToken).toBeUndefined();
    await expect(new Clients(() => withoutToken).cluster().roles.list()).rejects.toThrow(
      "The cluster API is not configured: give the provider the argument clusterToken. AGENTPOOL_ACL_CLUSTER_TOKEN is set, but not used: " +
        "the provider has an address of its own (its clusterAddress is neither that of the stack's configuration nor that of the environment)",
    );
  });

  test("gets the token of each service separately", () => {
    const env = { ...variables, AGENTPOOL_ACL_POOLS_TOKEN: "pools", ...passed({ poolsAddress: "https://pools.test" }) };
    const { settings } = resolve({ ...given, poolsAddress: "https://pools.test", poolsToken: "stale" }, env, "by address");
    expect([settings.clusterToken, settings.poolsToken]).toEqual(["given", "pools"]);
  });
});

describe("a login", () => {
  const clusterLogin = { authMethod: "ci", jwtVariable: "CI_TOKEN" };
  const used = (configured: Record<string, unknown>, env: Environment, origin?: Origin) => {
    const { settings } = resolve({ clusterAddress: "https://a.test", clusterLogin, ...configured }, env, origin);
    return settings.clusterLogin ? "login" : settings.clusterToken;
  };

  test("takes precedence over NOMAD_TOKEN, and AGENTPOOL_ACL_CLUSTER_TOKEN over it, except for an explicit provider", () => {
    expect(used({}, { NOMAD_TOKEN: "usual" })).toBe("login");
    expect(resolve({ clusterLogin }, { NOMAD_TOKEN: "usual" }).settings.clusterToken).toBeUndefined();
    expect(used({}, { NOMAD_TOKEN: "usual", AGENTPOOL_ACL_CLUSTER_TOKEN: "for one run" })).toBe("for one run");
    expect(used({}, { AGENTPOOL_ACL_CLUSTER_TOKEN: "for one run" }, "program")).toBe("login");
  });

  test("together with a token in the configuration is an error with both remedies", () => {
    const message =
      "The configuration can't be used: it has both agentpool-acl:clusterToken and agentpool-acl:clusterLogin. Remove clusterToken to log in, or clusterLogin to use the token.";
    for (const env of [{}, { AGENTPOOL_ACL_CLUSTER_TOKEN: "for one run" }])
      expect(() => used({ clusterToken: "sesame" }, env)).toThrow(new ConfigurationError("configuration-invalid", message));
  });

  test("is reported with each wrong part, and without any value", () => {
    const wrong = () => resolve({ clusterLogin: { authMethod: "", jwtVariable: "ey.sesame.x" } });
    expect(wrong).toThrow(
      /clusterLogin\.authMethod must be the name.*clusterLogin\.jwtVariable must be the name of an environment variable/,
    );
    expect(wrong).not.toThrow(/sesame/);
  });
});
