import * as z from "zod";
import type { Simulator } from "../../testing/simulator";
import { CliEngine } from "../../tools/engines/cli-engine";
import type { Engine, Project } from "../../tools/engines/engine";
import { withEngine } from "../../tools/engines/engines";
import { configFor, startSimulator } from "../../tools/engines/project";
import { type Files, withProgram, writeFiles } from "./programs";
import { whyWithoutCli } from "./without-cli";

/** A stack on the Pulumi CLI, with the plugin of this package. */
export interface CliScene {
  readonly cli: CliEngine;
  readonly simulator: Simulator;
  rewrite(files: Files): void;
  /** Interrupts the running operation once, like Ctrl-C. */
  interrupt(): void;
}

export const pluginModule = "pulumi-agentpool-acl/plugin";
export const dynamicModule = "pulumi-agentpool-acl";

/** A program with four kinds and a look-up, for one of the modules. */
export function platform(module: string, { ttl = "60m", redirect = "http://localhost:4649/oidc/callback", groups = "groups" } = {}): Files {
  const program = `const { AgentPool, AclAuthMethod, AclRole, AclBindingRule, getRoleOutput } = require("${module}");
const pool = new AgentPool("build", {});
const role = new AclRole("developers", { name: "developers", policies: ["read-only"] });
const sso = new AclAuthMethod("sso", {
  name: "sso", type: "OIDC", tokenLocality: "global", maxTokenTtl: "${ttl}",
  config: {
    oidcDiscoveryUrl: "https://login.example.com", oidcClientId: "cluster", oidcClientSecret: "canary-secret",
    allowedRedirectUris: ["http://127.0.0.1:1/oidc", "${redirect}"], listClaimMappings: { "https://example.com/groups": "${groups}" },
  },
});
new AclBindingRule("engineering", { authMethod: sso.name, selector: "engineering in list.groups", bindType: "role", bindName: role.name });
exports.poolId = pool.id;
exports.config = sso.config;
exports.found = getRoleOutput({ id: role.id }).name;
`;
  return { "index.js": program };
}

const diagnostic = z.object({
  diagnosticEvent: z.object({ severity: z.string(), urn: z.string().optional(), message: z.string() }).optional(),
});

/** The warnings of an operation, with the names of their resources. */
export function warningsIn(text: string): { name: string | undefined; message: string }[] {
  const events = text.split("\n").filter((line) => line.startsWith('{"sequence"'));
  return events
    .flatMap((line) => diagnostic.parse(JSON.parse(line)).diagnosticEvent ?? [])
    .filter(({ severity }) => severity === "warning")
    .map(({ urn, message }) => ({ name: urn?.split("::").at(-1), message }));
}

/** The CLI finds the plugin by Pulumi.yaml, as in README.md. */
export const pulumiYaml = (runtime: string) => `name: trial
runtime: ${runtime}
plugins:
  providers:
    - name: agentpool-acl
      path: node_modules/pulumi-agentpool-acl/bin
`;

/** Defines a test that needs the Pulumi CLI. If it can't run, it prints the reason. */
export function testOnCli(title: string, files: Files, run: (scene: CliScene) => Promise<void>, settings: Partial<Project> = {}): void {
  test(title, async () => {
    const reason = whyWithoutCli();
    if (reason) return console.log(`Left out, because ${reason}: ${title}`);
    const simulator = await startSimulator();
    const interruption = new AbortController();
    try {
      await withProgram({ "Pulumi.yaml": pulumiYaml("nodejs"), ...files }, (folder) => {
        const project = { folder, ...configFor(simulator), ...settings };
        const use = async (cli: Engine) => {
          if (!(cli instanceof CliEngine)) throw new TypeError("the CLI's engine was asked for");
          await run({ cli, simulator, rewrite: (more) => writeFiles(cli.folder, more), interrupt: () => interruption.abort() });
        };
        return withEngine("cli", project, use, interruption.signal);
      });
    } finally {
      await simulator.stop();
    }
  });
}
