import { once } from "node:events";
import { request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Simulator } from "../../testing/simulator";
import { Gateway } from "./gateway";

const running: Gateway[] = [];
afterEach(() => {
  for (const gateway of running.splice(0)) gateway.stop();
});

/**
 * Puts a proxy before an API (default: the agent pools), which rewrites the bodies of responses. The requests take effect. The proxy stops
 * after the test.
 *
 * @returns options that configure the proxy's address
 */
export async function rewritten(
  simulator: Simulator,
  rewrite: (path: string, body: string) => string,
  api: "poolsAddress" | "clusterAddress" = "poolsAddress",
): Promise<{ config: Record<string, string> }> {
  const gateway = await Gateway.before(simulator[api], (incoming, outgoing) => {
    void pass(simulator[api], incoming, outgoing, rewrite).catch(() => outgoing.destroy());
    return true;
  });
  running.push(gateway);
  return { config: { [api]: gateway.address } };
}

async function pass(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  rewrite: (path: string, body: string) => string,
): Promise<void> {
  const { method, url = "", headers } = incoming;
  const passed = forward(`${target}${url}`, { method, headers: { ...headers, "accept-encoding": "identity" }, agent: false });
  incoming.pipe(passed);
  const response = await new Promise<IncomingMessage>((resolve, reject) => passed.once("response", resolve).once("error", reject));
  const body = await text(response);
  const { "content-length": _, "transfer-encoding": __, ...rest } = response.headers;
  outgoing.writeHead(response.statusCode ?? 0, { ...rest, connection: "close" });
  outgoing.end(body === "" ? "" : rewrite(url, body));
  await once(outgoing, "close");
}
