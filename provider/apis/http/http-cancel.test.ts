import type { RequestListener } from "node:http";
import { create, failure, ok, read, replace, respond, serve } from "../../../test/support/http/serving";

describe("a cancellation", () => {
  it("ends a read that waits for its response", async () => {
    const controller = new AbortController();
    const { http } = await serve([() => controller.abort()]);
    const error = await failure(http.request(read, { signal: controller.signal }));
    expect(error).toMatchObject({ kind: "cancelled" });
    expect(error.ambiguous).toBe(false);
  });

  it("lets a write under way finish, so its result is known", async () => {
    const controller = new AbortController();
    const lateResponse: RequestListener = (request, response) => {
      controller.abort();
      setImmediate(() => ok(request, response));
    };
    const { http } = await serve([lateResponse]);
    await expect(http.request(create, { signal: controller.signal })).resolves.toBeDefined();
  });

  it("ends a request that waits for its turn, which is not sent, and leaves its place to the others", async () => {
    const controller = new AbortController();
    const slowly: RequestListener = (request, response) => {
      controller.abort();
      setTimeout(() => ok(request, response), 20);
    };
    const { http, arrived } = await serve([slowly], { maxConcurrentRequests: 1 });
    const first = http.request(read);
    const second = failure(http.request(create, { signal: controller.signal }));
    const third = http.request(read);
    const error = await second;
    expect(error).toMatchObject({ kind: "cancelled" });
    expect(error.ambiguous).toBe(false);
    await Promise.all([first, third]);
    expect(arrived).toEqual(["GET /v1/thing", "GET /v1/thing"]);
  });

  it("ends a request that waits for its next try, or has not begun its first one", async () => {
    const controller = new AbortController();
    const { http, arrived } = await serve([respond(503, "busy"), respond(503, "busy")]);
    const context = { signal: controller.signal, report: () => controller.abort() };
    const error = await failure(http.request(replace, context));
    expect(error).toMatchObject({ kind: "cancelled" });
    expect(error.ambiguous).toBe(true);
    expect(await failure(http.request(read, context))).toMatchObject({ kind: "cancelled" });
    // The wait before the third try is the first one that is reported.
    expect(arrived).toHaveLength(2);
  });
});
