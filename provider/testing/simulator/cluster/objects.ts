/**
 * The ACL objects as the store holds them: the API's own keys and spelling, with secrets as they are. Times are RFC 3339,
 * durations Go's ("1h0m0s", "" when unset), lists and maps null when they were never given.
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
  JobACL: null;
  Name: string;
  Rules: string;
}

/** The index of an object that is not stored yet: the store sets it. */
export const UNSTORED = 0;

/** An auth method as a body has it. */
export type MethodBody = Omit<AuthMethod, keyof Stored | "Config" | "ModifyTime" | "CreateTime"> & {
  Config: AuthMethodConfig | null;
  CreateTime: string | undefined;
};

/** A rule as a body has it: what is left out is undefined. */
export type RuleBody = Partial<Omit<BindingRule, keyof Stored | "CreateTime" | "ModifyTime">> & { ID: string };

/** The objects of one kind, as the API uses them: by name (auth methods, policies) or by ID (roles, rules), and never changed. */
interface Rows<Row> {
  peek(key: string): Row | undefined;
  all(): readonly Row[];
  write(row: Row): Row;
}

/** What the API's writes need of the cluster. */
export interface ClusterObjects {
  readonly methods: Rows<AuthMethod>;
  readonly roles: Rows<Role>;
  readonly rules: Rows<BindingRule>;
  readonly policies: Rows<Policy>;
  /** Nanoseconds. */
  readonly minTokenTtl: bigint;
  readonly maxTokenTtl: bigint;
}
