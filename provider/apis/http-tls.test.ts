import { readFileSync } from "node:fs";
import { createServer as createPlainServer, type Server } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import * as z from "zod";
import { type ApiError, isApiError, isMisconfigured, isUnavailable, isWrongAddress } from "./errors";
import { Http, type HttpOptions, type TlsOptions } from "./http";

const cert = readFileSync(join(__dirname, "fixtures/cert.pem"), "utf8");
const key = readFileSync(join(__dirname, "fixtures/key.pem"), "utf8");
const open: { close(): unknown }[] = [];

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

function secureServer(requestCert: boolean): Promise<number> {
  return listen(
    createServer({ cert, key, ca: cert, requestCert, rejectUnauthorized: requestCert }, (_, response) => response.end('"hello"')),
  );
}

function request(address: string, tls?: TlsOptions, options: Partial<HttpOptions> = {}) {
  const http = new Http({
    service: "cluster ACL",
    address,
    basePath: "",
    headers: () => ({ "X-Cluster-Token": "token" }),
    tokenSource: "",
    requestTimeoutMs: 5_000,
    maxRetries: 0,
    maxConcurrentRequests: 1,
    allowInsecureHttp: false,
    ...(tls && { tls }),
    ...options,
  });
  open.push(http);
  return http.request({ operation: "read", method: "GET", path: ["v1"], mediaType: "application/json", answer: z.string() });
}

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.catch((reason: unknown) => reason);
  if (!isApiError(error)) throw new Error(`an ApiError was expected, not ${String(error)}`);
  return error;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

it("a server whose certificate is for the given name and from the given CA is trusted", async () => {
  const port = await secureServer(false);
  await expect(request(`https://127.0.0.1:${port}`, { ca: cert, servername: "cluster.test" })).resolves.toMatchObject({ value: "hello" });
});

it("a server of an unknown CA is not, and the error names the settings and is not tried again", async () => {
  const port = await secureServer(false);
  const waits: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void waits.push(ms), random: () => 0 };
  const error = await failure(request(`https://127.0.0.1:${port}`, { servername: "cluster.test" }, { clock, maxRetries: 3 }));
  expect(isUnavailable(error)).toBe(true);
  expect(error.message).toContain("self-signed certificate");
  expect(error.message).toContain("agentpool-acl:clusterCaCert");
  expect(waits).toEqual([]);
});

it("a server whose certificate is for another name is not", async () => {
  const port = await secureServer(false);
  const error = await failure(request(`https://127.0.0.1:${port}`, { ca: cert }));
  expect(error.message).toMatch(/does not match certificate's altnames.*clusterTlsServerName/);
});

it("a server that wants to know its clients gets the client's certificate", async () => {
  const port = await secureServer(true);
  const trusted = { ca: cert, servername: "cluster.test" };
  await expect(request(`https://127.0.0.1:${port}`, { ...trusted, cert, key })).resolves.toMatchObject({ value: "hello" });
  expect(isUnavailable(await failure(request(`https://127.0.0.1:${port}`, trusted)))).toBe(true);
});

it("a key that can't be read is an error before anything is sent, and is not shown", async () => {
  const error = await failure(request("https://127.0.0.1:1", { cert, key: "my-own-key" }));
  expect(isMisconfigured(error)).toBe(true);
  expect(error.message).toContain("clusterClientKey");
  expect(error.message).not.toContain("my-own-key");
});

it("https to a server that speaks plain http says so", async () => {
  const port = await listen(createPlainServer((_, response) => response.end('"hello"')));
  const error = await failure(request(`https://127.0.0.1:${port}`));
  expect(isUnavailable(error)).toBe(true);
  expect(error.message).toMatch(/agentpool-acl:clusterAddress.*https/);
});

it("plain http to a server that speaks https is a wrong address", async () => {
  const said = "Client sent an HTTP request to an HTTPS server.\n";
  const port = await listen(createPlainServer((_, response) => response.writeHead(400, { "content-type": "text/plain" }).end(said)));
  expect(isWrongAddress(await failure(request(`http://127.0.0.1:${port}`)))).toBe(true);
});
