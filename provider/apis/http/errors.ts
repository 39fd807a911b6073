/** Failed requests: their kinds, and what each means to the user. */

export type Service = "agent pools" | "cluster";

/**
 * The effect of a request on the server, which decides whether the request may be repeated. A `replace` sets values of the object with an
 * id, so a repetition has the same effect.
 */
export type Effect = "read" | "create" | "replace" | "delete";

/** The meaning of a text with which a service refuses a request about an object. It takes precedence over most statuses. */
export interface Refusal {
  readonly says: RegExp;
  readonly means: "not-found" | "blocked" | "rejected";
  /** The requests that the service refuses with this text. Default: all. */
  readonly to?: Effect;
  /** The status of the response. Default: any error status whose own meaning does not come first, as that of 401, 403 and 429 does. */
  readonly status?: number;
}

/** The request that failed. */
export interface Call {
  readonly service: Service;
  readonly operation: Effect;
  readonly method: string;
  /** Path without the address, its prefix and the query. */
  readonly path: string;
  /** The whole address, for the user. */
  readonly url: string;
  /** The source of the token, and the way to change it, as sentences. */
  readonly tokenSource: string;
  /** Only for the cluster. Left out: the request is about no single object, so no response means that one is missing. */
  readonly refusals?: readonly Refusal[] | undefined;
  /** The possible proxy of the request: its host and port, and the variables that configure it. */
  readonly proxy?: string;
  /** The number of tries, including this one. */
  readonly tries: number;
}

/** Whether a request to this path is a login. */
export const isLogin = ({ path }: Pick<Call, "path">) => path === "/v1/acl/login";

export const isWrite = (call: Call) => call.operation !== "read";

const settings: Record<Service, { readonly address: string; readonly tls: string }> = {
  "agent pools": { address: "agentpool-acl:poolsAddress", tls: "agentpool-acl:poolsCaCert" },
  cluster: {
    address: "agentpool-acl:clusterAddress",
    tls: "agentpool-acl:clusterCaCert, clusterClientCert, clusterClientKey and clusterTlsServerName",
  },
};

/** The source of the address of a destroy or refresh. */
const saved = "a destroy or refresh uses the one that the last update saved, unless you add --run-program";

/** A kind or a case of errors: its advice ends the message of each such error. */
interface Explained {
  /** The beginning of the message and its meaning, for docs/troubleshooting.md. */
  readonly cause: string;
  /** The next step for the user. */
  readonly advice: (call: Call, status: number | undefined) => string;
}

/** The kinds of errors that callers handle differently. */
export const errorKinds = {
  "not-found": {
    cause: "A 404 in the API's own words: the object does not exist, or the token may not see the pool.",
    advice: (call) =>
      call.service === "agent pools"
        ? "It does not exist, or this token may not see it: the API does not distinguish the two."
        : "It does not exist.",
  },
  "wrong-address": {
    cause: "A redirect, an HTML page or an empty 404: the response does not come from the API, and says nothing about the object.",
    advice: (call) =>
      `This is not a response of the ${call.service} API, and says nothing about the object: check ${settings[call.service].address} (${saved}), and any proxy in between.`,
  },
  denied: {
    cause: "401 or 403: the token is missing, unknown, or may not do this.",
    advice: (call) => `Check that the token is valid, and what it may do. ${call.tokenSource}`,
  },
  blocked: {
    cause: "409, 412 or 422 to a delete: something still uses the object.",
    advice: () => "The object still exists: remove what blocks the delete, then try again.",
  },
  conflict: {
    cause: "409 to another request, or a text to this effect: the name is taken.",
    advice: (call) =>
      call.operation === "replace"
        ? "The name is taken: choose another one, or rename or delete the object that has it first. If this program renames that one in the same update, run the update again. If it deletes that one, do so in an update before."
        : "The name is taken: choose another one, or import the object that has it.",
  },
  rejected: {
    cause: "Another 4xx: the server, or a rule of the API's document, refuses the input.",
    advice: (call, status) =>
      // Without a status, the provider itself has refused the given value.
      status === undefined || call.operation === "create" || call.operation === "replace"
        ? "Correct the input, then try again."
        : "The request holds no input to correct: the server's text says why it is refused. Check the server's version, and any proxy in between.",
  },
  "rate-limited": {
    cause: "429 after all retries, or for five minutes: too many requests were sent. Lower `maxConcurrentRequests`.",
    advice: () => "Try again later, with fewer requests at a time (agentpool-acl:maxConcurrentRequests).",
  },
  unavailable: {
    cause: "No connection, no response in time, or a status of 500 or more: the service or the network fails, and so did all retries.",
    advice: (call) =>
      `Try again; when it stays so, check that the service is up and that ${settings[call.service].address} is right, its http or https included (${saved})${call.proxy ? `; and check the proxy ${call.proxy}` : ""}.`,
  },
  malformed: {
    cause: "A response that is cut off, too large or of another form: a proxy has changed it, or the server has another version.",
    advice: () => "Check the server's version, and any proxy that may cut its responses.",
  },
  cancelled: {
    cause: "Cancelled: Ctrl-C or `customTimeouts` ended the request.",
    advice: () => "",
  },
  outdated: {
    cause: "Not sent yet: an update waited too long after its read, so it reads the object again.",
    advice: () => "The object is read again, and changes that others made meanwhile stay.",
  },
  misconfigured: {
    cause: "Not sent: the configuration does not allow the request.",
    advice: () => "Nothing was sent: correct it first.",
  },
} satisfies Record<string, Explained>;

export type ErrorKind = keyof typeof errorKinds;

/** Cases with better advice than their kind's. */
export const errorCases = {
  "no-such-region": {
    cause: "`no path to region`: the cluster has no region with the name in `clusterRegion`.",
    advice: () => "The cluster knows no region of this name: check agentpool-acl:clusterRegion.",
  },
  "several-regions": {
    cause: "Not sent: the cluster has several regions, and `clusterRegion` names none. Set it to the authoritative region.",
    advice: () =>
      "Nothing else was sent: set agentpool-acl:clusterRegion to the authoritative region (`authoritative_region` of the servers), because the others lag behind it.",
  },
  "acl-disabled": {
    cause: "`ACL support disabled`: the server runs without ACLs. Enable ACLs (`acl { enabled = true }`) and bootstrap them.",
    advice: () =>
      "This server runs without ACLs: enable them in the servers' configuration (`acl { enabled = true }`) and bootstrap them, or check agentpool-acl:clusterAddress.",
  },
  "no-such-policy": {
    cause: "`cannot find policy` or `cannot find role`: the object does not exist. If the program creates it, use its output `name`.",
    advice: () =>
      "Correct the name, or create it first. If this program makes it, give its output `name`: the update does not wait for an object that is named by a text.",
  },
  "login-refused": {
    cause: "400, 401, 403 or 500 to a login: the method refuses the token, or no rule matches.",
    advice: () =>
      "Check agentpool-acl:clusterLogin, what the auth method takes (boundAudiences, boundIssuer, keys, times), and that a binding rule with bindType management matches the token's claims. For the first update, which makes them, set AGENTPOOL_ACL_CLUSTER_TOKEN.",
  },
  "pool-limit": {
    cause: "The organization has reached its limit of agent pools.",
    advice: () =>
      "The organization has reached its limit of agent pools, which is one pool in the API's document: use the pool that exists (adopt: true, with its name), delete it, or have the limit raised. A free tier includes one self-hosted agent.",
  },
  "server-uses-https": {
    cause: "The address has http and the server uses https, or the other way round.",
    advice: ({ service }) => speaks("https", service),
  },
  "server-may-use-https": {
    cause: "The address has http and the server uses https, or the other way round.",
    advice: ({ service }) => speaks("https, perhaps", service),
  },
  "server-uses-http": {
    cause: "The address has http and the server uses https, or the other way round.",
    advice: ({ service }) => speaks("plain http", service),
  },
  untrusted: {
    cause: "The server's certificate is not trusted, or is for another name, or the server refuses the client's certificate.",
    advice: ({ service }) => `Check ${settings[service].tls}, and whether ${settings[service].address} begins rightly with https.`,
  },
  "plain-http": {
    cause: "Not sent: the token would leave this machine unencrypted. Use https, or set `allowInsecureHttp`.",
    advice: () => "Nothing was sent: use https, or set agentpool-acl:allowInsecureHttp to true.",
  },
  "unsendable-token": {
    cause: "Not sent: the token has a character that can't be sent, such as a line break. Set the token again.",
    advice: ({ tokenSource }) => `Nothing was sent: set the token again. ${tokenSource}`,
  },
  inconsistent: {
    cause: "The pages of a list contradict each other. Run the operation again when fewer objects change there.",
    advice: () => "Run it again when fewer objects are created and deleted there.",
  },
} satisfies Record<string, Explained>;

export type ErrorCase = keyof typeof errorCases;

/** The advice if the server speaks another protocol. */
function speaks(protocol: string, service: Service): string {
  return `The server at this address uses ${protocol}: check how ${settings[service].address} begins (${saved}).`;
}

/** The longest wait, in milliseconds, that a server may request. A longer one ends the tries, and the error says so. */
export const longestWaitMs = 60_000;

/** The facts about a failed request. */
export interface Failure {
  readonly kind: ErrorKind;
  /** HTTP status of the response; undefined when there was none. */
  readonly status?: number;
  /** The server's text, or the failure of the connection: on one line, shortened, without secrets. */
  readonly detail: string;
  /** The server's text with any secrets in it: for decisions, and never shown. */
  readonly words?: string;
  /** Whether a write was sent without a known effect. */
  readonly ambiguous?: boolean;
  /** Whether the same request may succeed a little later. */
  readonly transient?: boolean;
  /** The wait before the next try that the server requests, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The index of the store that the response came from, if the service has one. */
  readonly storeIndex?: number | undefined;
  /** Whether this is a 404 in other words than the service's: the object is missing if the service's list lacks it, too. */
  readonly mayBeMissing?: boolean;
  /** The case, if it has better advice than its kind. */
  readonly case?: ErrorCase;
  /** A sentence about the cause, which another request has revealed. */
  readonly note?: string;
  readonly cause?: unknown;
}

const brand = Symbol.for("pulumi-agentpool-acl.ApiError");

/** A request that did not succeed. The message is complete for a user: the request, the response, and what to do next. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly [brand] = true;
  readonly kind: ErrorKind;
  readonly path: string;
  readonly status: number | undefined;
  readonly detail: string;
  readonly ambiguous: boolean;
  readonly transient: boolean;
  readonly retryAfterMs: number | undefined;
  readonly storeIndex: number | undefined;
  readonly mayBeMissing: boolean;
  /** The message without its note and its advice, for errors with advice of their own. */
  readonly report: string;
  /** Equal for errors that differ in their requests only. */
  readonly likeness: string;
  // Private, so nothing that prints an error shows the server's words.
  readonly #made: readonly [call: Call, failure: Failure];

  constructor(call: Call, failure: Failure) {
    const report = reportOf(call, failure);
    const { advice }: Explained = failure.case ? errorCases[failure.case] : errorKinds[failure.kind];
    const sentences = [report, ...(failure.note ? [failure.note] : []), advice(call, failure.status)];
    super(sentences.join(" ").trim(), failure.cause === undefined ? undefined : { cause: failure.cause });
    this.report = report;
    this.likeness = [call.service, failure.kind, failure.case, failure.status, failure.detail].join("\n");
    this.kind = failure.kind;
    this.path = call.path;
    this.status = failure.status;
    this.detail = failure.detail;
    this.ambiguous = failure.ambiguous ?? false;
    this.transient = failure.transient ?? false;
    this.retryAfterMs = failure.retryAfterMs;
    this.storeIndex = failure.storeIndex;
    this.mayBeMissing = failure.mayBeMissing ?? false;
    this.#made = [call, failure];
  }

  /** The same error with a further sentence about its cause, before the advice. */
  withNote(note: string): ApiError {
    const [call, failure] = this.#made;
    return new ApiError(call, { ...failure, note: failure.note === undefined ? note : `${failure.note} ${note}` });
  }

  /** The same response as the error for a missing object, after another request has proved that. */
  asNotFound(): ApiError {
    const [call, failure] = this.#made;
    return new ApiError(call, { ...failure, kind: "not-found", mayBeMissing: false });
  }

  /** Whether the server's text, before the removal of secrets, matches the pattern. */
  says(pattern: RegExp): boolean {
    const [, { words, detail }] = this.#made;
    return pattern.test(words ?? detail);
  }
}

/** Checks a brand instead of instanceof, because one process can have two copies of this package. */
export function isApiError(error: unknown): error is ApiError {
  return typeof error === "object" && error !== null && Reflect.get(error, brand) === true;
}

const guard =
  (kind: ErrorKind) =>
  (error: unknown): error is ApiError =>
    isApiError(error) && error.kind === kind;

export const isNotFound = guard("not-found");
export const isDenied = guard("denied");
export const isBlocked = guard("blocked");
export const isConflict = guard("conflict");
export const isRejected = guard("rejected");
export const isRateLimited = guard("rate-limited");
export const isOutdated = guard("outdated");

/** Whether a write was sent without a known effect: read the object before a repetition. */
export function isAmbiguous(error: unknown): error is ApiError {
  return isApiError(error) && error.ambiguous;
}

/** The status, if there is one, and the text of the response or of the failure. */
export function whatCame({ status, detail }: Pick<Failure, "status" | "detail">): string {
  return [status, detail].filter((part) => part !== undefined && part !== "").join(" ");
}

function reportOf(call: Call, failure: Failure): string {
  const response = whatCame(failure);
  const tries = call.tries > 1 ? `, after ${call.tries} tries` : "";
  const sentences = [`${call.method} ${call.url}: ${response.replace(/[\s.]+$/, "")}${tries}.`];
  if (failure.retryAfterMs !== undefined && failure.retryAfterMs > longestWaitMs) {
    sentences.push(
      `The server requests a wait of ${inSeconds(failure.retryAfterMs)}, longer than the limit of ${inSeconds(longestWaitMs)}.`,
    );
  }
  if (failure.ambiguous) sentences.push("It is not known whether the write took effect.");
  return sentences.join(" ");
}

const inSeconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
