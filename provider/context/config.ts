import { readFileSync } from "node:fs";
import * as z from "zod";
import { AgentPoolsClient } from "../apis/agent-pools/client";
import { ClusterAclClient } from "../apis/cluster-acl/client";
import { type Clock, systemClock } from "../apis/http/clock";
import { Http } from "../apis/http/http";
import { proxyFor, UnusableProxy } from "../apis/http/proxy";
import type { HttpOptions } from "../apis/http/request";
import { field, propertiesOf } from "../model/fields";
import { nearest } from "../model/nearest";
import { listOf } from "../model/text";
import { ConfigurationError } from "./configuration-error";
import type { Environment } from "./environment";
import { requestLog } from "./request-log";
import { clusterAddressForm, poolsAddressForm } from "./service-address";
import { userAgent } from "./user-agent";

/** The namespace of this provider's keys in a stack's configuration: `pulumi config set agentpool-acl:clusterAddress ...`. */
export const namespace = "agentpool-acl";

const flag = z.union([z.boolean(), z.stringbool()], "must be true or false");
const seconds = z.coerce.number("must be a number of seconds");
const count = z.coerce.number("must be a whole number").int("must be a whole number");

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "must be the name of an HTTP header");

/** Every key of the configuration. The values of a stack's configuration are texts; those of an explicit provider may have other types. */
export const configuration = z.object({
  poolsAddress: field(
    z.string().optional(),
    "Address of the service that holds the agent pools, with or without `/api/v2`. Default: `TFE_ADDRESS`, or `https://` and `TFE_HOSTNAME`.",
    { form: poolsAddressForm.problem },
  ),
  poolsToken: field(
    z.string().optional(),
    "Token for the agent pools. `AGENTPOOL_ACL_POOLS_TOKEN` takes precedence; without either, `TFE_TOKEN` is used.",
    { secret: true },
  ),
  organization: field(z.string().optional(), "Organization of the agent pools that name none. Default: `TFE_ORGANIZATION`."),
  clusterAddress: field(z.string().optional(), "Address of the cluster's HTTP API, with or without `/v1`. Default: `NOMAD_ADDR`.", {
    form: clusterAddressForm.problem,
  }),
  clusterToken: field(
    z.string().optional(),
    "Secret identifier of a management token of the cluster. `AGENTPOOL_ACL_CLUSTER_TOKEN` takes precedence; without either, `NOMAD_TOKEN` is used.",
    { secret: true },
  ),
  clusterRegion: field(
    z.string().optional(),
    "Region that requests are sent to; best the authoritative one, which never lags behind a write. Default: `NOMAD_REGION`, or the region of the agent at the address.",
  ),
  // Without "token" in its name, because the CLI would then refuse the header's name as a secret.
  clusterAuthHeader: field(
    headerName.optional(),
    "Header that carries the cluster's token, and then the only one. Default: `X-Cluster-Token` and `X-Nomad-Token`, both in each request.",
  ),
  clusterTokenHeader: field(headerName.optional(), "Older name of `clusterAuthHeader`, which takes precedence.", {
    deprecated: "Use clusterAuthHeader, which `pulumi config set` takes without --plaintext.",
  }),
  clusterCaCert: field(
    z.string().optional(),
    "PEM text, or path, of the CA certificates that the cluster's certificate is checked with. Default: `NOMAD_CACERT`.",
  ),
  clusterClientCert: field(
    z.string().optional(),
    "PEM text, or path, of the client certificate for the cluster. Default: `NOMAD_CLIENT_CERT`.",
  ),
  clusterClientKey: field(
    z.string().optional(),
    "PEM text, or path, of the client certificate's key. `AGENTPOOL_ACL_CLUSTER_CLIENT_KEY` takes precedence; without either, `NOMAD_CLIENT_KEY` is used.",
    { secret: true },
  ),
  clusterTlsServerName: field(
    z.string().optional(),
    "Name that the cluster's certificate must be for, where it is not the address's. Default: `NOMAD_TLS_SERVER_NAME`.",
  ),
  poolsCaCert: field(
    z.string().optional(),
    "PEM text, or path, of the CA certificates that the agent pool service's certificate is checked with.",
  ),
  requestTimeoutSeconds: field(
    seconds.gt(0, "must be more than 0").default(30),
    "Seconds that one try of a request may take, its response included: more than 0.",
  ),
  maxRetries: field(
    count.min(0, "must be 0 or more").default(4),
    "How often a request is repeated after a transient fault, where that is safe: 0 or more.",
  ),
  maxConcurrentRequests: field(
    count.min(1, "must be 1 or more").default(32),
    "How many requests, and so connections, are open to one address at a time: 1 or more.",
  ),
  readSnapshotSeconds: field(
    seconds.min(0, "must be 0 or more").default(10),
    "Seconds for which one list of a kind of objects serves the reads of an operation, such as a refresh: 0 or more; 0 reads every object singly.",
  ),
  allowInsecureHttp: field(
    flag.default(false),
    "Whether a token may be sent over plain http to an address that is not this machine's own.",
  ),
  acceptMovedServer: field(
    flag.default(false),
    "Whether an object of another server, which the configured server does not have, counts as gone. It is for one run after a server was moved or restored: " +
      "`AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true` takes precedence, and also applies to a destroy or refresh.",
  ),
});

/** Whether this is a key of the engine, which adds it to the settings. */
export function isEngineKey(key: string): boolean {
  return key === "version" || key === "pluginDownloadURL" || key.startsWith("__");
}

/** The warning for an unknown key of a stack's configuration; undefined for a setting, or a key of the engine. */
export function meaningless(key: string): string | undefined {
  const known = configuration.keyof().options;
  if (isEngineKey(key) || known.some((name) => name === key)) return undefined;
  const near = nearest(key, known);
  const way = near ? `Did you mean ${namespace}:${near}?` : `The keys are ${known.join(", ")}.`;
  return `The configuration key ${namespace}:${key} means nothing to this provider. ${way}`;
}

export type Settings = z.output<typeof configuration>;
export type SettingKey = keyof Settings;

/** The source of a setting, in words for an error message. */
type Sources = Partial<Record<SettingKey, string>>;

/** The variables that are used where the configuration has no value. */
const environmentDefaults: Partial<Record<SettingKey, readonly string[]>> = {
  poolsAddress: ["TFE_ADDRESS", "TFE_HOSTNAME"],
  poolsToken: ["TFE_TOKEN"],
  organization: ["TFE_ORGANIZATION"],
  clusterAddress: ["NOMAD_ADDR"],
  clusterToken: ["NOMAD_TOKEN"],
  clusterRegion: ["NOMAD_REGION"],
  clusterCaCert: ["NOMAD_CACERT"],
  clusterClientCert: ["NOMAD_CLIENT_CERT"],
  clusterClientKey: ["NOMAD_CLIENT_KEY"],
  clusterTlsServerName: ["NOMAD_TLS_SERVER_NAME"],
};

/**
 * The variables that take precedence over the configuration: the engine configures destroy and refresh from the last update, where a
 * rotated token is stale.
 */
const environmentOverrides: Partial<Record<SettingKey, string>> = {
  poolsToken: "AGENTPOOL_ACL_POOLS_TOKEN",
  clusterToken: "AGENTPOOL_ACL_CLUSTER_TOKEN",
  clusterClientKey: "AGENTPOOL_ACL_CLUSTER_CLIENT_KEY",
  acceptMovedServer: "AGENTPOOL_ACL_ACCEPT_MOVED_SERVER",
};

/** The remedy for a server that was moved or restored. Only the variable applies to every operation, and to that operation only. */
export const howToAcceptMovedServer = `set the environment variable ${environmentOverrides.acceptMovedServer}=true for one run`;

export interface Resolved {
  readonly settings: Settings;
  readonly sources: Sources;
  /** The values are the arguments of a provider of the program, and not the stack's configuration. */
  readonly isExplicit: boolean;
  /** The proxy for an address. */
  readonly env: Environment;
}

/**
 * Resolves the configuration, in this order: the overriding variables (those of secrets for the default provider only), the given values,
 * the usual variables (not for a service whose address an explicit provider names, because the token is for another server), the defaults.
 *
 * @throws ConfigurationError naming every key whose value is not allowed. The client that needs a missing value reports it.
 */
export function resolveConfiguration(get: (key: SettingKey) => unknown, env: Environment, isExplicit = false): Resolved {
  const sources: Sources = {};
  const given: Record<string, unknown> = {};
  for (const key of configuration.keyof().options) {
    const found = findSetting(key, get, env, isExplicit);
    if (!found) continue;
    given[key] = found.value;
    sources[key] = found.source;
  }
  const parsed = configuration.safeParse(given);
  if (!parsed.success) {
    // The issues name what is expected, and never the value, which may be a secret.
    const reasons = parsed.error.issues.map((issue) => `${namespace}:${issue.path.join(".")} ${issue.message}`);
    throw new ConfigurationError("configuration-invalid", `The configuration can't be used: ${reasons.join("; ")}.`);
  }
  return { settings: parsed.data, sources, isExplicit, env };
}

function findSetting(
  key: SettingKey,
  get: (key: SettingKey) => unknown,
  env: Environment,
  isExplicit: boolean,
): { value: unknown; source: string } | undefined {
  const override = environmentOverrides[key];
  // A token or a key is for one server, and an explicit provider may be for another.
  if (override && !(isExplicit && isSecret(key)) && env[override])
    return { value: env[override], source: `the environment variable ${override}` };
  const value = get(key);
  if (isGiven(value)) return { value, source: isExplicit ? `the provider's argument ${key}` : `the configuration key ${namespace}:${key}` };
  if (isExplicit && isGiven(get(addressOf(key)))) return undefined;
  for (const variable of environmentDefaults[key] ?? []) {
    const text = env[variable];
    if (text) return { value: variable === "TFE_HOSTNAME" ? `https://${text}` : text, source: `the environment variable ${variable}` };
  }
  return undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function isSecret(key: SettingKey): boolean {
  return propertiesOf(configuration).get(key)?.traits.secret === true;
}

/** The address of the service that a setting is about. */
function addressOf(key: SettingKey): "poolsAddress" | "clusterAddress" {
  return key.startsWith("cluster") ? "clusterAddress" : "poolsAddress";
}

/** The differences between the two services. */
type OwnOptions = Omit<
  HttpOptions,
  "requestTimeoutMs" | "maxRetries" | "maxConcurrentRequests" | "allowInsecureHttp" | "proxy" | "clock" | "userAgent" | "log"
>;

/** The clients of both APIs, made at their first use, so that a program without agent pools needs no configuration for them. */
export class Clients {
  private poolsClient: AgentPoolsClient | undefined;
  private clusterClient: ClusterAclClient | undefined;
  private readonly opened: Http[] = [];

  constructor(
    private readonly resolve: () => Resolved,
    private readonly clock: Clock = systemClock,
  ) {}

  get settings(): Settings {
    return this.resolve().settings;
  }

  /** @throws ConfigurationError when the address or the token is missing. */
  pools(): AgentPoolsClient {
    if (this.poolsClient) return this.poolsClient;
    const resolved = this.resolve();
    const [address, token] = required(resolved, "agent pools", "poolsAddress", "poolsToken");
    const { settings, sources } = resolved;
    const http = this.open(resolved, {
      service: "agent pools",
      address: poolsAddressForm.base(address, sources.poolsAddress),
      basePath: "/api/v2",
      headers: () => ({ authorization: `Bearer ${token}` }),
      secrets: [token],
      tokenSource: tokenSource(resolved, "poolsToken"),
      tls: { ca: pem(settings.poolsCaCert, sources.poolsCaCert) },
    });
    this.poolsClient = new AgentPoolsClient(http, settings.readSnapshotSeconds * 1000);
    return this.poolsClient;
  }

  /** @throws ConfigurationError when the address or the token is missing. */
  cluster(): ClusterAclClient {
    if (this.clusterClient) return this.clusterClient;
    const resolved = this.resolve();
    const [address, token] = required(resolved, "cluster ACL", "clusterAddress", "clusterToken");
    const { settings, sources } = resolved;
    const headers = clusterHeaders(settings);
    const http = this.open(resolved, {
      service: "cluster ACL",
      address: clusterAddressForm.base(address, sources.clusterAddress),
      basePath: "",
      headers: () => Object.fromEntries(headers.map((name) => [name, token])),
      secrets: [token],
      tokenSource: `${tokenSource(resolved, "clusterToken")} ${headersInWords(headers)}`,
      ...(settings.clusterRegion ? { query: { region: settings.clusterRegion } } : {}),
      tls: {
        ca: pem(settings.clusterCaCert, sources.clusterCaCert),
        cert: pem(settings.clusterClientCert, sources.clusterClientCert),
        key: pem(settings.clusterClientKey, sources.clusterClientKey),
        servername: settings.clusterTlsServerName,
      },
    });
    this.clusterClient = new ClusterAclClient(http, settings.readSnapshotSeconds * 1000);
    return this.clusterClient;
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map((http) => http.close()));
  }

  private open({ settings, env }: Resolved, options: OwnOptions): Http {
    const http = new Http({
      ...options,
      requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
      maxRetries: settings.maxRetries,
      maxConcurrentRequests: settings.maxConcurrentRequests,
      allowInsecureHttp: settings.allowInsecureHttp,
      proxy: usableProxy(options.address, env),
      clock: this.clock,
      userAgent,
      log: requestLog(env),
    });
    this.opened.push(http);
    return http;
  }
}

const saved = "A destroy or refresh uses the configuration that the last update saved";
const savedArguments = "A destroy or refresh uses the arguments that the last update saved, unless you add --run-program";

function required(
  resolved: Resolved,
  service: string,
  ...keys: readonly ["poolsAddress" | "clusterAddress", "poolsToken" | "clusterToken"]
): [string, string] {
  const [address, token] = keys.map((key) => resolved.settings[key]);
  if (address && token) return [address, token];
  const missing = keys.filter((key) => !resolved.settings[key]);
  if (resolved.isExplicit) {
    throw new ConfigurationError(
      "service-not-configured",
      `The ${service} API is not configured: give the provider the argument${missing.length > 1 ? "s" : ""} ${listOf(missing)}. ${savedArguments}.`,
    );
  }
  throw new ConfigurationError(
    "service-not-configured",
    `The ${service} API is not configured: ${missing.map(waysToSet).join("; ")}. ${saved}: there, set the environment variable or add --run-program.`,
  );
}

function waysToSet(key: SettingKey): string {
  const secret = isSecret(key) ? "--secret " : "";
  const variables = [environmentOverrides[key], ...(environmentDefaults[key] ?? [])].filter((name) => name !== undefined);
  return `set ${key} with \`pulumi config set ${secret}${namespace}:${key} VALUE\` or the environment variable ${variables.join(" or ")}`;
}

function tokenSource({ sources, isExplicit }: Resolved, key: "poolsToken" | "clusterToken"): string {
  const source = sources[key];
  if (isExplicit) return `The token comes from ${source ?? "an unknown place"}. ${savedArguments}.`;
  return `The token comes from ${source ?? "an unknown place"}. ${saved}: after a rotation set ${environmentOverrides[key]}, or add --run-program.`;
}

/** The document names one header, and the real scheduler uses the other. A server ignores the one that it does not know. */
function clusterHeaders({ clusterAuthHeader, clusterTokenHeader }: Settings): readonly string[] {
  const configured = clusterAuthHeader ?? clusterTokenHeader;
  return configured ? [configured] : ["X-Cluster-Token", "X-Nomad-Token"];
}

function headersInWords(headers: readonly string[]): string {
  return `It goes in the header${headers.length > 1 ? "s" : ""} ${headers.join(" and ")}: where the server wants another one, set clusterAuthHeader.`;
}

function usableProxy(address: string, env: Environment): URL | undefined {
  try {
    return proxyFor(address, env);
  } catch (error) {
    if (error instanceof UnusableProxy) throw new ConfigurationError("proxy-unusable", error.message);
    throw error;
  }
}

/** Whether a certificate or key is given as its text, and not as the path of a file. */
export function isPemText(value: string): boolean {
  return value.includes("-----BEGIN");
}

/** A certificate or key: the PEM text itself, or the path of a file that holds it. */
function pem(value: string | undefined, source: string | undefined): string | undefined {
  if (!value || isPemText(value)) return value;
  try {
    return readFileSync(value, "utf8");
  } catch (error) {
    const code = typeof error === "object" && error !== null && "code" in error ? ` (${String(error.code)})` : "";
    // Without the cause, which repeats the value: that may be a key without its PEM lines.
    throw new ConfigurationError(
      "certificate-unreadable",
      `What comes from ${source} is neither PEM text nor the path of a file that can be read${code}.`,
    );
  }
}
