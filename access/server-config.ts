import type { LoginMethod } from "./login";

/** What a server's Config of an auth method says about logins, with the keys of its API. Null and "" are what is not set. */
interface ServerConfig {
  readonly BoundAudiences: readonly string[] | null;
  readonly BoundIssuer: readonly string[] | null;
  readonly ExpirationLeeway: string;
  readonly NotBeforeLeeway: string;
  readonly ClockSkewLeeway: string;
  readonly OIDCDiscoveryURL: string;
  readonly OIDCClientID: string;
  readonly OIDCDisableUserInfo: boolean;
  readonly ClaimMappings: Readonly<Record<string, string>> | null;
  readonly ListClaimMappings: Readonly<Record<string, string>> | null;
}

/** The same as it decides about logins. */
export function toLoginConfig(config: ServerConfig): Omit<LoginMethod, "name" | "type" | "tokenLocality"> {
  return {
    boundAudiences: config.BoundAudiences ?? [],
    boundIssuer: config.BoundIssuer ?? [],
    expirationLeeway: config.ExpirationLeeway,
    notBeforeLeeway: config.NotBeforeLeeway,
    clockSkewLeeway: config.ClockSkewLeeway,
    oidcDiscoveryUrl: config.OIDCDiscoveryURL,
    oidcClientId: config.OIDCClientID,
    oidcDisableUserInfo: config.OIDCDisableUserInfo,
    claimMappings: config.ClaimMappings ?? {},
    listClaimMappings: config.ListClaimMappings ?? {},
  };
}
