import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import {
  create,
  cutOff,
  defaults,
  failure,
  hangUp,
  ok,
  read,
  remove,
  replace,
  respond,
  serve,
  silence,
  token,
} from "../../../test/support/http/serving";
import { isAmbiguous } from "./errors";
import { Http } from "./http";
import type { ApiRequest } from "./request";

describe("a request", () => {
  it("has the token, the media type and the body, and returns the parsed response", async () => {
    const seen: unknown[] = [];
    const { http } = await serve([
      async (request, response) => {
        let body = "";
        for await (const chunk of request) body += chunk;
        seen.push(request.headers["x-cluster-token"], request.headers["content-type"], request.headers.accept, body);
        ok(request, response);
      },
    ]);
    expect(await http.request(create)).toEqual({ Name: "a" });
    expect(seen).toEqual([token, "application/json", "application/json", '{"Name":"a"}']);
  });

  it("keeps the path of a reverse proxy, encodes names, and adds the query of every request", async () => {
    const { http, address, arrived } = await serve([ok]);
    const proxied = new Http({ ...defaults([]), address: `${address}/cluster/one`, query: { region: "eu west" } });
    await proxied.request({ ...read, path: ["v1", "a/b?c#d%é"], query: { "page[size]": "2", left: undefined } });
    await proxied.close();
    expect(arrived).toEqual(["GET /cluster/one/v1/a%2Fb%3Fc%23d%25%C3%A9?region=eu+west&page%5Bsize%5D=2"]);
    expect(http.address).toBe(address);
  });

  it("waits while maxConcurrentRequests are under way, and gets its turn", async () => {
    let now = 0;
    let most = 0;
    const { http, arrived } = await serve(
      [
        (request, response) => {
          now += 1;
          most = Math.max(most, now);
          setTimeout(() => {
            now -= 1;
            ok(request, response);
          }, 5);
        },
      ],
      { maxConcurrentRequests: 3 },
    );
    await Promise.all(Array.from({ length: 20 }, () => http.request(read)));
    expect(most).toBe(3);
    expect(arrived).toHaveLength(20);
  });
});

describe("a retry", () => {
  it.each([
    ["read", read],
    ["replace", replace],
    ["delete", remove],
  ] as const)("of a %s follows dropped connections, 408, 429, 500, 502, 503 and 504", async (_, request: ApiRequest<unknown>) => {
    const faults = [hangUp, ...[408, 429, 500, 502, 503, 504].map((status) => respond(status, "busy"))];
    const { http, arrived } = await serve([...faults, ok], { maxRetries: faults.length });
    await http.request(request);
    expect(arrived).toHaveLength(faults.length + 1);
  });

  it("comes after twice the wait each time, up to 8 s, and is reported from the third try on", async () => {
    const { http, waits } = await serve([respond(503, "busy")], { maxRetries: 7 });
    const reports: string[] = [];
    const error = await failure(http.request(read, { report: (message) => reports.push(message) }));
    expect(waits).toEqual([125, 250, 500, 1000, 2000, 4000, 4000]);
    expect(reports).toHaveLength(6);
    expect(reports[0]).toMatch(/^GET http:.*\/v1\/thing: 503 busy; try 3 of 8 in 0\.3 s$/);
    expect(error.message).toContain("503 busy, after 8 tries.");
  });

  it.each([
    ["500", respond(500, "rpc error")],
    ["503", respond(503, "busy", { "retry-after": "1" })],
    ["a dropped connection", hangUp],
    ["a cut-off response", cutOff],
    ["a response that is not JSON", respond(200, '{"Name"')],
  ])("of a create never follows %s, because the create may have taken effect: the error is ambiguous", async (_, fault) => {
    const { http, arrived } = await serve([fault, ok]);
    const error = await failure(http.request(create));
    expect(isAmbiguous(error)).toBe(true);
    expect(error.message).toContain("It is not known whether the write took effect.");
    expect(arrived).toHaveLength(1);
  });

  it("of a create follows a refused connection, because nothing was sent", async () => {
    const waits: number[] = [];
    const http = new Http({ ...defaults(waits), address: "http://127.0.0.1:1" });
    const reports: string[] = [];
    const error = await failure(http.request(create, { report: (message) => reports.push(message) }));
    await http.close();
    expect(waits).toHaveLength(4);
    // Without a status, the reason comes first.
    expect(reports[0]).toBe("POST http://127.0.0.1:1/v1/thing: connect ECONNREFUSED 127.0.0.1:1; try 3 of 5 in 0.3 s");
    expect(error).toMatchObject({ kind: "unavailable" });
    expect(error.ambiguous).toBe(false);
    expect(error.message).toContain("connect ECONNREFUSED 127.0.0.1:1, after 5 tries.");
  });

  it("of a read follows a response that is cut off or not JSON, but not JSON of another form", async () => {
    const { http, arrived } = await serve([cutOff, respond(200, '{"Name"'), respond(200, '[{"Name":1}]')]);
    const error = await failure(http.request(read));
    expect(error).toMatchObject({ kind: "malformed" });
    expect(error.message).toContain(
      "the response has another form than documented: the whole: Invalid input: expected object, received array",
    );
    expect(arrived).toHaveLength(3);
  });
});

describe("the time-out", () => {
  it("limits the whole exchange, and makes a sent write ambiguous", async () => {
    const { http } = await serve([silence], { requestTimeoutMs: 40, maxRetries: 0 });
    const error = await failure(http.request(replace));
    expect(error).toMatchObject({ kind: "unavailable" });
    expect(error.ambiguous).toBe(true);
    expect(error.message).toContain("no complete response within 0.04 s");
  });

  it("of a request begins with its turn", async () => {
    const slowly: RequestListener = (request, response) => setTimeout(() => ok(request, response), 60);
    const { http } = await serve([slowly], { requestTimeoutMs: 150, maxConcurrentRequests: 1, maxRetries: 0 });
    await expect(Promise.all([1, 2, 3, 4].map(() => http.request(read)))).resolves.toHaveLength(4);
  });
});

describe("the token", () => {
  it.each(["http://cluster.example.com", "http://127.0.0.1.example.com", "http://10.0.0.1:4646", "http://[::2]"])(
    "is not sent to %s by default",
    async (address) => {
      const http = new Http({ ...defaults([]), address });
      const error = await failure(http.request(read));
      expect(error).toMatchObject({ kind: "misconfigured" });
      expect(error.message).toContain("agentpool-acl:allowInsecureHttp");
    },
  );

  it.each(["http://localhost:1", "http://127.9.9.9:1", "http://[::1]:1"])("may be sent to this machine: %s", async (address) => {
    const http = new Http({ ...defaults([]), address, maxRetries: 0 });
    expect(await failure(http.request(read))).toMatchObject({ kind: "unavailable" });
    await http.close();
  });

  it("may be sent over plain http with allowInsecureHttp", async () => {
    const http = new Http({ ...defaults([]), address: "http://cluster.invalid", allowInsecureHttp: true, maxRetries: 0 });
    expect(await failure(http.request(read))).toMatchObject({ kind: "unavailable" });
    await http.close();
  });

  it("of one letter hides no part of this machine's own error about a connection", async () => {
    const http = new Http({
      ...defaults([]),
      address: "http://127.0.0.1:1",
      token: "t",
      headers: (sent) => ({ authorization: `Bearer ${sent}` }),
    });
    const error = await failure(http.request(create));
    await http.close();
    expect(error.message).toContain("connect ECONNREFUSED 127.0.0.1:1");
  });

  it("and the secrets of the request are removed from the server's text", async () => {
    const { http } = await serve([respond(400, `${token} may not store p"wd`)], {
      headers: (sent) => ({ authorization: `Bearer ${sent}` }),
    });
    const error = await failure(http.request({ ...create, secrets: ['p"wd'] }));
    expect(error.detail).toBe("<secret> may not store <secret>");
    expect(JSON.stringify(error) + error.message + error.stack).not.toContain(token);
  });
});

test("a secret of a request is in no error and no line of the log, even if the server escapes it", async () => {
  const secret = "kX9/vQ&7pL<2mN8+zT4w==";
  const escaped = secret.replace(/[&<>]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`).replaceAll("/", "\\/");
  const lines: string[] = [];
  const { http } = await serve(
    [
      respond(400, `{"errors":[{"detail":"no ${escaped}","source":{"pointer":"/${secret.replace("/", "~1")}"}}]}`),
      respond(302, "", { location: "https://kx9vq7pl2mn8.example.com/" }),
      respond(403, `<html><title>Blocked: ${Buffer.from(secret).toString("base64url")}</title></html>`, { "content-type": "text/html" }),
    ],
    { log: (line) => lines.push(line) },
  );
  const write = { ...create, secrets: [secret, "kX9vQ7pL2mN8zT4w"] };
  const texts = [await failure(http.request(write)), await failure(http.request(write)), await failure(http.request(write))];
  const shown = [...texts.map(({ message }) => message), ...lines].join("\n");
  expect(shown).toContain("400 (not shown: it holds a part of a secret)");
  expect(shown).toContain("302 redirect to (not shown: it holds a part of a secret)");
  expect(shown).toContain("403 (not shown: it holds a part of a secret)");
  for (let at = 0; at + 8 <= secret.length; at++) expect(shown).not.toContain(secret.slice(at, at + 8));
  expect(shown).not.toMatch(/\\u0026|kx9vq7pl/i);
});

describe("a response", () => {
  it("in a compression that was not requested is an error", async () => {
    const { http } = await serve([
      (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"Name":"zipped"}')),
    ]);
    expect(await failure(http.request(read))).toMatchObject({ kind: "malformed" });
  });

  it("to a delete may be empty, but an HTML page is an error", async () => {
    const { http } = await serve([respond(204, ""), respond(200, "<html><title>Sign in</title></html>")]);
    await http.request(remove);
    const error = await failure(http.request(remove));
    expect(error).toMatchObject({ kind: "wrong-address" });
    expect(error.message).toContain('an HTML page ("Sign in")');
    expect(error.ambiguous).toBe(true);
  });

  it("that is empty is read again, and one that is not HTTP is reported as such", async () => {
    const { http } = await serve([respond(200, ""), (request) => request.socket.end("SSH-2.0-OpenSSH_9.6\r\n")], { maxRetries: 1 });
    const error = await failure(http.request(read));
    expect(error).toMatchObject({ kind: "wrong-address" });
    expect(error.message).toContain("a response that is not HTTP");
  });
});
