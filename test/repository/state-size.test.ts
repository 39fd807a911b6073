/** The size of a resource in the state, which the engine writes as a whole at every step. */
import * as z from "zod";
import { providerKey } from "../../provider/adapters/values";
import { samples } from "../kinds";
import { only, throughEveryAdapter } from "../lifecycle/harness";
import { dynamicModule, platform, pluginModule, testOnCli } from "../support/cli";

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** The bytes that the outputs add to the inputs, for realistic objects: indexes of six digits, an address of usual length. */
const mostForOwnFields = 300;

throughEveryAdapter("the outputs of a resource", (start) => {
  test.each(samples)("$kind: are its inputs and the server's fields only", async (sample) => {
    const stack = await start();
    sample.prepare(stack);
    await stack.up(only(sample.kind, sample.inputs));
    const [inputs, outputs] = [stack.inputs(), stack.outputs()];
    const own = Object.fromEntries(Object.entries(outputs).filter(([name]) => !(name in inputs)));
    expect({ ...inputs, ...own }).toEqual(outputs);
    expect(bytes(own)).toBeLessThanOrEqual(mostForOwnFields);
  });
});

const stackTrace = z.array(z.object({ sourcePosition: z.string().optional() })).optional();
const exported = z.object({
  deployment: z.object({
    resources: z.array(
      z.looseObject({ type: z.string(), inputs: z.looseObject({}).optional(), sourcePosition: z.string().optional(), stackTrace }),
    ),
  }),
});

/** The program, and a resource of the SDK's own class. */
const withBare = (module: string) => ({
  "index.js": `${platform(module)["index.js"]}new (require("@pulumi/pulumi").ComponentResource)("bare:index:Bare", "bare");\n`,
});

// The call stack of the SDK's own class contains paths of the checkout, so a shorter path of the checkout makes the ratio larger.
describe.each([
  { adapter: "plugin", module: pluginModule, most: 1 },
  { adapter: "dynamic", module: dynamicModule, most: 1.15 },
])("on a real engine, through the $adapter adapter", ({ module, most }) => {
  testOnCli(
    `a resource takes at most ${most} times the bytes of one of the SDK's own class, with the same inputs and no further outputs`,
    withBare(module),
    async ({ cli }) => {
      expect((await cli.run("up")).errors).toEqual([]);
      const { deployment } = exported.parse(JSON.parse(await cli.storedState()));
      const bare = deployment.resources.find(({ type }) => type === "bare:index:Bare");
      const ours = deployment.resources.filter(({ type }) => type.includes("agentpool-acl:") && !type.startsWith("pulumi:providers:"));
      const ratios = ours.map((resource) => {
        const { [providerKey]: _, ...inputs } = resource.inputs ?? {};
        return bytes(resource) / bytes({ ...resource, inputs, outputs: inputs, stackTrace: bare?.stackTrace });
      });
      expect(ratios).toHaveLength(4);
      expect(Math.max(...ratios)).toBeLessThanOrEqual(most);
      // The call stack has the line that declares the resource, and no calls that led to the program.
      for (const { sourcePosition, stackTrace } of ours) expect(stackTrace).toEqual([{ sourcePosition }]);
      expect(ours.map(({ sourcePosition = "" }) => sourcePosition.replace(/,.*/, "")).sort()).toEqual(
        [11, 2, 3, 4].map((line) => `project:///index.js#${line}`),
      );
    },
  );
});
