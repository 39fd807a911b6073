import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../test/support/commands";
import { letIn, tokenOfJob } from "../test/support/identity-token";
import { Simulator } from "../testing/simulator";

test("a command that reads the cluster logs in with the configured login, and leaves no token", async () => {
  const simulator = await Simulator.start();
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-command-"));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  try {
    letIn(simulator);
    const clusterLogin = { authMethod: "pipeline", jwtFile: file("identity-token", tokenOfJob()) };
    const configuration = file("configuration.json", JSON.stringify({ clusterAddress: simulator.clusterAddress, clusterLogin }));
    const { status, out } = await runCommand("export", "--only", "AclAuthMethod", "--config-file", configuration);
    expect([status, out]).toEqual([0, expect.stringContaining("pipeline")]);
    const given = ["--config", `clusterAddress=${simulator.clusterAddress}`, "--config", `clusterLogin=${JSON.stringify(clusterLogin)}`];
    expect(await runCommand("export", "--only", "AclAuthMethod", ...given)).toMatchObject({ status: 0, out });
    expect(simulator.journal.requests({ path: "/v1/acl/login" })).toHaveLength(2);
    expect(simulator.cluster.tokens.list()).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
    await simulator.stop();
  }
});
