/** The size of a resource in the state, which the engine writes as a whole at every step. */
import * as z from "zod";
import { providerKey } from "../../provider/adapters/dynamic";
import { samples } from "../kinds";
import { only, throughEveryAdapter } from "../lifecycle/harness";
import { dynamicModule, platform, pluginModule, testOnCli } from "../support/cli";

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** The bytes that the outputs add to the inputs, for realistic objects: indexes of six digits, an address of usual length. */
const mostForOwnFields = 300;

throughEveryAdapter("the outputs of a resource", (start) => {
  test.each(samples)("$kind: are its inputs and the server's fields, and nothing else", async (sample) => {
    const stack = await start();
    sample.prepare(stack);
    await stack.up(only(sample.kind, sample.inputs));
    const [inputs, outputs] = [stack.inputs(), stack.outputs()];
    const own = Object.fromEntries(Object.entries(outputs).filter(([name]) => !(name in inputs)));
    expect({ ...inputs, ...own }).toEqual(outputs);
    expect(bytes(own)).toBeLessThanOrEqual(mostForOwnFields);
  });
});

const exported = z.object({
  deployment: z.object({ resources: z.array(z.looseObject({ type: z.string(), inputs: z.looseObject({}).optional() })) }),
});

describe.each([
  { adapter: "plugin", module: pluginModule, most: 1.25 },
  { adapter: "dynamic", module: dynamicModule, most: 1.35 },
])("on a real engine, through the $adapter adapter", ({ module, most }) => {
  testOnCli(
    `a resource takes at most ${most} times the bytes of one with the same inputs and no further outputs`,
    platform(module),
    async ({ cli }) => {
      expect((await cli.run("up")).errors).toEqual([]);
      const { deployment } = exported.parse(JSON.parse(await cli.storedState()));
      const ours = deployment.resources.filter(({ type }) => type.includes("agentpool-acl:"));
      const ratios = ours.flatMap((resource) => {
        const { [providerKey]: _, ...inputs } = resource.inputs ?? {};
        // The engine's entries for providers are no resources of the program.
        return resource.type.startsWith("pulumi:providers:") ? [] : [bytes(resource) / bytes({ ...resource, inputs, outputs: inputs })];
      });
      expect(ratios).toHaveLength(4);
      expect(Math.max(...ratios)).toBeLessThanOrEqual(most);
    },
  );
});
