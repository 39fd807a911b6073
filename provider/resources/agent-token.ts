import * as z from "zod";
import { record } from "../../common/record";
import { UserError } from "../../common/user-error";
import type { AgentToken } from "../apis/agent-pools/client";
import { isNotFound } from "../apis/http/errors";
import { defineResource } from "../lifecycle/define";
import { readOrMissing } from "../lifecycle/gone";
import type { KindRequests, Scope } from "../lifecycle/kind";
import { field } from "../model/fields";
import { labelOfObject, listOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { agentLabel } from "./agent-pool-delete";
import { isPoolListed, organizationOf } from "./agent-pool-organization";
import { secretMissingError } from "./secret-missing";

const source = "Public reference, Agent Tokens: Create an agent token";

const inputs = z.object({
  agentPoolId: field(
    z.string().regex(/^apool-/, "must be the identifier of an agent pool, apool-..."),
    "Identifier of the pool that agents join with the token.",
    { replaces: true, source },
  ),
  description: field(z.string().min(1, "must not be empty"), "Purpose of the token. It need not be unique.", { replaces: true, source }),
  keepers: field(
    record(field(z.string(), "A value.")).optional(),
    "Values that the program chooses: if one changes, a new token is made. So a rotation can follow a date, or the version of an image.",
    { replaces: true, local: true },
  ),
});

const outputs = z.object({
  token: field(
    z.string().optional(),
    "The token, for an agent's `TFC_AGENT_TOKEN`. Only the create returns it, so an imported or looked-up token has none, and its type in TypeScript is `Output<string | undefined>`. A token that the program creates always has it.",
    { secret: true, stable: true, kept: true },
  ),
  createdAt: field(z.string(), "Time of the token's creation (ISO 8601 with milliseconds, UTC).", { stable: true }),
  lastUsedAt: field(z.string().optional(), "Time of the token's last use by an agent, at the last read. Undefined if none has used it."),
  organization: field(z.string().optional(), "Organization of the pool. Undefined if neither the service nor the configuration names it.", {
    stable: true,
    kept: true,
  }),
  server: field(z.string(), "Address of the pool's service."),
});

/** A token, with the values that its responses leave out. */
interface TokenOfPool extends AgentToken {
  readonly agentPoolId: string;
  readonly organization: string | undefined;
}

/** The result of a create's reads before its first write. */
interface Before {
  readonly organization: string | undefined;
  /** The identifiers of the pool's tokens. */
  readonly tokens: ReadonlySet<string>;
}

/** A token by which agents join a pool. */
export const agentToken = defineResource<typeof inputs, typeof outputs, TokenOfPool, TokenOfPool, Before>({
  kind: "AgentToken",
  label: "agent token",
  api: "pools",
  description: `A token by which agents join a pool of HCP Terraform or Terraform Enterprise. It is not in the agent pools' API document, but in the service's public reference.

The service has no update: any change creates a new token, and then deletes the old one. It returns the secret only in the response to the create, and the state keeps it encrypted. If that response is lost, so is the secret: another token is created, and a warning names the possible leftovers.

**Import** takes POOL-ID/TOKEN-ID, or the token's ID if the organization is configured. It reads everything except the secret; the next change makes a new token.`,
  inputs,
  outputs,
  isReadOnRequest: true,
  errorProperties: [[/description/i, "description"]],

  requests: requestsOf,
  nameOf: ({ description }) => description,
  labelOf: (id, known) => labelOfObject("agent token", id, known?.description),
  // A list has all fields of a token, and the pool, which a single token does not name.
  toWhole: (token) => token,

  async toId(context, text) {
    const [, agentPoolId, id = text] = /^(apool-[^/]+)\/([^/]+)$/.exec(text) ?? [];
    // The token itself does not name its pool.
    const tokens =
      agentPoolId === undefined
        ? await requestsOf(context).list()
        : ((await readOrMissing(async () => tokensOf(context, agentPoolId, await organizationOfPool(context, agentPoolId)))) ?? []);
    const token = tokens.find((one) => one.id === id);
    if (token) return { id, agentPoolId: token.agentPoolId, organization: token.organization };
    const where = agentPoolId ? `Agent pool ${agentPoolId} does not exist or does not have` : "No agent pool of the organization has";
    // Only an identifier has this form, so it is no secret.
    const isShown = /^at-\w+$/.test(id);
    throw new UserError(
      "token-id-unknown",
      `${where} ${isShown ? `a token ${JSON.stringify(id)}. Give` : "such a token. What was given may be a secret, so it is not shown: import by"} ` +
        "POOL-ID/TOKEN-ID, such as apool-.../at-..., or the ID of a token of the organization.",
    );
  },
  afterRead(context, token, remote, known) {
    if (!known)
      context.warn(
        `${labelOfObject("agent token", token.id, token.description)}: the service returns a token's secret only to its create, so this resource has none. To get one, make a new token: change keepers, or the description.`,
      );
    return remote;
  },

  async beforeCreate(context, { agentPoolId }) {
    const [pool, tokens] = await Promise.all([
      readOrMissing(() => context.pools().showPool(agentPoolId)),
      readOrMissing(() => context.pools().listTokens(agentPoolId)),
    ]);
    if (tokens) return { organization: pool?.organization ?? context.settings.organization, tokens: new Set(tokens.map(({ id }) => id)) };
    const why = pool
      ? "exists, but the service returns 404 for its tokens. Either it has no agent tokens, or the configured token may not manage them."
      : "does not exist, or the configured token may not see it. If others have deleted the pool, run `pulumi up --refresh`.";
    throw new UserError("pool-tokens-missing", `agentPoolId: agent pool ${agentPoolId} ${why} Nothing was created.`);
  },
  async create(context, { agentPoolId, description }, before) {
    const pools = context.pools();
    const made = await pools.createToken(agentPoolId, description);
    if (!made.token) throw secretMissingError(labelOfObject("agent token", made.id, description), pools.server);
    return { ...made, agentPoolId, organization: before?.organization };
  },
  async leftOver(context, { agentPoolId, description }, before) {
    const tokens = await tokensOf(context, agentPoolId, before?.organization);
    return tokens.filter((token) => token.description === description && !before?.tokens.has(token.id));
  },

  async delete(context, id, { agentPoolId, description }) {
    if (agentPoolId !== undefined) await warnOfBusyAgents(context, agentPoolId, labelOfObject("agent token", id, description));
    await requestsOf(context).delete(id);
  },
});

function requestsOf(context: CallContext, scope?: Scope): KindRequests<TokenOfPool, TokenOfPool> {
  const pools = context.pools();
  const { agentPoolId = "", organization } = scope ?? {};
  return {
    read: async (id) => ({ ...(await pools.showToken(id)), agentPoolId, organization }),
    delete: (id) => pools.deleteToken(id),
    async list() {
      const name = organizationOf(context, scope);
      const tokens = (await pools.listPools(name)).map(({ id }) => tokensOf(context, id, name));
      return (await Promise.all(tokens)).flat();
    },
    recent: async () => undefined,
    isListed: (id) => isListed(context, id, scope),
  };
}

/** Warns of all busy agents of the pool: the service does not say which agent has joined with which token. */
async function warnOfBusyAgents(context: CallContext, agentPoolId: string, label: string): Promise<void> {
  const agents = (await readOrMissing(() => context.pools().listAgents(agentPoolId))) ?? [];
  const busy = agents.filter(({ status }) => status === "busy");
  if (busy.length === 0) return;
  context.warn(
    `${label}: its delete ends the agents that have joined with it, and their runs. Busy in the pool ${agentPoolId}: ${listOf(busy.map(agentLabel))}. ` +
      "If the pool is deleted, too, give the token the option deletedWith: then it is deleted with the pool, after the agents.",
  );
}

/** Whether the list of the pool has the token; if the pool can't be found, whether the organization's list has the pool. */
async function isListed(context: CallContext, id: string, known: Scope | undefined): Promise<boolean> {
  const { agentPoolId = "" } = known ?? {};
  try {
    return (await context.pools().listTokens(agentPoolId)).some((token) => token.id === id);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return isPoolListed(context, agentPoolId, organizationOf(context, known));
}

async function tokensOf(context: CallContext, agentPoolId: string, organization: string | undefined): Promise<TokenOfPool[]> {
  return (await context.pools().listTokens(agentPoolId)).map((token) => ({ ...token, agentPoolId, organization }));
}

async function organizationOfPool(context: CallContext, id: string): Promise<string | undefined> {
  return (await readOrMissing(() => context.pools().showPool(id)))?.organization ?? context.settings.organization;
}
