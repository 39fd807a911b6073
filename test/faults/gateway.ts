import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** Responds to a request instead of the API. @returns whether it did */
export type Impostor = (request: IncomingMessage, response: ServerResponse) => boolean;

let made = 0;

/**
 * While a service is down its port is free, and another process could get it. So each gateway has a loopback address of its own, if the
 * system is Linux.
 */
function hostOfItsOwn(): string {
  if (process.platform !== "linux") return "127.0.0.1";
  made += 1;
  return `127.${64 + (made % 128)}.${(process.pid >> 8) % 256}.${1 + (process.pid % 254)}`;
}

/**
 * A gateway before one API. From a certain request on it can refuse connections, like a service that is down. Every response of
 * the API closes its connection, so no later request uses an open one. An impostor can respond to some of the requests.
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

  /** Lets a number of requests pass; then the service is down. */
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

  /** Stops the gateway. */
  stop(): void {
    this.server?.closeAllConnections();
    this.stopListening();
  }

  get isDown(): boolean {
    return this.server === undefined;
  }

  private stopListening(): void {
    // Not awaited, because open connections are still served.
    this.server?.close();
    this.server = undefined;
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.impostor(incoming, outgoing)) return;
    const { method, url, headers } = incoming;
    const passed = forward(`${this.target}${url}`, { method, headers, agent: false }, (response) => {
      this.left -= 1;
      // The service goes down before the response is sent, so its reader finds it down.
      if (this.left === 0) this.stopListening();
      outgoing.writeHead(response.statusCode ?? 0, { ...response.headers, connection: "close" });
      response.pipe(outgoing);
    });
    passed.once("error", () => outgoing.destroy());
    incoming.pipe(passed);
  }
}
