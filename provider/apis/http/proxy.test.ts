import { readFileSync } from "node:fs";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import * as z from "zod";
import { client } from "../../../test/support/http/client";
import { listen, type Open } from "../../../test/support/http/listen";
import { Clients } from "../../configuration/clients";
import { resolveConfiguration } from "../../configuration/config";
import type { Http } from "./http";
import { proxyFor, UnusableProxy } from "./proxy";

const proxy = "http://proxy.test:3128";

test.each<[string, Record<string, string>, string | undefined]>([
  ["https://cluster.test:4646", { HTTPS_PROXY: proxy }, `${proxy}/`],
  ["https://cluster.test", { https_proxy: proxy, HTTPS_PROXY: "http://other.test" }, `${proxy}/`],
  ["https://cluster.test", { HTTPS_PROXY: "proxy.test:3128" }, `${proxy}/`],
  ["https://cluster.test", { HTTP_PROXY: proxy }, undefined],
  ["http://cluster.test", { HTTP_PROXY: proxy, HTTPS_PROXY: "http://other.test" }, `${proxy}/`],
  ["https://cluster.test", {}, undefined],
  ["https://cluster.test", { HTTPS_PROXY: "" }, undefined],
  ["https://cluster.test", { HTTPS_PROXY: proxy, NO_PROXY: "a.test, cluster.test" }, undefined],
  ["https://cluster.test", { HTTPS_PROXY: proxy, no_proxy: "TEST" }, undefined],
  ["https://cluster.test", { HTTPS_PROXY: proxy, NO_PROXY: ".cluster.test" }, undefined],
  ["https://cluster.test", { HTTPS_PROXY: proxy, NO_PROXY: "*" }, undefined],
  ["https://cluster.test", { HTTPS_PROXY: proxy, NO_PROXY: "cluster.test:443" }, undefined],
  ["https://cluster.test:4646", { HTTPS_PROXY: proxy, NO_PROXY: "cluster.test:443,r.test" }, `${proxy}/`],
  ["https://mycluster.test", { HTTPS_PROXY: proxy, NO_PROXY: "cluster.test" }, `${proxy}/`],
  ["https://Cluster.test.", { HTTPS_PROXY: proxy, NO_PROXY: "CLUSTER.test" }, undefined],
  ["https://cluster.test", { HTTPS_PROXY: proxy, NO_PROXY: "*.test." }, undefined],
  ["https://cluster.test", { HTTPS_PROXY: proxy, NO_PROXY: "., ,*.,[],:443,/8" }, `${proxy}/`],
  ["http://localhost:4646", { HTTP_PROXY: proxy }, undefined],
  ["http://127.0.0.1:4646", { HTTP_PROXY: proxy }, undefined],
  ["https://[::1]:4646", { HTTPS_PROXY: proxy }, undefined],
])("%s with %j goes through %s", (address, env, expected) => {
  expect(proxyFor(address, env)?.href).toBe(expected);
});

describe("NO_PROXY knows an IP address", () => {
  test.each([
    ["10.1.2.3", "10.1.2.3"],
    ["10.1.2.3", "10.0.0.0/8"],
    ["10.1.2.3", "192.168.0.0/16,10.1.2.0/24"],
    ["10.1.2.3", "10.1.2.3/32"],
    ["10.1.2.3", "0.0.0.0/0"],
    ["10.1.2.3", "*"],
    ["10.1.2.3:4646", "10.1.2.3:4646"],
    ["10.1.2.3:4646", "10.0.0.0/8:4646"],
    ["[fd00::1]", "fd00::1"],
    ["[fd00::1]", "FD00:0:0::0001"],
    ["[fd00::1]", "[fd00::1]"],
    ["[fd00::1]", "fd00::/8"],
    ["[fd00::1]", "[fd00::]/8"],
    ["[fd00::1]", "[fd00::/8]"],
    ["[fd00::1]", "::/0"],
    ["[fd00::1]:8080", "fd00::1"],
    ["[fd00::1]:8080", "[fd00::1]:8080"],
    ["[fd00::1]", "[fd00::1]:80"],
    ["[::ffff:10.1.2.3]", "10.0.0.0/8"],
  ])("%s by %s, so that a token in plain http goes to no proxy", (host, NO_PROXY) => {
    expect(proxyFor(`http://${host}`, { HTTP_PROXY: proxy, NO_PROXY })).toBeUndefined();
  });

  test.each([
    ["10.1.2.3", "10.1.2.4"],
    ["10.1.2.3", "2.3"],
    ["10.1.2.3", "10.1.3.0/24"],
    ["10.1.2.3", "10.1.2.0/33"],
    ["10.1.2.3", "10.1.2.3/x"],
    ["10.1.2.3:4646", "10.1.2.3:80"],
    ["10.1.2.3", "fd00::/8"],
    ["[fd00::1]", "10.0.0.0/8"],
    ["[fd00::1]", "fd00::2"],
    ["[fd00::1]", "fd01::/16"],
    ["[fd00::1]", "fd00::/129"],
    ["[fd00::1]", "fd00::1%eth0"],
    ["[fd00::1]", "[fd00::1]:8080"],
    ["[fd00::1]:8080", "[fd00::1]:80"],
    ["a.10.1.2.3.test", "10.1.2.0/24"],
  ])("%s, and takes %s for another one", (host, NO_PROXY) => {
    expect(proxyFor(`http://${host}`, { HTTP_PROXY: proxy, NO_PROXY })?.href).toBe(`${proxy}/`);
  });
});

test("a variable that is no proxy's address is reported by its name, without its value", () => {
  const wrong = () => proxyFor("https://cluster.test", { HTTPS_PROXY: "socks5://user:sesame@proxy.test" });
  expect(wrong).toThrow(UnusableProxy);
  expect(wrong).toThrow(
    "The environment variable HTTPS_PROXY must be the address of a proxy, like http://proxy.example.com:3128, with http or https.",
  );
});

const open: Open = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A proxy that knows one host, "cluster.test", and what it was asked. */
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

const fixture = (name: string) => readFileSync(join(__dirname, "../../../test/support/http", name), "utf8");

function http(proxyUrl: URL): Http {
  return client(open, { address: "https://cluster.test:4646", tls: { ca: fixture("cert.pem") }, proxy: proxyUrl });
}

const hello = { operation: "read", method: "GET", path: ["v1"], mediaType: "application/json", response: z.string() } as const;

test("a request goes through the proxy, which learns the host and not the token", async () => {
  const received: unknown[] = [];
  const server = createServer({ cert: fixture("cert.pem"), key: fixture("key.pem") }, ({ headers }, response) => {
    received.push(headers["x-cluster-token"]);
    response.end('"hello"');
  });
  const { asked, port } = await startProxy(await listen(server, open));
  const client = http(new URL(`http://user:sesame@127.0.0.1:${port}`));
  for (const _ of [1, 2]) expect((await client.request(hello)).value).toBe("hello");
  expect(received).toEqual(["token", "token"]);
  expect(asked).toEqual([{ path: "cluster.test:4646", authorization: `Basic ${Buffer.from("user:sesame").toString("base64")}` }]);
});

test("a proxy that refuses or does not respond is named in the error, without its password", async () => {
  const { port } = await startProxy(1, 407);
  const refused = http(new URL(`http://user:sesame@127.0.0.1:${port}`)).request(hello);
  await expect(refused).rejects.toThrow("Proxy response (407)");
  await expect(refused).rejects.toThrow(`the proxy 127.0.0.1:${port} (HTTPS_PROXY, NO_PROXY)`);
  await expect(refused).rejects.not.toThrow(/sesame/);
  // A create that never left this machine may be sent again.
  const nobody = http(new URL("http://user:sesame@127.0.0.1:1")).request({ ...hello, operation: "create", method: "POST", body: {} });
  await expect(nobody).rejects.toMatchObject({ kind: "unavailable", ambiguous: false });
  await expect(nobody).rejects.toThrow("the proxy 127.0.0.1:1 (HTTPS_PROXY, NO_PROXY)");
});

test.each([
  ["192.0.2.1", "192.0.2.0/24"],
  ["[2001:db8::1]", "2001:db8::1"],
])("a request to http://%s, which NO_PROXY excepts by %s, reaches no proxy with its token", async (host, NO_PROXY) => {
  const { asked, port } = await startProxy(1, 407);
  const env = { HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY };
  const settings = {
    clusterAddress: `http://${host}`,
    clusterToken: "token",
    allowInsecureHttp: true,
    requestTimeoutSeconds: 0.2,
    maxRetries: 0,
  };
  const connections = new Clients(() => resolveConfiguration((key) => Reflect.get(settings, key), env));
  open.push(connections);
  // Addresses for documents, where nobody is: what matters is who else learns of it.
  await expect(connections.cluster().roles.list()).rejects.toMatchObject({ kind: "unavailable" });
  expect(asked).toEqual([]);
});
