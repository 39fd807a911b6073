import { failure, hangUp, ok, read, replace, respond, serve, token } from "../../../test/support/http/serving";

/** A client whose log is a list of lines. */
async function logged(...listeners: Parameters<typeof serve>[0]) {
  const lines: string[] = [];
  return { ...(await serve(listeners, { log: (line) => lines.push(line) })), lines };
}

test("each try is one line with the request, the status, the time, the size and the number of the try", async () => {
  const { http, address, lines } = await logged(respond(503, "busy"), ok);
  await http.request({ ...read, query: { page: "2" } });
  expect(lines).toEqual([
    `GET ${address}/v1/thing?page=2: 503 in 0 ms, 4 bytes, try 1`,
    `GET ${address}/v1/thing?page=2: 200 in 0 ms, 12 bytes, try 2`,
  ]);
});

test("the line of a request without a response has the reason", async () => {
  const { http, lines } = await logged(hangUp, ok);
  await http.request(read);
  expect(lines[0]).toMatch(/^GET .*\/v1\/thing: no response \(other side closed\) in 0 ms, try 1$/);
});

test("no line has the token, a secret of the request, or content of the body and the response", async () => {
  const { http, lines } = await logged(respond(400, `bad ${token} and hidden-value`));
  await failure(http.request({ ...replace, path: ["v1", token], query: { q: "hidden-value" }, secrets: ["hidden-value"] }));
  expect(lines).toEqual([
    expect.stringMatching(/^POST http:\/\/127\.0\.0\.1:\d+\/v1\/<secret>\?q=<secret>: 400 in 0 ms, 38 bytes, try 1$/),
  ]);
});

test("a request that is never sent has no line", async () => {
  const { http, lines } = await logged(ok);
  await failure(http.request({ ...read, path: [".."] }));
  await failure(http.request(replace, { isOutdated: () => true }));
  expect(lines).toEqual([]);
});
