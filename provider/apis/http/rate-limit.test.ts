import { InstantClock } from "../../../test/support/clock";
import { create, failure, ok, read, respond, serve } from "../../../test/support/http/serving";
import { Simulator } from "../../../testing/simulator";
import { ClusterClient } from "../cluster/client";
import { isRateLimited } from "./errors";
import { Http } from "./http";

const limited = (headers: Record<string, string>) => respond(429, "slow down", headers);

describe("a service with a rate limit", () => {
  let simulator: Simulator;
  let clock: InstantClock;
  let http: Http;
  let reported: string[];

  /** A client and a cluster that have one clock. */
  beforeEach(async () => {
    simulator = await Simulator.start();
    simulator.cluster.policies.put("read");
    clock = new InstantClock();
    reported = [];
    http = new Http({
      service: "cluster",
      address: simulator.clusterAddress,
      basePath: "",
      token: simulator.clusterToken,
      headers: (token) => ({ "X-Cluster-Token": token }),
      tokenSource: "",
      requestTimeoutMs: 5_000,
      maxRetries: 0,
      maxConcurrentRequests: 8,
      allowInsecureHttp: false,
      clock,
    });
  });

  afterEach(async () => {
    await http.close();
    await simulator.stop();
  });

  const makeRoles = (count: number) => {
    const client = new ClusterClient(http).with({ report: (message) => reported.push(message) });
    return Promise.all(
      Array.from({ length: count }, (_, n) => client.roles.create({ name: `role-${n}`, description: "", policies: ["read"] })),
    );
  };

  it.each(["x-ratelimit", "retry-after"] as const)("takes all requests in the end, if it reports the limit by %s", async (tells) => {
    simulator.limitRate("cluster", { requests: 30, tells, now: () => clock.now() });
    const begun = clock.now();
    await makeRoles(300);
    expect(simulator.cluster.roles.list()).toHaveLength(300);
    expect(clock.now() - begun).toBeGreaterThanOrEqual(9_000);
  });

  it("causes at most one message every ten seconds", async () => {
    simulator.limitRate("cluster", { requests: 10, now: () => clock.now() });
    const begun = clock.now();
    await makeRoles(300);
    expect(reported.length).toBeGreaterThanOrEqual(2);
    expect(reported.length).toBeLessThanOrEqual(1 + (clock.now() - begun) / 10_000);
    expect(reported[0]).toMatch(/^The cluster service at http:.* limits the rate of requests: the next ones are sent in \d\.\d s\.$/);
  });
});

describe("a refusal because of the rate", () => {
  it("that names a time uses up no retries", async () => {
    const refusals = Array.from({ length: 20 }, () => limited({ "retry-after": "2" }));
    const { http, arrived } = await serve([...refusals, ok], { maxRetries: 0, clock: new InstantClock() });
    await http.request(create);
    expect(arrived).toHaveLength(21);
  });

  it("of a request without retries is its error, and the other requests wait", async () => {
    const clock = new InstantClock();
    const { http, arrived } = await serve([limited({ "retry-after": "20" }), ok], { clock });
    expect(isRateLimited(await failure(http.request({ ...read, isSentOnce: true })))).toBe(true);
    expect([arrived.length, clock.waits]).toEqual([1, []]);
    await http.request(read);
    expect(clock.waits).toEqual([20_000]);
  });

  it("that repeats for five minutes is an error", async () => {
    const clock = new InstantClock();
    const begun = clock.now();
    const { http } = await serve([limited({ "retry-after": "20" })], { clock });
    const error = await failure(http.request(create));
    expect(isRateLimited(error)).toBe(true);
    expect(error.ambiguous).toBe(false);
    expect(clock.now() - begun).toBe(300_000);
  });

  it("causes a wait although its time is over", async () => {
    const clock = new InstantClock();
    const begun = clock.now();
    const date = new Date(begun).toUTCString();
    const { http } = await serve([limited({ date, "retry-after": date })], { clock });
    expect(isRateLimited(await failure(http.request(create)))).toBe(true);
    expect(clock.now() - begun).toBe(300_000);
  });

  it("causes a wait that ends with the operation's own time", async () => {
    const ending = new AbortController();
    const clock = new InstantClock();
    const { http, arrived } = await serve([limited({ "retry-after": "20" })], {
      clock: {
        now: () => clock.now(),
        random: () => 0,
        sleep: (ms, signal) => {
          if (clock.waits.length === 3) ending.abort();
          return clock.sleep(ms, signal);
        },
      },
    });
    const error = await failure(http.request(create, { signal: ending.signal }));
    expect(error.kind).toBe("cancelled");
    expect(arrived).toHaveLength(4);
  });

  it("delays all requests, and not only the refused one", async () => {
    const clock = new InstantClock();
    const { http, arrived } = await serve([limited({ "x-ratelimit-reset": "3" }), ok], { clock, maxConcurrentRequests: 1 });
    await Promise.all([http.request(read), http.request(read), http.request(read)]);
    expect(clock.waits).toEqual([3_000]);
    expect(arrived).toHaveLength(4);
  });
});
