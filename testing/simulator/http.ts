import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault, Faults } from "./faults";
import type { ApiName, Journal, JournalEntry } from "./journal";
import type { RateLimit } from "./rate-limit";

/** A request as an API sees it. */
export interface ApiRequest {
  method: string;
  /** The path as it was sent: percent-encoded. */
  path: string;
  query: URLSearchParams;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: string;
  /** Scheme, host and port of the server: for absolute links. */
  origin: string;
}

export interface ApiResponse {
  status: number;
  headers?: Record<string, string>;
  contentType?: string;
  body?: string;
}

export type ApiHandler = (request: ApiRequest) => ApiResponse;

/** The context that both servers of a simulator share. */
export interface ServerContext {
  journal: Journal;
  faults: Faults;
  /** Milliseconds added to every response. */
  latencyMs(): number;
}

/** One API on a port of 127.0.0.1, with the journal and the faults. */
export class ApiServer {
  /** The limit of the rate of requests. Undefined: there is no limit. */
  rateLimit: RateLimit | undefined;
  private server: Server | undefined;
  private port = 0;

  constructor(
    private readonly api: ApiName,
    private readonly handler: ApiHandler,
    private readonly context: ServerContext,
  ) {}

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens on a port (0: any that is free), by default on the previous one. @throws for a port in use */
  async listen(port = this.port): Promise<void> {
    if (this.server) return;
    const server = createServer((request, response) => this.serve(request, response));
    // Idle connections stay open, because closing them would race with the next request of a keep-alive client.
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
    const address = server.address();
    if (address !== null && typeof address === "object") this.port = address.port;
    this.server = server;
  }

  /** Stops listening and closes all connections at once. */
  async close(): Promise<void> {
    const server = this.server;
    if (!server) return;
    this.server = undefined;
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
      server.closeAllConnections();
    });
  }

  /** The number of open connections. */
  async connections(): Promise<number> {
    const { server } = this;
    if (!server) return 0;
    return new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
  }

  private serve(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    this.respond(incoming, outgoing, gone.signal).catch((error: unknown) => {
      // A client that has disconnected is no error. Any other error is a defect of the simulator: print it, and send no response.
      if (gone.signal.aborted || !incoming.complete) return;
      console.error(error);
      outgoing.destroy();
    });
  }

  private async respond(incoming: IncomingMessage, outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
    const request = readRequest(incoming, { origin: this.address, body: Buffer.concat(await incoming.toArray()).toString("utf8") });
    const entry = journalEntry(this.api, request);
    this.context.journal.add(entry);
    const fault = this.context.faults.take(entry);
    if (fault?.kind === "refuse") {
      incoming.socket.resetAndDestroy();
      return;
    }
    const limit = this.rateLimit?.take();
    const response = fault?.kind === "status" ? fault : limit?.refused ? tooMany : this.handler(request);
    const wait = this.context.latencyMs() + (fault?.kind === "delay" ? fault.ms : 0);
    if (wait > 0) await sleep(wait, undefined, { signal: gone, ref: false });
    send(outgoing, entry, withFault({ ...response, headers: { ...limit?.headers, ...response.headers } }, fault), fault);
  }
}

const tooMany: ApiResponse = { status: 429, contentType: "text/plain; charset=utf-8", body: "Too many requests" };

function readRequest(incoming: IncomingMessage, rest: Pick<ApiRequest, "origin" | "body">): ApiRequest {
  const target = incoming.url ?? "/";
  const queryAt = target.indexOf("?");
  return {
    method: incoming.method ?? "GET",
    path: queryAt < 0 ? target : target.slice(0, queryAt),
    query: new URLSearchParams(queryAt < 0 ? "" : target.slice(queryAt + 1)),
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    ...rest,
  };
}

const TOKEN_HEADERS = new Set(["authorization", "x-cluster-token", "x-nomad-token"]);

function journalEntry(api: ApiName, request: ApiRequest): JournalEntry {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, TOKEN_HEADERS.has(name) ? withoutToken(value) : value]);
  return {
    api,
    method: request.method,
    path: request.path,
    query: Object.fromEntries(request.query),
    body: parsedBody(request.body),
    headers: Object.fromEntries(headers),
    status: undefined,
  };
}

/** Keeps the scheme, so a test can see that there was one. */
function withoutToken(value: string): string {
  return value.replace(/^(bearer\s+)?.*$/is, "$1<token>");
}

function parsedBody(body: string): unknown {
  if (body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function withFault(response: ApiResponse, fault: Fault | undefined): ApiResponse {
  if (fault?.kind === "null" && response.body && /json/.test(response.contentType ?? "")) {
    const withNull = (key: string, value: unknown) => (key === fault.property ? null : value);
    return { ...response, body: JSON.stringify(JSON.parse(response.body), withNull) };
  }
  if (fault?.kind !== "malformed") return response;
  if (fault.body !== undefined) return { ...response, status: 200, body: fault.body };
  return { status: 200, contentType: "text/html", body: "<html><body><h1>It works!</h1></body></html>" };
}

function send(outgoing: ServerResponse, entry: JournalEntry, response: ApiResponse, fault: Fault | undefined): void {
  const body = Buffer.from(response.body ?? "");
  if (fault?.kind === "drop-after" || (fault?.kind === "cut-off" && body.length === 0)) {
    outgoing.destroy();
    return;
  }
  entry.status = response.status;
  const type = response.contentType === undefined ? {} : { "content-type": response.contentType };
  // No content-length with 204: it has no body by definition.
  const length = response.status === 204 ? {} : { "content-length": body.length };
  outgoing.writeHead(response.status, { ...response.headers, ...type, ...length });
  if (fault?.kind === "cut-off") outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
  else outgoing.end(body);
}
