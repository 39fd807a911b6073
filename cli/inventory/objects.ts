import * as z from "zod";
import type { Inventory } from "./inventory";

const text = z.string();
const texts = z.array(text);
const map = z.record(text, text).default({});

const agentPool = z.object({
  id: text.optional(),
  name: text,
  organization: text,
  organizationScoped: z.boolean(),
  /** Left out where nothing is known of them. */
  allowedWorkspaceIds: texts.optional(),
  /** The workspaces that use it. An export without the server's fields lacks them. */
  workspaceIds: texts.optional(),
});

const authMethod = z.object({
  name: text,
  type: z.enum(["OIDC", "JWT"]),
  tokenLocality: z.enum(["local", "global"]),
  maxTokenTtl: text,
  tokenNameFormat: text.optional(),
  default: z.boolean().default(false),
  config: z.looseObject({ claimMappings: map, listClaimMappings: map }),
});

const role = z.object({ id: text.optional(), name: text, description: text.default(""), policies: texts });

const bindingRule = z.object({
  /** An export may lack it. Servers try the rules of a method in the order of their ids. */
  id: text.optional(),
  authMethod: text,
  description: text.default(""),
  selector: text.default(""),
  bindType: z.enum(["role", "policy", "management"]),
  bindName: text.optional(),
});

export type AgentPool = z.output<typeof agentPool>;
export type AuthMethod = z.output<typeof authMethod>;
export type Role = z.output<typeof role>;
export type BindingRule = z.output<typeof bindingRule>;

/** The objects of an inventory with the types of their fields; secrets of a state are `secretMarker`. */
export interface TypedObjects {
  readonly agentPools: readonly AgentPool[];
  readonly authMethods: readonly AuthMethod[];
  readonly roles: readonly Role[];
  readonly bindingRules: readonly BindingRule[];
}

/** @throws ZodError for an object whose values have other forms, such as one of a later version of a server */
export function typedObjects({ objects }: Inventory): TypedObjects {
  const all = <T>(kind: string, schema: z.ZodType<T>): T[] =>
    objects.filter((object) => object.kind === kind).map(({ id, outputs }) => schema.parse({ id, ...outputs }));
  return {
    agentPools: all("AgentPool", agentPool),
    authMethods: all("AclAuthMethod", authMethod),
    roles: all("AclRole", role),
    bindingRules: all("AclBindingRule", bindingRule),
  };
}
