/** What the Pulumi CLI says where the plugin is not installed. */
import { pluginDownloadUrl } from "../../provider/generated/source";
import { pluginModule, testOnCli } from "../support/cli";

const program = (options: string) => ({
  // Without the plugin's path.
  "Pulumi.yaml": "name: trial\nruntime: nodejs\n",
  "index.js": `const { AclRole, getRole } = require("${pluginModule}");\n${options}\n`,
});

// Nothing is taken from PATH, and nothing is downloaded: no server listens at this address.
const env = { PULUMI_IGNORE_AMBIENT_PLUGINS: "true", HTTPS_PROXY: "http://127.0.0.1:1" };

const { version } = jest.requireActual<{ version: string }>("../../package.json");

testOnCli(
  "a missing plugin is looked for in this repository's releases, and the command that the CLI suggests names them",
  program('new AclRole("developers", { name: "developers", policies: ["read-only"] });'),
  async ({ cli }) => {
    const { ok, text } = await cli.run("preview");
    expect(ok).toBe(false);
    expect(text).toContain(
      `install the plugin using \`pulumi plugin install resource agentpool-acl v${version} --server ${pluginDownloadUrl}\``,
    );
  },
  { env },
);

testOnCli(
  "so is the one that a function needs",
  program('exports.role = getRole({ name: "developers" });'),
  async ({ cli }) => {
    const { ok, text } = await cli.run("preview");
    expect(ok).toBe(false);
    expect(text).toContain(`--server ${pluginDownloadUrl}`);
  },
  { env },
);
