import type { Simulator } from "../../testing/simulator";
import { startSimulator } from "../../tools/engines/project";
import { type CliScene, pluginModule, testOnCli } from "../support/cli";

const rolesOf = ({ cluster }: Simulator) => cluster.roles.list().map(({ Name }) => Name);
const methodsOf = ({ cluster }: Simulator) => cluster.methods.list().map(({ Name }) => Name);

const own = `const config = new (require("@pulumi/pulumi").Config)();
const providers = {};
const provider = (name) => providers[name] ??=
  new acl.Provider(name, { clusterAddress: config.require(name), clusterToken: config.requireSecret(name + "Token") });
`;
const sso = (
  name: string,
  adopt: string,
  options: string,
) => `new acl.AclAuthMethod("${name}", { name: "sso", type: "OIDC", tokenLocality: "global",
  maxTokenTtl: "60m", adopt: ${adopt}, config: { oidcDiscoveryUrl: "https://login.example.com", oidcClientId: "cluster",
  allowedRedirectUris: ["http://localhost:4649/oidc/callback"] } }, ${options});
`;
const developers = (name: string, adopt: string, options: string) =>
  `new acl.AclRole("${name}", { name: "developers", policies: ["read-only"], adopt: ${adopt} }, ${options});\n`;
const both = (name: string, adopt: string, options: string) => developers(name, adopt, options) + sso(`${name}-sso`, adopt, options);
const program = (module: string, ...parts: string[]) => ({ "index.js": `const acl = require("${module}");\n${own}${parts.join("")}` });

/** Configures the stack's explicit providers. */
async function configure({ cli }: CliScene, clusters: Record<string, Simulator>): Promise<void> {
  const values = Object.entries(clusters).flatMap(([name, { clusterAddress, clusterToken }]) => [
    ...["--plaintext", `${name}=${clusterAddress}`],
    ...["--secret", `${name}Token=${clusterToken}`],
  ]);
  await cli.command(["config", "set-all", ...values]);
}

const on = (name: string) => `{ provider: provider("${name}") }`;

testOnCli(
  "a resource that moves to a provider of another cluster is created there, and deleted on the old one",
  program(pluginModule, both("ours", "false", on("west"))),
  async (scene) => {
    const { cli, simulator, rewrite } = scene;
    const east = await startSimulator();
    try {
      await configure(scene, { west: simulator, east });
      expect((await cli.run("up")).errors).toEqual([]);
      rewrite(program(pluginModule, both("ours", "false", on("east"))));
      const preview = await cli.run("preview");
      expect(preview.changes.map(({ op, name }) => `${op} ${name}`).sort()).toEqual(["replace ours", "replace ours-sso"]);
      expect((await cli.run("up")).errors).toEqual([]);
      expect([rolesOf(simulator), methodsOf(simulator)]).toEqual([[], []]);
      expect([rolesOf(east), methodsOf(east)]).toEqual([["developers"], ["sso"]]);
      expect(await cli.run("up")).toMatchObject({ errors: [], changes: [] });
      expect((await cli.run("destroy")).errors).toEqual([]);
      expect([rolesOf(east), methodsOf(east)]).toEqual([[], []]);
    } finally {
      await east.stop();
    }
  },
);
