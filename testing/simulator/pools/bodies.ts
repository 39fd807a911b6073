import { z } from "zod";
import type { PoolBody } from "./dialect";
import type { ErrorObject } from "./documents";

/** A body that is not valid. */
export class InvalidBody extends Error {
  constructor(readonly errors: ErrorObject[]) {
    super("the body is not valid");
  }
}

const name = z.string().regex(/^[A-Za-z0-9_-]+$/, "may only have letters, numbers, - and _");

const identifiers = (type: string) =>
  z.array(z.object({ type: z.literal(type), id: z.string() })).transform((given) => [...new Set(given.map(({ id }) => id))]);

function poolBody<Attributes extends { name?: string | undefined; "organization-scoped"?: boolean | undefined }>(
  attributes: z.ZodType<Attributes>,
  relationships: z.ZodType<Omit<PoolBody, "name"> | undefined>,
) {
  const form = z.object({ data: z.object({ type: z.literal("agent-pools"), attributes, relationships }) }).transform(({ data }) => {
    const name: Attributes["name"] = data.attributes.name;
    return { name, organizationScoped: data.attributes["organization-scoped"], ...data.relationships };
  });
  return (text: string) => parseBody(form, text);
}

const scopeOrTrue = z.boolean().default(true);

const requiredWorkspaces = z
  .object({ "allowed-workspaces": z.object({ data: identifiers("workspaces") }) })
  .transform((given) => ({ allowedWorkspaceIds: given["allowed-workspaces"].data }));

/** The bodies of the document. An update without a name keeps the previous one; without organization-scoped, it becomes true. */
export const documentedBodies = {
  create: poolBody(z.object({ name, "organization-scoped": scopeOrTrue }), requiredWorkspaces),
  update: poolBody(z.object({ name: name.optional(), "organization-scoped": scopeOrTrue }).prefault({}), requiredWorkspaces),
};

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

/** The bodies that clients send: a name is enough to create a pool, and an update may have any fields. */
export const serviceBodies = {
  create: poolBody(z.object({ name, "organization-scoped": scope }), anyRelationships),
  update: poolBody(z.object({ name: name.optional(), "organization-scoped": scope }).prefault({}), anyRelationships),
};

/** The body that clients send to create an agent token. Older clients use another type than the responses. */
export const agentTokenBody = z
  .object({
    data: z.object({
      type: z.enum(["authentication-tokens", "agent-tokens"]),
      attributes: z.object({ description: z.string().min(1, "can't be blank") }),
    }),
  })
  .transform(({ data }) => data.attributes);

/** The body that clients send to attach a workspace to a pool, or to detach it. Other fields of a workspace are ignored. */
export const workspaceBody = z
  .object({
    data: z.object({
      type: z.literal("workspaces"),
      attributes: z.object({ "execution-mode": z.string().optional(), "agent-pool-id": z.string().nullish() }).default({}),
    }),
  })
  .transform(({ data: { attributes } }) => ({ executionMode: attributes["execution-mode"], agentPoolId: attributes["agent-pool-id"] }));

/** @throws InvalidBody */
export function parseBody<Body>(schema: z.ZodType<Body>, text: string): Body {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new InvalidBody([{ title: "malformed body", detail: "The request body is not JSON", source: { pointer: "" } }]);
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new InvalidBody(parsed.error.issues.map(errorOf));
  return parsed.data;
}

function errorOf(issue: { path: PropertyKey[]; message: string }): ErrorObject {
  const field = issue.path.at(-1);
  return {
    title: "invalid attribute",
    detail: field === undefined ? issue.message : `${String(field)}: ${issue.message}`,
    source: { pointer: issue.path.map((part) => `/${String(part)}`).join("") },
  };
}
