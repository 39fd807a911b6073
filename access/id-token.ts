import type { Claims } from "./claims";
import type { JsonValue } from "./go-text";
import { integerText, isArray, wellFormed } from "./go-text";
import { claimInWords, FormError, instant, kindOf, momentOf, SECOND, timeInWords } from "./registered-claims";
import type { GivenClaims, TokenProblem, TokenRefusal, TokenRequirements } from "./token-requirements";
import { isHidden } from "./token-requirements";

/** Why a method of the type OIDC does not take the ID token of the identity provider, by the first check of the server that fails. */
export function idTokenRefusal(method: TokenRequirements, given: GivenClaims): TokenRefusal | undefined {
  const problem = problemOf(method, given);
  if (problem) {
    const steps = "failed to exchange token with provider: Provider.Exchange: id_token failed verification: Provider.VerifyIDToken";
    return { ...problem, status: 500, error: `${steps}: ${problem.error}` };
  }
  // A JSON object of claims has what the identity provider says of the user.
  const isAsked = method.oidcDisableUserInfo !== true || isHidden(method, "oidcDisableUserInfo");
  if (given.isToken && isAsked) given.skip("UserInfo");
  return undefined;
}

function problemOf(method: TokenRequirements, given: GivenClaims): TokenProblem | undefined {
  let token: IdToken;
  try {
    token = idTokenOf(given.claims);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    return {
      error: `invalid id_token: oidc: failed to unmarshal claims: ${error.message}`,
      by: "form",
      because: "a claim has a form that servers can't read",
    };
  }
  return (
    issuerProblem(method, token, given) ?? timesProblem(token, given) ?? subjectProblem(token, given) ?? partyProblem(method, token, given)
  );
}

/** What servers read of an ID token. */
interface IdToken {
  readonly iss?: string;
  readonly sub?: string;
  readonly aud?: readonly string[];
  readonly exp?: bigint;
  readonly iat?: bigint;
  readonly nbf?: bigint | undefined;
}

/** @throws FormError */
function idTokenOf(claims: Claims): IdToken {
  const token: { -readonly [Name in keyof IdToken]: IdToken[Name] } = {};
  for (const [key, value] of Object.entries(claims)) {
    const name = key.toLowerCase();
    if (name === "aud") token.aud = audiencesIn(value);
    else if (name === "exp" || name === "iat") token[name] = secondsIn(value, name);
    else if (name === "nbf") token.nbf = value === null ? undefined : secondsIn(value, name);
    else if (["iss", "sub", "nonce", "at_hash"].includes(name) && value !== null) {
      const text = textIn(value, name);
      if (name === "iss" || name === "sub") token[name] = text;
    }
  }
  return token;
}

function textIn(value: JsonValue, name: string): string {
  if (typeof value === "string") return wellFormed(value);
  throw new FormError(`json: cannot unmarshal ${kindOf(value)} into Go struct field idToken.${name} of type string`);
}

/** Null is an empty text to this reader. */
function audiencesIn(value: JsonValue): string[] {
  return (isArray(value) ? value : [value]).map((one) => (one === null ? "" : textIn(one, "aud")));
}

function secondsIn(value: JsonValue, name: string): bigint {
  const isNumber = typeof value === "string" && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value);
  const seconds = isNumber ? Number(value) : value;
  if (typeof seconds === "number" && Number.isFinite(seconds)) return BigInt(integerText(seconds));
  throw new FormError(`json: cannot unmarshal ${kindOf(value)} into Go struct field idToken.${name} of type json.Number`);
}

/** As one provider writes itself in tokens, which the server's library lets pass. */
const googleIssuers: readonly unknown[] = ["https://accounts.google.com", "accounts.google.com"];

function issuerProblem(method: TokenRequirements, { iss }: IdToken, { isToken, skip }: GivenClaims): TokenProblem | undefined {
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

/** No method sets these. */
const NOT_BEFORE_LEEWAY = 300n * SECOND;
const ISSUED_AT_LEEWAY = 60n * SECOND;

function timesProblem({ exp, nbf, iat }: IdToken, { isToken, now, skip }: GivenClaims): TokenProblem | undefined {
  const problem = (error: string, because: string): TokenProblem => ({ error: `invalid id_token: ${error}`, by: "times", because });
  if (exp === undefined && isToken) return { ...problem("oidc: token is expired: token is expired", claimInWords("exp", exp)), by: "form" };
  if (now === undefined) {
    skip("times");
    return undefined;
  }
  const moment = momentOf(now);
  if (exp !== undefined && instant(exp) < moment) {
    return problem("oidc: token is expired: token is expired", `it was valid until ${timeInWords(exp)}`);
  }
  if (nbf !== undefined && moment + NOT_BEFORE_LEEWAY < instant(nbf)) {
    return problem("oidc: current time before the nbf (not before) time: invalid not before", `it is valid from ${timeInWords(nbf)} on`);
  }
  if (iat !== undefined && moment + ISSUED_AT_LEEWAY < instant(iat)) {
    return problem("current time before the iat (issued at) time: invalid issued at (iat)", `it is issued at ${timeInWords(iat)}`);
  }
  if (exp === undefined) skip("times");
  return undefined;
}

function subjectProblem({ sub }: IdToken, { isToken }: GivenClaims): TokenProblem | undefined {
  if (sub !== "" && (sub !== undefined || !isToken)) return undefined;
  return { error: "invalid id_token: sub: missing required claim", by: "form", because: claimInWords("sub", sub) };
}

/** Whether the token is meant for the method: by its audiences, and by the party that it was issued to. */
function partyProblem(method: TokenRequirements, { aud }: IdToken, { claims, isToken, skip }: GivenClaims): TokenProblem | undefined {
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
  // Several audiences need both; of one audience, it or the party suffices. A party that is there is the client.
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
