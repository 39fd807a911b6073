import type { Claims } from "./claims";
import { idTokenProblem } from "./id-token";
import { jwtProblem } from "./jwt-check";
import { FormError, registeredClaims } from "./registered-claims";
import type { GivenClaims, TokenProblem, TokenRefusal, TokenRequirements, Unchecked } from "./token-requirements";
import { unchecked } from "./token-requirements";

/**
 * The reason why a server refuses a token with these claims for any login of the method, whatever the method's rules are. Undefined if no
 * check fails; signatures, hidden properties and unknown types of methods are not checked.
 *
 * @param claims all claims of the token
 * @param now seconds since 1970
 */
export function tokenRefusal(method: TokenRequirements, claims: Claims, now: number): string | undefined {
  return checkToken(method, { claims, isToken: true, now }).refusal?.error;
}

/** The server's error prefixes: for a token that it refuses, and for one that it can't read. */
const checks = {
  JWT: {
    status: 401,
    prefix: "unable to validate provided token: ",
    unread: "unable to verify signature of JWT token: ",
    problemOf: jwtProblem,
  },
  OIDC: {
    status: 500,
    prefix: "failed to exchange token with provider: Provider.Exchange: id_token failed verification: Provider.VerifyIDToken: ",
    unread: "invalid id_token: oidc: failed to unmarshal claims: ",
    problemOf: idTokenProblem,
  },
};

/** Checks audience, issuer and times, as far as the claims and the method have the values. */
export function checkToken(
  method: TokenRequirements,
  given: Omit<GivenClaims, "skip">,
): { readonly refusal?: TokenRefusal | undefined; readonly notChecked: readonly Unchecked[] } {
  // A type that only newer servers have.
  if (method.type !== "JWT" && method.type !== "OIDC") return { notChecked: ["audience", "issuer", "times"] };
  const { status, prefix, unread, problemOf } = checks[method.type];
  const skipped = new Set<Unchecked>();
  let problem: TokenProblem | undefined;
  try {
    problem = problemOf(method, registeredClaims(given.claims), { ...given, skip: (what) => skipped.add(what) });
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    problem = { error: unread + error.message, by: "form", because: "a claim has a form that servers can't read" };
  }
  const refusal = problem && { ...problem, status, error: prefix + problem.error };
  return { refusal, notChecked: unchecked.filter((what) => skipped.has(what)) };
}
