import type { RegisteredClaims } from "./registered-claims";
import { claimInWords, instant, momentOf, SECOND, timeInWords } from "./registered-claims";
import type { GivenClaims, TokenProblem, TokenRequirements } from "./token-requirements";
import { isHidden } from "./token-requirements";

/** The reason why a method of the type OIDC refuses the identity provider's ID token: the first check of the server that fails. */
export function idTokenProblem(method: TokenRequirements, token: RegisteredClaims, given: GivenClaims): TokenProblem | undefined {
  const problem =
    issuerProblem(method, token, given) ?? timesProblem(token, given) ?? subjectProblem(token, given) ?? partyProblem(method, token, given);
  // A JSON object of claims already includes the identity provider's user information.
  const isAsked = method.oidcDisableUserInfo !== true || isHidden(method, "oidcDisableUserInfo");
  if (!problem && given.isToken && isAsked) given.skip("UserInfo");
  return problem;
}

/** Google's two spellings of its issuer in tokens. The server's library accepts both. */
const googleIssuers: readonly unknown[] = ["https://accounts.google.com", "accounts.google.com"];

function issuerProblem(method: TokenRequirements, { iss }: RegisteredClaims, { isToken, skip }: GivenClaims): TokenProblem | undefined {
  const expected = method.oidcDiscoveryUrl;
  if (!expected || isHidden(method, "oidcDiscoveryUrl") || (iss === undefined && !isToken)) {
    skip("issuer");
    return undefined;
  }
  if (iss === expected || (expected === googleIssuers[0] && iss === googleIssuers[1])) return undefined;
  const error = `invalid id_token: oidc: id token issued by a different provider, expected ${JSON.stringify(expected)} got ${JSON.stringify(iss ?? "")}`;
  return {
    error: `${error}: invalid issuer`,
    by: "issuer",
    because: `${claimInWords("iss", iss)}, and oidcDiscoveryUrl is ${JSON.stringify(expected)}`,
  };
}

/** The fixed leeways of the server's library: no method can configure them. */
const NOT_BEFORE_LEEWAY = 300n * SECOND;
const ISSUED_AT_LEEWAY = 60n * SECOND;

function timesProblem({ expiry, notBefore, issuedAt }: RegisteredClaims, { isToken, now, skip }: GivenClaims): TokenProblem | undefined {
  const problem = (error: string, because: string): TokenProblem => ({ error: `invalid id_token: ${error}`, by: "times", because });
  const hasEnd = expiry !== 0n;
  if (!hasEnd && isToken) return { ...problem("oidc: token is expired: token is expired", claimInWords("exp", undefined)), by: "form" };
  if (now === undefined || !hasEnd) skip("times");
  if (now === undefined) return undefined;
  const moment = momentOf(now);
  if (hasEnd && instant(expiry) < moment) {
    return problem("oidc: token is expired: token is expired", `it was valid until ${timeInWords(expiry)}`);
  }
  if (moment + NOT_BEFORE_LEEWAY < instant(notBefore)) {
    return problem(
      "oidc: current time before the nbf (not before) time: invalid not before",
      `it is valid from ${timeInWords(notBefore)} on`,
    );
  }
  if (moment + ISSUED_AT_LEEWAY < instant(issuedAt)) {
    return problem("current time before the iat (issued at) time: invalid issued at (iat)", `it is issued at ${timeInWords(issuedAt)}`);
  }
  return undefined;
}

function subjectProblem({ sub }: RegisteredClaims, { isToken }: GivenClaims): TokenProblem | undefined {
  if (sub !== "" && (sub !== undefined || !isToken)) return undefined;
  return { error: "invalid id_token: sub: missing required claim", by: "form", because: claimInWords("sub", sub) };
}

/** The reason why the token is not meant for the method, by its audiences and its authorized party. */
function partyProblem(
  method: TokenRequirements,
  { audiences: aud }: RegisteredClaims,
  { claims, isToken, skip }: GivenClaims,
): TokenProblem | undefined {
  const { boundAudiences = [], oidcClientId: client } = method;
  const party = Object.hasOwn(claims, "azp") ? claims.azp : undefined;
  const has = `${claimInWords("aud", aud)}, ${claimInWords("azp", party)}`;
  const problem = (error: string, requirement: string): TokenProblem => ({ error, by: "audience", because: `${has}, and ${requirement}` });
  const isBound = boundAudiences.length > 0 && !isHidden(method, "boundAudiences");
  if (aud?.length === 0 || (aud === undefined && isToken))
    return problem("invalid id_token: aud: missing required claim", "a token needs an audience");
  if (isBound && aud && !boundAudiences.some((one) => aud.includes(one))) {
    return problem(
      "invalid id_token audiences: verifyAudiences: invalid id_token audiences: invalid audience",
      `boundAudiences is ${JSON.stringify(boundAudiences)}`,
    );
  }
  const isClientKnown = Boolean(client) && !isHidden(method, "oidcClientId");
  const isClient = (one: unknown) => one === client;
  // Without an authorized party, the client must be the only audience. An authorized party must be the client, and several audiences must
  // include the client, too.
  const isOther = isClientKnown && (party === undefined ? isToken && !(aud?.length === 1 && aud.some(isClient)) : !isClient(party));
  const isNotAmong = isClientKnown && aud !== undefined && aud.length > 1 && !aud.some(isClient);
  if (isOther || isNotAmong) {
    return problem(
      "invalid id_token: the audience or the authorized party is not equal client_id",
      `oidcClientId is ${JSON.stringify(client)}`,
    );
  }
  const isDecided = isClientKnown && aud !== undefined && (party !== undefined || (aud.length === 1 && aud.some(isClient)));
  if (!isDecided || isHidden(method, "boundAudiences")) skip("audience");
  return undefined;
}
