import { z } from "zod";
import type { NewPoolBody, ParsedBody, PoolBody } from "./dialect";
import type { ErrorObject } from "./documents";

const type = z.literal("agent-pools");
const name = z.string().regex(/^[A-Za-z0-9_-]+$/, "may only have letters, numbers, - and _");

const identifiers = (type: string) => z.array(z.object({ type: z.literal(type), id: z.string() })).transform(toIds);

function toIds(identifiers: { id: string }[]): string[] {
  return [...new Set(identifiers.map(({ id }) => id))];
}

const scopeOrTrue = z.boolean().default(true);

const requiredWorkspaces = z
  .object({ "allowed-workspaces": z.object({ data: identifiers("workspaces") }) })
  .transform((given) => ({ allowedWorkspaceIds: given["allowed-workspaces"].data }));

/** "Create an agent pool", request body. */
export const documentedCreateBody = z
  .object({
    data: z.object({ type, attributes: z.object({ name, "organization-scoped": scopeOrTrue }), relationships: requiredWorkspaces }),
  })
  .transform(toNewPoolBody);

/** "Update an agent pool", request body: without a name, the previous one stays; without organization-scoped, it becomes true. */
export const documentedUpdateBody = z
  .object({
    data: z.object({
      type,
      attributes: z.object({ name: name.optional(), "organization-scoped": scopeOrTrue }).default({ "organization-scoped": true }),
      relationships: requiredWorkspaces,
    }),
  })
  .transform(toPoolBody);

const optional = (type: string) => z.object({ data: identifiers(type).optional() }).optional();

const anyRelationships = z
  .object({
    "allowed-workspaces": optional("workspaces"),
    "allowed-projects": optional("projects"),
    "excluded-workspaces": optional("workspaces"),
  })
  .transform((given) => ({
    allowedWorkspaceIds: given["allowed-workspaces"]?.data,
    allowedProjectIds: given["allowed-projects"]?.data,
    excludedWorkspaceIds: given["excluded-workspaces"]?.data,
  }))
  .optional();

const scope = z.boolean().optional();

/** What clients send to create a pool: a name is enough. */
export const serviceCreateBody = z
  .object({ data: z.object({ type, attributes: z.object({ name, "organization-scoped": scope }), relationships: anyRelationships }) })
  .transform(toNewPoolBody);

/** What clients send to update a pool: any part of it. */
export const serviceUpdateBody = z
  .object({
    data: z.object({
      type,
      attributes: z.object({ name: name.optional(), "organization-scoped": scope }).default({}),
      relationships: anyRelationships,
    }),
  })
  .transform(toPoolBody);

interface Given<Attributes> {
  data: { attributes: Attributes & { "organization-scoped"?: boolean | undefined }; relationships?: Omit<PoolBody, "name"> | undefined };
}

function toPoolBody({ data }: Given<{ name?: string | undefined }>): PoolBody {
  return { name: data.attributes.name, organizationScoped: data.attributes["organization-scoped"], ...data.relationships };
}

function toNewPoolBody(given: Given<{ name: string }>): NewPoolBody {
  return { ...toPoolBody(given), name: given.data.attributes.name };
}

/** What clients send to create an agent's token. The older ones name another type than the responses. */
export const agentTokenBody = z
  .object({
    data: z.object({
      type: z.enum(["authentication-tokens", "agent-tokens"]),
      attributes: z.object({ description: z.string().min(1, "can't be blank") }),
    }),
  })
  .transform(({ data }) => data.attributes);

/** What clients send to attach a workspace to a pool, or to detach it. All else that a workspace has is ignored. */
export const workspaceBody = z
  .object({
    data: z.object({
      type: z.literal("workspaces"),
      attributes: z.object({ "execution-mode": z.string().optional(), "agent-pool-id": z.string().nullish() }).default({}),
    }),
  })
  .transform(({ data: { attributes } }) => ({ executionMode: attributes["execution-mode"], agentPoolId: attributes["agent-pool-id"] }));

/** The validated body, or its errors. */
export function parseBody<Body>(schema: z.ZodType<Body>, text: string): ParsedBody<Body> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, errors: [{ title: "malformed body", detail: "The request body is not JSON", source: { pointer: "" } }] };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, body: parsed.data };
  return { ok: false, errors: parsed.error.issues.map(errorOf) };
}

function errorOf(issue: { path: PropertyKey[]; message: string }): ErrorObject {
  const field = issue.path.at(-1);
  return {
    title: "invalid attribute",
    detail: field === undefined ? issue.message : `${String(field)}: ${issue.message}`,
    source: { pointer: issue.path.map((part) => `/${String(part)}`).join("") },
  };
}
