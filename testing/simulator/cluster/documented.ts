import type { ClusterDialect } from "./dialect";
import type { MethodRules } from "./method-checks";
import { configError, methodErrors, refuseSecondDefault } from "./method-checks";
import { BLANK_CONFIG, DEFAULT_NAME_FORMAT, storedMethod } from "./methods";
import type { AuthMethod, AuthMethodConfig, MethodBody } from "./objects";
import { Refusal, refuseInvalid } from "./refusal";
import type { ClusterStore } from "./store";

/** The document "Access-Control Interface", to the letter. If it says nothing, the cluster usually behaves
 * like the measured one. */
export const documented: ClusterDialect = {
  tokenHeaders: ["x-cluster-token"],
  hasOwnToken: false,
  hasRegions: false,
  methods: {
    write: (store, body, isUpdate) => (isUpdate ? updateMethod(store, body) : createMethod(store, body)),
    shown: ({ Hash: _, ...method }) => ({ ...method, Config: shownConfig(method.Config) }),
    stub: ({ CreateIndex, Default, ModifyIndex, Name, Type }) => ({ CreateIndex, Default, ModifyIndex, Name, Type }),
  },
  roles: {
    name: /^[a-zA-Z0-9_-]{1,128}$/,
    descriptionLength: (text) => [...text].length,
    needsPolicies: false,
    refusesUnknownPolicies: false,
    withPrefix,
  },
  rules: {
    // The document limits the descriptions of roles only.
    isTooLong: () => false,
    merged: (body, existing) => ({
      AuthMethod: body.AuthMethod ?? existing?.AuthMethod ?? "",
      BindName: body.BindName ?? existing?.BindName ?? "",
      BindType: body.BindType ?? existing?.BindType ?? "",
      Description: body.Description ?? existing?.Description ?? "",
      ID: body.ID,
      Selector: body.Selector ?? existing?.Selector ?? "",
    }),
  },
  // Also for policies, which the document lacks.
  shown: ({ Hash: _, ...row }) => row,
  keepsIdentical: false,
};

function createMethod(store: ClusterStore, body: MethodBody): AuthMethod {
  const rules: MethodRules = { localities: ["local", "global"], types: ["OIDC", "JWT"], configError: createError };
  refuseInvalid("auth method", methodErrors(body, rules, store));
  if (store.methods.peek(body.Name)) throw new Refusal(400, `auth method with name ${body.Name} already exists`);
  refuseSecondDefault(store, body);
  const given = body.Config ?? BLANK_CONFIG;
  const Config = { ...BLANK_CONFIG, ...updatable(given), ...createOnly(given) };
  return store.methods.write(storedMethod({ ...withNameFormat(body), Config }, undefined));
}

/** A field that the body leaves out becomes the default of the tables, including "empty on update" and "nil on update". */
function updateMethod(store: ClusterStore, body: MethodBody): AuthMethod {
  const existing = store.methods.peek(body.Name);
  if (!existing) throw new Refusal(400, `cannot find auth method ${body.Name}`);
  // Type has no default. The resulting one must be OIDC, "currently the only one supported".
  const updated = { ...withNameFormat(body), Type: body.Type || existing.Type };
  const rules: MethodRules = { localities: ["local", "global", ""], types: ["OIDC"], configError: updateError };
  refuseInvalid("auth method", methodErrors(updated, rules, store));
  refuseSecondDefault(store, updated);
  // The fields that the document does not list for an update stay, unless the whole Config is removed.
  const Config = body.Config ? { ...BLANK_CONFIG, ...createOnly(existing.Config), ...updatable(body.Config) } : BLANK_CONFIG;
  return store.methods.write(storedMethod({ ...updated, Config }, existing));
}

function withNameFormat(body: MethodBody): MethodBody {
  return { ...body, TokenNameFormat: body.TokenNameFormat || DEFAULT_NAME_FORMAT };
}

function createError(type: string, config: AuthMethodConfig | null): string | undefined {
  return configError(type, config, ({ OIDCClientSecret, AllowedRedirectURIs }) => [
    ...(OIDCClientSecret === "" ? ["missing OIDCClientSecret"] : []),
    ...(AllowedRedirectURIs?.length ? [] : ["missing AllowedRedirectURIs"]),
  ]);
}

/**
 * AllowedRedirectURIs is the only field of a Config that must not be empty and has no default; the others that a create requires are "empty
 * on update".
 */
function updateError(_type: string, config: AuthMethodConfig | null): string | undefined {
  return config !== null && !config.AllowedRedirectURIs?.length ? "missing AllowedRedirectURIs" : undefined;
}

/** The configuration in a response: without the secret, because the document shows no placeholder for secrets. */
function shownConfig(config: AuthMethodConfig): object | null {
  const isNil = Object.values(config).every((value) => !value);
  if (isNil) return null;
  const { OIDCClientSecret: _, ...shown } = { ...updatable(config), ...createOnly(config) };
  return shown;
}

/** The fields of the Config table, without the fields that only a create takes. The cluster ignores all others. */
function updatable(config: AuthMethodConfig) {
  const { OIDCDiscoveryURL, OIDCClientID, OIDCClientSecret, OIDCDisableUserInfo, OIDCScopes, BoundAudiences } = config;
  const { AllowedRedirectURIs, DiscoveryCaPem, SigningAlgs, ClaimMappings, ListClaimMappings } = config;
  return {
    ...{ OIDCDiscoveryURL, OIDCClientID, OIDCClientSecret, OIDCDisableUserInfo, OIDCScopes, BoundAudiences },
    ...{ AllowedRedirectURIs, DiscoveryCaPem, SigningAlgs, ClaimMappings, ListClaimMappings },
  };
}

function createOnly(config: AuthMethodConfig) {
  const { JWTValidationPubKeys, JWKSURL, JWKSCACert, ExpirationLeeway, NotBeforeLeeway, ClockSkewLeeway, VerboseLogging } = config;
  return { JWTValidationPubKeys, JWKSURL, JWKSCACert, ExpirationLeeway, NotBeforeLeeway, ClockSkewLeeway, VerboseLogging };
}

/** Compares the bytes of the ID and the prefix. */
function withPrefix(prefix: string): (role: { ID: string }) => boolean {
  if (!/^([0-9a-f]{2})*$/.test(prefix)) throw new Refusal(400, "prefix must have an even number of hexadecimal characters");
  return ({ ID }) => ID.replaceAll("-", "").startsWith(prefix);
}
