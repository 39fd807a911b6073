import type { LoginMethod } from "./login";

/** The part of an auth method's Config that affects logins, with the keys of the servers' API. Null and "" mean unset. */
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

/** The part of a Config that affects logins, as properties of a login method. */
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
