import { toAccessModel } from "../../cli/access/read-model";
import { toPicture } from "../../cli/graph/picture";
import { toSvg } from "../../cli/graph/svg";
import { readServers } from "../../cli/inventory/servers";
import { resolveConfiguration } from "../../provider/configuration/config";
import { resources } from "../../provider/resources";
import { withEngine } from "../engines/engines";
import { demoProject, policies, startSimulator } from "../engines/project";

/** The picture in the documents. */
export const pictureFile = "docs/access.svg";

/** The output of `pulumi-agentpool-acl graph --format svg` for a cluster after the first update of examples/platform. */
export async function platformPicture(): Promise<string> {
  const simulator = await startSimulator();
  try {
    await withEngine("rehearsal", demoProject(simulator), async (engine) => {
      const { errors } = await engine.run("up");
      if (errors.length > 0) throw new Error(`examples/platform: ${errors.join("\n")}`);
    });
    const { clusterAddress, clusterToken } = simulator;
    const values: Readonly<Record<string, string>> = { clusterAddress, clusterToken };
    const configuration = resolveConfiguration((key) => values[key], {});
    const inventory = await readServers({ configuration, resources: resources.filter(({ api }) => api === "cluster") });
    const model = toAccessModel({ ...inventory, source: "examples/platform" }, { policies });
    return `${toSvg(toPicture(model), { isFile: true })}\n`;
  } finally {
    await simulator.stop();
  }
}
