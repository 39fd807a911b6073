import * as z from "zod";
import type { ApiError } from "../http/errors";
import type { ApiRequest } from "../http/request";
import { key, object, text } from "./wire";

/** A token in the response to a login. */
const form = object({
  AccessorID: key,
  // The token is sent in a header.
  SecretID: z.string().regex(/^[\x21-\x7e]+$/, "must be a text for a header"),
  Type: text,
  CreateTime: text,
  ExpirationTime: text,
}).transform(({ AccessorID, SecretID, Type, CreateTime, ExpirationTime }) => ({
  accessorId: AccessorID,
  secretId: SecretID,
  /** A client token can't write, nor delete itself. */
  isClient: Type === "client",
  /** The lifetime by the server's clock; infinite if the response does not contain it. */
  lifeMs: (ExpirationTime && CreateTime && Date.parse(ExpirationTime) - Date.parse(CreateTime)) || Number.POSITIVE_INFINITY,
}));

export type IssuedToken = z.output<typeof form>;

/** A login with an identity token. It is repeated like a read, because a token whose response was lost expires by itself. */
export function loginRequest(authMethod: string, identityToken: string): ApiRequest<IssuedToken> {
  return {
    operation: "read",
    method: "POST",
    path: ["v1", "acl", "login"],
    mediaType: "application/json",
    token: "",
    body: { AuthMethodName: authMethod, LoginToken: identityToken },
    secrets: [identityToken],
    response: form,
  };
}

/** The request by which a token deletes itself. */
export function logoutRequest({ accessorId, secretId }: IssuedToken): ApiRequest<void> {
  return {
    operation: "delete",
    method: "DELETE",
    path: ["v1", "acl", "token", accessorId],
    mediaType: "application/json",
    token: secretId,
    response: z.void(),
    isSentOnce: true,
  };
}

/**
 * Whether a response may mean that a management token has expired. Measured on a scheduler of version 2.0: until the server deletes the
 * expired token, some requests get 500 "ACL token expired"; others, and all later ones, get 403 "Permission denied".
 */
export function saysEnded(error: ApiError): boolean {
  return error.kind === "denied" || error.says(/\btoken (has )?expired\b/i);
}
