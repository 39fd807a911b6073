import {
  type Agent,
  type AgentPool,
  type AgentPoolsClient,
  agentLabel,
  type CallContext,
  leftAfterRemoval,
  removable,
} from "../provider/internal";
import { type Command, CommandError, type CommandIo, flag, readArguments, text, UsageError } from "./command-line";
import { configurationOptions, configurationUsage, readConfiguration } from "./configuration";
import { exitStatus } from "./exit-status";
import { reportingTo, withServers } from "./inventory/servers";

const usage = `usage: npx --no-install pulumi-agentpool-acl agents --remove-ended AGE --pool NAME [options]
Removes ended agents (exited, errored or unknown) of a pool whose last ping is older than an age, such as 12h or 7d.
Prints the name of each. An agent that the service refuses to delete, because it works again, stays; the command does not fail.
  --remove-ended AGE   minutes, hours or days, at least 1: 30m, 12h, 7d
  --pool NAME          the agent pool
  --organization NAME  its organization; the configured one when left out
  --dry-run            prints what it would remove, and removes nothing
${configurationUsage}
  --help               prints this`;

async function run(args: string[], io: CommandIo, signal: AbortSignal): Promise<number> {
  const own = { "remove-ended": text, pool: text, organization: text, "dry-run": flag };
  const { values } = readArguments({ args, options: { ...configurationOptions, ...own } });
  const { "remove-ended": age, pool: name, "dry-run": isDryRun = false } = values;
  if (age === undefined || name === undefined) throw new UsageError("give --remove-ended and --pool");
  const ageMs = toMilliseconds(age);
  const configuration = await readConfiguration(values);
  await withServers({ configuration, ...reportingTo(io, signal) }, async (context) => {
    const pool = await poolOf(context, values.organization, name);
    const agents = await endedAgents(context, pool, ageMs);
    const removed = isDryRun ? agents : await remove(context.pools(), agents, io);
    if (isDryRun) for (const agent of agents) io.print(`would remove ${agentLabel(agent)}`);
    const count = `${removed.length} ${removed.length === 1 ? "agent" : "agents"}`;
    io.print(`${isDryRun ? "would remove" : "removed"} ${count} of agent pool ${JSON.stringify(name)} (${pool.id})`);
  });
  return exitStatus.done;
}

const unitsMs = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

function toMilliseconds(age: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(age) ?? [];
  const unitMs = unitsMs.get(unit);
  if (unitMs === undefined) throw new UsageError(`--remove-ended ${age}: give minutes, hours or days, such as 30m, 12h or 7d`);
  return Number(count) * unitMs;
}

async function poolOf(context: CallContext, given: string | undefined, name: string): Promise<AgentPool> {
  const organization = given ?? context.settings.organization;
  if (organization === undefined)
    throw new UsageError("the organization is unknown: give --organization, or set the environment variable TFE_ORGANIZATION");
  const pool = await context.pools().findPool(organization, name);
  if (pool) return pool;
  throw new CommandError(
    `Organization ${JSON.stringify(organization)} has no agent pool ${JSON.stringify(name)} that the token may see. Nothing was removed: correct --pool or --organization.`,
  );
}

/** Agents without a last ping are left out: the time of their end is unknown. */
async function endedAgents(context: CallContext, { id }: AgentPool, ageMs: number): Promise<Agent[]> {
  const before = context.clock.now() - ageMs;
  const agents = await context.pools().listAgents(id);
  return agents.filter(({ status, lastPingAt }) => removable.has(status) && Date.parse(lastPingAt) < before);
}

/** Removes one agent after the other, so the output shows what was done. @returns the removed agents */
async function remove(pools: AgentPoolsClient, agents: readonly Agent[], io: CommandIo): Promise<Agent[]> {
  const removed: Agent[] = [];
  for (const agent of agents) {
    const [left] = await leftAfterRemoval(pools, agent);
    io.print(`${left ? "left" : "removed"} ${agentLabel(left ?? agent)}`);
    if (!left) removed.push(agent);
  }
  return removed;
}

export const command: Command = { summary: "removes ended agents of a pool", usage, run };
