import type { Fault } from "../../testing/simulator";
import { jwt, role } from "../lifecycle/samples";
import { dynamicAdapter } from "../support/adapters";
import { only, TestStack } from "../support/stack";

const json = (body: string): Fault => ({ kind: "status", status: 200, body });

describe("a million items", () => {
  const listOf = (item: object, count: number) => json(`[${`${JSON.stringify(item)},`.repeat(count - 1)}${JSON.stringify(item)}]`);
  let stack: TestStack;
  beforeEach(async () => {
    stack = await TestStack.start(dynamicAdapter, {});
  });
  afterEach(() => stack.simulator.stop());

  test("in a list above the size limit are an error, and nothing is created", async () => {
    const item = { ID: "0".repeat(36), Name: "role", Description: "d".repeat(30), CreateIndex: 1, ModifyIndex: 1 };
    stack.simulator.faults.add({ path: "/v1/acl/roles", fault: listOf(item, 1_000_000) });
    expect((await stack.fails("up", only("AclRole", role()))).errors).toContain("the response is larger than");
    expect(stack.simulator.cluster.roles.list()).toEqual([]);
  });

  test("in a list that can be read are read, and the warning about them stays short", async () => {
    const item = { ID: "1234", AuthMethod: "ci", CreateIndex: 1, ModifyIndex: 1 };
    stack.simulator.faults.add({ path: "/v1/acl/binding-rules", fault: listOf(item, 1_000_000), times: 2 });
    const { warnings } = await stack.up(only("AclAuthMethod", jwt()));
    expect(warnings.join()).toContain("1000000 older binding rules");
    expect(warnings.join()).toContain("999980 more");
    expect(warnings.join().length).toBeLessThan(2_000);
    expect(stack.simulator.cluster.methods.list().map(({ Name }) => Name)).toEqual(["ci"]);
  });

  test("do not overflow the call stack: the index of many roles is found without a header", async () => {
    stack.simulator.faults.add({ path: "/v1/acl/roles", fault: listOf({ ID: "1", Name: "a", CreateIndex: 1, ModifyIndex: 1 }, 200_000) });
    await stack.up(only("AclRole", role()));
    expect(stack.simulator.cluster.roles.list().map(({ ID }) => ID)).toEqual([stack.entry().id]);
  });
});
