import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** Answers a request in the API's place, and says so by true. */
export type Impostor = (request: IncomingMessage, response: ServerResponse) => boolean;

let made = 0;

/** While a service is down its port is free: at an address that others listen at, another process would be given it. Linux has a whole network of loopback addresses. */
function hostOfItsOwn(): string {
  if (process.platform !== "linux") return "127.0.0.1";
  made += 1;
  return `127.${64 + (made % 128)}.${(process.pid >> 8) % 256}.${1 + (process.pid % 254)}`;
}

/**
 * Stands before one API, so that the service can be down from a certain request on: nobody listens, and connections are refused. Every answer
 * closes its connection, lest the next request find one that is open still. Or an impostor answers some of the requests.
 */
export class Gateway {
  private server: Server | undefined;
  private port = 0;
  private left = Number.POSITIVE_INFINITY;
  private readonly host = hostOfItsOwn();

  private constructor(
    private readonly target: string,
    private readonly impostor: Impostor,
  ) {}

  static async before(target: string, impostor: Impostor = () => false): Promise<Gateway> {
    const gateway = new Gateway(target, impostor);
    await gateway.comeUp();
    return gateway;
  }

  get address(): string {
    return `http://${this.host}:${this.port}`;
  }

  /** Lets so many requests pass; then the service is down. */
  goDown(after: number): void {
    this.left = after;
    if (after === 0) this.stopListening();
  }

  /** The service is up again, at the same address. */
  async comeUp(): Promise<void> {
    this.left = Number.POSITIVE_INFINITY;
    if (this.server) return;
    const server = createServer((request, response) => this.pass(request, response));
    this.server = server;
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(this.port, this.host, resolve));
    const bound = server.address();
    if (bound !== null && typeof bound === "object") this.port = bound.port;
  }

  /** For good. */
  stop(): void {
    this.server?.closeAllConnections();
    this.stopListening();
  }

  get isDown(): boolean {
    return this.server === undefined;
  }

  private stopListening(): void {
    // Nobody waits for the end: connections that are open are served still.
    this.server?.close();
    this.server = undefined;
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.impostor(incoming, outgoing)) return;
    const { method, url, headers } = incoming;
    const passed = forward(`${this.target}${url}`, { method, headers, agent: false }, (answer) => {
      this.left -= 1;
      // Before the answer goes out: whoever reads it finds the service down.
      if (this.left === 0) this.stopListening();
      outgoing.writeHead(answer.statusCode ?? 0, { ...answer.headers, connection: "close" });
      answer.pipe(outgoing);
    });
    passed.once("error", () => outgoing.destroy());
    incoming.pipe(passed);
  }
}
