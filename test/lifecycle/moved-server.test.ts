/** Creates while another server is configured than the one that the state names. */
import type { Simulator } from "../../testing/simulator";
import { type Sample, samples } from "../kinds";
import { processes } from "../support/provider-process";
import { everything } from "./contents";
import { only, type Program, throughEveryAdapter } from "./harness";
import { role } from "./samples";

const accepted = { env: { AGENTPOOL_ACL_ACCEPT_MOVED_SERVER: "true" } };
const replaced = samples.filter(({ faults }) => "replacement" in faults);
const addressOf = ({ kind }: Pick<Sample, "kind">, simulator: Simulator) =>
  kind === "AgentPool" ? simulator.poolsAddress : simulator.clusterAddress;

throughEveryAdapter("a create after another server was configured", (start) => {
  test.each(replaced)("of the new $kind of a replacement is refused until that is accepted, and the preview says so", async (sample) => {
    const stack = await start();
    sample.faults.prepare(stack);
    await stack.up(only(sample.kind, sample.faults.inputs));
    const here = stack.simulator;
    stack.moveTo((await start()).simulator);
    sample.faults.prepare(stack);
    const there = stack.simulator;
    const [before, state] = [[here, there].map(everything), stack.properties()];
    const renamed = only(sample.kind, { ...sample.faults.inputs, ...sample.faults.replacement });
    const both = new RegExp(`${addressOf(sample, here)}.*${addressOf(sample, there)}.*ACCEPT_MOVED_SERVER|nothing was created on`);
    expect((await stack.preview(renamed)).warnings).toEqual([expect.stringMatching(both)]);
    const { errors } = await stack.fails("up", renamed);
    expect(errors).toMatch(new RegExp(`[A-Z][\\w ]+: nothing was created on ${addressOf(sample, there)}`));
    expect(errors).toContain(addressOf(sample, here));
    expect(errors).toContain("AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true");
    expect([here, there].map(everything)).toEqual(before);
    expect(stack.properties()).toEqual(state);
    await stack.up(renamed, accepted);
    expect(sample.objects(there).map(({ id }) => id)).toContain(stack.entry().id);
    expect(everything(here)).toEqual(before[0]);
  });

  test.each(samples)("of a new $kind beside one of the state warns once, with both addresses", async (sample) => {
    const stack = await start();
    sample.prepare(stack);
    await stack.up(only(sample.kind, sample.inputs));
    const here = stack.simulator;
    stack.moveTo((await start()).simulator);
    sample.prepare(stack);
    const there = stack.simulator;
    const other = (name: string) => (sample.kind === "AclBindingRule" ? { description: name } : { name });
    const program: Program = (declare) => {
      const old = declare(sample.kind, "it", sample.inputs);
      for (const name of ["second", "third"]) {
        declare(sample.kind, name, { ...sample.inputs, ...other(name) }, { dependsOn: [old] });
      }
    };
    const said = expect.stringContaining(
      `are created on ${addressOf(sample, there)}, which is configured, but the state has objects of this stack on ${addressOf(sample, here)}`,
    );
    const moved = (lines: readonly string[]) => lines.filter((line) => line.includes(addressOf(sample, here)));
    expect(moved((await stack.preview(program)).warnings)).toEqual(stack.adapter.name === "plugin" ? [said] : []);
    expect(moved((await stack.up(program, accepted)).warnings)).toEqual([]);
    const last: Program = (declare) => {
      program(declare);
      declare(sample.kind, "fourth", { ...sample.inputs, ...other("fourth") });
    };
    expect(moved((await stack.up(last)).warnings)).toEqual([said]);
  });

  test("warns after a delete has shown the other server, and before any diff or delete nobody can know", async () => {
    const stack = await start();
    await stack.up(only("AclRole", role()));
    const here = stack.simulator;
    stack.moveTo((await start()).simulator);
    const create: Program = (declare) => void declare("AclRole", "new", role({ name: "new" }));
    expect((await stack.fails("up", create)).warnings).toEqual([]);
    expect(stack.simulator.cluster.roles.list().map(({ Name }) => Name)).toEqual(["new"]);
    for (const { name, start: begin } of processes) {
      const process = await begin(stack.simulator);
      await expect(process.delete("AclRole", stack.entry().id, { server: here.clusterAddress, name: "dev" })).rejects.toThrow(
        "nothing is concluded",
      );
      await process.create("AclRole", await process.check("AclRole", { name: `after-${name}`, policies: ["read"] }));
      expect(process.warnings().join()).toContain(`the state has objects of this stack on ${here.clusterAddress}`);
      process.stop();
    }
  });
});
