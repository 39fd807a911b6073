import type { ApiResponse } from "../http";
import type { Endpoint } from "./endpoint";
import { byMethod, listed, single, upsert, withKey, writes } from "./endpoint";
import type { ClusterContext } from "./reads";
import { caller, permissionDenied, read, requireManagement, written } from "./reads";
import { Refusal } from "./refusal";
import { decodeToken, shownToken, tokenStub, tokens, tokenWith, withSecret, writeToken } from "./stored-tokens";

const regionOf = ({ request }: ClusterContext) => request.query.get("region") || undefined;
const invalidLookup = (reason: string) => new Refusal(500, reason);

const upsertToken = upsert(
  decodeToken,
  (context, body) => {
    const { store } = context;
    const region = regionOf(context);
    const token = writeToken(store, body, region);
    return shownToken(token, store.present(body.Global ? undefined : region) ?? store.tables);
  },
  (body, accessor) => {
    if (body.AccessorID !== accessor) throw new Refusal(400, "ACL token accessor does not match request path");
    return body;
  },
);

/** The endpoints of the tokens that the cluster issues. The document has none of them, so both dialects do what was measured. */
export const tokenEndpoints: [path: string, endpoint: Endpoint][] = [
  ["/v1/acl/tokens", byMethod({ GET: listTokens })],
  ["/v1/acl/token", byMethod(writes((context) => upsertToken(context, "")))],
  ["/v1/acl/token/", withKey("Missing Token Accessor", byMethod({ GET: readToken, ...writes(upsertToken), DELETE: deleteToken }))],
];

/** Oldest first, or with ?prefix those whose accessor begins so, in their order. */
function listTokens(context: ClusterContext): ApiResponse {
  const prefix = context.request.query.get("prefix") ?? "";
  return read(
    context,
    () => requireManagement(context),
    (tables) => {
      const chosen = tables
        .of(tokens)
        .list()
        .filter(({ AccessorID }) => AccessorID.startsWith(prefix));
      if (prefix === "") chosen.sort((a, b) => a.CreateIndex - b.CreateIndex);
      return listed(tables.of(tokens), chosen.map(tokenStub));
    },
  );
}

/** A client token may read itself. */
function readToken(context: ClusterContext, accessor: string): ApiResponse {
  const authorize = (): void => {
    const { type, token } = caller(context);
    if (type === "management") return;
    const tables = context.store.visible(regionOf(context));
    if (!tables || withSecret(tables, token)?.AccessorID !== accessor) throw permissionDenied();
  };
  return read(context, authorize, (tables) =>
    single(tables.of(tokens), tokenWith(tables, accessor, invalidLookup), "ACL token not found", (token) => shownToken(token, tables)),
  );
}

/** Unlike for other objects, the delete of a missing token is refused with 400. A token that is not global is in one region alone. */
function deleteToken(context: ClusterContext, accessor: string): ApiResponse {
  requireManagement(context);
  const { store } = context;
  const region = regionOf(context);
  const tables = store.present(region);
  if (tables === undefined) throw new Refusal(500, "No path to region");
  const token = tokenWith(tables, accessor, (reason) => new Refusal(400, `token lookup failed: ${reason}`));
  if (!token) throw new Refusal(400, `Cannot delete nonexistent tokens: ${accessor}`);
  store.remove(tokens, tokens.keyOf(token), token.Global ? undefined : (region ?? store.region));
  return written(context);
}
