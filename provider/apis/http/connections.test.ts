import { configurationOf, operationWith } from "../../../test/support/session";
import { Simulator } from "../../../testing/simulator";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await Simulator.start();
});
afterEach(() => simulator.stop());

const readAtOnce = (context: ReturnType<typeof operationWith>["context"], count: number) =>
  Promise.all(Array.from({ length: count }, () => context.cluster().roles.listOnly({})));

test("an address has at most maxConcurrentRequests connections, which later requests use again", async () => {
  const { context, close } = operationWith({ ...configurationOf(simulator), maxConcurrentRequests: 5 });
  // While a response is delayed, its connection can't be used for the next request.
  simulator.latencyMs = 20;
  await readAtOnce(context, 30);
  expect(await simulator.connections("cluster")).toBe(5);
  await readAtOnce(context, 30);
  expect(await simulator.connections("cluster")).toBe(5);
  expect(await simulator.connections("pools")).toBe(0);
  await close();
});
