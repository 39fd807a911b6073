import * as z from "zod";
import { duration, flag, object, optionalText, text, textMap, texts, time } from "./body";

/**
 * The ACL objects in the store: with the API's keys, and secrets in plain text. Times are RFC 3339, durations Go's ("1h0m0s", "" when
 * unset), lists and maps are null if they were never given. The forms are those of the bodies of requests.
 */
export interface Stored {
  Hash: string;
  CreateIndex: number;
  ModifyIndex: number;
}

/** The indexes of an object that is not stored yet. The store sets them. */
export const unstored = { CreateIndex: 0, ModifyIndex: 0 };

const keyForm = object({ PemKey: text, PemKeyFile: text, KeyIDHeader: text, PemCert: text, PemCertFile: text, KeyID: text });
export type ClientAssertionKey = z.output<typeof keyForm>;

const assertionForm = object({
  KeySource: text,
  Audience: texts,
  PrivateKey: keyForm.nullable().default(null),
  ExtraHeaders: textMap,
  KeyAlgorithm: text,
  /** A copy of the method's OIDCClientSecret, which the server makes. */
  ClientSecret: text,
});
export type ClientAssertion = z.output<typeof assertionForm>;

const leeway = duration({ isEmptyValid: true });

export const configForm = object({
  ExpirationLeeway: leeway,
  NotBeforeLeeway: leeway,
  ClockSkewLeeway: leeway,
  JWTValidationPubKeys: texts,
  JWKSURL: text,
  OIDCDiscoveryURL: text,
  OIDCClientID: text,
  OIDCClientSecret: text,
  OIDCClientAssertion: assertionForm.nullable().default(null),
  OIDCEnablePKCE: flag,
  OIDCDisableUserInfo: flag,
  OIDCScopes: texts,
  BoundAudiences: texts,
  BoundIssuer: texts,
  AllowedRedirectURIs: texts,
  DiscoveryCaPem: texts,
  JWKSCACert: text,
  SigningAlgs: texts,
  ClaimMappings: textMap,
  ListClaimMappings: textMap,
  VerboseLogging: flag,
});
export type AuthMethodConfig = z.output<typeof configForm>;

export const methodForm = object({
  Name: text,
  Type: text,
  TokenLocality: text,
  TokenNameFormat: text,
  Default: flag,
  Config: configForm.nullable().default(null),
  CreateTime: time,
  // "" is not the same as a field that is left out.
  MaxTokenTTL: duration({ isEmptyValid: false }),
});
export type MethodBody = z.output<typeof methodForm>;

export interface AuthMethod extends Stored, Omit<MethodBody, "Config"> {
  Config: AuthMethodConfig;
  CreateTime: string;
  ModifyTime: string;
}

export const roleForm = object({ Description: text, ID: text, Name: text, Policies: z.array(object({ Name: text })).default([]) });
export type RoleBody = z.output<typeof roleForm>;
export type Role = Stored & RoleBody;

export const ruleForm = object({
  AuthMethod: optionalText,
  BindName: optionalText,
  BindType: optionalText,
  Description: optionalText,
  ID: text,
  Selector: optionalText,
});
/** A field that is left out is undefined. */
export type RuleBody = z.output<typeof ruleForm>;

export interface BindingRule extends Stored, Required<RuleBody> {
  CreateTime: string;
  ModifyTime: string;
}

const jobForm = object({ Group: text, JobID: text, Namespace: text, Task: text });
/** The job whose tasks have the policy. What is not set is empty. */
export type JobAcl = z.output<typeof jobForm>;

export const policyForm = object({ Name: text, Description: text, JobACL: jobForm.nullable().default(null), Rules: text });
export type PolicyBody = z.output<typeof policyForm>;
export type Policy = Stored & PolicyBody;

/** A role is named by its ID, or else by its name. */
export const tokenForm = object({
  AccessorID: text,
  SecretID: text,
  Name: text,
  Type: text,
  Policies: texts,
  Roles: z.array(object({ ID: text, Name: text })).default([]),
  Global: flag,
  CreateTime: time,
  ExpirationTime: time.transform((given) => given ?? null),
  ExpirationTTL: duration({ isEmptyValid: true }),
});
export type TokenBody = z.output<typeof tokenForm>;

/** A token that is not global is in one region alone. */
export interface Token extends Stored, Omit<TokenBody, "Roles"> {
  /** By their IDs: responses add the present names. */
  Roles: { ID: string }[] | null;
  CreateTime: string;
}
