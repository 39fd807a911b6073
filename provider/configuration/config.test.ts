import { readFileSync } from "node:fs";
import { createServer as createPlainServer, type RequestListener, type Server } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { inspect } from "node:util";
import type { Environment } from "../../common/environment";
import { ConfigurationError } from "../../common/user-error";
import { listen, type Open } from "../../test/support/http/listen";
import { propertiesOf } from "../model/fields";
import { Clients } from "./clients";
import { configuration, type Origin, resolveConfiguration, type SettingKey } from "./config";

const resolve = (configured: Record<string, unknown>, env: Environment = {}, origin: Origin = "stack") =>
  resolveConfiguration((key) => configured[key], env, origin);

interface KeyCase {
  readonly default: unknown;
  /** The text of a value in the configuration, and the parsed value. */
  readonly given: readonly [text: string, value: unknown];
  readonly conventional?: string;
  readonly overriding?: string;
  /** Whether the overriding variable counts for explicit providers, too. */
  readonly everywhere?: true;
  readonly secret?: true;
  /** Invalid values, each with the reason. */
  readonly refuses?: readonly (readonly [unknown, string])[];
}

const text = (rest: Partial<KeyCase> = {}): KeyCase => ({ default: undefined, given: ["given", "given"], ...rest });
const flag: KeyCase = {
  default: false,
  given: ["true", true],
  refuses: [
    ["maybe", "must be true or false"],
    [7, "must be true or false"],
  ],
};

const keys: Record<SettingKey, KeyCase> = {
  poolsAddress: text({ conventional: "TFE_ADDRESS" }),
  poolsToken: text({ conventional: "TFE_TOKEN", overriding: "AGENTPOOL_ACL_POOLS_TOKEN", secret: true }),
  organization: text({ conventional: "TFE_ORGANIZATION" }),
  clusterAddress: text({ conventional: "NOMAD_ADDR" }),
  clusterToken: text({ conventional: "NOMAD_TOKEN", overriding: "AGENTPOOL_ACL_CLUSTER_TOKEN", secret: true }),
  clusterLogin: {
    default: undefined,
    given: ['{"authMethod":"ci","jwtFile":"token"}', { authMethod: "ci", jwtFile: "token" }],
    refuses: [
      ["ci", "must be an object that has authMethod, jwtVariable, jwtFile and nothing else"],
      [{ authMethod: "ci", jwtFile: "a", token: "b" }, "must be an object that has authMethod, jwtVariable, jwtFile and nothing else"],
      [{ authMethod: "ci" }, "must have either jwtVariable or jwtFile"],
      [{ authMethod: "ci", jwtFile: "a", jwtVariable: "B" }, "must have either jwtVariable or jwtFile"],
    ],
  },
  clusterRegion: text({ conventional: "NOMAD_REGION" }),
  clusterAuthHeader: text({ refuses: [["X Token", "must be the name of an HTTP header"]] }),
  clusterCaCert: text({ conventional: "NOMAD_CACERT" }),
  clusterClientCert: text({ conventional: "NOMAD_CLIENT_CERT" }),
  clusterClientKey: text({ conventional: "NOMAD_CLIENT_KEY", overriding: "AGENTPOOL_ACL_CLUSTER_CLIENT_KEY", secret: true }),
  clusterTlsServerName: text({ conventional: "NOMAD_TLS_SERVER_NAME" }),
  poolsCaCert: text(),
  requestTimeoutSeconds: {
    default: 30,
    given: ["2.5", 2.5],
    refuses: [
      ["0", "must be more than 0"],
      ["soon", "must be a number of seconds"],
    ],
  },
  maxRetries: {
    default: 4,
    given: ["0", 0],
    refuses: [
      ["-1", "must be 0 or more"],
      ["1.5", "must be a whole number"],
      ["many", "must be a whole number"],
    ],
  },
  maxConcurrentRequests: { default: 32, given: ["1", 1], refuses: [["0", "must be 1 or more"]] },
  readSnapshotSeconds: { default: 10, given: ["0", 0], refuses: [["-1", "must be 0 or more"]] },
  allowInsecureHttp: flag,
  acceptMovedServer: { ...flag, overriding: "AGENTPOOL_ACL_ACCEPT_MOVED_SERVER", everywhere: true },
};

test("the table has every key of the configuration", () => {
  expect(Object.keys(keys)).toEqual(configuration.keyof().options);
});

describe.each(configuration.keyof().options.map((key) => [key, keys[key]] as const))("%s", (key, one) => {
  const [written, value] = one.given;
  const settingOf = (configured: Record<string, unknown>, env: Environment = {}, origin: Origin = "stack") =>
    resolve(configured, env, origin).settings[key];

  test("has a default and a description", () => {
    for (const absent of [undefined, null, ""]) expect(settingOf({ [key]: absent })).toEqual(one.default);
    const described = propertiesOf(configuration).get(key);
    expect(described?.description).toMatch(/\.$/);
    const form = key.endsWith("Address") && { form: expect.any(Function) };
    expect(described?.traits).toEqual({
      ...form,
      ...(one.secret && { secret: true }),
    });
  });

  test("comes from the text in the configuration, which is its source in messages", () => {
    expect(settingOf({ [key]: written })).toEqual(value);
    expect(settingOf({ [key]: value })).toEqual(value);
    expect(resolve({ [key]: written }).sources[key]).toBe(`the configuration key agentpool-acl:${key}`);
  });

  test("comes from its conventional variable only if the configuration has none", () => {
    const env = { [one.conventional ?? `${key.toUpperCase()}`]: "from the environment" };
    expect(settingOf({}, env)).toEqual(one.conventional ? "from the environment" : one.default);
    expect(settingOf({ [key]: written }, env)).toEqual(value);
    expect(resolve({}, env).sources[key]).toBe(one.conventional && `the environment variable ${one.conventional}`);
    if (one.conventional) expect(settingOf({}, { [one.conventional]: "" })).toEqual(one.default);
  });

  test("is overridden by its variable, but a secret of an explicit provider is not", () => {
    const overriding = `AGENTPOOL_ACL_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
    const [rotated, wins] = one.everywhere ? ["false", false] : ["rotated", "rotated"];
    const env = { [overriding]: rotated, ...(one.conventional ? { [one.conventional]: "conventional" } : {}) };
    expect(one.overriding ?? overriding).toBe(overriding);
    expect(settingOf({ [key]: written }, env)).toEqual(one.overriding ? wins : value);
    expect(settingOf({ [key]: written }, { ...env, [overriding]: "" })).toEqual(value);
    expect(settingOf({ [key]: written }, env, "program")).toEqual(one.everywhere ? wins : value);
  });

  test("may not have an invalid value, and the error describes the valid ones", () => {
    for (const [wrong, reason] of one.refuses ?? []) {
      const message = `The configuration can't be used: agentpool-acl:${key} ${reason}.`;
      expect(() => resolve({ [key]: wrong })).toThrow(message);
    }
  });
});

test("TFE_HOSTNAME is an https address if TFE_ADDRESS is missing", () => {
  expect(resolve({}, { TFE_HOSTNAME: "tfe.example.com" }).settings.poolsAddress).toBe("https://tfe.example.com");
  expect(resolve({}, { TFE_HOSTNAME: "tfe.example.com", TFE_ADDRESS: "http://a" }).settings.poolsAddress).toBe("http://a");
});

test("all errors are reported at once, without the values", () => {
  const wrong = () =>
    resolve({ maxRetries: "sesame", allowInsecureHttp: "sesame", clusterAuthHeader: "sesame: a", poolsToken: { a: "sesame" } });
  expect(wrong).toThrow(/maxRetries.*allowInsecureHttp/);
  expect(wrong).toThrow(/clusterAuthHeader.*maxRetries/);
  expect(wrong).not.toThrow(/sesame/);
});

const open: Open = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function connections(configured: Record<string, unknown>, env: Environment = {}): Clients {
  const made = new Clients(() => resolve(configured, env));
  open.push(made);
  return made;
}

describe("a missing value", () => {
  test("is reported with its key and its variables, without the other API", () => {
    expect(() => connections({}).pools()).toThrow(
      new ConfigurationError(
        "service-not-configured",
        "The agent pools API is not configured: set poolsAddress with `pulumi config set agentpool-acl:poolsAddress VALUE` or the environment variable TFE_ADDRESS or TFE_HOSTNAME; " +
          "set poolsToken with `pulumi config set --secret agentpool-acl:poolsToken` or the environment variable AGENTPOOL_ACL_POOLS_TOKEN or TFE_TOKEN. " +
          "A destroy or refresh uses the configuration that the last update saved: there, set the environment variable or add --run-program.",
      ),
    );
    expect(() => connections({ poolsAddress: "http://127.0.0.1", poolsToken: "t" }).cluster()).toThrow(
      /^The cluster API is not configured: .*clusterAddress.*NOMAD_ADDR; .*--secret agentpool-acl:clusterToken.*AGENTPOOL_ACL_CLUSTER_TOKEN or NOMAD_TOKEN\. .*--run-program\.$/,
    );
    expect(() => connections({ clusterAddress: "http://127.0.0.1", clusterToken: "t" }).cluster()).not.toThrow();
  });

  test("is reported alone if the rest is set", () => {
    expect(() => connections({ poolsToken: "sesame" }).pools()).toThrow(/^The agent pools API is not configured: set poolsAddress [^;]*$/);
  });

  test("of the token is a warning first, and the error of the first request", async () => {
    const made = connections({ clusterAddress: "http://h" });
    await expect(made.cluster().roles.list()).rejects.toThrow(/^The cluster API is not configured: set clusterToken [^;]*$/);
    expect(made.missingToken("cluster")).toMatch(/^The cluster API has no token\. .* set clusterToken [^;]*\.$/);
    expect(connections({ clusterAddress: "http://h", clusterToken: "t" }).missingToken("cluster")).toBeUndefined();
  });
});

interface Request {
  readonly url: string | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** Starts a server whose listener responds "[]" to all requests. @returns its port, and the requests except for the list of regions */
async function serve(make: (listener: RequestListener) => Server): Promise<{ port: number; requests: Request[] }> {
  const requests: Request[] = [];
  const server = make(({ url, headers }, response) => {
    if (!url?.endsWith("/v1/regions")) requests.push({ url, headers });
    response.setHeader("content-type", "application/json");
    response.end("[]");
  });
  return { port: await listen(server, open), requests };
}

describe("an address", () => {
  test.each(["", "/", "//", "/v1", "/v1/", "/v1//"])("of the cluster may end in %j", async (ending) => {
    const { port, requests } = await serve(createPlainServer);
    await connections({ clusterAddress: ` http://127.0.0.1:${port}${ending} `, clusterToken: "t" })
      .cluster()
      .roles.list();
    expect(requests.map(({ url }) => url)).toEqual(["/v1/acl/roles"]);
  });

  test.each(["", "/", "/api/v2", "/api/v2/", "/api/v2//"])("of the agent pools may end in %j", async (ending) => {
    const { port, requests } = await serve(createPlainServer);
    const pools = connections({ poolsAddress: `http://127.0.0.1:${port}${ending}`, poolsToken: "t", maxRetries: 0 }).pools();
    await expect(pools.showPool("apool-1")).rejects.toThrow("/api/v2/agent-pools/apool-1");
    expect(requests.map(({ url }) => url)).toEqual(["/api/v2/agent-pools/apool-1"]);
  });

  test("may have the path of a reverse proxy before the version", async () => {
    const { port, requests } = await serve(createPlainServer);
    await connections({ clusterAddress: `http://127.0.0.1:${port}/proxy/v1/`, clusterToken: "t" })
      .cluster()
      .roles.list();
    expect(requests.map(({ url }) => url)).toEqual(["/proxy/v1/acl/roles"]);
  });

  test.each([
    "host.example.com",
    "host:4646",
    "ftp://host",
    "http://",
    "http://host?a=b",
    "http://host#a",
    "http://user:pass@host",
    "http://user@host",
    "not an address",
  ])("%j is refused with its source, and is not repeated", (address) => {
    const rest = " must be like https://host.example.com:4646, with http or https and without user, query or fragment.";
    const configured = connections({ clusterAddress: address, clusterToken: "t" });
    expect(() => configured.cluster()).toThrow(
      new ConfigurationError("address-invalid", `The address that comes from the configuration key agentpool-acl:clusterAddress${rest}`),
    );
    expect(() => connections({}, { NOMAD_ADDR: address, NOMAD_TOKEN: "t" }).cluster()).toThrow(
      new ConfigurationError("address-invalid", `The address that comes from the environment variable NOMAD_ADDR${rest}`),
    );
  });
});

describe("a request has", () => {
  const both = ["x-cluster-token", "x-nomad-token"];

  test.each<[string, Record<string, string>, Environment, string[]]>([
    ["both headers, if the address is configured", { clusterAddress: "ADDRESS" }, {}, both],
    ["both headers, if the address is from NOMAD_ADDR", {}, { NOMAD_ADDR: "ADDRESS" }, both],
    ["the configured header alone", { clusterAuthHeader: "X-My-Token" }, { NOMAD_ADDR: "ADDRESS" }, ["x-my-token"]],
    ["one of both alone, if that is configured", { clusterAddress: "ADDRESS", clusterAuthHeader: "X-Nomad-Token" }, {}, ["x-nomad-token"]],
  ])("the cluster's token in %s", async (_, configured, env, headers) => {
    const { port, requests } = await serve(createPlainServer);
    const located = (values: Environment) =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value?.replace("ADDRESS", `http://127.0.0.1:${port}`)]));
    await connections({ ...located(configured), clusterToken: "t-1" }, located(env))
      .cluster()
      .roles.list();
    const sent = Object.entries(requests[0]?.headers ?? {}).filter(([name]) => name.endsWith("-token"));
    expect(sent.sort()).toEqual(headers.map((header) => [header, "t-1"]));
  });

  test("the agent pools' token as a bearer", async () => {
    const { port, requests } = await serve(createPlainServer);
    const pools = connections({ poolsAddress: `http://127.0.0.1:${port}`, poolsToken: "t-1", maxRetries: 0 }).pools();
    await expect(pools.showPool("a")).rejects.toThrow();
    expect(requests[0]?.headers.authorization).toBe("Bearer t-1");
  });

  test("the configured region", async () => {
    const { port, requests } = await serve(createPlainServer);
    const cluster = connections({ clusterAddress: `http://127.0.0.1:${port}`, clusterToken: "t", clusterRegion: "eu west" }).cluster();
    await cluster.roles.list();
    expect(new URL(requests[0]?.url ?? "", "http://h").searchParams.get("region")).toBe("eu west");
    expect(cluster.server).toBe(`http://127.0.0.1:${port} region eu west`);
  });
});

test("the error about a refused token names its source and the remedy, and never the token", async () => {
  const { port } = await serve((_) => createPlainServer((__, response) => response.writeHead(403).end("Permission denied for sesame")));
  const clusterAddress = `http://127.0.0.1:${port}`;
  const from = (configured: Record<string, string>, env: Environment) =>
    connections({ clusterAddress, ...configured }, env)
      .cluster()
      .roles.list();
  const rest =
    "A destroy or refresh uses the configuration that the last update saved: after a rotation set AGENTPOOL_ACL_CLUSTER_TOKEN, or add --run-program.";
  await expect(from({ clusterToken: "sesame" }, {})).rejects.toThrow(
    `The token comes from the configuration key agentpool-acl:clusterToken. ${rest}`,
  );
  await expect(from({}, { NOMAD_TOKEN: "sesame" })).rejects.toThrow("The token comes from the environment variable NOMAD_TOKEN.");
  await expect(from({}, { NOMAD_TOKEN: "sesame" })).rejects.toThrow(
    "It goes in the headers X-Cluster-Token and X-Nomad-Token: if the server wants another one, set clusterAuthHeader.",
  );
  const overridden = from({ clusterToken: "stale" }, { AGENTPOOL_ACL_CLUSTER_TOKEN: "sesame" });
  await expect(overridden).rejects.toThrow("The token comes from the environment variable AGENTPOOL_ACL_CLUSTER_TOKEN.");
  await expect(overridden).rejects.not.toThrow(/sesame/);
});

describe("certificates", () => {
  const fixture = (name: string) => join(__dirname, "../../test/support/http", name);
  const [certPath, keyPath] = [fixture("cert.pem"), fixture("key.pem")];
  const [cert, key] = [readFileSync(certPath, "utf8"), readFileSync(keyPath, "utf8")];
  const mutualTls = (listener: RequestListener) =>
    createServer({ cert, key, ca: cert, requestCert: true, rejectUnauthorized: true }, listener);
  const common = { clusterToken: "t", clusterTlsServerName: "cluster.test", maxRetries: 0 };

  test.each([
    ["PEM texts", { clusterCaCert: cert, clusterClientCert: cert, clusterClientKey: key }],
    ["paths", { clusterCaCert: certPath, clusterClientCert: certPath, clusterClientKey: keyPath }],
  ])("may be %s", async (_, pems) => {
    const { port, requests } = await serve(mutualTls);
    expect(
      await connections({ ...common, ...pems, clusterAddress: `https://127.0.0.1:${port}` })
        .cluster()
        .roles.list(),
    ).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  test("come from the environment if the configuration has none", async () => {
    const { port } = await serve(mutualTls);
    const env = { NOMAD_ADDR: `https://127.0.0.1:${port}`, NOMAD_TOKEN: "t", NOMAD_CACERT: certPath, NOMAD_CLIENT_CERT: certPath };
    const rest = { NOMAD_CLIENT_KEY: keyPath, NOMAD_TLS_SERVER_NAME: "cluster.test" };
    expect(
      await connections({}, { ...env, ...rest })
        .cluster()
        .roles.list(),
    ).toEqual([]);
  });

  test("that can't be read are an error with their source, and without the value", () => {
    const wrong = connections({ ...common, clusterAddress: "https://127.0.0.1", clusterClientKey: "MIIEvQIBADANBg" });
    const message =
      "What comes from the configuration key agentpool-acl:clusterClientKey is neither PEM text nor the path of a file that can be read (ENOENT).";
    expect(() => wrong.cluster()).toThrow(message);
    expect(
      inspect(
        thrownBy(() => wrong.cluster()),
        { depth: 9 },
      ),
    ).not.toContain("MIIEvQIBADANBg");
    const pools = connections({ poolsAddress: "https://127.0.0.1", poolsToken: "t", poolsCaCert: __dirname });
    expect(() => pools.pools()).toThrow("agentpool-acl:poolsCaCert is neither PEM text nor the path of a file that can be read (EISDIR).");
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
