import type { Claims } from "./claims";
import { idTokenRefusal } from "./id-token";
import { jwtRefusal } from "./jwt-check";
import type { GivenClaims, TokenRefusal, TokenRequirements, Unchecked } from "./token-requirements";
import { unchecked } from "./token-requirements";

/**
 * Why a server takes no token with these claims for a login of the method, whatever its rules are; undefined if it takes it.
 *
 * @param claims all claims of the token
 * @param now seconds since 1970
 */
export function tokenRefusal(method: TokenRequirements, claims: Claims, now: number): string | undefined {
  return checkToken(method, { claims, isToken: true, now }).refusal?.error;
}

/** Checks audience, issuer and times as far as the claims and the method say them. */
export function checkToken(
  method: TokenRequirements,
  given: Omit<GivenClaims, "skip">,
): { readonly refusal?: TokenRefusal | undefined; readonly notChecked: readonly Unchecked[] } {
  const check = { JWT: jwtRefusal, OIDC: idTokenRefusal }[method.type];
  // A type of a newer server.
  if (!check) return { notChecked: ["audience", "issuer", "times"] };
  const skipped = new Set<Unchecked>();
  const refusal = check(method, { ...given, skip: (what) => skipped.add(what) });
  return { refusal, notChecked: unchecked.filter((what) => skipped.has(what)) };
}
