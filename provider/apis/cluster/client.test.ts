import { Simulator } from "../../../testing/simulator";
import { isDenied } from "../http/errors";
import { Http } from "../http/http";
import { ClusterClient } from "./client";

let simulator: Simulator;
let client: ClusterClient;
const open: Http[] = [];

function connect(token: string): ClusterClient {
  const http = new Http({
    service: "cluster",
    address: simulator.clusterAddress,
    basePath: "",
    token,
    headers: (sent) => ({ "X-Cluster-Token": sent }),
    tokenSource: "",
    requestTimeoutMs: 5_000,
    maxRetries: 3,
    maxConcurrentRequests: 8,
    allowInsecureHttp: false,
    clock: { now: Date.now, sleep: async () => undefined, random: () => 0 },
  });
  open.push(http);
  return new ClusterClient(http);
}

const dev = { name: "dev", description: "", policies: ["read"] };

beforeEach(async () => {
  simulator = await Simulator.start();
  simulator.cluster.policies.put({ Name: "read" });
  client = connect(simulator.clusterToken);
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  await simulator.stop();
});

it("the server's description of a refused token reaches all callers except the cancelled one", async () => {
  simulator.clusterTokens.add({ token: "client", type: "client", name: "ci", policies: ["read"] });
  const path = "/v1/acl/token/self";
  simulator.faults.add({ path, fault: { kind: "delay", ms: 50 } });
  const cancelling = new AbortController();
  const refused = connect("client");
  const failure = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const first = failure(refused.with({ signal: cancelling.signal }).roles.create(dev));
  while (simulator.journal.requests({ path }).length === 0) await new Promise(setImmediate);
  const second = failure(refused.roles.create(dev));
  cancelling.abort();
  const errors = [await first, await second, await failure(refused.roles.create(dev))];
  const note = 'The token is the client token "ci" (policies read)';
  expect(errors.map((error) => isDenied(error) && error.message.includes(note))).toEqual([false, true, true]);
  expect(errors.every(isDenied)).toBe(true);
  const asked = simulator.journal.requests({ path }).length;
  await failure(refused.roles.create(dev));
  expect(simulator.journal.requests({ path })).toHaveLength(asked);
});

it("a response with the ID in another letter case is about the same object", async () => {
  const role = await client.roles.create(dev);
  simulator.faults.add({ fault: { kind: "malformed", body: JSON.stringify(simulator.cluster.roles.get(role.id)) } });
  expect(await client.roles.read(role.id.toUpperCase())).toEqual(role);
});

it("the index at the start precedes every later write, for all views of a client", async () => {
  const view = client.with({});
  const [index, other] = await Promise.all([view.indexAtStart(), view.indexAtStart()]);
  expect(index).toBe(other);
  expect((await client.roles.create(dev)).createIndex).toBeGreaterThan(index);
  expect(await client.indexAtStart()).toBe(index);
});
