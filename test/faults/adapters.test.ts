import { adapters } from "../support/adapters";
import { shareOf } from "../support/share";
import { record } from "./recording";
import { scenarios } from "./scenarios";

/** All scenarios except the racing ones. If two resources work at once, the requests depend on which one comes first. */
const steady = scenarios.filter(({ racing }) => !racing);

test.each(shareOf(8, steady))("$name: the same requests and the same result through both adapters", async (scenario) => {
  const recordings = [];
  for (const adapter of adapters) recordings.push(await record(adapter, scenario, "measured"));
  const [dynamic, plugin] = recordings.map(({ steps, settled, stages }) => {
    const requests = steps.map(({ name, sendsSecret, status }) => `${name} ${status}${sendsSecret ? ", with the secret" : ""}`);
    return { requests, before: stages.at(0), after: stages.at(-1), settled };
  });
  expect(dynamic?.requests).not.toEqual([]);
  expect(plugin).toEqual(dynamic);
});
