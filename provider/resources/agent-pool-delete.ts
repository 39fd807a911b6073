import { UserError } from "../../common/user-error";
import type { Agent, AgentPoolsClient, Workspace } from "../apis/agent-pools/client";
import { type ApiError, isBlocked, isNotFound } from "../apis/http/errors";
import { listOf, someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";

/** The statuses in which the API lets an agent be removed. (Agent Pool Management Interface, Delete an agent) */
export const removable = new Set(["unknown", "errored", "exited"]);
const pollMs = 2_000;

/** The interval at which a drain repeats that it waits for the same agents. */
const silenceMs = 60_000;

interface DeletedPool {
  readonly id: string;
  /** The label for a message: `Agent pool "build" (apool-...)`. */
  readonly label: string;
  readonly forceDestroy: boolean;
  readonly drainTimeoutSeconds: number;
}

/** A remaining agent, with the response that refused its removal. */
interface LeftAgent extends Agent {
  readonly refusal?: ApiError;
}

/** The users of a pool, or the error of their read. Undefined: the service does not return the pool's workspaces. */
interface Users {
  readonly workspaces: readonly Workspace[] | Error | undefined;
  readonly agents: readonly LeftAgent[] | Error;
}

/**
 * Deletes a pool. If something blocks the delete, forceDestroy removes the agents that the API allows to remove, and deletes the pool
 * again. Attached workspaces prevent that, because the removal of agents would not detach them.
 *
 * @throws if agents or workspaces block the delete; the error names them
 */
export async function deletePool(context: CallContext, pools: AgentPoolsClient, pool: DeletedPool): Promise<void> {
  const refusal = await tryDelete(pools, pool.id);
  if (!refusal) return;
  const workspaces = await workspacesOf(pools, pool.id);
  if (!pool.forceDestroy) throw blocked(pool, { workspaces, agents: await orError(pools.listAgents(pool.id)) }, refusal);
  if (isNotFound(workspaces)) throw workspaces;
  if (workspaces instanceof Error || (workspaces && workspaces.length > 0))
    throw blocked(pool, { workspaces, agents: await orError(pools.listAgents(pool.id)) }, refusal, "and removed none");
  const agents = await drain(context, pools, pool);
  if (agents.length > 0) throw blocked(pool, { workspaces, agents }, refusal);
  const again = await tryDelete(pools, pool.id);
  if (!again) return;
  throw blocked(pool, { workspaces: await workspacesOf(pools, pool.id), agents: await orError(pools.listAgents(pool.id)) }, again);
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

/** Removes the agents that may be removed, and waits for the others as long as the program allows. Returns the remaining agents. */
async function drain(context: CallContext, pools: AgentPoolsClient, pool: DeletedPool): Promise<LeftAgent[]> {
  const deadline = context.clock.now() + pool.drainTimeoutSeconds * 1000;
  let told = { agents: "", at: 0 };
  for (;;) {
    const left: LeftAgent[] = [];
    for (const agent of await pools.listAgents(pool.id)) left.push(...(await leftAfterRemoval(pools, agent)));
    const remainingMs = deadline - context.clock.now();
    if (left.length === 0 || remainingMs <= 0) return left;
    // Compares the agents, not their statuses, which change between idle and busy all the time.
    const now = { agents: left.map(({ id }) => id).join(), at: context.clock.now() };
    if (now.agents !== told.agents || now.at - told.at >= silenceMs) {
      told = now;
      context.progress(`${pool.label}: waiting up to ${Math.ceil(remainingMs / 1000)} s more for ${listOf(left.map(agentLabel))}`);
    }
    await context.clock.sleep(Math.min(pollMs, remainingMs), context.signal);
  }
}

/**
 * Removes an agent if its status allows it.
 *
 * @returns the agent if it remains
 */
export async function leftAfterRemoval(pools: AgentPoolsClient, agent: Agent): Promise<LeftAgent[]> {
  if (!removable.has(agent.status)) return [agent];
  try {
    await pools.deleteAgent(agent.id);
  } catch (error) {
    // The agent has become busy again since the list, or has ended by itself.
    if (isBlocked(error)) return [{ ...agent, refusal: error }];
    if (!isNotFound(error)) throw error;
  }
  return [];
}

/** The result of a read for the message, or its error: a blocked pool is reported even if the read fails. */
function orError<T>(read: Promise<T>): Promise<T | Error> {
  return read.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
}

/** The workspaces that are attached to the pool, by name if the service gives names. */
async function workspacesOf(pools: AgentPoolsClient, id: string): Promise<Users["workspaces"]> {
  const pool = await orError(pools.showPool(id, { include: "workspaces" }));
  return pool instanceof Error ? pool : (pool.workspaces ?? pool.workspaceIds?.map((workspace) => ({ id: workspace })));
}

function blocked(pool: DeletedPool, users: Users, refusal: ApiError, removed = ""): UserError {
  const { label } = pool;
  return new UserError(
    "pool-in-use",
    `${label} can't be deleted now, and stays in the state. ${because(users)} ${remedy(pool, users, removed)} The service returned ${refusal.status}: ${refusal.detail}`,
    { cause: refusal },
  );
}

function because({ workspaces, agents }: Users): string {
  const sentences: string[] = [];
  if (workspaces instanceof Error) sentences.push(`Its workspaces can't be read: ${workspaces.message}`);
  else if (workspaces && workspaces.length > 0) sentences.push(`It is used by ${someOf(workspaces.map(workspaceLabel))}.`);
  if (agents instanceof Error) sentences.push(`Its agents can't be listed: ${agents.message}`);
  else if (agents.length > 0) sentences.push(`It still has ${listOf(agents.map(agentLabel))}.`);
  if (sentences.length > 0) return sentences.join(" ");
  return workspaces ? "The service shows no agents or workspaces of it." : "It has no agents; workspaces may be attached to it.";
}

/** The advice for a pool that is in use. */
function remedy({ forceDestroy }: DeletedPool, { workspaces, agents }: Users, removed: string): string {
  const hasAgents = !(agents instanceof Error) && agents.length > 0;
  const only = forceDestroy && removed ? ` forceDestroy removes agents only, ${removed}.` : "";
  if (workspaces instanceof Error) return `Correct that, then run the update again.${only}`;
  if (workspaces && workspaces.length > 0) {
    const stop = hasAgents && !forceDestroy ? ", stop the agents," : "";
    return `Give the workspaces another agent pool or another execution mode${stop} and run the update again.${only}`;
  }
  if (!hasAgents) return "Remove what the response names, or detach its workspaces; then run the update again.";
  if (forceDestroy) return "Stop its agents, or raise drainTimeoutSeconds to wait for them; then run the update again.";
  return "Stop its agents and run the update again; or set forceDestroy: true (and drainTimeoutSeconds to wait for busy ones), apply that, and then delete.";
}

function workspaceLabel({ id, name }: Workspace): string {
  return `workspace ${name === undefined ? id : `${JSON.stringify(name)} (${id})`}`;
}

export function agentLabel({ id, name, status, lastPingAt, refusal }: LeftAgent): string {
  const refused = refusal ? `; the service refuses to remove it: ${refusal.status} ${refusal.detail}` : "";
  return `agent ${name ? `${JSON.stringify(name)} (${id})` : id} (${status}, last ping ${lastPingAt || "never"}${refused})`;
}
