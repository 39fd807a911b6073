import type { Claims } from "./claims";

/** The properties of an auth method that decide which tokens it accepts, as in `config`. A missing property has the server's default. */
export interface TokenRequirements {
  /** `OIDC` or `JWT`. */
  readonly type: string;
  /** One matching audience suffices. Empty: every audience is accepted. */
  readonly boundAudiences?: readonly string[] | undefined;
  /** One matching issuer suffices. Empty: every issuer is accepted. OIDC ignores it. */
  readonly boundIssuer?: readonly string[] | undefined;
  /** The three leeways are durations, such as "150s", or nanoseconds. OIDC ignores them. */
  readonly expirationLeeway?: string | number | undefined;
  readonly notBeforeLeeway?: string | number | undefined;
  readonly clockSkewLeeway?: string | number | undefined;
  /** OIDC only: the issuer of the tokens. */
  readonly oidcDiscoveryUrl?: string | undefined;
  /** OIDC only: the audience, or the authorized party, of the tokens. */
  readonly oidcClientId?: string | undefined;
  /** OIDC only: whether the server skips the identity provider's UserInfo endpoint. */
  readonly oidcDisableUserInfo?: boolean | undefined;
  /** The properties that are secret, or unknown before an update. Their checks are skipped. */
  readonly hidden?: readonly TokenRequirement[] | undefined;
}

export type TokenRequirement = Exclude<keyof TokenRequirements, "type" | "hidden">;

/**
 * The checks that can be skipped, because the claims or the method lack the values. They may still refuse the login; UserInfo may add
 * claims.
 */
export type Unchecked = (typeof unchecked)[number];

export const unchecked = ["audience", "issuer", "times", "UserInfo"] as const;

/** A server's refusal of a token. */
export interface TokenRefusal {
  readonly status: number;
  /** The server's message. */
  readonly error: string;
  /** The check that failed. With `times`, the token is valid at another time. */
  readonly by: "audience" | "issuer" | "times" | "form";
  /** The token's value, and the method's requirement. */
  readonly because: string;
}

/** A refusal before its status is known. */
export type TokenProblem = Omit<TokenRefusal, "status">;

/** Whether any of these properties is secret, or unknown before an update. */
export function isHidden({ hidden = [] }: TokenRequirements, ...names: readonly TokenRequirement[]): boolean {
  return names.some((name) => hidden.includes(name));
}

/** The known claims of a login. */
export interface GivenClaims {
  readonly claims: Claims;
  /** Whether these are all claims of a token, so an absent claim is missing. Otherwise it is unknown. */
  readonly isToken: boolean;
  /** Seconds since 1970. Without it, times are not checked. */
  readonly now?: number | undefined;
  /** Called for each skipped check. */
  readonly skip: (what: Unchecked) => void;
}
