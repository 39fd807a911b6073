import { randomUUID } from "node:crypto";
import { readDuration } from "../../../common/durations";
import { fromTime, now, toTime, ZERO_TIME } from "./clock";
import { formatDuration } from "./durations";
import { contentHash } from "./hash";
import type { Stored, Token, TokenBody } from "./objects";
import { unstored } from "./objects";
import { Refusal, refuseInvalid } from "./refusal";
import { roles } from "./roles";
import type { ClusterStore } from "./store";
import type { StoredKind, Tables } from "./table";
import type { ClusterToken } from "./tokens";

/** A change that a test makes to the token with the AccessorID. Without one it makes a new token. */
export type TokenChange = Partial<Token>;

export const tokens: StoredKind<Token, TokenChange> = {
  keyOf: ({ AccessorID }) => AccessorID.toLowerCase(),
  changed: (change, tokens) => changedToken(change.AccessorID ? tokens.get(change.AccessorID.toLowerCase()) : undefined, change),
  countsIdentical: true,
};

const hourInNanoseconds = 3_600_000_000_000n;
const longestName = 256;

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The token with this accessor, in any letter case. @throws Refusal when that is no UUID, with the text of the server's index */
export function tokenWith(tables: Tables, accessor: string, lookup: (reason: string) => Refusal): Token | undefined {
  if (accessor.length !== 36) throw lookup("acl token lookup failed: index error: UUID must be 36 characters");
  if (!isUuid(accessor)) throw lookup("acl token lookup failed: index error: Invalid UUID");
  return tables.of(tokens).get(accessor.toLowerCase());
}

/**
 * Creates a token, or replaces what may change of the one with the accessor. A global one is written in the authoritative region, any other
 * in `region`.
 *
 * @throws Refusal 400 when it is not valid, is not found, or names a role that does not exist
 */
export function writeToken(store: ClusterStore, body: TokenBody, region: string | undefined): Token {
  const tables = store.present(body.Global ? undefined : region);
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

/** Whether the creator chooses what the server otherwise makes. */
function isChosen(store: ClusterStore, { AccessorID, SecretID, Type }: TokenBody): boolean {
  return store.takesChosenTokens && isUuid(AccessorID) && isUuid(SecretID) && Type !== "management";
}

/** The body with the times that the server sets, also for an update: one that leaves the expiration out asks for another. */
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
  if (Buffer.byteLength(Name) > longestName) errors.push("token name too long");
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

/** The token after a change by a test, which is not validated. */
function changedToken(existing: Token | undefined, change: TokenChange): Token {
  const blank = { Name: "", Type: "client", Policies: null, Roles: null, Global: false, ExpirationTime: null, ExpirationTTL: "" };
  const made = { AccessorID: randomUUID(), SecretID: randomUUID(), CreateTime: now() };
  return completeToken({ ...blank, ...made, ...existing, ...change });
}

function completeToken(token: Omit<Token, keyof Stored>): Token {
  const ids = [...new Set((token.Roles ?? []).map(({ ID }) => ID))];
  const Hash = contentHash(token.Name, token.Type, token.Policies ?? [], token.Global ? "global" : "local", ids);
  return { ...token, Roles: ids.length > 0 ? ids.map((ID) => ({ ID })) : null, Hash, ...unstored };
}

/** A token in a response: its roles by their present names, and without those that are deleted. */
export function shownToken(token: Token, tables: Tables): object {
  if (token.Roles === null) return token;
  const links = token.Roles.flatMap(({ ID }) => {
    const role = tables.of(roles).get(ID);
    return role ? [{ ID, Name: role.Name }] : [];
  });
  return { ...token, Policies: token.Policies ?? [], Roles: links };
}

/** A token in the list: without its secret and TTL, and with its roles as they are stored, without names. */
export function tokenStub({ SecretID, ExpirationTTL, Roles, ...stub }: Token): object {
  return { ...stub, Roles: Roles?.map(({ ID }) => ({ ID, Name: "" })) ?? null };
}

export function withSecret(tables: Tables, secret: string): Token | undefined {
  return secret === ""
    ? undefined
    : tables
        .of(tokens)
        .list()
        .find(({ SecretID }) => SecretID === secret.toLowerCase());
}

/** What a token that a region has issued may do there. */
export function issuedToken(store: ClusterStore, region: string | undefined, secret: string): ClusterToken | undefined {
  const tables = store.visible(region);
  const token = tables && withSecret(tables, secret);
  if (!token) return undefined;
  const { Name, Type, Policies, Roles, ExpirationTime } = token;
  return {
    token: secret,
    type: Type === "management" ? "management" : "client",
    name: Name,
    ...(Policies && { policies: Policies }),
    ...(Roles && { roles: Roles.map(({ ID }) => ID) }),
    isExpired: ExpirationTime !== null && fromTime(ExpirationTime) < store.now(),
  };
}

/** The tokens whose time has been over for an hour. */
export function expiredTokens(tables: Tables, at: bigint): Token[] {
  const isOld = ({ ExpirationTime }: Token) => ExpirationTime !== null && fromTime(ExpirationTime) + hourInNanoseconds < at;
  return tables.of(tokens).list().filter(isOld);
}
