import type { ApiResponse } from "../http";
import type { ClusterContext } from "./reads";
import { caller, permissionDenied, tokenOf } from "./reads";
import { Refusal } from "./refusal";
import { roles } from "./roles";
import { shownToken, withSecret } from "./stored-tokens";
import { secretOf } from "./tokens";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** /v1/acl/token/self: the token of the request. An expired one, and a text that is no token, are faults of the server here. */
export function readOwnToken(context: ClusterContext): ApiResponse {
  const { request, dialect, store } = context;
  // Like any path that is unknown.
  if (!dialect.hasOwnToken) return { status: 404 };
  const known = tokenOf(context);
  if (known?.isExpired) throw new Refusal(500, "ACL token expired");
  const secret = secretOf(request.headers, dialect.tokenHeaders);
  if (!known && uuid.test(secret)) throw permissionDenied();
  if (!known) throw new Refusal(500, "failed to parse signed token: go-jose/go-jose: compact JWS format must have three parts");
  const token = caller(context);
  const tables = store.visible(request.query.get("region") || undefined);
  const issued = tables && withSecret(tables, secret);
  if (tables && issued) return { status: 200, contentType: "application/json", body: JSON.stringify(shownToken(issued, tables)) };
  const named = (token.roles ?? []).flatMap((key) =>
    store.tables
      .of(roles)
      .list()
      .filter((role) => role.ID === key || role.Name === key),
  );
  const body = {
    AccessorID: secret === "" ? "anonymous" : `accessor-${token.name ?? "unnamed"}`,
    SecretID: secret,
    Name: token.name ?? "",
    Type: token.type,
    Policies: token.policies ?? null,
    Roles: token.roles ? named.map(({ ID, Name }) => ({ ID, Name })) : null,
    Global: false,
  };
  return { status: 200, contentType: "application/json", body: JSON.stringify(body) };
}
