/** The forms of the bodies of requests. A file apart, because programs that use the simulator have its types without zod. */
import * as z from "zod";
import { duration, flag, object, optionalText, text, textMap, texts, time } from "./body";

const keyForm = object({ PemKey: text, PemKeyFile: text, KeyIDHeader: text, PemCert: text, PemCertFile: text, KeyID: text });

const assertionForm = object({
  KeySource: text,
  Audience: texts,
  PrivateKey: keyForm.nullable().default(null),
  ExtraHeaders: textMap,
  KeyAlgorithm: text,
  ClientSecret: text,
});

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

export const methodForm = object({
  Name: text,
  Type: text,
  TokenLocality: text,
  TokenNameFormat: text,
  Default: flag,
  Config: configForm.nullable().default(null),
  CreateTime: time,
  // An empty text is refused: only a body without the field leaves the duration unset.
  MaxTokenTTL: duration({ isEmptyValid: false }),
});

export const roleForm = object({ Description: text, ID: text, Name: text, Policies: z.array(object({ Name: text })).default([]) });

export const ruleForm = object({
  AuthMethod: optionalText,
  BindName: optionalText,
  BindType: optionalText,
  Description: optionalText,
  ID: text,
  Selector: optionalText,
});

const jobForm = object({ Group: text, JobID: text, Namespace: text, Task: text });

export const policyForm = object({ Name: text, Description: text, JobACL: jobForm.nullable().default(null), Rules: text });

/** The body names a role by its ID or, without one, by its name. */
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
