import * as z from "zod";
import { id, page, pagination, text } from "./wire";

/** A token by which agents join a pool. The document does not describe it: the public reference of the service does ("Agent Tokens"). */
export interface AgentToken {
  readonly id: string;
  readonly description: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC; undefined until an agent has used it. */
  readonly lastUsedAt: string | undefined;
  /** The secret. Only the response to a create has it. */
  readonly token: string | undefined;
}

const resource = z
  .object({
    id,
    type: z.enum(["authentication-tokens", "agent-tokens"]),
    attributes: z.object({
      description: text,
      "created-at": text,
      "last-used-at": z.string().nullish(),
      token: z.string().nullish(),
    }),
  })
  .transform(
    ({ id, attributes }): AgentToken => ({
      id,
      description: attributes.description,
      createdAt: attributes["created-at"],
      lastUsedAt: attributes["last-used-at"] ?? undefined,
      token: attributes.token ?? undefined,
    }),
  );

export const tokenDocument = z.object({ data: resource }).transform(({ data }) => data);
export const tokenPage = z.object({ data: z.array(resource), meta: pagination }).transform(({ data, meta }) => page(data, meta));

/** The body of a create. The service takes both names of the type; its own clients send this one. */
export function tokenBody(description: string): unknown {
  return { data: { type: "agent-tokens", attributes: { description } } };
}
