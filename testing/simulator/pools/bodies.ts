import { z } from "zod";
import type { ErrorObject } from "./documents";

const name = z.string().regex(/^[A-Za-z0-9_-]+$/, "may only have letters, numbers, - and _");
const organizationScoped = z.boolean().default(true);
const relationships = z.object({
  "allowed-workspaces": z.object({ data: z.array(z.object({ type: z.literal("workspaces"), id: z.string() })) }),
});
const type = z.literal("agent-pools");

/** "Create an agent pool", request body. */
export const createBody = z.object({
  data: z.object({ type, attributes: z.object({ name, "organization-scoped": organizationScoped }), relationships }),
});

/** "Update an agent pool", request body: without a name, the previous one stays; without organization-scoped, it becomes true. */
export const updateBody = z.object({
  data: z.object({
    type,
    attributes: z.object({ name: name.optional(), "organization-scoped": organizationScoped }).default({ "organization-scoped": true }),
    relationships,
  }),
});

export type ParsedBody<Body> = { ok: true; body: Body } | { ok: false; errors: ErrorObject[] };

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
