import type { Fault } from "../../testing/simulator";
import { samples } from "../kinds";
import { everything } from "./contents";
import { only, type TestStack, throughEveryAdapterToEveryServer } from "./harness";
import { role } from "./samples";

const busy: Fault = { kind: "status", status: 503, body: "no leader" };

/** Collects the waits of the provider from now on. */
function waitsOf(stack: TestStack): number[] {
  const waits: number[] = [];
  stack.clock.duringSleep = (ms) => void waits.push(ms);
  return waits;
}

/** Headers that ask to wait for 9 s, of a server whose clock is ahead by so many milliseconds. */
function untilDate(stack: TestStack, aheadMs: number): Record<string, string> {
  const now = stack.clock.now() + aheadMs;
  return { date: new Date(now).toUTCString(), "retry-after": new Date(now + 9_000).toUTCString() };
}

throughEveryAdapterToEveryServer("a fault that passes", (start, dialect) => {
  test("of a read is retried, and each further one from the third try on is logged with the reason", async () => {
    const stack = await start();
    await stack.up(only("AclRole", role()));
    const { id } = stack.entry();
    stack.simulator.faults.add({ method: "GET", path: `/v1/acl/role/${id}`, fault: busy, times: 2 });
    const { log, requests, changes } = await stack.refresh();
    expect(requests.map(({ status }) => status)).toEqual([dialect === "measured" ? 200 : 404, 503, 503, 200]);
    expect(changes).toEqual([]);
    const retries = log.filter((line) => line.includes(`/v1/acl/role/${id}: 503 no leader; try `));
    expect(retries.map((line) => line.match(/try \d of \d in [\d.]+ s$/)?.[0])).toEqual(["try 3 of 5 in 0.3 s"]);
  });

  test("that lasts is an error after as many tries as maxRetries allows, and the state keeps its object", async () => {
    const stack = await start();
    await stack.up(only("AclRole", role()));
    const before = stack.properties();
    stack.simulator.faults.add({ method: "GET", fault: busy, times: Number.POSITIVE_INFINITY });
    const faulty = await stack.fails("refresh", undefined, { config: { maxRetries: "2" } });
    expect(faulty.requests).toHaveLength(3);
    expect(faulty.errors).toContain("after 3 tries");
    expect(stack.properties()).toEqual(before);
  });

  test.each([
    { form: "seconds", headers: () => ({ "retry-after": "7" }), waits: [7_000] },
    { form: "a date", headers: (stack: TestStack) => untilDate(stack, 0), waits: [9_000] },
    { form: "a date of a clock that is two minutes ahead", headers: (stack: TestStack) => untilDate(stack, 120_000), waits: [9_000] },
    { form: "a date of a clock that is two minutes behind", headers: (stack: TestStack) => untilDate(stack, -120_000), waits: [9_000] },
  ])("is waited out as long as the server asks, in $form", async ({ headers, waits }) => {
    const stack = await start();
    await stack.up(only("AclRole", role()));
    stack.simulator.faults.add({ fault: { kind: "status", status: 429, headers: headers(stack) } });
    const waited = waitsOf(stack);
    await stack.refresh();
    expect(waited).toEqual(waits);
  });

  test.each(samples)(
    "$kind: of a create that may have been done does not repeat it, unless its id is chosen: then it makes one all the same",
    async ({ kind, inputs, create, prepare, objects, choosesId }) => {
      for (const fault of [busy, { ...busy, status: 500 }, { ...busy, status: 502 }, { kind: "drop-after" }] satisfies Fault[]) {
        const stack = await start();
        prepare(stack);
        const before = everything(stack.simulator);
        stack.simulator.faults.add({ method: "POST", path: create, fault });
        const { writes, result } = await stack.attempt("up", only(kind, inputs));
        if (choosesId) expect(result.ok).toBe(true);
        // A secret that no read shows is written again to a method that is found.
        else expect(writes.filter((write) => write !== "POST /v1/acl/auth-method/sso")).toEqual([`POST ${create}`]);
        if (result.ok) expect(objects(stack.simulator)).toEqual([{ id: stack.entry().id }]);
        else expect(everything(stack.simulator)).toEqual(before);
      }
    },
  );

  test.each(samples)("$kind: of a create that the server turned away repeats it, and makes one", async (sample) => {
    const { kind, inputs, create, prepare, objects } = sample;
    const stack = await start();
    prepare(stack);
    stack.simulator.faults.add({ method: "POST", path: create, fault: { kind: "status", status: 429, headers: { "retry-after": "1" } } });
    const { writes } = await stack.up(only(kind, inputs));
    expect(writes).toEqual([`POST ${create}`, `POST ${create}`]);
    expect(objects(stack.simulator)).toEqual([{ id: stack.entry().id }]);
  });
});
