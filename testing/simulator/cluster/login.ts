import type { KeyObject, VerifyKeyObjectInput } from "node:crypto";
import { createPublicKey, verify } from "node:crypto";
import { ClaimsError, parseClaims } from "../../../access/claims-text";
import { methodAccess } from "../../../access/graph";
import { evaluateLogin } from "../../../access/login";
import type { ApiResponse } from "../http";
import { accessObjects } from "./access-objects";
import { decodeBody, object, text } from "./body";
import type { ClusterContext } from "./endpoint";
import { written } from "./endpoint";
import type { AuthMethod } from "./objects";
import { errorList, Refusal } from "./refusal";
import { shownToken } from "./stored-tokens";
import { writeToken } from "./token-endpoints";

const loginForm = object({ AuthMethodName: text, LoginToken: text });

/** POST /v1/acl/login: the rules of a method of type JWT make a token, which ends after the method's MaxTokenTTL. */
export function login(context: ClusterContext): ApiResponse {
  const { store, request, region } = context;
  const { AuthMethodName: name, LoginToken: given } = decodeBody(loginForm, request.body);
  const missing = [...(name === "" ? ["missing auth method name"] : []), ...(given === "" ? ["missing login token"] : [])];
  if (missing.length > 0) throw new Refusal(400, `invalid login request: ${errorList(missing)}`);
  const method = store.methods.peek(name);
  const access = methodAccess(accessObjects(store), name);
  if (!method || !access) throw new Refusal(400, `auth-method ${JSON.stringify(name)} not found`);
  if (method.Type !== "JWT") throw new Refusal(400, `unsupported auth-method type: ${method.Type}`);
  const claims = verifiedClaims(method, given);
  const outcome = evaluateLogin(access, claims, { at: new Date(Number(store.now() / 1_000_000n)), isToken: true });
  if (!outcome.ok) throw new Refusal(outcome.status, outcome.error);
  const { type, policies, roles, global } = outcome.token;
  const isClient = type === "client";
  const issued = {
    AccessorID: "",
    SecretID: "",
    Name: outcome.token.name,
    Type: type,
    Policies: isClient ? [...policies] : null,
    Roles: isClient ? roles.map((Name) => ({ ID: "", Name })) : [],
    Global: global,
    CreateTime: undefined,
    ExpirationTime: null,
    ExpirationTTL: method.MaxTokenTTL,
  };
  const token = writeToken(store, issued, region);
  return written(context, shownToken(token, store.tablesOf(global ? undefined : region) ?? store.tables));
}

/**
 * The claims of a token with a signature by one of the method's keys. Remote key sets are not fetched, so a method without keys of its own
 * accepts any signature.
 *
 * @throws Refusal 401
 */
function verifiedClaims({ Config }: AuthMethod, token: string) {
  const refused = (why: string) => new Refusal(401, `unable to validate provided token: unable to verify signature of JWT token: ${why}`);
  const keys = Config.JWTValidationPubKeys ?? [];
  try {
    const { claims, isToken } = parseClaims(token, "The login token");
    if (!isToken) throw refused("error parsing token: go-jose/go-jose: compact JWS format must have three parts");
    if (keys.length > 0 && !keys.some((pem) => isSignedBy(createPublicKey(pem), token, Config.SigningAlgs ?? []))) {
      throw refused("no known key successfully validated the token signature");
    }
    return claims;
  } catch (error) {
    if (error instanceof ClaimsError) throw refused(`error parsing token: ${error.message}`);
    throw error;
  }
}

/** Node's options to check the signatures of an algorithm. */
const algorithms: Readonly<Record<string, readonly [hash: string | null, options: Omit<VerifyKeyObjectInput, "key">]>> = {
  RS256: ["sha256", {}],
  RS384: ["sha384", {}],
  RS512: ["sha512", {}],
  ES256: ["sha256", { dsaEncoding: "ieee-p1363" }],
  ES384: ["sha384", { dsaEncoding: "ieee-p1363" }],
  ES512: ["sha512", { dsaEncoding: "ieee-p1363" }],
  EdDSA: [null, {}],
};

function isSignedBy(key: KeyObject, token: string, allowed: readonly string[]): boolean {
  const [head = "", body = "", signature = ""] = token.split(".");
  const names = allowed.length > 0 ? allowed : ["RS256"];
  const name = names.find((one) => Buffer.from(head, "base64url").toString().includes(`"${one}"`));
  const [hash, options] = (name !== undefined && algorithms[name]) || [];
  if (hash === undefined || !key.asymmetricKeyType) return false;
  return verify(hash, Buffer.from(`${head}.${body}`), { key, ...options }, Buffer.from(signature, "base64url"));
}
