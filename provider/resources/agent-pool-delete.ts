import type { Agent, AgentPoolsClient } from "../apis/agent-pools/client";
import { type ApiError, isBlocked, isNotFound } from "../apis/http/errors";
import type { CallContext } from "../context/call-context";
import { listOf } from "../model/text";
import { UserError } from "../model/user-error";

/** The statuses in which the API lets an agent be removed. (Agent Pool Management Interface, Delete an agent) */
const removable = new Set(["unknown", "errored", "exited"]);
const pollMs = 2_000;

/** The time between two progress lines of a drain while the same agents are left: longer each time, because a drain may take hours. */
const shortestSilenceMs = 10_000;
const longestSilenceMs = 600_000;

interface Doomed {
  readonly id: string;
  /** In words for a message: `Agent pool "build" (apool-...)`. */
  readonly label: string;
  readonly forceDestroy: boolean;
  readonly drainTimeoutSeconds: number;
}

/**
 * Deletes a pool; with forceDestroy first those of its agents that the API allows to remove.
 *
 * @throws when agents or workspaces block it, naming the agents with status and last ping
 */
export async function deletePool(context: CallContext, pools: AgentPoolsClient, pool: Doomed): Promise<void> {
  const refusal = await tryDelete(pools, pool.id);
  if (!refusal) return;
  if (!pool.forceDestroy) throw blocked(pool, await agentsOf(pools, pool.id), refusal);
  const left = await drain(context, pools, pool);
  if (left.length > 0) throw blocked(pool, left, refusal);
  const again = await tryDelete(pools, pool.id);
  if (again) throw blocked(pool, await agentsOf(pools, pool.id), again);
}

/** The error when something blocks the delete; undefined when the pool is deleted. */
async function tryDelete(pools: AgentPoolsClient, id: string): Promise<ApiError | undefined> {
  try {
    await pools.deletePool(id);
    return undefined;
  } catch (error) {
    if (isBlocked(error)) return error;
    throw error;
  }
}

/** Removes the agents that may be removed, and waits for the others as long as the program allows. Returns those that are left. */
async function drain(context: CallContext, pools: AgentPoolsClient, pool: Doomed): Promise<Agent[]> {
  const deadline = context.clock.now() + pool.drainTimeoutSeconds * 1000;
  const isWorthALine = silence(context.clock);
  for (;;) {
    const left: Agent[] = [];
    for (const agent of await pools.listAgents(pool.id)) if (!(await removed(pools, agent))) left.push(agent);
    const remainingMs = deadline - context.clock.now();
    if (left.length === 0 || remainingMs <= 0) return left;
    // By the agents and not their statuses, which change between idle and busy all the time.
    if (isWorthALine(left.map(({ id }) => id).join()))
      context.progress(`${pool.label}: waiting up to ${Math.ceil(remainingMs / 1000)} s more for ${listOf(left.map(agentLabel))}`);
    await context.clock.sleep(Math.min(pollMs, remainingMs), context.signal);
  }
}

/** Whether to print a repeated progress line now: when it has changed, and otherwise at growing intervals. */
function silence(clock: CallContext["clock"]): (news: string) => boolean {
  let last: string | undefined;
  let at = 0;
  let silenceMs = 0;
  return (news) => {
    const hasChanged = news !== last;
    if (!hasChanged && clock.now() - at < silenceMs) return false;
    silenceMs = hasChanged ? shortestSilenceMs : Math.min(silenceMs * 2, longestSilenceMs);
    at = clock.now();
    last = news;
    return true;
  };
}

async function removed(pools: AgentPoolsClient, agent: Agent): Promise<boolean> {
  if (!removable.has(agent.status)) return false;
  try {
    await pools.deleteAgent(agent.id);
  } catch (error) {
    // Since the list it has become busy again, or has ended by itself.
    if (isBlocked(error)) return false;
    if (!isNotFound(error)) throw error;
  }
  return true;
}

/** For the message alone: that the pool is blocked is reported even when its agents can't be listed. */
async function agentsOf(pools: AgentPoolsClient, id: string): Promise<readonly Agent[] | Error> {
  try {
    return await pools.listAgents(id);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function blocked({ label, forceDestroy }: Doomed, agents: readonly Agent[] | Error, refusal: ApiError): UserError {
  const next = forceDestroy
    ? "Stop its agents, or raise drainTimeoutSeconds to wait for them; then run the update again."
    : "Stop its agents and run the update again; or set forceDestroy: true (and drainTimeoutSeconds to wait for busy ones), apply that, and then delete.";
  return new UserError(
    "pool-in-use",
    `${label} can't be deleted now, and stays in the state. ${because(agents)} ${next} The service returned ${refusal.status}: ${refusal.detail}`,
    { cause: refusal },
  );
}

function because(agents: readonly Agent[] | Error): string {
  if (agents instanceof Error) return `What blocks it can't be listed: ${agents.message}`;
  if (agents.length === 0) return "It has no agents; workspaces may be attached to it.";
  return `It still has ${listOf(agents.map(agentLabel))}.`;
}

function agentLabel({ id, name, status, lastPingAt }: Agent): string {
  return `agent ${name ? `${JSON.stringify(name)} (${id})` : id} (${status}, last ping ${lastPingAt || "never"})`;
}
