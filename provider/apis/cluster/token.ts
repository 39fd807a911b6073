import * as z from "zod";
import { uuid } from "../../../common/uuid";
import { type Absence, isApiError } from "../http/errors";
import type { Connection } from "./connection";
import { Requests, type SharedKind, type WireKind } from "./requests";
import { absenceOf, duration, flag, key, listOf, object, text, texts, toVersion, versions } from "./wire";

/** The identifiers that the creator of a token gives it. The first names it, the second is its secret. */
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
  /** Only of a create. */
  readonly chosen?: ChosenIds | undefined;
}

/** An update repeats what can't change: a server takes what is left out for a change. */
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

/** What a list has of a token: neither its secret nor its TTL. */
const stub = object(shared).transform(fromShared);

/** A token in the response to its create: one without a secret is there, too, so its identifier must be known. */
const created = object({ ...shared, SecretID: text, ExpirationTTL: duration }).transform((wire) => ({
  ...fromShared(wire),
  secretId: wire.SecretID,
  expirationTtl: wire.ExpirationTTL || undefined,
}));

/** A token. The document has none: measured on a scheduler of version 2.0. */
export const form = created.refine(({ secretId }) => secretId !== "", { path: ["SecretID"], message: "is missing" });

export type Token = z.output<typeof form>;
export type TokenStub = z.output<typeof stub>;

function fromShared(wire: z.output<z.ZodObject<typeof shared>>) {
  return {
    id: wire.AccessorID,
    name: wire.Name,
    type: wire.Type,
    policies: wire.Policies,
    /** By their IDs. A list leaves the names out. */
    roles: wire.Roles,
    global: wire.Global,
    createTime: wire.CreateTime,
    expirationTime: wire.ExpirationTime ?? undefined,
    ...toVersion(wire),
  };
}

export const list = listOf(stub);

/**
 * How long a token is valid from its creation on; undefined: for ever. Of one that was given an absolute end the server has no TTL: it is
 * its life, in whole seconds.
 */
export function lifeOf({ expirationTtl, createTime, expirationTime }: Token): string | undefined {
  if (expirationTtl !== undefined || expirationTime === undefined) return expirationTtl;
  return `${Math.max(1, Math.round((Date.parse(expirationTime) - Date.parse(createTime)) / 1000))}s`;
}

export function createBody({ chosen, ...input }: TokenInput) {
  return { ...(chosen && { AccessorID: chosen.id, SecretID: chosen.secretId }), ...contentOf(input) };
}

/** The secret is never sent: a server keeps the one that it has. */
export function updateBody(id: string, { expirationTime, ...input }: TokenUpdate) {
  return { AccessorID: id, ...contentOf(input), ...(expirationTime !== undefined && { ExpirationTime: expirationTime }) };
}

/** What is left out of an update is emptied, so everything is in it. */
function contentOf({ name, type, policies, roles, global, expirationTtl }: Omit<TokenInput, "chosen">) {
  return {
    Name: name,
    Type: type,
    Policies: policies,
    Roles: roles.map((role) => (uuid.test(role) ? { ID: role } : { Name: role })),
    Global: global,
    ...(expirationTtl !== undefined && { ExpirationTTL: expirationTtl }),
  };
}

export const keyOf = ({ id }: { readonly id: string }) => id;
export const isKeyUuid = true;
export const path = "token";
export const listPath = "tokens";

/** A delete that says "ACL token not found" may be about the token of the request. */
export const absence: Required<Absence> = {
  ...absenceOf("token"),
  undeletable: (body) => /\bnonexistent tokens?\b/i.test(body.detail),
};

/** What all views of a client know of the server. */
export interface Choice {
  /** Whether the server has refused a token whose creator chose its identifiers. */
  isRefused: boolean;
}

type TokenKind = WireKind<Token, TokenStub, TokenInput, TokenUpdate>;

/** The requests for tokens. Nothing of a token is unique but its identifiers. */
export class TokenRequests extends Requests<Token, TokenStub, TokenInput, TokenUpdate> {
  constructor(
    connection: Connection,
    kind: TokenKind,
    shared: SharedKind<TokenStub>,
    private readonly choice: Choice,
  ) {
    super(connection, kind, shared);
  }

  /** Whether the creator of such a token may choose its identifiers, as far as is known. Servers let no management token be chosen. */
  takesChosen({ type }: Pick<TokenInput, "type">): boolean {
    return type === "client" && !this.choice.isRefused;
  }

  /** A token whose `secretId` is "" was created, and the response lacks it. */
  override create(input: TokenInput): Promise<Token> {
    return this.write({ operation: "create", method: "POST", path: [], body: createBody(input) }, created);
  }

  /**
   * Creates a token. A server before 2.0.3 takes identifiers that are chosen for those of a token to be updated: it finds none, says so, and
   * has written nothing. Then none is chosen any more.
   *
   * @returns undefined if the server lets nobody choose
   */
  async createChosen(input: TokenInput): Promise<Token | undefined> {
    try {
      // A response without the secret is like a lost one: a read by the chosen identifier shows the token.
      return await super.create(input);
    } catch (error) {
      if (!isApiError(error) || !error.says(/\bcannot find token\b/i)) throw error;
      this.choice.isRefused = true;
      return undefined;
    }
  }
}
