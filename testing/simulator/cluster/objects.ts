/**
 * The ACL objects in the store: with the API's keys, and secrets in plain text. Times are RFC 3339, durations Go's ("1h0m0s", "" when
 * unset), lists and maps are null if they were never given.
 */
export interface Stored {
  Hash: string;
  CreateIndex: number;
  ModifyIndex: number;
}

export interface AuthMethod extends Stored {
  MaxTokenTTL: string;
  Name: string;
  Type: string;
  TokenLocality: string;
  TokenNameFormat: string;
  Default: boolean;
  Config: AuthMethodConfig;
  CreateTime: string;
  ModifyTime: string;
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

export interface ClientAssertion {
  KeySource: string;
  Audience: string[] | null;
  PrivateKey: ClientAssertionKey | null;
  ExtraHeaders: Record<string, string> | null;
  KeyAlgorithm: string;
  /** A copy of the method's OIDCClientSecret, which the server makes. */
  ClientSecret: string;
}

export interface ClientAssertionKey {
  PemKey: string;
  PemKeyFile: string;
  KeyIDHeader: string;
  PemCert: string;
  PemCertFile: string;
  KeyID: string;
}

export interface Role extends Stored {
  Description: string;
  ID: string;
  Name: string;
  Policies: { Name: string }[];
}

export interface BindingRule extends Stored {
  AuthMethod: string;
  BindName: string;
  BindType: string;
  CreateTime: string;
  Description: string;
  ID: string;
  ModifyTime: string;
  Selector: string;
}

export interface Policy extends Stored {
  Description: string;
  JobACL: JobAcl | null;
  Name: string;
  Rules: string;
}

/** The job whose tasks have the policy. What is not set is empty. */
export interface JobAcl {
  Group: string;
  JobID: string;
  Namespace: string;
  Task: string;
}

export interface Token extends Stored {
  AccessorID: string;
  SecretID: string;
  Name: string;
  Type: string;
  Policies: string[] | null;
  /** By their IDs: responses add the present names. */
  Roles: { ID: string }[] | null;
  /** Otherwise it is in one region alone. */
  Global: boolean;
  CreateTime: string;
  ExpirationTime: string | null;
  ExpirationTTL: string;
}

/** The indexes of an object that is not stored yet. The store sets them. */
export const unstored = { CreateIndex: 0, ModifyIndex: 0 };

/** The auth method of a request body. */
export type MethodBody = Omit<AuthMethod, keyof Stored | "Config" | "ModifyTime" | "CreateTime"> & {
  Config: AuthMethodConfig | null;
  CreateTime?: string | undefined;
};

/** The rule of a request body: a field that is left out is undefined. */
export type RuleBody = Partial<Omit<BindingRule, keyof Stored | "CreateTime" | "ModifyTime">> & { ID: string };

/** The objects of one kind for the API, by name (auth methods, policies) or by ID (roles, rules). Stored objects are never modified. */
interface Rows<Row> {
  peek(key: string): Row | undefined;
  all(): readonly Row[];
  write(row: Row): Row;
}

/** The part of the cluster that the API's writes need. */
export interface ClusterObjects {
  readonly methods: Rows<AuthMethod>;
  readonly roles: Rows<Role>;
  readonly rules: Rows<BindingRule>;
  readonly policies: Rows<Policy>;
  /** Nanoseconds. */
  readonly minTokenTtl: bigint;
  readonly maxTokenTtl: bigint;
}
