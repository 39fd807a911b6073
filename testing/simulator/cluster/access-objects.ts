import type { AccessObjects, BindingRule } from "../../../access/graph";
import { toLoginConfig } from "../../../access/server-config";
import type { ClusterStore } from "./store";

/** The objects that decide about logins. */
export function accessObjects({ methods, rules, roles, policies }: ClusterStore): AccessObjects {
  return {
    methods: methods.list().map(({ Name, Type, TokenLocality, TokenNameFormat, MaxTokenTTL, Config }) => ({
      name: Name,
      type: Type,
      tokenLocality: TokenLocality,
      tokenNameFormat: TokenNameFormat,
      maxTokenTtl: MaxTokenTTL,
      ...toLoginConfig(Config),
    })),
    rules: rules.list().map(({ ID, AuthMethod, Selector, BindType, BindName }) => ({
      id: ID,
      authMethod: AuthMethod,
      selector: Selector,
      bindType: bindTypeOf(BindType),
      bindName: BindName,
    })),
    roles: Object.fromEntries(roles.list().map(({ Name, Policies }) => [Name, Policies.map((policy) => policy.Name)])),
    policies: policies.list().map(({ Name }) => Name),
  };
}

function bindTypeOf(text: string): BindingRule["bindType"] {
  if (text === "role" || text === "policy" || text === "management") return text;
  throw new Error(`A binding rule of the simulated cluster has the bind type ${JSON.stringify(text)}, which no server has.`);
}
