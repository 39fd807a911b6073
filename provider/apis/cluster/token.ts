import * as z from "zod";
import { uuid } from "../../../common/uuid";
import { isApiError } from "../http/errors";
import type { ClusterKind, Requests } from "./requests";
import { duration, flag, keptObject, key, listOf, missing, object, text, texts, toVersion, versions } from "./wire";

/** The identifiers that a create chooses for a token: its ID, and its secret. */
export interface ChosenIds {
  readonly id: string;
  readonly secretId: string;
}

export interface TokenInput {
  readonly name: string;
  readonly type: string;
  readonly policies: readonly string[];
  /** Names or IDs of roles. */
  readonly roles: readonly string[];
  readonly global: boolean;
  readonly expirationTtl?: string | undefined;
  /** Only for a create. */
  readonly chosen?: ChosenIds | undefined;
}

/** An update repeats immutable properties, because a server treats a missing one as a change. */
export interface TokenUpdate extends Omit<TokenInput, "chosen"> {
  readonly expirationTime: string | undefined;
}

const roleLinks = z
  .array(object({ ID: z.string(), Name: text }))
  .nullish()
  .transform((links) => (links ?? []).map((link) => ({ id: link.ID, name: link.Name })));

const time = z.string().refine((given) => !Number.isNaN(Date.parse(given)), "must be a time");

const shared = {
  AccessorID: key,
  Name: text,
  Type: z.string(),
  Policies: texts,
  Roles: roleLinks,
  Global: flag,
  CreateTime: time,
  ExpirationTime: time.nullish(),
  ...versions,
};

/** A token in a list, which has neither its secret nor its TTL. */
const stub = object(shared).transform(fromShared);

/**
 * A token in the response to its create. If the response lacks the secret, the token exists nevertheless, so its identifier must be known.
 */
const created = keptObject({ ...shared, SecretID: text, ExpirationTTL: duration }).transform((wire) => ({
  ...fromShared(wire),
  secretId: wire.SecretID,
  expirationTtl: wire.ExpirationTTL || undefined,
  rest: wire.rest,
}));

/** A token. The API's document lacks tokens, so the form was measured on a scheduler of version 2.0. */
const form = created.refine(({ secretId }) => secretId !== "", { path: ["SecretID"], message: "is missing" });

export type Token = z.output<typeof form>;
export type TokenStub = z.output<typeof stub>;

function fromShared(wire: z.output<z.ZodObject<typeof shared>>) {
  return {
    id: wire.AccessorID,
    name: wire.Name,
    type: wire.Type,
    policies: wire.Policies,
    /** The IDs identify the roles: a list leaves their names out. */
    roles: wire.Roles,
    global: wire.Global,
    createTime: wire.CreateTime,
    expirationTime: wire.ExpirationTime ?? undefined,
    ...toVersion(wire),
  };
}

/**
 * The lifetime of a token from its creation on; undefined: unlimited. For a token with an absolute expiration time the server has no TTL,
 * so this is the time between creation and expiration, in whole seconds.
 */
export function lifeOf({ expirationTtl, createTime, expirationTime }: Token): string | undefined {
  if (expirationTtl !== undefined || expirationTime === undefined) return expirationTtl;
  return `${Math.max(1, Math.round((Date.parse(expirationTime) - Date.parse(createTime)) / 1000))}s`;
}

/** An update empties properties that its body leaves out, so the body has all of them. JSON omits undefined ones. */
function contentOf({ name, type, policies, roles, global, expirationTtl }: Omit<TokenInput, "chosen">) {
  return {
    Name: name,
    Type: type,
    Policies: policies,
    Roles: roles.map((role) => (uuid.test(role) ? { ID: role } : { Name: role })),
    Global: global,
    ExpirationTTL: expirationTtl,
  };
}

/** Only the identifiers of a token are unique. */
export const tokens: ClusterKind<Token, TokenStub, TokenInput, TokenUpdate, Token> = {
  path: "v1/acl/token",
  listPath: "v1/acl/tokens",
  listIs: "whole",
  refusals: [
    ...missing("token").filter(({ to }) => to !== "delete"),
    // The text "ACL token not found" may refer to the token of the request.
    { says: /\bnonexistent tokens?\b/i, means: "not-found", to: "delete" },
  ],
  form,
  list: listOf(stub),
  written: form,
  createBody: ({ chosen, ...input }) => ({ ...(chosen && { AccessorID: chosen.id, SecretID: chosen.secretId }), ...contentOf(input) }),
  // The secret is never sent: a server keeps the existing one.
  updateBody: (id, { expirationTime, ...input }) => ({ AccessorID: id, ...contentOf(input), ExpirationTime: expirationTime }),
  keyOf: ({ id }) => id,
  isKeyUuid: true,
};

type TokenRequests = Requests<Token, TokenStub, TokenInput, TokenUpdate>;

/** The clients whose server has refused a token with chosen identifiers. */
const refusing = new WeakSet<object>();

/** Whether a create may choose the token's identifiers, as far as is known. Servers refuse that for management tokens. */
export function takesChosen({ shared }: TokenRequests, { type }: Pick<TokenInput, "type">): boolean {
  return type === "client" && !refusing.has(shared);
}

/** Creates a token. An empty `secretId` means that the token was created, but the response lacks its secret. */
export function createToken(requests: TokenRequests, input: TokenInput): Promise<Token> {
  return requests.createAs(created, input);
}

/**
 * Creates a token. A server before 2.0.3 takes chosen identifiers for an update: it reports that there is no such token, and writes
 * nothing. Later creates of the client then choose none.
 *
 * @returns undefined if the server refuses chosen identifiers
 */
export async function createChosen(requests: TokenRequests, input: TokenInput): Promise<Token | undefined> {
  try {
    // A response without the secret is like a lost one: a read by the chosen identifier shows the token.
    return await requests.create(input);
  } catch (error) {
    if (!isApiError(error) || !error.says(/\bcannot find token\b/i)) throw error;
    refusing.add(requests.shared);
    return undefined;
  }
}
