import { readFileSync } from "node:fs";
import type { Environment } from "../../common/environment";
import { isLoopback } from "../../common/loopback";
import { urlOf } from "../../common/url";
import { ConfigurationError } from "../../common/user-error";
import { AgentPoolsClient } from "../apis/agent-pools/client";
import { ClusterClient } from "../apis/cluster/client";
import { type Clock, systemClock } from "../apis/http/clock";
import { Http } from "../apis/http/http";
import type { HttpOptions, ProxySettings } from "../apis/http/request";
import { listOf } from "../model/text";
import { ClusterLogin } from "./cluster-login";
import { environmentOverrides, hasUnsavedLogin, isPemText, type Resolved, type Settings, serviceOf, waysToSet } from "./config";
import { identityTokenProblem } from "./identity-token";
import { userAgent } from "./package";
import { requestLog } from "./request-log";
import { clusterAddressForm, poolsAddressForm } from "./service-address";

/** The options in which the clients of the two services differ. */
type OwnOptions = Omit<
  HttpOptions,
  "requestTimeoutMs" | "maxRetries" | "maxConcurrentRequests" | "allowInsecureHttp" | "proxy" | "clock" | "userAgent" | "log"
>;

/** The clients of both APIs, made at their first use, so a program without agent pools needs no configuration for them. */
export class Clients {
  private poolsClient: AgentPoolsClient | undefined;
  private clusterClient: ClusterClient | undefined;
  private clusterLogin: ClusterLogin | undefined;
  private readonly opened: Http[] = [];
  private known: Resolved | undefined;

  constructor(
    private readonly resolve: () => Resolved,
    private readonly clock: Clock = systemClock,
  ) {}

  get settings(): Settings {
    return this.resolved.settings;
  }

  /** @throws ConfigurationError in every call if the configuration can't be used */
  private get resolved(): Resolved {
    this.known ??= this.resolve();
    return this.known;
  }

  /** The warning for a preview if a service has no token and can't log in for one; undefined otherwise. */
  missingToken(api: "pools" | "cluster"): string | undefined {
    const { resolved } = this;
    const [service, key] = api === "pools" ? (["agent pools", "poolsToken"] as const) : (["cluster", "clusterToken"] as const);
    if (resolved.settings[key]) return undefined;
    const { clusterLogin } = resolved.settings;
    const isLogin = api === "cluster" && clusterLogin !== undefined;
    const remedy = isLogin ? identityTokenProblem(clusterLogin, resolved.env) : waysToGive(resolved, [key]);
    if (remedy === undefined) return undefined;
    return `The ${service} API has no token. A preview without a refresh needs none, and an update fails at its first request: ${remedy}`;
  }

  /** @throws ConfigurationError when the address is missing. Without a token, the first request throws it. */
  pools(): AgentPoolsClient {
    if (this.poolsClient) return this.poolsClient;
    const { resolved } = this;
    const { address, token, unusable } = required(resolved, "agent pools", "poolsAddress", "poolsToken");
    const { settings, sources } = resolved;
    const http = this.open(resolved, {
      service: "agent pools",
      address: poolsAddressForm.base(address, sources.poolsAddress),
      basePath: "/api/v2",
      token,
      headers: (sent) => ({ authorization: `Bearer ${sent}` }),
      unusable,
      tokenSource: tokenSource(resolved, "poolsToken"),
      tls: { ca: pem(settings.poolsCaCert, sources.poolsCaCert) },
    });
    this.poolsClient = new AgentPoolsClient(http, settings.readSnapshotSeconds * 1000);
    return this.poolsClient;
  }

  /** @throws ConfigurationError when the address is missing. Without a token, the first request throws it. */
  cluster(): ClusterClient {
    if (this.clusterClient) return this.clusterClient;
    const { resolved } = this;
    const { address, token, unusable } = required(resolved, "cluster", "clusterAddress", "clusterToken");
    const { settings, sources } = resolved;
    const headers = clusterHeaders(settings);
    const login = settings.clusterLogin && new ClusterLogin(settings.clusterLogin, resolved.env, () => http);
    const http: Http = this.open(resolved, {
      service: "cluster",
      address: clusterAddressForm.base(address, sources.clusterAddress),
      basePath: "",
      token,
      headers: (sent) => Object.fromEntries(headers.map((name) => [name, sent])),
      login,
      unusable,
      tokenSource: `${login ? loginSource(settings) : tokenSource(resolved, "clusterToken")} ${headersInWords(headers)}`,
      ...(settings.clusterRegion ? { query: { region: settings.clusterRegion } } : {}),
      tls: {
        ca: pem(settings.clusterCaCert, sources.clusterCaCert),
        cert: pem(settings.clusterClientCert, sources.clusterClientCert),
        key: pem(settings.clusterClientKey, sources.clusterClientKey),
        servername: settings.clusterTlsServerName,
      },
    });
    this.clusterLogin = login;
    this.clusterClient = new ClusterClient(http, settings.readSnapshotSeconds * 1000);
    return this.clusterClient;
  }

  /** Deletes the token of a login, and closes the connections. */
  async close(): Promise<void> {
    await this.clusterLogin?.end();
    await Promise.all(this.opened.map((http) => http.close()));
  }

  private open({ settings, env }: Resolved, options: OwnOptions): Http {
    const http = new Http({
      ...options,
      requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
      maxRetries: settings.maxRetries,
      maxConcurrentRequests: settings.maxConcurrentRequests,
      allowInsecureHttp: settings.allowInsecureHttp,
      proxy: proxyFor(options.address, env),
      clock: this.clock,
      userAgent,
      log: requestLog(env),
    });
    this.opened.push(http);
    return http;
  }
}

const unsavedLogin = "clusterLogin is set, but not saved in the state: run `pulumi up` once without --refresh.";
const saved = "A destroy or refresh uses the configuration that the last update saved";
const savedArguments = "A destroy or refresh uses the arguments that the last update saved, unless you add --run-program";

/**
 * @throws ConfigurationError without an address. Without a token a preview is still possible: `unusable` makes the error of the first
 * request.
 */
function required(
  resolved: Resolved,
  service: string,
  ...keys: readonly ["poolsAddress" | "clusterAddress", "poolsToken" | "clusterToken"]
): { readonly address: string; readonly token: string; readonly unusable: (() => Error) | undefined } {
  const [address, token] = keys.map((key) => resolved.settings[key]);
  const hasLogin = keys[1] === "clusterToken" && resolved.settings.clusterLogin !== undefined;
  if (address && (token || hasLogin)) return { address, token: token ?? "", unusable: undefined };
  const missing = keys.filter((key) => !resolved.settings[key] && !(hasLogin && key === "clusterToken"));
  const how = resolved.explicit.has(keys[0]) ? savedArguments : `${saved}: there, set the environment variable or add --run-program`;
  const later = resolved.isOfCommand ? "" : ` ${how}.`;
  const isUnsaved = address !== undefined && missing.includes("clusterToken") && hasUnsavedLogin(resolved);
  const remedy = isUnsaved ? unsavedLogin : `${waysToGive(resolved, missing)}${later}`;
  const notConfigured = () => new ConfigurationError("service-not-configured", `The ${service} API is not configured: ${remedy}`);
  if (!address) throw notConfigured();
  return { address, token: "", unusable: notConfigured };
}

/** The remedy for a missing value, in sentences, with the reason why an existing value is not used. */
function waysToGive(resolved: Resolved, missing: readonly ("poolsAddress" | "clusterAddress" | "poolsToken" | "clusterToken")[]): string {
  const isExplicit = missing.some((key) => resolved.explicit.has(serviceOf(key)));
  const ways = isExplicit
    ? `give the provider the argument${missing.length > 1 ? "s" : ""} ${listOf(missing)}`
    : missing.map((key) => waysToSet(key, resolved)).join("; ");
  return `${ways}.${missing.map((key) => spaced(resolved.unused[key])).join("")}`;
}

function tokenSource(resolved: Resolved, key: "poolsToken" | "clusterToken"): string {
  const { sources, explicit, unused, isOfCommand } = resolved;
  if (key === "clusterToken" && hasUnsavedLogin(resolved)) return `The token is that of the last update: ${unsavedLogin}`;
  const source = `The token comes from ${sources[key] ?? "an unknown place"}.${spaced(unused[key])}`;
  if (isOfCommand || sources[key]?.includes(String(environmentOverrides[key]))) return source;
  if (explicit.has(serviceOf(key))) return `${source} ${savedArguments}.`;
  return `${source} ${saved}: after a rotation set ${environmentOverrides[key]}, or add --run-program.`;
}

function loginSource({ clusterLogin }: Settings): string {
  return `The token comes from a login by the auth method ${JSON.stringify(clusterLogin?.authMethod)} (agentpool-acl:clusterLogin): it has the rights that the method's binding rules give, which must be management.`;
}

function spaced(sentence: string | undefined): string {
  return sentence ? ` ${sentence}` : "";
}

/**
 * The headers with the token. Default: the header of the API's document, and that of the real scheduler. A server ignores the one that it
 * does not use.
 */
function clusterHeaders({ clusterAuthHeader }: Settings): readonly string[] {
  return clusterAuthHeader ? [clusterAuthHeader] : ["X-Cluster-Token", "X-Nomad-Token"];
}

function headersInWords(headers: readonly string[]): string {
  return `It goes in the header${headers.length > 1 ? "s" : ""} ${headers.join(" and ")}: if the server wants another one, set clusterAuthHeader.`;
}

/**
 * The proxy of the environment for an address. This machine's addresses have none: a token may be sent there over plain http, and must not
 * reach another machine that way.
 *
 * @throws ConfigurationError when the variable's value is not the address of a proxy. Its value may hold a password, and is not shown
 */
function proxyFor(address: string, env: Environment): ProxySettings | undefined {
  const { protocol, hostname } = new URL(address);
  const variable = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  // Small letters take precedence, as in most programs.
  const [given, except = ""] = [variable, "NO_PROXY"].map((name) => env[name.toLowerCase()] ?? env[name]);
  if (!given || isLoopback(hostname)) return undefined;
  const text = given.includes("://") ? given : `http://${given}`;
  const url = urlOf(text);
  if (url && /^https?:$/.test(url.protocol)) return { url, variable, except };
  throw new ConfigurationError(
    "proxy-unusable",
    `The environment variable ${variable} must be the address of a proxy, like http://proxy.example.com:3128, with http or https.`,
  );
}

/** A certificate or key: the PEM text itself, or the path of a file that holds it. */
function pem(value: string | undefined, source: string | undefined): string | undefined {
  if (!value || isPemText(value)) return value;
  try {
    return readFileSync(value, "utf8");
  } catch (error) {
    const code = typeof error === "object" && error !== null && "code" in error ? ` (${String(error.code)})` : "";
    // The error has no cause, because the cause repeats the value, which may be a key without its PEM lines.
    throw new ConfigurationError(
      "certificate-unreadable",
      `What comes from ${source} is neither PEM text nor the path of a file that can be read${code}.`,
    );
  }
}
