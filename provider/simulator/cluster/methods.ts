import { canonicalAssertion, checkedAssertion, decodeAssertion, invalidAssertion, redactedAssertion } from "./assertion";
import { now, ZERO_TIME } from "./clock";
import { formatDuration, parseDuration } from "./durations";
import { decodeBody, type Fields } from "./fields";
import { contentHash, unorderedEntries } from "./hash";
import { type AuthMethod, type AuthMethodConfig, type Stored, UNSTORED } from "./objects";
import { errorList, Refusal, refuseInvalid } from "./refusal";
import type { ClusterStore } from "./store";

/** An auth method as a body has it. */
type MethodBody = Omit<AuthMethod, keyof Stored | "Config" | "ModifyTime" | "CreateTime"> & {
  Config: AuthMethodConfig | null;
  CreateTime: string | undefined;
};

/** A change that a test makes: what it names replaces what is there, in Config too; the rest stays. */
export type MethodChange = Partial<Omit<AuthMethod, "Config">> & { Name: string; Config?: Partial<AuthMethodConfig> };

const DEFAULT_NAME_FORMAT = "$" + "{auth_method_type}-$" + "{auth_method_name}";

export function decodeMethod(body: string): MethodBody {
  const root = { type: "struct { MaxTokenTTL interface {}; *structs.Alias }", path: ".Alias" };
  return decodeBody(body, root, (fields) => {
    fields.ignoredBytes("Hash");
    fields.ignoredIndex("CreateIndex");
    fields.ignoredIndex("ModifyIndex");
    fields.time("ModifyTime");
    const config = fields.object("Config", CONFIG_TYPE, ".Alias.Config.Alias");
    return {
      Name: fields.string("Name"),
      Type: fields.string("Type"),
      TokenLocality: fields.string("TokenLocality"),
      TokenNameFormat: fields.string("TokenNameFormat"),
      Default: fields.boolean("Default"),
      Config: config && decodeConfig(config),
      CreateTime: fields.time("CreateTime"),
      // Last, as on the server: what is wrong with the fields above is told first. "" is not the same as nothing here.
      MaxTokenTTL: fields.duration("MaxTokenTTL", { emptyText: "invalid", otherTypes: "ignored" }),
    };
  });
}

const CONFIG_TYPE = "struct { ExpirationLeeway interface {}; NotBeforeLeeway interface {}; ClockSkewLeeway interface {}; *structs.Alias }";

function decodeConfig(fields: Fields): AuthMethodConfig {
  const leeway = { emptyText: "unset", otherTypes: "invalid" } as const;
  const assertion = fields.object("OIDCClientAssertion", "structs.OIDCClientAssertion");
  return {
    ExpirationLeeway: fields.duration("ExpirationLeeway", leeway),
    NotBeforeLeeway: fields.duration("NotBeforeLeeway", leeway),
    ClockSkewLeeway: fields.duration("ClockSkewLeeway", leeway),
    JWTValidationPubKeys: fields.strings("JWTValidationPubKeys"),
    JWKSURL: fields.string("JWKSURL"),
    OIDCDiscoveryURL: fields.string("OIDCDiscoveryURL"),
    OIDCClientID: fields.string("OIDCClientID"),
    OIDCClientSecret: fields.string("OIDCClientSecret"),
    OIDCClientAssertion: assertion && decodeAssertion(assertion),
    OIDCEnablePKCE: fields.boolean("OIDCEnablePKCE"),
    OIDCDisableUserInfo: fields.boolean("OIDCDisableUserInfo"),
    OIDCScopes: fields.strings("OIDCScopes"),
    BoundAudiences: fields.strings("BoundAudiences"),
    BoundIssuer: fields.strings("BoundIssuer"),
    AllowedRedirectURIs: fields.strings("AllowedRedirectURIs"),
    DiscoveryCaPem: fields.strings("DiscoveryCaPem"),
    JWKSCACert: fields.string("JWKSCACert"),
    SigningAlgs: fields.strings("SigningAlgs"),
    ClaimMappings: fields.stringMap("ClaimMappings"),
    ListClaimMappings: fields.stringMap("ListClaimMappings"),
    VerboseLogging: fields.boolean("VerboseLogging"),
  };
}

/**
 * Creates, or replaces what has the name: the server raises no conflict. Empty fields take what is stored, except Default.
 *
 * @throws Refusal 400 when something is not valid, or another method is the default.
 */
export function writeMethod(store: ClusterStore, body: MethodBody): AuthMethod {
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
  const errors = methodErrors(merged, store);
  refuseInvalid("auth method", errors);
  const holder = merged.Default ? store.methods.all().find((method) => method.Default && method.Name !== merged.Name) : undefined;
  if (holder) throw new Refusal(400, `default method already exists: ${holder.Name}`);
  if (merged.Config === null) throw new Error("a method without Config has passed validation");
  const assertion = merged.Config.OIDCClientAssertion;
  const problem = assertion?.KeySource ? checkedAssertion(merged.Config.OIDCClientID, assertion) : undefined;
  if (problem !== undefined) throw new Refusal(400, `invalid OIDCClientAssertion: failed to build client_assertion jwt: ${problem}`);
  const time = now();
  const given = merged.CreateTime === ZERO_TIME ? undefined : merged.CreateTime;
  return store.methods.write(
    hashed({ ...merged, Config: merged.Config, CreateTime: existing?.CreateTime ?? given ?? time, ModifyTime: time }),
  );
}

/** The method as it will be after a change that no rule stands against. */
export function changedMethod(existing: AuthMethod | undefined, change: MethodChange): AuthMethod {
  const time = now();
  const blank = {
    MaxTokenTTL: "1h",
    Type: "OIDC",
    TokenLocality: "local",
    TokenNameFormat: DEFAULT_NAME_FORMAT,
    Default: false,
    CreateTime: time,
  };
  const config = { ...(existing?.Config ?? BLANK_CONFIG), ...change.Config };
  const method = { ...blank, ...existing, ...change, ModifyTime: change.ModifyTime ?? time };
  return hashed({ ...method, MaxTokenTTL: formatDuration(parseDuration(method.MaxTokenTTL)), Config: canonicalConfig(config) });
}

/** A method as it is answered: without its secrets. */
export function shownMethod(method: AuthMethod): AuthMethod {
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

/** A method as the list shows it. */
export function methodStub({ CreateIndex, Default, Hash, ModifyIndex, Name, Type }: AuthMethod): object {
  return { CreateIndex, Default, Hash, ModifyIndex, Name, Type };
}

const BLANK_CONFIG: AuthMethodConfig = {
  ExpirationLeeway: "",
  NotBeforeLeeway: "",
  ClockSkewLeeway: "",
  JWTValidationPubKeys: null,
  JWKSURL: "",
  OIDCDiscoveryURL: "",
  OIDCClientID: "",
  OIDCClientSecret: "",
  OIDCClientAssertion: null,
  OIDCEnablePKCE: false,
  OIDCDisableUserInfo: false,
  OIDCScopes: null,
  BoundAudiences: null,
  BoundIssuer: null,
  AllowedRedirectURIs: null,
  DiscoveryCaPem: null,
  JWKSCACert: "",
  SigningAlgs: null,
  ClaimMappings: null,
  ListClaimMappings: null,
  VerboseLogging: false,
};

/** The assertion inherits the audience and the secret of the method. */
function canonicalConfig(config: AuthMethodConfig): AuthMethodConfig {
  return { ...config, OIDCClientAssertion: config.OIDCClientAssertion && canonicalAssertion(config.OIDCClientAssertion, config) };
}

function methodErrors(method: MethodBody, store: ClusterStore): string[] {
  const errors: string[] = [];
  if (!/^[a-zA-Z0-9-]{1,128}$/.test(method.Name)) errors.push(`invalid name '${method.Name}'`);
  if (!["local", "global"].includes(method.TokenLocality)) errors.push(`invalid token locality '${method.TokenLocality}'`);
  if (!["OIDC", "JWT"].includes(method.Type)) errors.push(`invalid token type '${method.Type}'`);
  const config = configError(method.Type, method.Config);
  if (config !== undefined) errors.push(`invalid config: ${config}`);
  const ttl = parseDuration(method.MaxTokenTTL || "0s");
  const { minTokenTtl, maxTokenTtl } = store;
  if (ttl < minTokenTtl || ttl > maxTokenTtl) {
    const range = `between ${formatDuration(minTokenTtl)} and ${formatDuration(maxTokenTtl)}`;
    errors.push(`invalid MaxTokenTTL value '${formatDuration(ttl)}' (should be ${range})`);
  }
  return errors;
}

function configError(type: string, config: AuthMethodConfig | null): string | undefined {
  if (config === null) return "missing auth method Config";
  const errors: string[] = [];
  if (type === "OIDC") {
    if (config.OIDCDiscoveryURL === "") errors.push("missing OIDCDiscoveryURL");
    if (config.OIDCClientID === "") errors.push("missing OIDCClientID");
    const assertion = config.OIDCClientAssertion && invalidAssertion(config.OIDCClientAssertion);
    if (assertion) errors.push(`invalid client assertion config: ${assertion}`);
  }
  if (type === "JWT" && config.OIDCDiscoveryURL === "" && config.JWKSURL === "" && !config.JWTValidationPubKeys?.length) {
    errors.push("JWT auth method requires either OIDCDiscoveryURL, or JWKS URL, or JWTValidationPubKeys set");
  }
  return errors.length > 1 ? errorList(errors) : errors[0];
}

/** Covers every field, the secrets too. */
function hashed(method: Omit<AuthMethod, keyof Stored>): AuthMethod {
  const { Config: config } = method;
  const assertion = config.OIDCClientAssertion;
  const key = assertion?.PrivateKey;
  const Hash = contentHash(
    [method.Name, method.Type, method.TokenLocality, method.TokenNameFormat, method.MaxTokenTTL || "0s", String(method.Default)],
    [config.JWKSURL, config.JWKSCACert, config.OIDCDiscoveryURL, config.OIDCClientID, config.OIDCClientSecret],
    [config.OIDCEnablePKCE, config.OIDCDisableUserInfo, config.VerboseLogging].map(String),
    [config.ExpirationLeeway, config.NotBeforeLeeway, config.ClockSkewLeeway].map((leeway) => leeway || "0s"),
    ...[config.BoundAudiences, config.BoundIssuer, config.AllowedRedirectURIs, config.DiscoveryCaPem, config.OIDCScopes],
    ...[config.SigningAlgs, config.JWTValidationPubKeys],
    unorderedEntries(config.ClaimMappings),
    unorderedEntries(config.ListClaimMappings),
    assertion
      ? [assertion.KeySource, assertion.KeyAlgorithm, ...(assertion.Audience ?? []), ...unorderedEntries(assertion.ExtraHeaders)]
      : null,
    key ? [key.KeyIDHeader, key.KeyID, key.PemKey, key.PemKeyFile, key.PemCert, key.PemCertFile] : null,
  );
  const { MaxTokenTTL, Name, Type, TokenLocality, TokenNameFormat, Default, Config, CreateTime, ModifyTime } = method;
  return {
    MaxTokenTTL,
    Name,
    Type,
    TokenLocality,
    TokenNameFormat,
    Default,
    Config,
    Hash,
    CreateTime,
    ModifyTime,
    CreateIndex: UNSTORED,
    ModifyIndex: UNSTORED,
  };
}
