import { configurationOf, operationWith } from "../../test/support/session";
import { Simulator } from "../../testing/simulator";
import { Presence, readOrMissing } from "./gone";
import { lookForLost } from "./lost-response";

const id = "6e4dfb0c-0000-4000-8000-000000000001";
const path = `/v1/acl/role/${id}`;

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start();
});
afterAll(() => simulator.stop());
beforeEach(() => {
  simulator.journal.clear();
  simulator.faults.clear();
  if (simulator.cluster.roles.get(id)) simulator.cluster.roles.delete(id);
});

const put = (description = "") =>
  simulator.cluster.roles.put({ ID: id, Name: "dev", Description: description, Policies: [{ Name: "read" }] });

/** Reads the role as a resource of a state does, which knows the server and how new its copy is. */
function reading(options: { server?: string; modifyIndex?: number; atLeast?: number; acceptMovedServer?: boolean } = {}) {
  const { server = simulator.clusterAddress, modifyIndex = 0, atLeast, acceptMovedServer = false } = options;
  const test = operationWith({ ...configurationOf(simulator), acceptMovedServer, maxRetries: 0 });
  const cluster = test.context.cluster();
  const read = () =>
    new Presence(test.context, {
      label: "ACL role dev",
      server: simulator.clusterAddress,
      known: { server, modifyIndex: atLeast },
      read: () => cluster.roles.read(id),
      probe: () => cluster.roles.probe(id, { id, name: "dev", description: "", policies: ["read"] }),
    }).read({ isOlder: (role) => role.modifyIndex < modifyIndex });
  return { ...test, read };
}

describe("an object that is not found", () => {
  test("is asked for a second time, a second later, and by a write that is refused, before it counts as gone", async () => {
    const { read, clock } = reading();
    expect(await read()).toBeUndefined();
    expect(simulator.journal.lines()).toEqual([`GET ${path}`, `GET ${path}`, `POST ${path}`]);
    expect(clock.waits).toEqual([1_000]);
  });

  test("is an error where the server takes the write that is to be refused", async () => {
    const body = JSON.stringify({ ID: id, Name: id, Description: "", Policies: [], CreateIndex: 1, ModifyIndex: 2 });
    simulator.faults.add({ method: "POST", path, fault: { kind: "status", status: 200, contentType: "application/json", body } });
    await expect(reading().read()).rejects.toThrow(/has accepted an update that every server should refuse.*pulumi up --refresh/);
  });

  test("is there when a replica that lagged has caught up", async () => {
    put();
    simulator.faults.add({ path, fault: { kind: "status", status: 404, contentType: "text/plain", body: "ACL role not found" } });
    expect(await reading().read()).toMatchObject({ id });
  });

  test("is an error where the store is older than the object: it lags, was restored, or is another cluster's", async () => {
    const { read, progress } = reading({ atLeast: simulator.cluster.index + 1 });
    await expect(read()).rejects.toThrow(
      /in a store that is older than the object, still after 30 s\. .*the state keeps the object.*another cluster, correct the address.*AGENTPOOL_ACL_ACCEPT_MOVED_SERVER/,
    );
    expect(progress.length).toBeGreaterThan(3);
  });

  test("is gone where the store is older than the object, too, once that is accepted", async () => {
    expect(await reading({ atLeast: simulator.cluster.index + 1, acceptMovedServer: true }).read()).toBeUndefined();
  });

  test("is an error on another server than the state's, which names both and what to set", async () => {
    await expect(reading({ server: "https://old.example.com region eu" }).read()).rejects.toThrow(
      `ACL role dev is not on ${simulator.clusterAddress}. The state says that it was on https://old.example.com region eu, so nothing is concluded and the state keeps it. ` +
        "Correct the address or the region; or, if the server was moved or restored without it, set the environment variable AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true for one run.",
    );
  });

  test("is gone on another server, too, once that is accepted", async () => {
    expect(await reading({ server: "https://old.example.com", acceptMovedServer: true }).read()).toBeUndefined();
  });

  test("is gone where no state says which server it was on", () => {
    const requests = { label: "x", server: "https://b", known: {}, read: () => Promise.reject(new Error("not read")) };
    expect(() => new Presence(reading().context, requests).requireSameServer()).not.toThrow();
  });
});

describe("an object that is found", () => {
  test("is read once, also on another server than the state's: it just moves on", async () => {
    put();
    expect(await reading({ server: "https://old.example.com" }).read()).toMatchObject({ id });
    expect(simulator.journal.lines()).toEqual([`GET ${path}`]);
  });

  test("as an older copy is read again until it is as new as the state", async () => {
    const { ModifyIndex: old } = put();
    const { read, clock, progress } = reading({ modifyIndex: old + 1 });
    const { sleep } = clock;
    clock.sleep = async (ms, signal) => {
      await sleep.call(clock, ms, signal);
      if (clock.waits.length === 2) put("newer");
    };
    expect(await read()).toMatchObject({ description: "newer" });
    expect(clock.waits).toEqual([500, 1_000]);
    expect(progress).toHaveLength(2);
  });

  test("as an older copy for 30 seconds is an error, never drift", async () => {
    const { ModifyIndex: old } = put();
    const { read, clock } = reading({ modifyIndex: old + 1 });
    await expect(read()).rejects.toThrow(
      /returns an older copy than the state has, still after 30 s\. .*clusterRegion.*AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true for one run\.$/,
    );
    const waited = clock.waits.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThanOrEqual(30_000);
    expect(waited).toBeLessThan(40_000);
  });

  test("as an older copy is believed where a restored server is accepted", async () => {
    const { ModifyIndex: old } = put("restored");
    expect(await reading({ modifyIndex: old + 1, acceptMovedServer: true }).read()).toMatchObject({ description: "restored" });
  });
});

describe("what leaves a doubt is an error, and never an object that is gone:", () => {
  test.each([
    ["an empty 404", { status: 404 }],
    ["the 404 of a proxy", { status: 404, contentType: "text/html", body: "<html>ACL role not found</html>" }],
    ["401", { status: 401, body: "ACL role not found" }],
    ["403", { status: 403, body: "Permission denied" }],
    ["500", { status: 500, body: "ACL role not found" }],
    ["503", { status: 503 }],
  ])("%s", async (_, response) => {
    simulator.faults.add({ path, times: 9, fault: { kind: "status", ...response } });
    await expect(reading().read()).rejects.toThrow(String(response.status));
  });

  test("the 404 of a web server for an object that the list has", async () => {
    put();
    simulator.faults.add({ path, times: 9, fault: { kind: "status", status: 404, contentType: "text/plain", body: "404 page not found" } });
    await expect(reading().read()).rejects.toThrow("404");
  });

  test("a page in place of a response", async () => {
    simulator.faults.add({ path, times: 9, fault: { kind: "malformed" } });
    await expect(reading().read()).rejects.toThrow(`GET ${simulator.clusterAddress}${path}`);
  });

  test("a connection that breaks", async () => {
    simulator.faults.add({ path, times: 9, fault: { kind: "refuse" } });
    await expect(reading().read()).rejects.toThrow(path);
  });

  test("anything that is not a response of an API", async () => {
    await expect(readOrMissing(() => Promise.reject(new Error("ACL role not found")))).rejects.toThrow("ACL role not found");
  });
});

describe("an object whose create got no response", () => {
  test("is looked for five times, and each time longer after", async () => {
    const { context, clock } = reading();
    let looks = 0;
    expect(
      await lookForLost(context, async () => {
        looks += 1;
        return undefined;
      }),
    ).toBeUndefined();
    expect(looks).toBe(5);
    expect(clock.waits).toEqual([500, 1_000, 2_000, 4_000]);
  });

  test("is taken as soon as it is there", async () => {
    const { context, clock } = reading();
    const responses = [undefined, "mine"];
    expect(await lookForLost(context, async () => responses.shift())).toBe("mine");
    expect(clock.waits).toEqual([500]);
  });
});
