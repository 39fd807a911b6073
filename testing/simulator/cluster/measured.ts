import { checkedAssertion, invalidAssertion, redactedAssertion } from "./assertion";
import type { ClusterDialect } from "./dialect";
import type { MethodRules } from "./method-checks";
import { configError, methodErrors, refuseSecondDefault } from "./method-checks";
import { canonicalConfig, DEFAULT_NAME_FORMAT, storedMethod } from "./methods";
import type { AuthMethod, MethodBody } from "./objects";
import { Refusal, refuseInvalid } from "./refusal";
import type { ClusterStore } from "./store";

/** The recorded behaviour of a running scheduler of version 2.0. */
export const measured: ClusterDialect = {
  tokenHeaders: ["x-cluster-token", "x-nomad-token", "authorization"],
  hasOwnToken: true,
  hasRegions: true,
  methods: {
    write: writeMethod,
    shown: withoutSecrets,
    stub: ({ CreateIndex, Default, Hash, ModifyIndex, Name, Type }) => ({ CreateIndex, Default, Hash, ModifyIndex, Name, Type }),
  },
  roles: {
    name: /^[a-zA-Z0-9-]{1,128}$/,
    descriptionLength: (text) => Buffer.byteLength(text),
    needsPolicies: true,
    refusesUnknownPolicies: true,
    withPrefix: (prefix) => (role) => role.ID.startsWith(prefix),
  },
  rules: {
    isTooLong: (description) => Buffer.byteLength(description) > 256,
    merged: ({ AuthMethod = "", BindName = "", BindType = "", Description = "", ID, Selector = "" }, existing) => ({
      AuthMethod: AuthMethod || existing?.AuthMethod || "",
      BindName: BindName || existing?.BindName || "",
      BindType: BindType || existing?.BindType || "",
      Description,
      ID,
      Selector,
    }),
  },
  shown: (row) => row,
  keepsIdentical: true,
};

const rules: MethodRules = {
  localities: ["local", "global"],
  types: ["OIDC", "JWT"],
  configError: (type, config) =>
    configError(type, config, ({ OIDCClientAssertion }) => {
      const assertion = OIDCClientAssertion && invalidAssertion(OIDCClientAssertion);
      return assertion ? [`invalid client assertion config: ${assertion}`] : [];
    }),
};

/**
 * Creates a method, or replaces the method with the same name: the server reports no conflict. Empty fields keep the stored values, except
 * Default.
 */
function writeMethod(store: ClusterStore, body: MethodBody): AuthMethod {
  const existing = store.methods.peek(body.Name);
  const config = body.Config ?? existing?.Config ?? null;
  const merged = {
    ...body,
    MaxTokenTTL: body.MaxTokenTTL || existing?.MaxTokenTTL || "",
    Type: body.Type || existing?.Type || "",
    TokenLocality: body.TokenLocality || existing?.TokenLocality || "",
    TokenNameFormat: body.TokenNameFormat || existing?.TokenNameFormat || DEFAULT_NAME_FORMAT,
    Config: config && canonicalConfig(config),
  };
  refuseInvalid("auth method", methodErrors(merged, rules, store));
  refuseSecondDefault(store, merged);
  if (merged.Config === null) throw new Error("a method without Config has passed validation");
  const assertion = merged.Config.OIDCClientAssertion;
  const problem = assertion?.KeySource ? checkedAssertion(merged.Config.OIDCClientID, assertion) : undefined;
  if (problem !== undefined) throw new Refusal(400, `invalid OIDCClientAssertion: failed to build client_assertion jwt: ${problem}`);
  return store.methods.write(storedMethod({ ...merged, Config: merged.Config }, existing));
}

function withoutSecrets(method: AuthMethod): AuthMethod {
  const { OIDCClientSecret, OIDCClientAssertion } = method.Config;
  return {
    ...method,
    Config: {
      ...method.Config,
      OIDCClientSecret: OIDCClientSecret === "" ? "" : "redacted",
      OIDCClientAssertion: OIDCClientAssertion && redactedAssertion(OIDCClientAssertion),
    },
  };
}
