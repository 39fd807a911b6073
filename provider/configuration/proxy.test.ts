import { readFileSync } from "node:fs";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import type { Environment } from "../../common/environment";
import { listen, type Open } from "../../test/support/http/listen";
import { Clients } from "./clients";
import { resolveConfiguration } from "./config";

const open: Open = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** Starts a proxy that leads every host to one port of this machine, or refuses all requests. @returns its port, and its requests */
async function startProxy(target: number, status = 200) {
  const asked: { path: string | undefined; authorization: string | undefined }[] = [];
  const server = createPlainServer((_, response) => response.writeHead(500).end());
  server.on("connect", ({ url, headers }, client) => {
    asked.push({ path: url, authorization: headers["proxy-authorization"] });
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const socket = connect(target, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(client).pipe(socket);
    });
    for (const end of [socket, client]) end.on("error", () => {});
  });
  return { asked, port: await listen(server, open) };
}

const fixture = (name: string) => readFileSync(join(__dirname, "../../test/support/http", name), "utf8");

/** Clients with this environment, without retries. */
function connections(clusterAddress: string, env: Environment, tls: object = {}): Clients {
  const settings = { clusterAddress, clusterToken: "token", allowInsecureHttp: true, requestTimeoutSeconds: 0.3, maxRetries: 0, ...tls };
  const clients = new Clients(() => resolveConfiguration((key) => Reflect.get(settings, key), env));
  open.push(clients);
  return clients;
}

test("a request goes through the proxy, which sees the host and not the token", async () => {
  const received: unknown[] = [];
  const server = createServer({ cert: fixture("cert.pem"), key: fixture("key.pem") }, ({ url, headers }, response) => {
    received.push([url, headers["x-cluster-token"]]);
    response.setHeader("content-type", "application/json").end("[]");
  });
  const { asked, port } = await startProxy(await listen(server, open));
  const env = { HTTPS_PROXY: `http://user:sesame@127.0.0.1:${port}` };
  const clients = connections("https://cluster.test:4646", env, {
    clusterCaCert: fixture("cert.pem"),
    requestTimeoutSeconds: 5,
    maxConcurrentRequests: 1,
  });
  for (const list of ["roles", "rules"] as const) expect(await clients.cluster()[list].list()).toEqual([]);
  expect(received).toEqual([
    ["/v1/regions", undefined],
    ["/v1/acl/roles", "token"],
    ["/v1/acl/binding-rules", "token"],
  ]);
  expect(asked).toEqual([{ path: "cluster.test:4646", authorization: `Basic ${Buffer.from("user:sesame").toString("base64")}` }]);
});

test("a proxy that refuses or does not respond is named in the error, without its password", async () => {
  const { port } = await startProxy(1, 407);
  const refused = connections("https://cluster.test", { HTTPS_PROXY: `http://user:sesame@127.0.0.1:${port}` })
    .cluster()
    .roles.list();
  await expect(refused).rejects.toThrow("Proxy response (407)");
  await expect(refused).rejects.toThrow(`check the proxy 127.0.0.1:${port} (HTTPS_PROXY, unless NO_PROXY names the server)`);
  await expect(refused).rejects.not.toThrow(/sesame/);
  // A create that was not sent may be retried.
  const nobody = connections("https://cluster.test", { HTTPS_PROXY: "http://user:sesame@127.0.0.1:1" }).cluster();
  const create = nobody.roles.create({ name: "dev", description: "", policies: ["read"] });
  await expect(create).rejects.toMatchObject({ kind: "unavailable", ambiguous: false });
  await expect(create).rejects.toThrow("the proxy 127.0.0.1:1 (HTTPS_PROXY, unless NO_PROXY names the server)");
});

const other = "http://127.0.0.1:1";

// Addresses without a server: the test checks whether the proxy gets the request.
test.each<[string, (proxy: string) => Environment, boolean]>([
  ["https://192.0.2.1:4646", (proxy) => ({ HTTPS_PROXY: `http://${proxy}` }), true],
  ["https://192.0.2.1", (proxy) => ({ https_proxy: `http://${proxy}`, HTTPS_PROXY: other }), true],
  ["https://192.0.2.1", (proxy) => ({ HTTPS_PROXY: proxy }), true],
  ["http://192.0.2.1", (proxy) => ({ HTTP_PROXY: proxy, HTTPS_PROXY: other }), true],
  ["http://192.0.2.1", (proxy) => ({ http_proxy: proxy, HTTP_PROXY: other }), true],
  ["https://192.0.2.1", (proxy) => ({ HTTP_PROXY: proxy }), false],
  ["https://192.0.2.1", (proxy) => ({ HTTPS_PROXY: proxy, NO_PROXY: "a.test, 192.0.2.1" }), false],
  ["https://192.0.2.1", (proxy) => ({ HTTPS_PROXY: proxy, no_proxy: "192.0.2.1", NO_PROXY: "" }), false],
  ["https://192.0.2.1", (proxy) => ({ HTTPS_PROXY: proxy, NO_PROXY: "192.0.2.1:443" }), false],
  ["https://192.0.2.1:4646", (proxy) => ({ HTTPS_PROXY: proxy, NO_PROXY: "192.0.2.1:443" }), true],
  ["https://192.0.2.1", (proxy) => ({ HTTPS_PROXY: proxy, NO_PROXY: "*" }), false],
  ["http://[2001:db8::1]", (proxy) => ({ HTTP_PROXY: proxy, NO_PROXY: "[2001:db8::1]" }), false],
  ["https://a.cluster.invalid", (proxy) => ({ HTTPS_PROXY: proxy, NO_PROXY: ".CLUSTER.invalid" }), false],
  ["https://a.cluster.invalid", (proxy) => ({ HTTPS_PROXY: proxy, NO_PROXY: "cluster.invalid" }), false],
  ["https://mycluster.invalid", (proxy) => ({ HTTPS_PROXY: proxy, NO_PROXY: "cluster.invalid" }), true],
  ["http://localhost:1", (proxy) => ({ HTTP_PROXY: proxy }), false],
  ["http://127.0.0.1:1", (proxy) => ({ HTTP_PROXY: proxy }), false],
  ["https://[::1]:1", (proxy) => ({ HTTPS_PROXY: proxy }), false],
])("a request to %s with the environment of %s reaches the proxy: %s", async (address, env, isReached) => {
  const { asked, port } = await startProxy(1, 407);
  await expect(
    connections(address, env(`127.0.0.1:${port}`))
      .cluster()
      .roles.list(),
  ).rejects.toMatchObject({ kind: "unavailable" });
  expect(asked.length > 0).toBe(isReached);
});

test("an invalid proxy address is reported by the name of its variable, without the value", () => {
  const wrong = () => connections("https://cluster.test", { HTTPS_PROXY: "socks5://user:sesame@proxy.test" }).cluster();
  expect(wrong).toThrow(
    "The environment variable HTTPS_PROXY must be the address of a proxy, like http://proxy.example.com:3128, with http or https.",
  );
});
