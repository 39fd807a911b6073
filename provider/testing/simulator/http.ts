import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault, Faults } from "./faults";
import type { ApiName, Journal, JournalEntry } from "./journal";
import type { RateLimit } from "./rate-limit";

/** A request as an API sees it. */
export interface ApiRequest {
  method: string;
  /** Percent-encoded, as it was sent. */
  path: string;
  query: URLSearchParams;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: string;
  /** Scheme, host and port that the client used: for absolute links. */
  origin: string;
  /** Aborted when the client is gone or the server stops: nobody waits for the answer any more. */
  gone: AbortSignal;
}

export interface ApiAnswer {
  status: number;
  headers?: Record<string, string>;
  contentType?: string;
  body?: string;
}

export type ApiHandler = (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>;

/** What both servers of a simulator share. */
export interface ServerContext {
  journal: Journal;
  faults: Faults;
  /** Milliseconds added to every answer. */
  latencyMs(): number;
}

/** One API on a port of 127.0.0.1: writes the journal, and lets faults happen. */
export class ApiServer {
  /** Left out: as many requests as there are. */
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

  /** Listens on a port (0: any that is free), by default on the one it had before. @throws when the port is taken. */
  async listen(port = this.port): Promise<void> {
    if (this.server) return;
    const server = createServer((request, response) => this.serve(request, response));
    // Idle connections stay open: closing them would race with requests of a client that keeps them alive.
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

  /** How many connections are open. */
  async connections(): Promise<number> {
    const { server } = this;
    if (!server) return 0;
    return new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    this.answer(request, response, gone.signal).catch((error: unknown) => {
      // A client that has left is no error. Anything else is one of the simulator itself: never hide it behind an API's answer.
      if (gone.signal.aborted || !request.complete) return;
      console.error(error);
      response.destroy();
    });
  }

  private async answer(message: IncomingMessage, response: ServerResponse, gone: AbortSignal): Promise<void> {
    const request = await readRequest(message, this.address, gone);
    const entry = journalEntry(this.api, request);
    this.context.journal.entries.push(entry);
    const fault = this.context.faults.take(entry);
    if (fault?.kind === "refuse") {
      message.socket.resetAndDestroy();
      return;
    }
    const limit = this.rateLimit?.take();
    const answer = fault?.kind === "status" ? fault : limit?.refused ? tooMany : await this.handler(request);
    const wait = this.context.latencyMs() + (fault?.kind === "delay" ? fault.ms : 0);
    if (wait > 0) await sleep(wait, undefined, { signal: gone, ref: false });
    send(response, entry, withFault({ ...answer, headers: { ...limit?.headers, ...answer.headers } }, fault), fault);
  }
}

const tooMany: ApiAnswer = { status: 429, contentType: "text/plain; charset=utf-8", body: "Too many requests" };

async function readRequest(message: IncomingMessage, origin: string, gone: AbortSignal): Promise<ApiRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const target = message.url ?? "/";
  const question = target.indexOf("?");
  return {
    method: message.method ?? "GET",
    path: question < 0 ? target : target.slice(0, question),
    query: new URLSearchParams(question < 0 ? "" : target.slice(question + 1)),
    headers: Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks).toString("utf8"),
    origin,
    gone,
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

/** Keeps the scheme, so that a test can see that there was one. */
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

function withFault(answer: ApiAnswer, fault: Fault | undefined): ApiAnswer {
  if (fault?.kind !== "malformed") return answer;
  if (fault.body !== undefined) return { ...answer, status: 200, body: fault.body };
  return { status: 200, contentType: "text/html", body: "<html><body><h1>It works!</h1></body></html>" };
}

function send(response: ServerResponse, entry: JournalEntry, answer: ApiAnswer, fault: Fault | undefined): void {
  const body = Buffer.from(answer.body ?? "");
  if (fault?.kind === "drop-after" || (fault?.kind === "cut-off" && body.length === 0)) {
    response.destroy();
    return;
  }
  entry.status = answer.status;
  const type = answer.contentType === undefined ? {} : { "content-type": answer.contentType };
  // No content-length with 204: it has no body by definition.
  const length = answer.status === 204 ? {} : { "content-length": body.length };
  response.writeHead(answer.status, { ...answer.headers, ...type, ...length });
  if (fault?.kind === "cut-off") response.write(body.subarray(0, body.length / 2), () => response.destroy());
  else response.end(body);
}
