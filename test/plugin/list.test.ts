/** The engine's method List, by real messages over a real connection. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { grpc } from "../../provider/adapters/plugin/grpc";
import { Simulator } from "../../testing/simulator";
import { TestPlugin } from "../support/plugin";
import { configurationOf } from "../support/session";

let simulator: Simulator;
let plugin: TestPlugin;

beforeEach(async () => {
  simulator = await Simulator.start();
  plugin = await TestPlugin.start({});
  await plugin.configure(configurationOf(simulator));
});
afterEach(async () => {
  plugin.stop();
  await simulator.stop();
});

describe("List", () => {
  const list = (request: messages.ListRequest) =>
    new Promise<{ id: string; name: string }[]>((resolve, reject) => {
      const found: { id: string; name: string }[] = [];
      const call = plugin.client.list(request);
      call.on("data", (response: messages.ListResponse) => {
        const result = response.getResult();
        if (result) found.push({ id: result.getId(), name: result.getName() });
      });
      call.on("error", reject);
      call.on("end", () => resolve(found));
    });

  test("returns every object with the id for an import, up to the limit", async () => {
    const ids = ["a", "b", "c"].map((Name) => ({ id: simulator.cluster.roles.put({ Name, Policies: [{ Name: "read" }] }).ID, name: Name }));
    const request = () => new messages.ListRequest().setToken("agentpool-acl:index:AclRole");
    expect((await list(request())).sort((x, y) => (x.name < y.name ? -1 : 1))).toEqual(ids);
    expect(await list(request().setLimit(2))).toHaveLength(2);
  });

  test("has no further page", async () => {
    const request = new messages.ListRequest().setToken("agentpool-acl:index:AclRole").setContinuationToken("next");
    await expect(list(request)).rejects.toMatchObject({ code: grpc.status.UNIMPLEMENTED });
  });
});
