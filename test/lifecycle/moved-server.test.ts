/** A replacement while another server is configured than the one that the state names. */
import type { Simulator } from "../../testing/simulator";
import { type Sample, samples } from "../kinds";
import { everything } from "./contents";
import { only, throughEveryAdapter } from "./harness";

const accepted = { env: { AGENTPOOL_ACL_ACCEPT_MOVED_SERVER: "true" } };
const replaced = samples.filter(({ faults }) => "replacement" in faults);
const addressOf = ({ kind }: Pick<Sample, "kind">, simulator: Simulator) =>
  kind === "AgentPool" ? simulator.poolsAddress : simulator.clusterAddress;

throughEveryAdapter("after another server was configured", (start) => {
  test.each(replaced)("the replacement of a $kind is refused by preview and update, until that is accepted", async (sample) => {
    const stack = await start();
    sample.faults.prepare(stack);
    await stack.up(only(sample.kind, sample.faults.inputs));
    const here = stack.simulator;
    stack.moveTo((await start()).simulator);
    sample.faults.prepare(stack);
    const there = stack.simulator;
    const [before, state] = [[here, there].map(everything), stack.properties()];
    const renamed = only(sample.kind, { ...sample.faults.inputs, ...sample.faults.replacement });
    for (const command of ["preview", "up"] as const) {
      const { errors } = await stack.fails(command, renamed);
      expect(errors).toContain(`is on ${addressOf(sample, here)} in the state, but ${addressOf(sample, there)} is configured`);
      expect(errors).toContain("AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true");
    }
    expect([here, there].map(everything)).toEqual(before);
    expect(stack.properties()).toEqual(state);
    await stack.up(renamed, accepted);
    expect(sample.objects(there).map(({ id }) => id)).toContain(stack.entry().id);
    expect(everything(here)).toEqual(before[0]);
  });
});
