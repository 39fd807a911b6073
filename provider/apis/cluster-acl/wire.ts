import * as z from "zod";

export type Locality = "local" | "global";
export type MethodType = "OIDC" | "JWT";
export type BindType = "role" | "policy" | "management";

/**
 * The API's own keys in the document's spelling: servers may write them in any letter case. Where an object holds a key twice, the
 * document's own spelling wins. Keys inside maps (claims, headers) are a user's and stay as they are.
 */
function spell(keys: readonly string[]): (value: unknown) => unknown {
  const spelling = new Map(keys.map((key) => [key.toLowerCase(), key]));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value);
    const respelled = entries.map(([key, item]): [string, unknown] => [spelling.get(key.toLowerCase()) ?? key, item]);
    return Object.fromEntries([...respelled, ...entries.filter(([key]) => spelling.get(key.toLowerCase()) === key)]);
  };
}

const object = <S extends z.ZodRawShape>(shape: S) => z.preprocess(spell(Object.keys(shape)), z.object(shape));
/** Keeps the keys that this provider does not know, so that a change can send them back. */
const openObject = <S extends z.ZodRawShape>(shape: S) => z.preprocess(spell(Object.keys(shape)), z.looseObject(shape));

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const list = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);
const map = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});
const index = z.number().int().nonnegative();
const key = z.string().min(1);
const hash = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
/** Go's duration form, such as 1h0m0s. A number is nanoseconds, as in a request. */
const duration = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (typeof value === "number" ? `${value}ns` : (value ?? "")));

const privateKey = openObject({ PemKey: text, PemKeyFile: text, PemCert: text, PemCertFile: text, KeyIDHeader: text, KeyID: text });

const clientAssertion = openObject({
  Audience: list,
  PrivateKey: privateKey.nullish().transform((value) => value ?? null),
  KeyAlgorithm: text,
  KeySource: text,
  ExtraHeaders: map,
  ClientSecret: text,
});

const methodConfig = openObject({
  OIDCDiscoveryURL: text,
  OIDCClientID: text,
  OIDCClientSecret: text,
  OIDCClientAssertion: clientAssertion.nullish().transform((value) => value ?? null),
  OIDCEnablePKCE: flag,
  OIDCDisableUserInfo: flag,
  OIDCScopes: list,
  JWTValidationPubKeys: list,
  JWKSURL: text,
  JWKSCACert: text,
  BoundAudiences: list,
  BoundIssuer: list,
  AllowedRedirectURIs: list,
  DiscoveryCaPem: list,
  SigningAlgs: list,
  ExpirationLeeway: duration,
  NotBeforeLeeway: duration,
  ClockSkewLeeway: duration,
  ClaimMappings: map,
  ListClaimMappings: map,
  VerboseLogging: flag,
});

/**
 * An auth method's config as the server answers it, with the API's own keys, the unknown ones included. What the server leaves out or
 * answers as null is "", false, an empty list or an empty map. Secrets are answered as the text "redacted".
 */
export type AuthMethodConfig = z.output<typeof methodConfig>;

/** "Auth method" in the document. */
export interface AuthMethod {
  readonly name: string;
  readonly type: string;
  readonly tokenLocality: string;
  readonly tokenNameFormat: string;
  /** Go's duration form: 1h0m0s. */
  readonly maxTokenTtl: string;
  readonly default: boolean;
  readonly config: AuthMethodConfig;
  /** ISO 8601. */
  readonly createTime: string;
  /** ISO 8601. */
  readonly modifyTime: string;
  readonly createIndex: number;
  readonly modifyIndex: number;
  /** Covers every field, the stored secret too; "" when the server gives none. */
  readonly hash: string;
}

export interface AuthMethodStub {
  readonly name: string;
  readonly type: string;
  readonly default: boolean;
  readonly hash: string | undefined;
  readonly createIndex: number;
  readonly modifyIndex: number;
}

/** "ACL role" in the document. */
export interface Role {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Names of the policies, in the server's order. */
  readonly policies: string[];
  readonly createIndex: number;
  readonly modifyIndex: number;
  readonly hash: string | undefined;
}

/** "ACL binding rule" in the document. */
export interface BindingRule {
  readonly id: string;
  readonly authMethod: string;
  readonly description: string;
  readonly selector: string;
  readonly bindType: string;
  /** "" for bind type `management`. */
  readonly bindName: string;
  readonly createTime: string;
  readonly modifyTime: string;
  readonly createIndex: number;
  readonly modifyIndex: number;
  readonly hash: string | undefined;
}

export interface BindingRuleStub {
  readonly id: string;
  readonly authMethod: string;
  readonly description: string;
  readonly hash: string | undefined;
  readonly createIndex: number;
  readonly modifyIndex: number;
}

const versions = { CreateIndex: index, ModifyIndex: index };
const versionOf = (wire: { CreateIndex: number; ModifyIndex: number }) => ({
  createIndex: wire.CreateIndex,
  modifyIndex: wire.ModifyIndex,
});

/** A Config in which nothing is set: an update by another tool has left it out, and a server that is as documented forgets it then. */
export function isErased(config: object): boolean {
  return Object.values(config).every((value) => !value || (typeof value === "object" && Object.keys(value).length === 0));
}

/**
 * Servers without hashes are those of the document, which have nothing in a response that stands for a client secret. One is taken to be there unless all of the
 * Config is gone, and the secret with it.
 */
function withUnseenSecret(config: AuthMethodConfig): AuthMethodConfig {
  return isErased(config) ? config : { ...config, OIDCClientSecret: "redacted" };
}

export const authMethod = object({
  Name: key,
  Type: z.string(),
  TokenLocality: text,
  TokenNameFormat: text,
  MaxTokenTTL: duration,
  Default: flag,
  Config: z.preprocess((value) => value ?? {}, methodConfig),
  CreateTime: text,
  ModifyTime: text,
  Hash: hash,
  ...versions,
}).transform(
  (wire): AuthMethod => ({
    name: wire.Name,
    type: wire.Type,
    tokenLocality: wire.TokenLocality,
    tokenNameFormat: wire.TokenNameFormat,
    maxTokenTtl: wire.MaxTokenTTL,
    default: wire.Default,
    config: wire.Hash ? wire.Config : withUnseenSecret(wire.Config),
    createTime: wire.CreateTime,
    modifyTime: wire.ModifyTime,
    hash: wire.Hash ?? "",
    ...versionOf(wire),
  }),
);

const authMethodStub = object({ Name: key, Type: z.string(), Default: flag, Hash: hash, ...versions }).transform(
  (wire): AuthMethodStub => ({ name: wire.Name, type: wire.Type, default: wire.Default, hash: wire.Hash, ...versionOf(wire) }),
);

const policyLinks = z
  .array(object({ Name: z.string() }))
  .nullish()
  .transform((links) => (links ?? []).map((link) => link.Name));

export const role = object({ ID: key, Name: z.string(), Description: text, Policies: policyLinks, Hash: hash, ...versions }).transform(
  (wire): Role => ({
    id: wire.ID,
    name: wire.Name,
    description: wire.Description,
    policies: wire.Policies,
    hash: wire.Hash,
    ...versionOf(wire),
  }),
);

export const bindingRule = object({
  ID: key,
  AuthMethod: z.string(),
  Description: text,
  Selector: text,
  BindType: z.string(),
  BindName: text,
  CreateTime: text,
  ModifyTime: text,
  Hash: hash,
  ...versions,
}).transform(
  (wire): BindingRule => ({
    id: wire.ID,
    authMethod: wire.AuthMethod,
    description: wire.Description,
    selector: wire.Selector,
    bindType: wire.BindType,
    bindName: wire.BindName,
    createTime: wire.CreateTime,
    modifyTime: wire.ModifyTime,
    hash: wire.Hash,
    ...versionOf(wire),
  }),
);

const bindingRuleStub = object({ ID: key, AuthMethod: z.string(), Description: text, Hash: hash, ...versions }).transform(
  (wire): BindingRuleStub => ({
    id: wire.ID,
    authMethod: wire.AuthMethod,
    description: wire.Description,
    hash: wire.Hash,
    ...versionOf(wire),
  }),
);

/** An empty list may be answered as null. */
const listOf = <T>(item: z.ZodType<T>) => z.preprocess((value) => (value === null ? [] : value), z.array(item));

export const authMethodList = listOf(authMethodStub);
export const roleList = listOf(role);
export const bindingRuleList = listOf(bindingRuleStub);
