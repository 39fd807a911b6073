/**
 * The ACL objects in the store: with the API's keys, and secrets in plain text. Times are RFC 3339, durations Go's ("1h0m0s", "" when
 * unset), lists and maps are null if they were never given.
 */
export interface Stored {
  Hash: string;
  CreateIndex: number;
  ModifyIndex: number;
}

/** The indexes of an object that is not stored yet. The store sets them. */
export const unstored = { CreateIndex: 0, ModifyIndex: 0 };

export interface ClientAssertionKey {
  PemKey: string;
  PemKeyFile: string;
  KeyIDHeader: string;
  PemCert: string;
  PemCertFile: string;
  KeyID: string;
}

export interface ClientAssertion {
  KeySource: string;
  Audience: string[] | null;
  PrivateKey: ClientAssertionKey | null;
  ExtraHeaders: Record<string, string> | null;
  KeyAlgorithm: string;
  /** A copy of the method's OIDCClientSecret, which the server makes. */
  ClientSecret: string;
}

export interface AuthMethodConfig {
  ExpirationLeeway: string;
  NotBeforeLeeway: string;
  ClockSkewLeeway: string;
  JWTValidationPubKeys: string[] | null;
  JWKSURL: string;
  OIDCDiscoveryURL: string;
  OIDCClientID: string;
  OIDCClientSecret: string;
  OIDCClientAssertion: ClientAssertion | null;
  OIDCEnablePKCE: boolean;
  OIDCDisableUserInfo: boolean;
  OIDCScopes: string[] | null;
  BoundAudiences: string[] | null;
  BoundIssuer: string[] | null;
  AllowedRedirectURIs: string[] | null;
  DiscoveryCaPem: string[] | null;
  JWKSCACert: string;
  SigningAlgs: string[] | null;
  ClaimMappings: Record<string, string> | null;
  ListClaimMappings: Record<string, string> | null;
  VerboseLogging: boolean;
}

/** The body of a write. */
export interface MethodBody {
  Name: string;
  Type: string;
  TokenLocality: string;
  TokenNameFormat: string;
  Default: boolean;
  Config: AuthMethodConfig | null;
  CreateTime?: string | undefined;
  MaxTokenTTL: string;
}

export interface AuthMethod extends Stored, MethodBody {
  Config: AuthMethodConfig;
  CreateTime: string;
  ModifyTime: string;
}

/** The body of a write. */
export interface RoleBody {
  Description: string;
  ID: string;
  Name: string;
  Policies: { Name: string }[];
}

export type Role = Stored & RoleBody;

/** The body of a write. A field that is left out is undefined. */
export interface RuleBody {
  AuthMethod?: string | undefined;
  BindName?: string | undefined;
  BindType?: string | undefined;
  Description?: string | undefined;
  ID: string;
  Selector?: string | undefined;
}

export interface BindingRule extends Stored, Required<RuleBody> {
  CreateTime: string;
  ModifyTime: string;
}

/** The job whose tasks have the policy. Unset fields are empty. */
export interface JobAcl {
  Group: string;
  JobID: string;
  Namespace: string;
  Task: string;
}

/** The body of a write. */
export interface PolicyBody {
  Name: string;
  Description: string;
  JobACL: JobAcl | null;
  Rules: string;
}

export type Policy = Stored & PolicyBody;

/** A token that is not global is in one region alone. */
export interface Token extends Stored {
  AccessorID: string;
  SecretID: string;
  Name: string;
  Type: string;
  Policies: string[] | null;
  /** The IDs of the roles. Responses add the current names. */
  Roles: { ID: string }[] | null;
  Global: boolean;
  CreateTime: string;
  ExpirationTime: string | null;
  ExpirationTTL: string;
}
