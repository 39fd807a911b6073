/** The log of requests that the CLI's own options turn on. */
import { dynamicModule, platform, pluginModule, testOnCli } from "../support/cli";

// The last option sends the engine's own log to standard error, because a file would stay after the test.
const refresh = ["refresh", "--yes", "--skip-preview", "--logtostderr"];
const requests = (text: string) => text.split("\n").filter((line) => /^\s*(GET|POST) http.*: 200 in \d+ ms, \d+ bytes, try 1$/.test(line));

describe.each([
  ["dynamic resources", dynamicModule],
  ["the plugin", pluginModule],
])("with %s", (_, module) => {
  testOnCli(
    "--logflow -v=9 shows the requests, -v=9 alone does not, and no secret is shown",
    platform(module),
    async ({ cli, simulator }) => {
      expect((await cli.run("up")).errors).toEqual([]);
      expect(requests(await cli.command([...refresh, "-v=9"]))).toEqual([]);
      const before = simulator.journal.entries.length;
      const shown = await cli.command([...refresh, "--logflow", "-v=9"]);
      expect(requests(shown)).toHaveLength(simulator.journal.entries.length - before);
      for (const secret of [simulator.clusterToken, simulator.poolsToken, "canary-secret"]) expect(shown).not.toContain(secret);
      expect((await cli.run("destroy")).errors).toEqual([]);
    },
  );
});
