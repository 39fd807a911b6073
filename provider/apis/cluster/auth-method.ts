import * as z from "zod";
import { type AuthMethodConfig, configForm, isErased, redacted } from "./method-config";
import type { ClusterKind } from "./requests";
import { duration, flag, keptObject, key, listOf, missing, object, text, toVersion, versions } from "./wire";

export type Locality = "local" | "global";
export type MethodType = "OIDC" | "JWT";

/** The body of a create. `config` has the API's keys and is sent unchanged. */
export interface AuthMethodInput extends Pick<AuthMethod, "name" | "tokenNameFormat" | "maxTokenTtl" | "default"> {
  readonly type: MethodType;
  readonly tokenLocality: Locality;
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * The given fields are sent with the fields that this version does not know. The server keeps the other fields, except `default`, which
 * becomes false. A server without hashes follows the document, and sets missing fields to the defaults.
 */
export type AuthMethodUpdate = Pick<AuthMethodInput, "name"> &
  Partial<Omit<AuthMethodInput, "type" | "tokenLocality">> & {
    /** `type` and `tokenLocality` are texts, because a server may have values that this version does not know. */
    readonly type?: string;
    readonly tokenLocality?: string;
  };

/**
 * Servers without hashes follow the document: their responses have no placeholder for a client secret. A secret counts as stored unless the
 * whole Config is gone.
 */
function withUnseenSecret(config: AuthMethodConfig): AuthMethodConfig {
  return isErased(config) ? config : { ...config, OIDCClientSecret: redacted };
}

const form = keptObject({
  Name: key,
  Type: z.string(),
  TokenLocality: text,
  TokenNameFormat: text,
  MaxTokenTTL: duration,
  Default: flag,
  Config: z.preprocess((value) => value ?? {}, configForm),
  CreateTime: text,
  ModifyTime: text,
  ...versions,
}).transform((wire) => ({
  name: wire.Name,
  type: wire.Type,
  tokenLocality: wire.TokenLocality,
  tokenNameFormat: wire.TokenNameFormat,
  /** Go's duration form: 1h0m0s. */
  maxTokenTtl: wire.MaxTokenTTL,
  default: wire.Default,
  config: wire.Hash ? wire.Config : withUnseenSecret(wire.Config),
  /** ISO 8601, like `modifyTime`. */
  createTime: wire.CreateTime,
  modifyTime: wire.ModifyTime,
  ...toVersion(wire),
  /** The hash of all fields, including the secret; "" if the server returns none. */
  hash: wire.Hash ?? "",
  rest: wire.rest,
}));

/** "Auth method" in the document. */
export type AuthMethod = z.output<typeof form>;

const stub = object({ Name: key, Type: z.string(), Default: flag, ...versions }).transform((wire) => ({
  name: wire.Name,
  type: wire.Type,
  default: wire.Default,
  ...toVersion(wire),
}));

export type AuthMethodStub = z.output<typeof stub>;

/** JSON omits undefined fields, so fields that the caller leaves out are not sent. */
function bodyOf(input: AuthMethodUpdate) {
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

/** The secrets of an input: no error may repeat them from a response. */
function secretsOf(input: AuthMethodUpdate): string[] {
  const secrets = secretFields.parse(input.config ?? {});
  return [secrets.OIDCClientSecret, secrets.OIDCClientAssertion?.PrivateKey.PemKey].filter((secret) => secret !== undefined);
}

/** A server's create may replace a method of the same name without an error: read it first. The rules of a deleted method stay. */
export const methods: ClusterKind<AuthMethod, AuthMethodStub, AuthMethodInput, AuthMethodUpdate, AuthMethod> = {
  path: "v1/acl/auth-method",
  listPath: "v1/acl/auth-methods",
  listIs: "whole",
  // An update without Config keeps the stored Config. If there is no method, such an update fails for lack of a Config, or because the
  // server finds no method.
  refusals: missing("auth[- ]?method", /\b(missing auth method config|cannot find (ACL )?auth[- ]?method)\b/i),
  form,
  list: listOf(stub),
  written: form,
  createBody: bodyOf,
  updateBody: (_, input) => bodyOf(input),
  keyOf: ({ name }) => name,
  secretsOf,
};
