import { randomUUID } from "node:crypto";
import { readDuration } from "../../../common/durations";
import type { ApiResponse } from "../http";
import { fromTime, toTime, ZERO_TIME } from "./clock";
import { formatDuration } from "./durations";
import type { ClusterContext, Endpoint } from "./endpoint";
import { byMethod, caller, json, listOf, permissionDenied, readOf, requireManagement, tokenOf, write, written } from "./endpoint";
import type { TokenBody } from "./forms";
import { tokenForm } from "./forms";
import type { Token } from "./objects";
import { Refusal, refuseInvalid } from "./refusal";
import { roles } from "./roles";
import type { ClusterStore } from "./store";
import { completeToken, isUuid, shownToken, tokenStub, tokens, tokenWith, withSecret } from "./stored-tokens";
import type { Tables } from "./table";
import { secretOf } from "./tokens";

const upsertToken = write(
  tokenForm,
  ({ AccessorID }) => AccessorID,
  "ACL token accessor",
  ({ store, region }, body) =>
    shownToken(writeToken(store, body, region), store.tablesOf(body.Global ? undefined : region) ?? store.tables),
);

const readToken = readOf(tokens, "ACL token not found", (token, _, tables) => shownToken(token, tables), {
  find: (tables, accessor) => tokenWith(tables, accessor, (reason) => new Refusal(500, reason)),
  // A client token may read itself.
  authorize(context, accessor) {
    const { type, token } = caller(context);
    const tables = context.store.tablesOf(context.region);
    if (type !== "management" && !(tables && withSecret(tables, token)?.AccessorID === accessor)) throw permissionDenied();
  },
});

/**
 * The endpoints of the tokens that the cluster issues. The document lacks them. Both dialects respond as measured, except that
 * only the measured one has /v1/acl/token/self.
 */
export const tokenEndpoints: [path: string, endpoint: Endpoint][] = [
  [
    "/v1/acl/tokens",
    byMethod({
      GET: listOf(tokens, tokenStub, {
        // Oldest first; with ?prefix, the tokens with that beginning of the accessor, in the order of accessors.
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
  const tables = store.tablesOf(region);
  if (tables === undefined) throw new Refusal(500, "No path to region");
  const token = tokenWith(tables, accessor, (reason) => new Refusal(400, `token lookup failed: ${reason}`));
  if (!token) throw new Refusal(400, `Cannot delete nonexistent tokens: ${accessor}`);
  store.remove(tokens, tokens.keyOf(token), token.Global ? undefined : (region ?? store.region));
  return written(context);
}

/** The token of the request. An expired or malformed token is a server error here. */
function readOwnToken(context: ClusterContext): ApiResponse {
  const { request, dialect, store, region } = context;
  // Without this endpoint, the response is the one for an unknown path.
  if (!dialect.hasOwnToken) return { status: 404 };
  const token = tokenOf(context);
  if (token?.isExpired) throw new Refusal(500, "ACL token expired");
  const secret = secretOf(request.headers, dialect.tokenHeaders);
  if (!token && isUuid(secret)) throw permissionDenied();
  if (!token) throw new Refusal(500, "failed to parse signed token: go-jose/go-jose: compact JWS format must have three parts");
  const tables = store.tablesOf(region);
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

/**
 * Creates a token, or replaces the mutable fields of the token with the accessor. A global token is written in all regions, any other in
 * `region` only.
 *
 * @throws Refusal 400 for an invalid or missing token, or a missing role; 500 for an unknown region, or an accessor that is no UUID
 */
export function writeToken(store: ClusterStore, body: TokenBody, region: string | undefined): Token {
  const tables = store.tablesOf(body.Global ? undefined : region);
  if (tables === undefined) throw new Refusal(500, "No path to region");
  const { AccessorID: accessor } = body;
  const existing =
    accessor === "" ? undefined : tokenWith(tables, accessor, (reason) => new Refusal(500, `token lookup failed: ${reason}`));
  if (accessor !== "" && !existing && !isChosen(store, body)) throw new Refusal(400, `cannot find token ${accessor}`);
  const given = withTimes(store, body);
  refuseInvalid("token", [...contentErrors(given), ...(existing ? changeErrors(given, existing) : timeErrors(store, given))]);
  const links = given.Roles.map((link) => roleOf(tables, link));
  const made = {
    AccessorID: accessor || randomUUID(),
    SecretID: accessor === "" ? randomUUID() : body.SecretID,
    CreateTime: given.CreateTime,
  };
  const kept = existing && { AccessorID: existing.AccessorID, SecretID: existing.SecretID, CreateTime: existing.CreateTime };
  return store.upsert(
    tokens,
    completeToken({ ...given, Roles: links, ...(kept ?? made) }),
    body.Global ? undefined : (region ?? store.region),
  );
}

/** Whether the creator chooses values that the server would otherwise generate. */
function isChosen(store: ClusterStore, { AccessorID, SecretID, Type }: TokenBody): boolean {
  return store.takesChosenTokens && isUuid(AccessorID) && isUuid(SecretID) && Type !== "management";
}

/**
 * The body with the times that the server sets. The server also sets the times of an update without CreateTime. If such an update has no
 * ExpirationTime either, the server computes a new one.
 */
function withTimes(store: ClusterStore, body: TokenBody): TokenBody & { CreateTime: string } {
  if (body.AccessorID !== "" && body.CreateTime !== undefined && body.CreateTime !== ZERO_TIME)
    return { ...body, CreateTime: body.CreateTime };
  const at = store.now();
  const ends = body.ExpirationTTL === "" ? null : toTime(at + readDuration(body.ExpirationTTL));
  return { ...body, CreateTime: toTime(at), ExpirationTime: body.ExpirationTime ?? ends };
}

function contentErrors({ Name, Type, Policies, Roles }: TokenBody): string[] {
  const errors: string[] = [];
  const hasRights = (Policies ?? []).length > 0 || Roles.length > 0;
  if (Buffer.byteLength(Name) > 256) errors.push("token name too long");
  if (Type === "client" && !hasRights) errors.push("client token missing policies or roles");
  if (Type === "management" && hasRights) errors.push("management token cannot be associated with policies or roles");
  if (Type !== "client" && Type !== "management") errors.push("token type must be client or management");
  return errors;
}

function timeErrors(store: ClusterStore, { CreateTime, ExpirationTime, ExpirationTTL }: TokenBody & { CreateTime: string }): string[] {
  const errors: string[] = [];
  if (ExpirationTTL.startsWith("-")) errors.push(`token expiration TTL '${ExpirationTTL}' should not be negative`);
  if (ExpirationTime === null || ExpirationTime === ZERO_TIME) return errors;
  const lasts = fromTime(ExpirationTime) - fromTime(CreateTime);
  const { minTokenTtl: min, maxTokenTtl: max } = store;
  const was = `in the future (was ${formatDuration(lasts)})`;
  if (lasts < 0n) errors.push("expiration time cannot be before create time");
  if (lasts > max) errors.push(`expiration time cannot be more than ${formatDuration(max)} ${was}`);
  else if (lasts < min) errors.push(`expiration time cannot be less than ${formatDuration(min)} ${was}`);
  return errors;
}

function changeErrors(given: TokenBody, existing: Token): string[] {
  const errors: string[] = [];
  if (existing.Global !== given.Global) errors.push("cannot toggle global mode");
  if (existing.ExpirationTTL !== given.ExpirationTTL) errors.push("cannot update expiration TTL");
  const isKept =
    given.ExpirationTime === null || (existing.ExpirationTime && fromTime(existing.ExpirationTime) === fromTime(given.ExpirationTime));
  if (!isKept) errors.push("cannot update expiration time");
  return errors;
}

function roleOf(tables: Tables, { ID, Name }: { ID: string; Name: string }): { ID: string } {
  const all = tables.of(roles);
  const role = ID === "" ? all.list().find((one) => one.Name === Name) : all.get(ID);
  if (!role) throw new Refusal(400, `cannot find role ${ID || Name}`);
  return { ID: role.ID };
}
