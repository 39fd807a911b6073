import type { ApiResponse } from "../http";
import type { ClusterContext, Endpoint } from "./endpoint";
import { byMethod, caller, json, listOf, permissionDenied, readOf, requireManagement, tokenOf, write, written } from "./endpoint";
import { tokenForm } from "./objects";
import { Refusal } from "./refusal";
import { roles } from "./roles";
import { isUuid, shownToken, tokenStub, tokens, tokenWith, withSecret, writeToken } from "./stored-tokens";
import { secretOf } from "./tokens";

const upsertToken = write(
  tokenForm,
  ({ AccessorID }) => AccessorID,
  "token accessor",
  ({ store, region }, body) => shownToken(writeToken(store, body, region), store.present(body.Global ? undefined : region) ?? store.tables),
);

const readToken = readOf(tokens, "ACL token not found", (token, _, tables) => shownToken(token, tables), {
  find: (tables, accessor) => tokenWith(tables, accessor, (reason) => new Refusal(500, reason)),
  // A client token may read itself.
  authorize(context, accessor) {
    const { type, token } = caller(context);
    const tables = context.store.visible(context.region);
    if (type !== "management" && !(tables && withSecret(tables, token)?.AccessorID === accessor)) throw permissionDenied();
  },
});

/** The endpoints of the tokens that the cluster issues. The document has none of them, so both dialects do what was measured. */
export const tokenEndpoints: [path: string, endpoint: Endpoint][] = [
  [
    "/v1/acl/tokens",
    byMethod({
      GET: listOf(tokens, tokenStub, {
        // Oldest first, or with ?prefix those whose accessor begins so, in their order.
        choose(rows, { request }) {
          const prefix = request.query.get("prefix") ?? "";
          if (prefix === "") return rows.sort((a, b) => a.CreateIndex - b.CreateIndex);
          return rows.filter(({ AccessorID }) => AccessorID.startsWith(prefix));
        },
      }),
    }),
  ],
  ["/v1/acl/token", byMethod({ POST: upsertToken })],
  ["/v1/acl/token/self", byMethod({ GET: readOwnToken })],
  ["/v1/acl/token/", byMethod({ GET: readToken, POST: upsertToken, DELETE: deleteToken }, "Missing Token Accessor")],
];

/** Unlike for other objects, the delete of a missing token is refused with 400. A token that is not global is in one region alone. */
function deleteToken(context: ClusterContext, accessor: string): ApiResponse {
  requireManagement(context);
  const { store, region } = context;
  const tables = store.present(region);
  if (tables === undefined) throw new Refusal(500, "No path to region");
  const token = tokenWith(tables, accessor, (reason) => new Refusal(400, `token lookup failed: ${reason}`));
  if (!token) throw new Refusal(400, `Cannot delete nonexistent tokens: ${accessor}`);
  store.remove(tokens, tokens.keyOf(token), token.Global ? undefined : (region ?? store.region));
  return written(context);
}

/** The token of the request. An expired one, and a text that is no token, are faults of the server here. */
function readOwnToken(context: ClusterContext): ApiResponse {
  const { request, dialect, store, region } = context;
  // Like any path that is unknown.
  if (!dialect.hasOwnToken) return { status: 404 };
  const token = tokenOf(context);
  if (token?.isExpired) throw new Refusal(500, "ACL token expired");
  const secret = secretOf(request.headers, dialect.tokenHeaders);
  if (!token && isUuid(secret)) throw permissionDenied();
  if (!token) throw new Refusal(500, "failed to parse signed token: go-jose/go-jose: compact JWS format must have three parts");
  const tables = store.visible(region);
  const issued = tables && withSecret(tables, secret);
  if (tables && issued) return json(shownToken(issued, tables));
  const all = store.tables.of(roles).list();
  const named = token.roles?.flatMap((key) => all.filter((role) => role.ID === key || role.Name === key));
  return json({
    AccessorID: secret === "" ? "anonymous" : `accessor-${token.name ?? "unnamed"}`,
    SecretID: secret,
    Name: token.name ?? "",
    Type: token.type,
    Policies: token.policies ?? null,
    Roles: named?.map(({ ID, Name }) => ({ ID, Name })) ?? null,
    Global: false,
  });
}
