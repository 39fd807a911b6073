import type { IncomingMessage } from "node:http";
import { Gateway } from "../faults/gateway";
import { only, type TestStack, toEveryServer } from "./harness";
import { pool } from "./samples";

const organization = "example-org";

/** The number of the page, if the request asks for a list of pools. */
function pageAsked({ url = "" }: IncomingMessage): number | undefined {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  return pathname.endsWith("/agent-pools") ? Number(searchParams.get("page[number]")) : undefined;
}

toEveryServer("an agent pool on the second page of the list, after a 404", (start) => {
  const gateways: Gateway[] = [];
  afterEach(() => {
    for (const gateway of gateways.splice(0)) gateway.stop();
  });

  /** Makes 100 pools of others, and then the program's pool. `between` runs before each response with the second page. */
  const begin = async (between: (stack: TestStack, others: string[]) => void) => {
    const stack = await start();
    const others = Array.from({ length: 100 }, (_, index) => stack.simulator.pools.put({ organization, name: `other-${index}` }).id);
    let pages = 0;
    const gateway = await Gateway.before(stack.simulator.poolsAddress, (request) => {
      if (pageAsked(request) !== 2) return false;
      pages += 1;
      between(stack, others);
      return false;
    });
    gateways.push(gateway);
    const options = { config: { poolsAddress: gateway.address } };
    await stack.up(only("AgentPool", pool()), options);
    const { id } = stack.entry();
    const deny = () => {
      const body = JSON.stringify({ errors: [{ status: "404", title: "not found" }] });
      stack.simulator.faults.add({ method: "GET", path: `/api/v2/agent-pools/${id}`, fault: { kind: "status", status: 404, body } });
    };
    return { stack, options, id, deny, secondPages: () => pages };
  };

  test("stays in the state if another pool is deleted between the pages", async () => {
    let deleted = 0;
    const { stack, options, id, deny } = await begin(({ simulator }, others) => {
      const other = deleted++ === 0 ? others[0] : undefined;
      if (other) simulator.pools.delete(other);
    });
    deny();
    expect((await stack.refresh(options)).changes).toEqual([]);
    expect(stack.entry().id).toBe(id);
  });

  test("stays in the state if one pool is deleted and another created between the pages", async () => {
    let changed = 0;
    const { stack, options, id, deny } = await begin(({ simulator }, others) => {
      const other = changed++ === 0 ? others[0] : undefined;
      if (!other) return;
      simulator.pools.delete(other);
      simulator.pools.put({ organization, name: "new" });
    });
    deny();
    expect((await stack.refresh(options)).changes).toEqual([]);
    expect(stack.entry().id).toBe(id);
  });

  test("stays in the state if the list changes at every read, which is an error after some reads", async () => {
    let made = 0;
    const { stack, options, id, deny, secondPages } = await begin(({ simulator }) => {
      made += 1;
      simulator.pools.put({ organization, name: `new-${made}` });
    });
    deny();
    const { errors } = await stack.fails("refresh", undefined, options);
    expect(errors).toMatch(/the list changed between its pages, which count \d+ and \d+ items, after 4 tries\. Run it again/);
    expect(secondPages()).toBe(4);
    expect(stack.entry().id).toBe(id);
  });

  test("leaves the state if two lists lack it", async () => {
    const { stack, options, id, secondPages } = await begin(() => {});
    stack.simulator.pools.put({ organization, name: "after" });
    stack.simulator.pools.delete(id);
    await stack.refresh(options);
    expect(stack.entries()).toEqual([]);
    expect(secondPages()).toBe(2);
  });
});
