/**
 * Operations that log in, on both engines, to the simulator and to a real scheduler. The Pulumi CLI and the scheduler take part if their
 * executables are on PATH.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { Simulator } from "../../testing/simulator";
import { CliEngine } from "../../tools/engines/cli-engine";
import type { Command, Engine, EngineName } from "../../tools/engines/engine";
import { engineNames } from "../../tools/engines/engine";
import { withEngine } from "../../tools/engines/engines";
import { dynamicModule, pluginModule, pulumiYaml } from "../support/cli";
import { identityConfig, letIn, tokenOfJob } from "../support/identity-token";
import { withProgram } from "../support/programs";
import { withAgent } from "../support/scheduler";
import { whyWithoutCli } from "../support/without-cli";

jest.setTimeout(600_000);

/** Functions of the dynamic package run in the program's process, and functions of the plugin in the plugin's. */
const program = (module: string, description: string) => `const { AclRole, AclBindingRule, getAuthMethod } = require("${module}");
const role = new AclRole("developers", { name: "developers", description: "${description}", policies: ["read"] });
new AclBindingRule("rule", { authMethod: "pipeline", selector: 'value.job == "test"', bindType: "role", bindName: role.name });
exports.ttl = getAuthMethod({ name: "pipeline" }).then(({ maxTokenTtl }) => maxTokenTtl);
`;

interface Scene {
  readonly module: string;
  readonly engineName: EngineName;
  readonly address: string;
  /** The tokens of logins on the cluster. */
  tokens(): Promise<readonly string[]>;
}

const cases = engineNames.flatMap((engineName) => [dynamicModule, pluginModule].map((module) => [module, engineName] as const));

/** Configures the stack as the documents say. */
async function withStack({ module, engineName, address }: Scene, use: (engine: Engine, identity: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-identity-"));
  const identity = join(folder, "token");
  const login = { authMethod: "pipeline", jwtFile: identity };
  try {
    await withProgram({ "Pulumi.yaml": pulumiYaml("nodejs"), "index.js": program(module, "one") }, async (files) => {
      const isCli = engineName === "cli";
      const config = { "agentpool-acl:clusterAddress": address, ...(!isCli && { "agentpool-acl:clusterLogin": JSON.stringify(login) }) };
      await withEngine(engineName, { folder: files, config, secretConfig: {} }, async (engine) => {
        if (engine instanceof CliEngine)
          for (const [key, value] of Object.entries(login))
            await engine.command(["config", "set", "--path", `agentpool-acl:clusterLogin.${key}`, value]);
        await use(engine, identity);
      });
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the whole life of a stack. After each operation, the cluster has no token of that operation. */
async function livesByLogins(scene: Scene, check: () => void = () => {}): Promise<void> {
  await withStack(scene, async (engine, identity) => {
    const identities: string[] = [];
    const run = async (command: Command) => {
      const token = tokenOfJob();
      identities.push(token);
      writeFileSync(identity, `${token}\n`);
      expect(await engine.run(command)).toMatchObject({ ok: true, errors: [] });
      expect(await scene.tokens()).toEqual([]);
      check();
    };
    await run("preview");
    await run("up");
    writeFileSync(join(engine.folder, "index.js"), program(scene.module, "two"));
    await run("up");
    await run("refresh");
    await run("destroy");
    const state = await engine.storedState();
    for (const token of identities) expect(state).not.toContain(token);
  });
}

const leftOut = (engineName: EngineName) => (engineName === "cli" ? whyWithoutCli() : undefined);

test.each(cases)("%s on the %s engine logs in to the simulator, and leaves no token", async (module, engineName) => {
  const reason = leftOut(engineName);
  if (reason) return console.log(`Left out, because ${reason}: ${expect.getState().currentTestName}`);
  const simulator = await Simulator.start();
  letIn(simulator);
  const tokens = async () => simulator.cluster.tokens.list().map(({ AccessorID }) => AccessorID);
  try {
    await livesByLogins({ module, engineName, address: simulator.clusterAddress, tokens }, () => {
      const [logins, deletes] = [{ path: "/v1/acl/login" }, { method: "DELETE", path: /acl\/token\// }].map((filter) =>
        simulator.journal.requests(filter).map(({ status }) => status),
      );
      expect(logins).not.toEqual([]);
      expect(deletes).toEqual(logins);
      simulator.journal.clear();
    });
  } finally {
    await simulator.stop();
  }
});

test.each(cases)("%s on the %s engine logs in to a real scheduler, and leaves no token", async (module, engineName) => {
  const reason = leftOut(engineName);
  if (reason) return console.log(`Left out, because ${reason}: ${expect.getState().currentTestName}`);
  await withAgent(async ({ address, token }) => {
    const call = async (path: string, body?: object): Promise<unknown> => {
      const response = await fetch(`${address}/v1/acl/${path}`, {
        method: body ? "POST" : "GET",
        headers: { "X-Nomad-Token": token },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text === "" ? undefined : JSON.parse(text);
    };
    await call("policy/read", { Name: "read", Rules: 'node { policy = "read" }' });
    const Config = { ...identityConfig, ClaimMappings: { job: "job" } };
    await call("auth-method", { Name: "pipeline", Type: "JWT", TokenLocality: "global", MaxTokenTTL: "15m", Config });
    await call("binding-rule", { AuthMethod: "pipeline", BindType: "management", Selector: 'value.job == "deploy"' });
    const tokens = async () => {
      const all = z.array(z.object({ Name: z.string() })).parse(await call("tokens"));
      return all.map(({ Name }) => Name).filter((name) => name !== "Bootstrap Token");
    };
    await livesByLogins({ module, engineName, address, tokens });
  });
});
