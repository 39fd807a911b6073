/** A program without an installed plugin, on the Pulumi CLI. */
import { pluginDownloadUrl } from "../../provider/generated/source";
import { pluginModule, pulumiYaml, testOnCli } from "../support/cli";

const program = (lines: string, project = "name: trial\nruntime: nodejs\n") => ({
  "Pulumi.yaml": project,
  "index.js": `const { AclRole, Provider, getRole } = require("${pluginModule}");\n${lines}\n`,
});
const role = 'new AclRole("developers", { name: "developers", policies: ["read-only"] });';

// The CLI takes no plugin from PATH, and downloads none, because no server listens at this address.
const env = { PULUMI_IGNORE_AMBIENT_PLUGINS: "true", HTTPS_PROXY: "http://127.0.0.1:1" };

const { version } = jest.requireActual<{ version: string }>("../../package.json");

/**
 * The expected advice. Before the first release, the program itself fails with it; after that, the CLI suggests the command that downloads
 * the plugin.
 */
const advice =
  pluginDownloadUrl === undefined
    ? `The plugin agentpool-acl ${version} is not installed, and there is no release to download it from.`
    : `install the plugin using \`pulumi plugin install resource agentpool-acl v${version} --server ${pluginDownloadUrl}\``;

const lines = {
  resource: role,
  function: 'exports.role = getRole({ name: "developers" });',
  provider: 'new Provider("west", { clusterAddress: "https://west.example.com" });',
};

for (const [what, line] of Object.entries(lines)) {
  testOnCli(
    `a program whose ${what} needs the plugin fails with the command that installs it, and without a search by the engine`,
    program(line),
    async ({ cli }) => {
      const startedAt = Date.now();
      const { ok, text } = await cli.run("preview");
      expect(ok).toBe(false);
      expect(text).toContain(advice);
      if (pluginDownloadUrl !== undefined) return;
      expect(text).toContain(`pulumi plugin install resource agentpool-acl ${version} --file ARCHIVE`);
      // The engine's own attempts take 18 seconds.
      expect(text).not.toContain("attempts");
      expect(Date.now() - startedAt).toBeLessThan(15_000);
    },
    { env },
  );
}

testOnCli(
  "a program whose Pulumi.yaml names the plugin's folder is previewed",
  program(role, pulumiYaml("nodejs")),
  async ({ cli }) => expect(await cli.run("preview")).toMatchObject({ ok: true, errors: [] }),
  { env },
);
