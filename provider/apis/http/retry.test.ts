import { ApiError, type Effect, type Failure } from "./errors";
import { retryDelay } from "./pace";
import { rateLimitReset, retryAfter } from "./response";

function fails(operation: Effect, failure: Partial<Failure>): ApiError {
  const call = {
    service: "cluster",
    operation,
    method: "POST",
    path: "/",
    url: "http://localhost/",
    tokenSource: "",
    tries: 1,
  } as const;
  return new ApiError(call, { kind: "unavailable", detail: "", transient: true, ...failure });
}

const delay = (operation: Effect, failure: Partial<Failure>, retry = 0, random = 0) =>
  retryDelay(operation, fails(operation, failure), { retries: retry, maxRetries: 4 }, random);

it("a create is repeated only if nothing was sent, or the server refused it because of the rate", () => {
  expect(delay("create", { ambiguous: false })).toBe(125);
  expect(delay("create", { kind: "rate-limited", status: 429 })).toBe(125);
  expect(delay("create", { ambiguous: true })).toBeUndefined();
  expect(delay("create", { status: 503, ambiguous: true })).toBeUndefined();
  expect(delay("create", { status: 503, ambiguous: false })).toBeUndefined();
});

it("the waits double up to 8 s, are spread over their upper half, and end with maxRetries", () => {
  expect([0, 1, 2, 3].map((retry) => delay("read", {}, retry))).toEqual([125, 250, 500, 1000]);
  expect(delay("read", {}, 0, 0.999)).toBeCloseTo(250, 0);
  expect(delay("read", {}, 4)).toBeUndefined();
  expect(retryDelay("read", fails("read", {}), { retries: 30, maxRetries: 99 }, 0.999)).toBeLessThanOrEqual(8000);
});

it("the server's wait takes precedence, is spread, too, and if it is longer than a minute, there is no retry", () => {
  expect(delay("read", { retryAfterMs: 0 })).toBe(0);
  expect(delay("read", { retryAfterMs: 60_000 }, 0, 0.5)).toBe(60_125);
  expect(delay("read", { retryAfterMs: 60_001 })).toBeUndefined();
});

it("a server's wait may have any of its forms, and an invalid one is ignored", () => {
  const asked = (value: string) => retryAfter({ headers: new Map([["retry-after", value]]), at: Date.UTC(2030, 0, 1) });
  expect(asked("120")).toBe(120_000);
  expect(asked(" 0.5 ")).toBe(500);
  expect(asked("Tue, 01 Jan 2030 00:00:05 GMT")).toBe(5_000);
  expect(asked("Tue, 01 Jan 2019 00:00:05 GMT")).toBe(0);
  for (const senseless of ["", "soon", "-5", "-"]) expect([senseless, asked(senseless)]).toEqual([senseless, undefined]);
  expect(rateLimitReset(new Map([["x-ratelimit-reset", "3"]]))).toBe(3_000);
  expect(rateLimitReset(new Map())).toBeUndefined();
});

it.each([
  ["two minutes ahead", "Tue, 01 Jan 2030 00:02:00 GMT", "Tue, 01 Jan 2030 00:02:05 GMT", 5_000],
  ["two minutes behind", "Mon, 31 Dec 2029 23:58:00 GMT", "Mon, 31 Dec 2029 23:58:05 GMT", 5_000],
  ["right, and the date over", "Tue, 01 Jan 2030 00:00:00 GMT", "Mon, 31 Dec 2029 23:59:00 GMT", 0],
  ["unknown, because its date is none", "now", "Tue, 01 Jan 2030 00:00:05 GMT", 5_000],
])("a date is relative to the server's clock, which may be %s", (_, date, requested, expected) => {
  const headers = new Map([
    ["date", date],
    ["retry-after", requested],
  ]);
  expect(retryAfter({ headers, at: Date.UTC(2030, 0, 1) })).toBe(expected);
});
