import { createPrivateKey, X509Certificate } from "node:crypto";
import type * as Undici from "undici";
import { isLoopback } from "../../../common/loopback";
import { type Clock, systemClock, unlessAborted } from "./clock";
import { ApiError, type Call, type Failure, isApiError, isRateLimited, longestWaitMs, type Service, whatCame } from "./errors";
import { longestHoldMs, Pace, retryDelay, shortestHoldMs } from "./pace";
import { oneLine, shortestSecret } from "./redaction";
import type { ApiRequest, HttpOptions, Login, ProxySettings, RequestOptions, TlsOptions } from "./request";
import { errorOfTransport, readResponse } from "./response";
import { exchange, type RawResponse, TransportFailure } from "./transport";

const utf8 = new TextDecoder();

/** The first repetition often succeeds, so it is not reported. */
const firstToldRetry = 2;

/** Far more than any list of pools or roles. */
const maxResponseBytes = 64 * 1024 * 1024;

/** The requests to one service: connections, time-outs, retries, and the rules on where a token may be sent. */
export class Http {
  /** The service's address, without the version that the paths add. */
  readonly address: string;
  /** Query parameters of every request. */
  readonly query: Readonly<Record<string, string>>;
  readonly clock: Clock;
  private readonly pace: Pace;
  private readonly problem: Failure | undefined;
  private readonly origin: string;
  /** The path in the address, with which the paths of all requests begin. */
  private readonly prefix: string;
  private pool: Undici.Dispatcher | undefined;

  constructor(private readonly options: HttpOptions) {
    this.address = options.address;
    this.query = options.query ?? {};
    this.clock = options.clock ?? systemClock;
    this.pace = new Pace(this.clock, `The ${options.service} service at ${options.address}`, options.maxConcurrentRequests);
    // The first request reports the problem: a program that only uses the other service does not need these settings.
    this.problem = clientObjection(options);
    const { origin, pathname } = new URL(options.address);
    this.origin = origin;
    this.prefix = pathname.replace(/\/$/, "");
  }

  /**
   * Sends a request, again after transient faults if that is safe, and parses the response.
   *
   * @throws ApiError, or a UserError if the login fails or there is no token
   */
  async request<T>(request: ApiRequest<T>, context: RequestOptions = {}): Promise<T> {
    if (this.options.unusable) throw this.options.unusable();
    const refusal = pathObjection(request.path) ?? this.problem;
    if (refusal) throw new ApiError(this.describe(request, 1, context), refusal);
    const maxRetries = request.isSentOnce ? 0 : this.options.maxRetries;
    let retries = 0;
    let heldMs = 0;
    // A request with a token of its own, or with "" for none, needs no login: those of the login itself, and the one for the regions.
    const login = request.token === undefined ? this.options.login : undefined;
    let hasNewToken = false;
    for (let tries = 1; ; tries += 1) {
      const call = this.describe(request, tries, context);
      const token = request.token ?? (await this.loginToken(call, login, context)) ?? this.options.token;
      const outcome = await this.attempt(call, { ...request, token }, context);
      if (!isApiError(outcome)) {
        login?.accepted(token);
        return outcome;
      }
      if (!hasNewToken && !request.isSentOnce && login?.hasEnded(token, outcome)) {
        hasNewToken = true;
        continue;
      }
      if (isRefusedForRate(outcome)) {
        // This is not a retry: all requests now wait until the time that the service names.
        const holdMs = Math.max(outcome.retryAfterMs, shortestHoldMs);
        heldMs += holdMs;
        if (heldMs > longestHoldMs) throw outcome;
        this.pace.hold(holdMs);
        if (request.isSentOnce) throw outcome;
        continue;
      }
      const delay = retryDelay(request.operation, outcome, { retries, maxRetries }, this.clock.random());
      if (delay === undefined) throw outcome;
      retries += 1;
      const next = `try ${retries + 1} of ${maxRetries + 1} in ${(delay / 1000).toFixed(1)} s`;
      if (retries >= firstToldRetry) context.report?.(`${call.method} ${call.url}: ${whatCame(outcome)}; ${next}`);
      await this.clock.sleep(delay, context.signal).catch((cause: unknown) => {
        throw new ApiError(call, { kind: "cancelled", detail: "cancelled before the next try", ambiguous: outcome.ambiguous, cause });
      });
    }
  }

  /** A text of the server for a message: one line without secrets. */
  shown(text: string): string {
    return oneLine(text, this.secrets({}));
  }

  /** Whether a text is the token that the requests carry. */
  usesToken(text: string): boolean {
    return this.tokens().some((token) => token.toLowerCase() === text.toLowerCase());
  }

  /** The error of a request for a reason that its caller has found. */
  errorOf(request: Pick<ApiRequest<unknown>, "operation" | "method" | "path">, failure: Failure, tries = 1): ApiError {
    return new ApiError(this.describe(request, tries), failure);
  }

  /** Waits for the running requests, then closes the connections. */
  async close(): Promise<void> {
    await this.pool?.close();
  }

  /** The token of a login, if there is one. The wait for it ends when the signal aborts. */
  private async loginToken(call: Call, login: Login | undefined, { report, signal }: RequestOptions): Promise<string | undefined> {
    try {
      return await (login && unlessAborted(login.token(report), signal));
    } catch (cause) {
      if (!signal?.aborted) throw cause;
      throw new ApiError(call, { kind: "cancelled", detail: "cancelled before it was sent", cause });
    }
  }

  private async attempt<T>(call: Call, request: ApiRequest<T>, context: RequestOptions): Promise<T | ApiError> {
    const secrets = () => this.secrets(request, context);
    const log = (outcome: RawResponse | TransportFailure) => {
      this.options.log?.(logLine(call, outcome, this.clock.now() - startedAt, secrets()), context.report);
    };
    let startedAt = 0;
    let raw: RawResponse;
    try {
      raw = await this.pace.run(() => {
        if (request.operation === "replace" && context.isOutdated?.()) {
          throw new ApiError(call, { kind: "outdated", detail: "had to wait, and was not sent" });
        }
        startedAt = this.clock.now();
        return this.exchange(request, context.signal);
      }, context);
    } catch (error) {
      if (error instanceof TransportFailure) {
        log(error);
        return errorOfTransport(call, error, secrets());
      }
      if (context.signal?.aborted) return new ApiError(call, { kind: "cancelled", detail: "cancelled before it was sent", cause: error });
      throw error;
    }
    log(raw);
    const response = { status: raw.status, headers: raw.headers, text: utf8.decode(raw.body), at: this.clock.now() };
    return readResponse(call, request, response, secrets);
  }

  private exchange(request: ApiRequest<unknown>, signal: AbortSignal | undefined): Promise<RawResponse> {
    return exchange(
      this.connections(),
      {
        origin: this.origin,
        path: this.prefix + this.pathOf(request) + this.queryOf(request),
        method: request.method,
        headers: {
          ...(request.token ? this.options.headers(request.token) : {}),
          accept: request.mediaType,
          "content-type": request.mediaType,
          "user-agent": this.options.userAgent?.() ?? "pulumi-agentpool-acl",
        },
        body: request.body === undefined ? null : JSON.stringify(request.body),
      },
      // A running write is not aborted, because its effect would then be unknown.
      { timeoutMs: this.options.requestTimeoutMs, maxBytes: maxResponseBytes, signal: request.operation === "read" ? signal : undefined },
    );
  }

  private connections(): Undici.Dispatcher {
    if (this.pool) return this.pool;
    const { maxConcurrentRequests: connections, requestTimeoutMs: timeout, tls, proxy } = this.options;
    // This client's limit for the whole exchange replaces these time-outs.
    const limits = { connections, headersTimeout: 0, bodyTimeout: 0 };
    const connect = { timeout, ...tls };
    this.pool = proxy
      ? new (undici().EnvHttpProxyAgent)({ ...limits, ...proxied(proxy), connect, requestTls: connect, proxyTls: { timeout } })
      : new (undici().Pool)(this.origin, { ...limits, connect });
    return this.pool;
  }

  private describe(
    request: Pick<ApiRequest<unknown>, "operation" | "method" | "path" | "query" | "refusals">,
    tries = 1,
    { secrets = [] }: RequestOptions = {},
  ): Call {
    // Addresses are searched for secrets, because a user may mistakenly give a secret as an identifier.
    const shown = (text: string) => (secrets.length > 0 ? oneLine(text, secrets) : text);
    const path = this.pathOf(request);
    const { proxy } = this.options;
    return {
      service: this.options.service,
      operation: request.operation,
      method: request.method,
      path: shown(path),
      url: shown(this.address + path + this.queryOf(request)),
      tokenSource: this.options.tokenSource,
      tries,
      refusals: request.refusals,
      ...(proxy && { proxy: `${proxy.url.host} (${proxy.variable}, unless NO_PROXY names the server)` }),
    };
  }

  private pathOf(request: Pick<ApiRequest<unknown>, "path">): string {
    return `${this.options.basePath}/${request.path.map(encodeURIComponent).join("/")}`;
  }

  private queryOf(request: Pick<ApiRequest<unknown>, "query">): string {
    const given = Object.entries({ ...this.query, ...request.query }).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
  }

  private tokens(): readonly string[] {
    return this.options.login?.secrets() ?? [this.options.token];
  }

  /**
   * The texts that are sent and never shown, because servers and proxies may repeat them: tokens, the password of a proxy, and the secrets
   * of the request.
   */
  private secrets(request: Pick<ApiRequest<unknown>, "secrets">, context: RequestOptions = {}): string[] {
    const { password: encoded = "" } = this.options.proxy?.url ?? {};
    const password = [encoded, decoded(encoded)].filter(({ length }) => length >= shortestSecret);
    return [...new Set([...this.tokens(), ...password, ...(request.secrets ?? []), ...(context.secrets ?? [])])];
  }
}

/** Options that undici would otherwise read from the variables of the process. */
function proxied({ url, except }: ProxySettings): { readonly httpProxy: string; readonly httpsProxy: string; readonly noProxy: string } {
  return { httpProxy: url.href, httpsProxy: url.href, noProxy: except };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// Loaded by the first request: many operations and commands send none.
const undici = (): typeof Undici => require("undici");

function isRefusedForRate(error: ApiError): error is ApiError & { readonly retryAfterMs: number } {
  return isRateLimited(error) && error.retryAfterMs !== undefined && error.retryAfterMs <= longestWaitMs;
}

/**
 * The log line for a try: request, status, duration, and the number of the try. Without headers and bodies, and without secrets in the
 * address.
 */
function logLine(call: Call, outcome: RawResponse | TransportFailure, ms: number, secrets: readonly string[]): string {
  const isFailure = outcome instanceof TransportFailure;
  const result = `${outcome.status ?? "no response"}${isFailure ? ` (${outcome.message})` : ""}`;
  const size = isFailure ? "" : `, ${outcome.body.length} bytes`;
  const end = oneLine(`${result} in ${Math.round(ms)} ms${size}, try ${call.tries}`, secrets);
  return `${call.method} ${oneLine(call.url, secrets)}: ${end}`;
}

/** The reason why no request may be sent to this path; undefined if it may. */
function pathObjection(path: readonly string[]): Failure | undefined {
  const strange = path.find(leadsElsewhere);
  return strange === undefined ? undefined : { kind: "rejected", detail: `"${strange}" can't be a name or an id in an address` };
}

/** The reason why a client must not send any request: an error in its address, token or certificates. Undefined if there is none. */
function clientObjection(options: HttpOptions): Failure | undefined {
  const { protocol, hostname } = new URL(options.address);
  if (protocol === "http:" && !isLoopback(hostname) && !options.allowInsecureHttp) {
    return { kind: "misconfigured", detail: "the token would go over plain http to another machine", case: "plain-http" };
  }
  if (!/^[\x20-\x7e]*$/.test(options.token)) {
    return {
      kind: "misconfigured",
      detail: "the token holds a line break or another character that can't be sent",
      case: "unsendable-token",
    };
  }
  return options.tls && tlsObjection(options.service, options.tls);
}

/** Whether servers and proxies would take a part for a step in the path, even percent-encoded. */
function leadsElsewhere(part: string): boolean {
  return part.split("/").some((step) => step === "" || step === "." || step === "..");
}

/** The reason why https can't work with these certificates; undefined if they are readable. */
function tlsObjection(service: Service, { ca, cert, key }: TlsOptions): Failure | undefined {
  const caKey = service === "agent pools" ? "poolsCaCert" : "clusterCaCert";
  // Each file is checked by itself, because OpenSSL's messages don't name the certificate. The pair comes last, because two valid ones may
  // not belong together.
  const complaint =
    (ca && complaintOf(caKey, () => new X509Certificate(ca))) ||
    (cert && complaintOf("clusterClientCert", () => new X509Certificate(cert))) ||
    (key && complaintOf("clusterClientKey", () => createPrivateKey(key))) ||
    (cert && key && complaintOf("clusterClientCert and clusterClientKey", () => checkPair(cert, key)));
  return complaint || undefined;
}

function checkPair(cert: string, key: string): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new Error("the key does not belong to the certificate");
}

function complaintOf(keys: string, use: () => unknown): Failure | undefined {
  try {
    use();
    return undefined;
  } catch (cause) {
    return { kind: "misconfigured", detail: `what agentpool-acl:${keys} holds can't be used: ${String(cause)}` };
  }
}
