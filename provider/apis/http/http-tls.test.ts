import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import { createServer as createSocketServer } from "node:net";
import { join } from "node:path";
import * as z from "zod";
import { client } from "../../../test/support/http/client";
import { listen, type Open } from "../../../test/support/http/listen";
import { failure } from "../../../test/support/http/serving";
import type { HttpOptions, TlsOptions } from "./request";

const cert = readFileSync(join(__dirname, "../../../test/support/http/cert.pem"), "utf8");
const key = readFileSync(join(__dirname, "../../../test/support/http/key.pem"), "utf8");
const strangeKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const open: Open = [];

function secureServer(requestCert: boolean): Promise<number> {
  return listen(
    createServer({ cert, key, ca: cert, requestCert, rejectUnauthorized: requestCert }, (_, response) => response.end('"hello"')),
    open,
  );
}

function request(address: string, tls?: TlsOptions, options: Partial<HttpOptions> = {}) {
  const http = client(open, { address, ...(tls && { tls }), ...options });
  return http.request({ operation: "read", method: "GET", path: ["v1"], mediaType: "application/json", response: z.string() });
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

it("a server with a certificate of the given name and CA is trusted", async () => {
  const port = await secureServer(false);
  await expect(request(`https://127.0.0.1:${port}`, { ca: cert, servername: "cluster.test" })).resolves.toBe("hello");
});

it("a server of an unknown CA is an error that names the settings, without a retry", async () => {
  const port = await secureServer(false);
  const waits: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void waits.push(ms), random: () => 0 };
  const error = await failure(request(`https://127.0.0.1:${port}`, { servername: "cluster.test" }, { clock, maxRetries: 3 }));
  expect(error).toMatchObject({ kind: "unavailable" });
  expect(error.message).toContain("self-signed certificate");
  expect(error.message).toContain("agentpool-acl:clusterCaCert");
  expect(waits).toEqual([]);
});

it("a server with a certificate of another name is an error", async () => {
  const port = await secureServer(false);
  const error = await failure(request(`https://127.0.0.1:${port}`, { ca: cert }));
  expect(error.message).toMatch(/does not match certificate's altnames.*clusterTlsServerName/);
});

it("a server that asks for a client certificate gets it", async () => {
  const port = await secureServer(true);
  const trusted = { ca: cert, servername: "cluster.test" };
  await expect(request(`https://127.0.0.1:${port}`, { ...trusted, cert, key })).resolves.toBe("hello");
  expect(await failure(request(`https://127.0.0.1:${port}`, trusted))).toMatchObject({ kind: "unavailable" });
});

it("an unreadable key is an error before any request, and is not shown", async () => {
  const error = await failure(request("https://127.0.0.1:1", { cert, key: "my-own-key" }));
  expect(error).toMatchObject({ kind: "misconfigured" });
  expect(error.message).toContain("clusterClientKey");
  expect(error.message).not.toContain("my-own-key");
});

it("https to a server of plain http is an error with the remedy", async () => {
  const port = await listen(
    createPlainServer((_, response) => response.end('"hello"')),
    open,
  );
  const error = await failure(request(`https://127.0.0.1:${port}`));
  expect(error).toMatchObject({ kind: "wrong-address" });
  expect(error.message).toMatch(
    /a response that is not https\. The server at this address uses plain http: check how agentpool-acl:clusterAddress begins/,
  );
});

it("plain http to a server of https is an error with the remedy", async () => {
  const said = "Client sent an HTTP request to an HTTPS server.\n";
  const port = await listen(
    createPlainServer((_, response) => response.writeHead(400, { "content-type": "text/plain" }).end(said)),
    open,
  );
  const error = await failure(request(`http://127.0.0.1:${port}`));
  expect(error).toMatchObject({ kind: "wrong-address" });
  expect(error.message).toContain("The server at this address uses https: check how agentpool-acl:clusterAddress begins");
});

it("plain http to a server that ends the connection, as some servers of https do, is an error that mentions the protocol", async () => {
  const error = await failure(request(`http://127.0.0.1:${await secureServer(false)}`));
  expect(error).toMatchObject({ kind: "unavailable" });
  expect(error.message).toContain("agentpool-acl:clusterAddress is right, its http or https included");
});

it("plain http to a server that responds in TLS is an error that mentions https", async () => {
  const alert = Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46]);
  const server = createSocketServer((socket) => socket.on("error", () => {}).end(alert));
  const error = await failure(request(`http://127.0.0.1:${await listen(server, open)}`));
  expect(error).toMatchObject({ kind: "wrong-address" });
  expect(error.message).toContain("a response that is not HTTP. The server at this address uses https, perhaps");
});

it.each([
  ["a CA", { ca: "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----" }, "agentpool-acl:clusterCaCert"],
  ["a client certificate", { ca: cert, cert: "no certificate", key }, "agentpool-acl:clusterClientCert"],
  ["a client's key", { ca: cert, cert, key: "no key" }, "agentpool-acl:clusterClientKey"],
  ["a key that belongs to another certificate", { cert, key: strangeKey }, "agentpool-acl:clusterClientCert and clusterClientKey"],
])("%s that can't be used is reported by its key of the configuration", async (_, tls, named) => {
  const error = await failure(request("https://127.0.0.1:1", tls));
  expect(error).toMatchObject({ kind: "misconfigured" });
  expect(error.message).toContain(`what ${named} holds can't be used`);
});

it("an invalid CA of the agent pools is reported by its key of the configuration", async () => {
  const error = await failure(request("https://127.0.0.1:1", { ca: "-----BEGIN CERTIFICATE-----\nAA==\n" }, { service: "agent pools" }));
  expect(error.message).toContain("what agentpool-acl:poolsCaCert holds can't be used");
});
