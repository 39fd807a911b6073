/** The regions of a cluster: one request asks for them, and all requests name the configured region. */
import { Simulator } from "../../testing/simulator";
import { configurationOf, operationWith } from "../support/session";
import { everything } from "./contents";
import { only, toEveryServer } from "./harness";
import { role } from "./samples";

toEveryServer("the regions of a cluster", (start, dialect) => {
  const regions = { path: "/v1/regions" };

  test("are requested once, before the first other request and without a token", async () => {
    const stack = await start();
    const { requests } = await stack.up((declare) => {
      for (const name of ["one", "two", "three"]) declare("AclRole", name, role({ name }));
    });
    expect(requests.filter(({ path }) => path === "/v1/regions")).toEqual([requests[0]]);
    expect(Object.keys(requests[0]?.headers ?? {}).filter((name) => name.includes("token"))).toEqual([]);
  });

  test("are not requested by a preview without reads", async () => {
    const stack = await start();
    expect((await stack.preview(only("AclRole", role()))).requests).toEqual([]);
  });

  test("don't matter if the server does not know them", async () => {
    const stack = await start();
    for (const status of [404, 403]) {
      stack.simulator.faults.add({ ...regions, fault: { kind: "status", status } });
      await stack.up(only("AclRole", role({ description: String(status) })));
    }
    expect(stack.simulator.cluster.roles.list()).toMatchObject([{ Description: "403" }]);
  });

  test("are an error if the request for them fails, and nothing else is sent", async () => {
    const stack = await start();
    const before = everything(stack.simulator);
    stack.simulator.faults.add({ ...regions, times: Number.POSITIVE_INFINITY, fault: { kind: "status", status: 503 } });
    const { errors, requests } = await stack.fails("up", only("AclRole", role()));
    expect(errors).toContain("/v1/regions: 503");
    expect(new Set(requests.map(({ path }) => path))).toEqual(new Set(["/v1/regions"]));
    expect(everything(stack.simulator)).toEqual(before);
  });

  // A documented server has no such list.
  if (dialect === "measured")
    test("are an error if there are several and none is configured, and all requests name the configured one", async () => {
      const stack = await start({ regions: ["west", "east"] });
      const { errors, requests } = await stack.fails("up", only("AclRole", role()));
      expect(errors).toMatch(/"east", "global", "west".*agentpool-acl:clusterRegion to the authoritative region/);
      expect(requests.map(({ path }) => path)).toEqual(["/v1/regions"]);
      const global = { config: { clusterRegion: "global" } };
      const sent = (await stack.up(only("AclRole", role()), global)).requests;
      expect(sent.filter(({ query }) => query.region !== "global")).toEqual([]);
      expect((await stack.refresh(global)).changes).toEqual([]);
    });
});

test("one response about the regions serves all callers, also after one is cancelled, and a failed request is repeated", async () => {
  const simulator = await Simulator.start();
  simulator.latencyMs = 50;
  const { context, close } = operationWith({ ...configurationOf(simulator), maxRetries: 0 });
  try {
    simulator.faults.add({ path: "/v1/regions", fault: { kind: "status", status: 500 } });
    await expect(context.cluster().roles.list()).rejects.toThrow("/v1/regions: 500");
    const leaving = new AbortController();
    const ended = context.cluster().with({ signal: leaving.signal }).roles.read("6e4dfb0c-0000-4000-8000-000000000001");
    const staying = context.cluster().policies.read("none");
    leaving.abort(new Error("cancelled by the user"));
    await expect(ended).rejects.toThrow("cancelled");
    await expect(staying).rejects.toThrow("ACL policy not found");
    expect(simulator.journal.lines().filter((line) => line.includes("/v1/regions"))).toHaveLength(2);
  } finally {
    await close();
    await simulator.stop();
  }
});
