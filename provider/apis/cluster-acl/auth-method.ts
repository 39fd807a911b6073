import * as z from "zod";
import { absenceOf, duration, flag, key, listOf, map, object, openObject, text, texts, versionOf, versions } from "./wire";

export type Locality = "local" | "global";
export type MethodType = "OIDC" | "JWT";

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

/** What an auth method is made of. `config` has the API's own keys and is sent as it is. */
export interface AuthMethodInput {
  readonly name: string;
  readonly type: MethodType;
  readonly tokenLocality: Locality;
  readonly tokenNameFormat: string;
  /** Go's duration form, such as 1h0m0s. */
  readonly maxTokenTtl: string;
  readonly default: boolean;
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Only what is given is sent. The server keeps what is left out, except `default`, which becomes false; one that gives no hashes follows the document, and sets
 * all of it to the defaults.
 */
export type AuthMethodUpdate = Pick<AuthMethodInput, "name"> &
  Partial<Omit<AuthMethodInput, "type" | "tokenLocality">> & {
    /** Also what a server has and this version does not know. */
    readonly type?: string;
    readonly tokenLocality?: string;
  };

const privateKey = openObject({ PemKey: text, PemKeyFile: text, PemCert: text, PemCertFile: text, KeyIDHeader: text, KeyID: text });

const clientAssertion = openObject({
  Audience: texts,
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
  OIDCScopes: texts,
  JWTValidationPubKeys: texts,
  JWKSURL: text,
  JWKSCACert: text,
  BoundAudiences: texts,
  BoundIssuer: texts,
  AllowedRedirectURIs: texts,
  DiscoveryCaPem: texts,
  SigningAlgs: texts,
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

export const form = object({
  Name: key,
  Type: z.string(),
  TokenLocality: text,
  TokenNameFormat: text,
  MaxTokenTTL: duration,
  Default: flag,
  Config: z.preprocess((value) => value ?? {}, methodConfig),
  CreateTime: text,
  ModifyTime: text,
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
    ...versionOf(wire),
    hash: wire.Hash ?? "",
  }),
);

const stub = object({ Name: key, Type: z.string(), Default: flag, ...versions }).transform(
  (wire): AuthMethodStub => ({ name: wire.Name, type: wire.Type, default: wire.Default, ...versionOf(wire) }),
);

export const list = listOf(stub);

/** JSON leaves out what is undefined, and so what the caller left out. */
export function body(input: AuthMethodUpdate): unknown {
  return {
    Name: input.name,
    Type: input.type,
    TokenLocality: input.tokenLocality,
    TokenNameFormat: input.tokenNameFormat,
    MaxTokenTTL: input.maxTokenTtl,
    Default: input.default,
    Config: input.config,
  };
}

const secretFields = z.object({
  OIDCClientSecret: z.string().optional().catch(undefined),
  OIDCClientAssertion: z
    .object({ PrivateKey: z.object({ PemKey: z.string() }) })
    .optional()
    .catch(undefined),
});

/** What no error may repeat, should the server's text do so. */
export function secretsOf(input: AuthMethodUpdate): string[] {
  const found = secretFields.parse(input.config ?? {});
  return [found.OIDCClientSecret, found.OIDCClientAssertion?.PrivateKey.PemKey].filter((secret) => secret !== undefined);
}

export const path = "auth-method";
export const listPath = "auth-methods";

// An update of a method that leaves its Config out keeps the one that is stored: there is none where there is no method. A server where an update makes no
// method can say that it finds none.
export const absence = absenceOf("auth[- ]?method", /\b(missing auth method config|cannot find (ACL )?auth[- ]?method)\b/i);

/** An update that no server takes: see {@link ClusterAclClient.probe}. */
export function probe(name: string): unknown {
  return { Name: name, Type: "none", TokenLocality: "none" };
}
