import { parseDuration } from "../common/durations";
import { wellFormed } from "./go-text";
import type { RegisteredClaims } from "./registered-claims";
import { claimInWords, instant, momentOf, SECOND, timeInWords } from "./registered-claims";
import type { GivenClaims, TokenProblem, TokenRequirement, TokenRequirements } from "./token-requirements";
import { isHidden } from "./token-requirements";

/** The reason why a method of the type JWT refuses a token: the first check of the server that fails. */
export function jwtProblem(method: TokenRequirements, registered: RegisteredClaims, given: GivenClaims): TokenProblem | undefined {
  const problem = audienceProblem(method, registered, given) ?? timesProblem(method, registered, given);
  return problem ? { ...problem, error: `unable to verify signature of JWT token: ${problem.error}` } : issuerProblem(method, given);
}

function audienceProblem(
  method: TokenRequirements,
  { audiences }: RegisteredClaims,
  { isToken, skip }: GivenClaims,
): TokenProblem | undefined {
  const { boundAudiences = [] } = method;
  const isUnknown = isHidden(method, "boundAudiences");
  if (!isUnknown && (boundAudiences.length === 0 || audiences?.some((one) => boundAudiences.includes(one)))) return undefined;
  if (isUnknown || (audiences === undefined && !isToken)) {
    skip("audience");
    return undefined;
  }
  return {
    error: "invalid audience (aud) claim: audience claim does not match any expected audience",
    by: "audience",
    because: `${claimInWords("aud", audiences)}, and boundAudiences is ${JSON.stringify(boundAudiences)}`,
  };
}

function issuerProblem(method: TokenRequirements, { claims, isToken, skip }: GivenClaims): TokenProblem | undefined {
  const { boundIssuer = [] } = method;
  const isUnknown = isHidden(method, "boundIssuer");
  const given = Object.hasOwn(claims, "iss") ? claims.iss : undefined;
  const issuer = typeof given === "string" ? wellFormed(given) : given;
  if (!isUnknown && (boundIssuer.length === 0 || boundIssuer.some((one) => one === issuer))) return undefined;
  if (isUnknown || (issuer === undefined && !isToken)) {
    skip("issuer");
    return undefined;
  }
  const because = `${claimInWords("iss", issuer)}, and boundIssuer is ${JSON.stringify(boundIssuer)}`;
  return { error: issuerError(issuer), by: "issuer", because };
}

function issuerError(issuer: unknown): string {
  if (issuer === undefined) return "auth method specifies BoundIssuers but the provided token does not contain issuer information";
  return typeof issuer === "string" ? `invalid JWT issuer: ${issuer}` : "unable to read iss property of provided token";
}

/** The leeways that the server's library uses if none is set. */
const DEFAULT_LEEWAY = 150n * SECOND;
const DEFAULT_SKEW = 60n * SECOND;

type Times = Pick<RegisteredClaims, "issuedAt" | "notBefore" | "expiry">;

function timesProblem(method: TokenRequirements, given: Times, { isToken, now, skip }: GivenClaims): TokenProblem | undefined {
  const [hasStart, hasEnd] = [given.notBefore !== 0n || given.issuedAt !== 0n, given.expiry !== 0n];
  if (isToken && !hasStart && !hasEnd) {
    const error = "no issued at (iat), not before (nbf), or expiration time (exp) claims in token";
    return { error, by: "form", because: "a token needs iat, nbf or exp" };
  }
  const needed: TokenRequirement[] = ["clockSkewLeeway"];
  if (isToken && !hasEnd) needed.push("expirationLeeway");
  if (isToken && !hasStart) needed.push("notBeforeLeeway");
  const isUndecided = now === undefined || isHidden(method, ...needed);
  const problem = isUndecided ? undefined : outside(isToken ? completed(method, given) : given, hasEnd || isToken, { method, now });
  if (!problem && (isUndecided || (!isToken && !(hasStart && hasEnd)))) skip("times");
  return problem;
}

/** The times of a token. Missing times are filled in, as servers do. */
function completed(method: TokenRequirements, { issuedAt, notBefore, expiry }: Times): Times {
  const later = notBefore > issuedAt ? notBefore : issuedAt;
  const end = expiry === 0n ? later + leewayOf(method.expirationLeeway, DEFAULT_LEEWAY) / SECOND : expiry;
  const start = issuedAt === 0n ? end - leewayOf(method.notBeforeLeeway, DEFAULT_LEEWAY) / SECOND : issuedAt;
  return { issuedAt, notBefore: notBefore === 0n ? start : notBefore, expiry: end };
}

function outside(
  { issuedAt, notBefore, expiry }: Times,
  hasEnd: boolean,
  { method, now }: { method: TokenRequirements; now: number },
): TokenProblem | undefined {
  const skew = leewayOf(method.clockSkewLeeway, DEFAULT_SKEW);
  const moment = momentOf(now);
  const problem = (error: string, because: string): TokenProblem => ({ error, by: "times", because });
  if (moment + skew < instant(notBefore)) {
    return problem("invalid not before (nbf) claim: token not yet valid", `it is valid from ${timeInWords(notBefore)} on`);
  }
  if (hasEnd && moment - skew > instant(expiry)) {
    return problem("invalid expiration time (exp) claim: token is expired", `it was valid until ${timeInWords(expiry)}`);
  }
  if (moment + skew < instant(issuedAt)) {
    return problem("invalid issued at (iat) claim: token issued in the future", `it is issued at ${timeInWords(issuedAt)}`);
  }
  return undefined;
}

/** A leeway in nanoseconds: the default for 0, and none for a negative duration. */
function leewayOf(given: string | number | undefined, unset: bigint): bigint {
  const read = typeof given === "number" ? BigInt(Math.trunc(given)) : parseDuration(given || "0s");
  if (read === undefined) throw new TypeError(`${JSON.stringify(given)} is not a duration, such as "60s"`);
  return read === 0n ? unset : read < 0n ? 0n : read;
}
