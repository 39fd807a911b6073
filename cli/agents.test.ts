/** The command that removes ended agents of a pool, against the simulator. */
import { type CommandScene, commandScene } from "../test/support/commands";
import type { Agent, AgentStatus } from "../testing/simulator";

let scene: CommandScene;
let poolId: string;
beforeEach(async () => {
  scene = await commandScene();
  poolId = scene.simulator.pools.put({ organization: scene.simulator.organization, name: "build" }).id;
});
afterEach(() => scene.stop());

const removeEnded = (...args: string[]) => scene.command("agents", "--remove-ended", "7d", "--pool", "build", ...args);

const day = 86_400_000;

function addAgent(status: AgentStatus, days: number, name?: string): Agent {
  return scene.simulator.pools.addAgent(poolId, { status, lastPingAt: new Date(Date.now() - days * day), ...(name && { name }) });
}

const labelOf = ({ id, name, status, lastPingAt }: Agent) =>
  `agent ${name === null ? id : `"${name}" (${id})`} (${status}, last ping ${lastPingAt})`;

const deletes = () => scene.simulator.journal.requests({ method: "DELETE" }).map(({ path }) => path);

it("removes the ended agents that are old enough, names each, and removes no other", async () => {
  const ended = [addAgent("exited", 8, "worker"), addAgent("errored", 30), addAgent("unknown", 7.001)];
  const others = [addAgent("idle", 30), addAgent("busy", 30), addAgent("exited", 6.99)];
  const { status, out, err } = await removeEnded();
  expect([status, err]).toEqual([0, ""]);
  expect(out.split("\n")).toEqual([
    ...ended.map((agent) => `removed ${labelOf(agent)}`),
    `removed 3 agents of agent pool "build" (${poolId})`,
  ]);
  expect(scene.simulator.pools.agents(poolId)).toEqual(others);
});

it("removes nothing in a dry run, and names the agents that it would remove", async () => {
  const agent = addAgent("exited", 8, "worker");
  const { status, out } = await removeEnded("--dry-run");
  expect([status, out]).toEqual([0, `would remove ${labelOf(agent)}\nwould remove 1 agent of agent pool "build" (${poolId})`]);
  expect(deletes()).toEqual([]);
  expect(scene.simulator.pools.agents(poolId)).toEqual([agent]);
});

it("reads all pages", async () => {
  for (let count = 0; count < 101; count++) addAgent("exited", 8);
  expect((await removeEnded()).out).toContain("removed 101 agents");
  expect(scene.simulator.pools.agents(poolId)).toEqual([]);
});

it("leaves an agent that works again, without failing, and removes the others", async () => {
  const [back, gone, ended] = [addAgent("unknown", 8, "back"), addAgent("exited", 8), addAgent("exited", 8)];
  const body = JSON.stringify({ errors: [{ status: "412", title: "precondition failed", detail: "the agent is busy" }] });
  const contentType = "application/vnd.api+json";
  scene.simulator.faults.add({ path: `/api/v2/agents/${back.id}`, fault: { kind: "status", status: 412, body, contentType } });
  scene.simulator.faults.add({ path: `/api/v2/agents/${gone.id}`, fault: { kind: "drop-after" } });
  const { status, out } = await removeEnded();
  expect(status).toBe(0);
  expect(out).toMatch(/^left agent "back" .*refuses to remove it: 412 the agent is busy/);
  expect(out).toContain(`removed ${labelOf(ended)}\nremoved 2 agents`);
  expect(scene.simulator.pools.agents(poolId)).toEqual([back]);
});

it("names a missing pool and its organization", async () => {
  const { status, err } = await scene.command("agents", "--remove-ended", "1h", "--pool", "none");
  expect([status, err]).toEqual([1, expect.stringContaining('Organization "example-org" has no agent pool "none"')]);
});

it("takes an organization other than the configured one", async () => {
  scene.simulator.pools.addOrganization("other");
  expect((await removeEnded("--organization", "other")).err).toContain('Organization "other" has no agent pool "build"');
});

it.each([
  [["--pool", "build"], "give --remove-ended and --pool"],
  [["--remove-ended", "7d"], "give --remove-ended and --pool"],
  ...["7", "0d", "-1d", "1.5h", "7w", "7 d"].map((age): [string[], string] => [
    [`--remove-ended=${age}`, "--pool", "build"],
    "give minutes, hours or days",
  ]),
])("refuses %j", async (args, message) => {
  const { status, err } = await scene.command("agents", ...args);
  expect([status, err]).toEqual([2, expect.stringContaining(message)]);
});
