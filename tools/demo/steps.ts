import type { Simulator } from "../../testing/simulator";
import { described } from "../engines/changes";
import type { Engine, RunResult } from "../engines/engine";
import { clientSecret, policies } from "../engines/project";

/** The engine, the servers and the output of a step. */
export interface Stage {
  readonly engine: Engine;
  readonly simulator: Simulator;
  say(line: string): void;
}

export interface Step {
  readonly title: string;
  run(stage: Stage): Promise<void>;
}

/** A check has failed. */
export class CheckFailed extends Error {}

const everythingCreated = [
  "create AclAuthMethod sso",
  "create AclBindingRule engineering",
  "create AclBindingRule releases",
  "create AclRole deployers",
  "create AclRole developers",
  "create AgentPool deployments",
  "create AgentToken deployments",
];

/** The selector that others give to the rule for engineers. */
const widened = "engineering in list.groups or contractors in list.groups";

/** The whole life of a stack, from the first preview to the last destroy. Every step checks the engine's result and the servers. */
export const steps: readonly Step[] = [
  {
    title: "Preview: what would be created",
    async run(stage) {
      expectChanges(stage, await operate(stage, "preview"), everythingCreated);
      expect(stage, "no request was sent", requests(stage), []);
    },
  },
  {
    title: "Up: everything is created",
    async run(stage) {
      const result = await operate(stage, "up");
      expectChanges(stage, result, everythingCreated);
      expectAsDeclared(stage);
      await expectNoSecret(stage, result);
    },
  },
  {
    title: "Up again: nothing to do",
    async run(stage) {
      expectChanges(stage, await operate(stage, "up"), []);
      expect(stage, "no request was sent", requests(stage), []);
    },
  },
  {
    title: "Drift: others delete a role, widen a rule and rotate the client secret",
    async run(stage) {
      const { cluster } = stage.simulator;
      cluster.roles.delete(roleNamed(stage, "developers")?.ID ?? "");
      cluster.rules.put({ ID: ruleOf(stage, "developers")?.ID ?? "", Selector: widened });
      cluster.rotateClientSecret("company-sso", "rotated-by-others");
      expect(stage, "the cluster has one role left", roleNames(stage), ["deployers"]);
      expect(stage, "the rule lets contractors in", ruleOf(stage, "developers")?.Selector, widened);
    },
  },
  {
    title: "Preview with refresh: the drift is shown, and nothing is changed",
    async run(stage) {
      const result = await operate(stage, "preview", { refresh: true });
      expectChanges(stage, result, ["create AclRole developers", "update AclAuthMethod sso", "update AclBindingRule engineering"]);
      const rotated = "config.oidcClientSecret was changed or rewritten outside of this program";
      expect(stage, "the client secret is named as changed by others", result.text.includes(rotated), true);
      expect(stage, "nothing was written", writes(stage), []);
    },
  },
  {
    title: "Up with refresh: the drift is repaired",
    async run(stage) {
      const result = await operate(stage, "up", { refresh: true });
      expectChanges(stage, result, ["create AclRole developers", "update AclAuthMethod sso", "update AclBindingRule engineering"]);
      expectAsDeclared(stage);
      await expectNoSecret(stage, result);
    },
  },
  {
    title: "Preview with refresh: no drift is left",
    async run(stage) {
      expectChanges(stage, await operate(stage, "preview", { refresh: true }), []);
    },
  },
  {
    title: "Destroy while an agent is busy: blocked, after a wait for the agent, whose token stays valid",
    async run(stage) {
      const { pools } = stage.simulator;
      const poolId = onlyPool(stage)?.id ?? "";
      const agent = pools.addAgent(poolId, { name: "deployer-1", status: "busy" });
      const result = await operate(stage, "destroy");
      expect(stage, "the destroy failed", result.ok, false);
      for (const error of result.errors) stage.say(`       ${error.replaceAll("\n", "\n       ")}`);
      const errors = result.errors.join("\n");
      expect(stage, "the error names the agent and its status", errors.includes(`agent "deployer-1" (${agent.id}) (busy`), true);
      expect(stage, "the pool and the agent are unchanged", [onlyPool(stage)?.id, pools.agent(agent.id)?.status], [poolId, "busy"]);
      expect(stage, "the agents' token is still valid", pools.agentTokens(poolId).length, 1);
      expect(stage, "the state keeps the pool", (await kindsInState(stage)).includes("AgentPool"), true);
    },
  },
  {
    title: "Destroy after the agent has gone: all is removed",
    async run(stage) {
      const { pools, cluster } = stage.simulator;
      const poolId = onlyPool(stage)?.id ?? "";
      for (const agent of pools.agents(poolId)) pools.removeAgent(agent.id);
      const result = await operate(stage, "destroy");
      expect(stage, "the destroy succeeded", result.ok, true);
      const left = [
        ...pools.list(),
        ...pools.agentTokens(poolId),
        ...cluster.methods.list(),
        ...cluster.roles.list(),
        ...cluster.rules.list(),
      ];
      expect(stage, "neither server has an object of the stack", left, []);
      const policiesLeft = cluster.policies.list().map(({ Name }) => Name);
      expect(stage, "the policies of the other team still exist", policiesLeft, [...policies].sort());
      expect(stage, "the state is empty", await kindsInState(stage), []);
    },
  },
];

/** Runs a command, and prints its changes. The journal holds the requests of this command only. */
async function operate(stage: Stage, ...[command, options]: Parameters<Engine["run"]>): Promise<RunResult> {
  stage.simulator.journal.clear();
  const result = await stage.engine.run(command, options);
  for (const change of result.changes) stage.say(`       ${change.failed ? "FAILED " : ""}${described(change)}`);
  if (result.changes.length === 0) stage.say("       no changes");
  return result;
}

function expectChanges(stage: Stage, result: RunResult, wanted: readonly string[]): void {
  expect(stage, "the engine succeeded", result.errors, []);
  expect(stage, "it has exactly these changes", result.changes.map(described).sort(), [...wanted].sort());
}

/** Checks that both servers have the program's objects. */
function expectAsDeclared(stage: Stage): void {
  const { methods } = stage.simulator.cluster;
  expect(stage, "the organization has its agent pool", onlyPool(stage)?.name, "deployments");
  const tokens = stage.simulator.pools.agentTokens(onlyPool(stage)?.id ?? "").map(({ description }) => description);
  expect(stage, "its agents have their token", tokens, ["Deploys to production"]);
  expect(stage, "the cluster has both roles", roleNames(stage), ["deployers", "developers"]);
  const developers = roleNamed(stage, "developers")?.Policies.map(({ Name }) => Name);
  expect(stage, "developers have their policies", developers, ["read-only", "deploy-development"]);
  expect(stage, "the rule for engineers matches engineers only", ruleOf(stage, "developers")?.Selector, "engineering in list.groups");
  expect(stage, "the rule for release managers exists", ruleOf(stage, "deployers")?.Selector, '"release-managers" in list.groups');
  expect(stage, "the client secret is the program's", methods.get("company-sso")?.Config.OIDCClientSecret === clientSecret, true);
}

async function expectNoSecret(stage: Stage, result: RunResult): Promise<void> {
  const texts = [result.text, await stage.engine.storedState()];
  const { simulator } = stage;
  const agentTokens = simulator.pools.agentTokens(onlyPool(stage)?.id ?? "").map(({ token }) => token);
  const secrets = [clientSecret, simulator.clusterToken, simulator.poolsToken, ...agentTokens];
  const isReadable = secrets.some((secret) => texts.some((text) => text.includes(secret)));
  expect(stage, "no secret is readable in the state or in the output", isReadable, false);
}

/** Compares as JSON. @throws CheckFailed with the found and the expected value */
function expect(stage: Stage, claim: string, found: unknown, wanted: unknown): void {
  const texts = { wanted: JSON.stringify(wanted), found: JSON.stringify(found) };
  if (texts.found !== texts.wanted) {
    throw new CheckFailed(`${claim}\n         expected ${texts.wanted}\n         found    ${texts.found}`);
  }
  stage.say(`  ok   ${claim}`);
}

const requests = ({ simulator }: Stage) => simulator.journal.lines();
const writes = ({ simulator }: Stage) =>
  simulator.journal
    .requests()
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
const onlyPool = ({ simulator }: Stage) => simulator.pools.list(simulator.organization)[0];
const roleNames = ({ simulator: { cluster } }: Stage) =>
  cluster.roles
    .list()
    .map(({ Name }) => Name)
    .sort();
const roleNamed = ({ simulator }: Stage, name: string) => simulator.cluster.roles.list().find(({ Name }) => Name === name);
const ruleOf = ({ simulator }: Stage, role: string) => simulator.cluster.rules.list().find(({ BindName }) => BindName === role);
const kindsInState = async ({ engine }: Stage) =>
  (await engine.resources())
    .filter(({ type }) => !type.startsWith("pulumi:pulumi:"))
    .map(({ type }) => type.slice(type.lastIndexOf(":") + 1));
