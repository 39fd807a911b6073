import { join } from "node:path";
import { Simulator } from "../../testing/simulator";
import { root } from "../repository";
import type { AdapterName, Project } from "./engine";

/** The only secret in the configuration of the demo's program that is not a token. */
export const clientSecret = "demo-client-secret-5d1f0c";

/** The policies that the program's roles refer to. They belong to another team, and exist already. */
export const policies = ["read-only", "deploy-development", "deploy-production"];

/** Both APIs, with the policies. */
export async function startSimulator(): Promise<Simulator> {
  const simulator = await Simulator.start();
  for (const policy of policies) simulator.cluster.policies.put(policy);
  return simulator;
}

/** The configuration of a program for the simulator. */
export function configFor(simulator: Simulator): Pick<Project, "config" | "secretConfig"> {
  return {
    config: {
      "agentpool-acl:poolsAddress": simulator.poolsAddress,
      "agentpool-acl:organization": simulator.organization,
      "agentpool-acl:clusterAddress": simulator.clusterAddress,
    },
    secretConfig: { "agentpool-acl:poolsToken": simulator.poolsToken, "agentpool-acl:clusterToken": simulator.clusterToken },
  };
}

/** The example that the demo runs, unchanged. */
export function demoProject(simulator: Simulator, adapter: AdapterName = "dynamic"): Project {
  const { config, secretConfig } = configFor(simulator);
  return {
    folder: join(root, "examples/platform"),
    adapter,
    // A short wait, because the agent stays busy until it ends.
    config: { ...config, discoveryUrl: "https://login.example.com", drainSeconds: "1" },
    secretConfig: { ...secretConfig, clientSecret },
    // Without type checks, which the tests have: each operation starts a second sooner.
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  };
}
