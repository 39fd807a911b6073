/** A pool and its agents' token in one program: the end of the token, and the warnings of a preview. */
import { adapterNames } from "../../tools/engines/engine";
import { onBothEngines, type Scene } from "../support/both-engines";
import { dynamicModule, pluginModule } from "../support/cli";

const modules = { dynamic: dynamicModule, plugin: pluginModule };
const program = (adapter: keyof typeof modules, { option = "", pool = 'new AgentPool("runners", {})' } = {}) => ({
  "index.js": `const pulumi = require("@pulumi/pulumi");
const { AgentPool, AgentToken } = require("${modules[adapter]}");
const pool = ${pool};
new AgentToken("runners", { agentPoolId: pulumi.interpolate\`\${pool.id}\`, description: "runners" }, ${option || "{}"});`,
});
const warning = /Agent token "runners": a delete of its pool revokes the token first/;
/**
 * The lines of an output that hold the warning. Without events, the CLI may print a warning twice: in the row of its resource and among the
 * diagnostics. With events, each warning has one line.
 */
function lines(text: string): string[] {
  const all = text.split("\n").filter((line) => warning.test(line.replaceAll("\\", "")));
  const events = all.filter((line) => line.startsWith("{"));
  return events.length > 0 ? events : all;
}
const tokensOf = ({ simulator: { pools } }: Scene) => pools.list().flatMap(({ id }) => pools.agentTokens(id));

describe.each(adapterNames)("through the %s adapter", (adapter) => {
  it("with deletedWith, the token of a blocked pool stays on the service, and goes with the pool", async () => {
    await onBothEngines(program(adapter, { option: "{ deletedWith: pool }" }), async (scene) => {
      const { engine, simulator } = scene;
      expect(lines((await engine.run("preview")).text)).toEqual([]);
      expect((await engine.run("up")).errors).toEqual([]);
      const [pool] = simulator.pools.list();
      const agent = simulator.pools.addAgent(pool?.id ?? "", { status: "busy" });
      expect((await engine.run("destroy")).errors.join()).toContain("can't be deleted now");
      expect(tokensOf(scene)).toHaveLength(1);
      simulator.pools.removeAgent(agent.id);
      expect((await engine.run("destroy")).errors).toEqual([]);
      expect([simulator.pools.list(), tokensOf(scene)]).toEqual([[], []]);
    });
  });

  it("without deletedWith, the token of a blocked pool is gone, and every preview warns of that once", async () => {
    await onBothEngines(program(adapter), async (scene) => {
      const { engine, simulator } = scene;
      expect(lines((await engine.run("preview")).text)).toHaveLength(1);
      expect((await engine.run("up")).errors).toEqual([]);
      expect(lines((await engine.run("preview")).text)).toHaveLength(1);
      simulator.pools.addAgent(simulator.pools.list()[0]?.id ?? "", { status: "busy" });
      const { errors, text } = await engine.run("destroy");
      expect(errors.join()).toContain("can't be deleted now");
      expect(text).toContain("its delete ends the agents that have joined with it");
      expect(tokensOf(scene)).toEqual([]);
    });
  });

  it("no preview warns of the token of a pool that a delete keeps, or that the program looks up", async () => {
    await onBothEngines(program(adapter, { pool: 'new AgentPool("runners", {}, { retainOnDelete: true })' }), async (scene) => {
      const { engine, simulator, rewrite } = scene;
      expect(lines((await engine.run("preview")).text)).toEqual([]);
      const { id } = simulator.pools.put({ organization: simulator.organization, name: "theirs" });
      rewrite(program(adapter, { pool: `AgentPool.get("theirs", "${id}")` }));
      expect(lines((await engine.run("preview")).text)).toEqual([]);
    });
  });
});
