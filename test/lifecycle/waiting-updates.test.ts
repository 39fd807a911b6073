import type { Fault } from "../../testing/simulator";
import { sampleOf } from "../kinds";
import { type Inputs, type Kind, only, type TestStack, toEveryServer } from "./harness";
import { oidc, pool, role } from "./samples";

interface Case {
  readonly kind: Kind;
  readonly inputs: Inputs;
  /** The program's change of the inputs. */
  readonly change: Inputs;
  /** Changes the object while the update waits, as others may. */
  readonly theirs: (stack: TestStack, id: string) => void;
  /** The object on the server after the update. */
  readonly there: object;
}

const cases: readonly Case[] = [
  {
    kind: "AgentPool",
    inputs: pool({ organizationScoped: false }),
    change: { name: "new" },
    theirs: ({ simulator: { pools } }, id) => void pools.update(id, { allowedWorkspaceIds: ["ws-theirs"] }),
    there: { name: "new", allowedWorkspaceIds: ["ws-theirs"] },
  },
  {
    kind: "AclAuthMethod",
    inputs: oidc(),
    change: { maxTokenTtl: "2h" },
    theirs: ({ simulator: { cluster } }) => void cluster.methods.put({ Name: "sso", TokenLocality: "global" }),
    there: { MaxTokenTTL: "2h0m0s", TokenLocality: "global" },
  },
];

const asks = (status: number, seconds: number): Fault => ({ kind: "status", status, headers: { "retry-after": String(seconds) } });
const waits = [
  { what: "429 that asks for a minute", fault: asks(429, 60) },
  { what: "503 that asks for 5 s", fault: asks(503, 5) },
];

toEveryServer("an update that has to wait", (start) => {
  const begin = async ({ kind, inputs, change }: Pick<Case, "kind" | "inputs" | "change">) => {
    const stack = await start();
    await stack.up(only(kind, inputs));
    const { id } = stack.entry();
    return { stack, id, program: only(kind, { ...inputs, ...change }), stored: () => sampleOf(kind).stored(stack.simulator, id) };
  };

  /** The methods of the requests for the object. The request for the regions, with which an operation begins, is left out. */
  const methodsOf = (requests: readonly { method: string; path: string }[]) =>
    requests.filter(({ path }) => path !== "/v1/regions").map(({ method }) => method);
  const write = (kind: Kind) => (kind === "AgentPool" ? "PATCH" : "POST");

  test.each(cases.flatMap((one) => waits.map((wait) => ({ ...one, ...wait }))))(
    "$kind: for a $what keeps the changes of others in the meantime",
    async ({ fault, theirs, there, ...one }) => {
      const { stack, id, program, stored } = await begin(one);
      stack.simulator.faults.add({ method: write(one.kind), fault });
      stack.clock.duringSleep = () => theirs(stack, id);
      const { requests } = await stack.up(program);
      expect(methodsOf(requests)).toEqual(["GET", write(one.kind), "GET", write(one.kind)]);
      expect(stored()).toMatchObject(there);
    },
  );

  test.each(cases)("$kind: for a second is sent again unchanged, without another read", async (one) => {
    const { stack, program } = await begin(one);
    stack.simulator.faults.add({ method: write(one.kind), fault: asks(429, 1) });
    const { requests } = await stack.up(program);
    expect(methodsOf(requests)).toEqual(["GET", write(one.kind), write(one.kind)]);
  });

  test("to take over a pool keeps workspaces that others allow in the meantime", async () => {
    const stack = await start();
    const { id } = stack.simulator.pools.put({ organization: "example-org", name: "build", organizationScoped: false });
    stack.simulator.faults.add({ method: "PATCH", fault: asks(429, 60) });
    stack.clock.duringSleep = () => void stack.simulator.pools.update(id, { allowedWorkspaceIds: ["ws-theirs"] });
    await stack.up(only("AgentPool", pool({ organizationScoped: true, adopt: "overwrite" })));
    expect(stack.simulator.pools.get(id)).toMatchObject({ organizationScoped: true, allowedWorkspaceIds: ["ws-theirs"] });
  });

  test("after each read is sent in any case after the third read", async () => {
    const { stack, program, stored } = await begin({ kind: "AclRole", inputs: role(), change: { description: "new" } });
    stack.simulator.faults.add({ method: "POST", fault: asks(429, 30), times: 5 });
    const { requests } = await stack.up(program);
    expect(methodsOf(requests).filter((method) => method === "GET")).toHaveLength(3);
    expect(methodsOf(requests).filter((method) => method === "POST")).toHaveLength(6);
    expect(stored()).toMatchObject({ Description: "new" });
  });
});
