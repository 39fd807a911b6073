import * as z from "zod";
import { documentOf, id, pageOf, text } from "./wire";

const resource = z
  .object({
    id,
    type: z.enum(["authentication-tokens", "agent-tokens"]),
    attributes: z.object({ description: text, "created-at": text, "last-used-at": z.string().nullish(), token: z.string().nullish() }),
  })
  .transform(({ id, attributes }) => ({
    id,
    description: attributes.description,
    /** ISO 8601, UTC. */
    createdAt: attributes["created-at"],
    /** ISO 8601, UTC; undefined until an agent has used it. */
    lastUsedAt: attributes["last-used-at"] ?? undefined,
    /** The secret. Only the response to a create has it. */
    token: attributes.token ?? undefined,
  }));

/** A token by which agents join a pool. The service's public reference describes it ("Agent Tokens"), but the document does not. */
export type AgentToken = z.output<typeof resource>;

export const tokenDocument = documentOf(resource);
export const tokenPage = pageOf(resource);

/** The body of a create. The service takes both names of the type; its own clients send this one. */
export function tokenBody(description: string): unknown {
  return { data: { type: "agent-tokens", attributes: { description } } };
}
