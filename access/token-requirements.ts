import type { Claims } from "./claims";

/** The properties of an auth method that decide which tokens it accepts, as in `config`. A missing one has the server's default. */
export interface TokenRequirements {
  /** `OIDC` or `JWT`. */
  readonly type: string;
  /** Any suffices. Empty: every audience is taken. */
  readonly boundAudiences?: readonly string[] | undefined;
  /** Any suffices. Empty: every issuer is taken. OIDC ignores it. */
  readonly boundIssuer?: readonly string[] | undefined;
  /** Durations, such as "150s", or nanoseconds. OIDC ignores them. */
  readonly expirationLeeway?: string | number | undefined;
  readonly notBeforeLeeway?: string | number | undefined;
  readonly clockSkewLeeway?: string | number | undefined;
  /** Of OIDC: the issuer of its tokens. */
  readonly oidcDiscoveryUrl?: string | undefined;
  /** Of OIDC: the audience, or the authorized party, of its tokens. */
  readonly oidcClientId?: string | undefined;
  /** Of OIDC: whether the identity provider is not asked for further claims. */
  readonly oidcDisableUserInfo?: boolean | undefined;
  /** The ones that are secret, or unknown before an update: their checks are skipped. */
  readonly hidden?: readonly TokenRequirement[] | undefined;
}

export type TokenRequirement = Exclude<keyof TokenRequirements, "type" | "hidden">;

/** What may still refuse a login, or add claims to it (UserInfo), because the claims or the method do not say it. */
export type Unchecked = (typeof unchecked)[number];

export const unchecked = ["audience", "issuer", "times", "UserInfo"] as const;

/** Why a server does not take a token. */
export interface TokenRefusal {
  readonly status: number;
  /** In the server's words. */
  readonly error: string;
  /** With `times`, the token is good at another time. */
  readonly by: "audience" | "issuer" | "times" | "form";
  /** What the token has, and what the method wants. */
  readonly because: string;
}

/** A refusal before its status is known. */
export type TokenProblem = Omit<TokenRefusal, "status">;

/** Whether one of these is secret, or unknown before an update. */
export function isHidden({ hidden = [] }: TokenRequirements, ...names: readonly TokenRequirement[]): boolean {
  return names.some((name) => hidden.includes(name));
}

/** The claims of a login, as far as they are known. */
export interface GivenClaims {
  readonly claims: Claims;
  /** Whether they are all claims of a token, so an absent claim is missing. Otherwise it is unknown. */
  readonly isToken: boolean;
  /** Seconds since 1970. Times are not checked unless given. */
  readonly now?: number | undefined;
  /** Called with what is not checked. */
  readonly skip: (what: Unchecked) => void;
}
