import { randomUUID } from "node:crypto";
import { fromTime, now } from "./clock";
import { contentHash } from "./hash";
import type { Stored, Token } from "./objects";
import { unstored } from "./objects";
import type { Refusal } from "./refusal";
import { roles } from "./roles";
import type { StoredKind, Tables } from "./table";

/** A test's change of the token with this AccessorID; without an AccessorID, a new token. */
export type TokenChange = Partial<Token>;

export const tokens: StoredKind<Token, TokenChange> = {
  keyOf: ({ AccessorID }) => AccessorID.toLowerCase(),
  changed: (change, tokens) => changedToken(change.AccessorID ? tokens.get(change.AccessorID.toLowerCase()) : undefined, change),
  countsIdentical: true,
};

const hourInNanoseconds = 3_600_000_000_000n;

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The token with this accessor, in any letter case. @throws Refusal when that is no UUID, with the text of the server's index */
export function tokenWith(tables: Tables, accessor: string, lookup: (reason: string) => Refusal): Token | undefined {
  if (accessor.length !== 36) throw lookup("acl token lookup failed: index error: UUID must be 36 characters");
  if (!isUuid(accessor)) throw lookup("acl token lookup failed: index error: Invalid UUID");
  return tables.of(tokens).get(accessor.toLowerCase());
}

/** The token after a change by a test, which is not validated. */
function changedToken(existing: Token | undefined, change: TokenChange): Token {
  const blank = { Name: "", Type: "client", Policies: null, Roles: null, Global: false, ExpirationTime: null, ExpirationTTL: "" };
  const made = { AccessorID: randomUUID(), SecretID: randomUUID(), CreateTime: now() };
  return completeToken({ ...blank, ...made, ...existing, ...change });
}

export function completeToken(token: Omit<Token, keyof Stored>): Token {
  const ids = [...new Set((token.Roles ?? []).map(({ ID }) => ID))];
  const Hash = contentHash(token.Name, token.Type, token.Policies ?? [], token.Global ? "global" : "local", ids);
  return { ...token, Roles: ids.length > 0 ? ids.map((ID) => ({ ID })) : null, Hash, ...unstored };
}

/** A token in a response: its roles with their current names, without deleted ones. */
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

/** The tokens that expired an hour ago or earlier. */
export function expiredTokens(tables: Tables, at: bigint): Token[] {
  const isOld = ({ ExpirationTime }: Token) => ExpirationTime !== null && fromTime(ExpirationTime) + hourInNanoseconds < at;
  return tables.of(tokens).list().filter(isOld);
}
