/** The example of a pool for agents: its outputs configure an agent, and a keeper rotates the token. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { adapterNames } from "../../tools/engines/engine";
import { configFor } from "../../tools/engines/project";
import { root } from "../../tools/repository";
import { playOnBothEngines } from "../support/both-engines";

it.each(adapterNames)(
  "the %s adapter makes a pool for named workspaces, the outputs that an agent needs, and a new token by a keeper",
  async (adapter) => {
    await playOnBothEngines(
      (simulator) => {
        simulator.pools.addWorkspace(simulator.organization, { id: "ws-network", name: "network" });
        const { config, secretConfig } = configFor(simulator);
        return {
          folder: join(root, "examples/agents"),
          adapter,
          config: { ...config, workspaces: '["network"]' },
          secretConfig,
          env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
        };
      },
      async ({ engine, rewrite, simulator: { pools, poolsAddress } }) => {
        const tokens = () => pools.list().flatMap(({ id }) => pools.agentTokens(id));
        const outputs = async () => (await engine.resources()).find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs;
        expect((await engine.run("up")).errors).toEqual([]);
        const [first] = tokens();
        expect(pools.list()).toMatchObject([{ name: "runners", organizationScoped: false, allowedWorkspaceIds: ["ws-network"] }]);
        expect(await outputs()).toEqual({ address: poolsAddress, token: { secret: first?.token } });
        expect(await engine.storedState()).not.toContain(first?.token);
        rewrite({ "index.ts": readFileSync(join(engine.folder, "index.ts"), "utf8").replace('?? "1"', '?? "2"') });
        expect((await engine.run("up")).changes.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["AgentToken runners"]);
        const [second, ...others] = tokens();
        expect([second?.id === first?.id, others]).toEqual([false, []]);
        expect(await outputs()).toEqual({ address: poolsAddress, token: { secret: second?.token } });
        expect((await engine.run("destroy")).errors).toEqual([]);
        expect(pools.list()).toEqual([]);
      },
    );
  },
);
