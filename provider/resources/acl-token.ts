import { randomUUID } from "node:crypto";
import * as z from "zod";
import { parseDuration } from "../../common/durations";
import { ownProperty } from "../../common/own-property";
import { UserError } from "../../common/user-error";
import { uuid } from "../../common/uuid";
import type { ChosenIds, Token, TokenStub } from "../apis/cluster/client";
import { createChosen, createToken, lifeOf, takesChosen } from "../apis/cluster/token";
import { isApiError, isNotFound } from "../apis/http/errors";
import { getter, lister } from "../functions/look-ups";
import { defineResource } from "../lifecycle/define";
import { readOrMissing } from "../lifecycle/gone";
import { versionOf } from "../lifecycle/version";
import { sameInputs } from "../model/diff";
import { duration, field, propertiesOf } from "../model/fields";
import type { Properties } from "../model/remote";
import { bytes, labelInProgram, labelOfObject } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { clusterOutputs } from "./cluster-outputs";
import { secretMissingError } from "./secret-missing";

const kind = "AclToken";
const source = "Public reference, ACL Tokens";

const inputs = z.object({
  name: field(
    z.string().refine(bytes(256), "must be at most 256 bytes long").default(""),
    "Name for people, at most 256 bytes. It need not be unique.",
    { source },
  ),
  type: field(
    z.enum(["client", "management"], 'must be "client" or "management"'),
    "`client`: may do what its policies and roles allow. `management`: may do everything.",
    { source },
  ),
  policies: field(
    z.array(z.string().min(1, "must be the name of a policy")).default([]),
    "Names of the ACL policies of a client token. Servers also take names of missing policies. Order and repeats mean nothing.",
    { set: true, source },
  ),
  roles: field(
    z.array(z.string().min(1, "must be the name or ID of a role")).default([]),
    "Names or IDs of the ACL roles of a client token. Each must exist. Name and ID of one role mean the same; order and repeats mean nothing.",
    { set: true, source },
  ),
  global: field(
    z.boolean().default(false),
    "Whether the token is valid in all regions. Otherwise it is only valid in the region that creates it.",
    {
      replaces: true,
      source,
    },
  ),
  expirationTtl: field(
    duration.refine((value) => (parseDuration(value) ?? 1n) > 0n, "must be more than 0").optional(),
    'Lifetime of the token from its creation on, as a duration like "60s", "5m" or "1h0m0s". The server sets the limits, 1m to 24h unless configured. Left out: unlimited.',
    { duration: true, replaces: true, source },
  ),
  keepExpired: field(
    z.boolean().default(false),
    "Whether an expired token stays in the state, until another input changes. Otherwise the next update makes a new one, with a new secret.",
    { local: true },
  ),
});

const links = () =>
  z.array(
    field(
      z.object({
        id: field(z.string(), "Identifier of the role."),
        name: field(z.string(), "Name of the role."),
      }),
      "A role.",
    ),
  );

const outputs = clusterOutputs("token", {
  accessorId: field(z.string(), "The token's public identifier, a UUID. It is also the resource's ID.", { stable: true }),
  secretId: field(z.string(), "The token itself, which requests carry.", { secret: true, stable: true }),
  createTime: field(z.string(), "Time of the token's creation (ISO 8601, UTC).", { stable: true }),
  expirationTime: field(z.string().optional(), "Time at which the token ends (ISO 8601, UTC). Absent if it does not end.", {
    stable: true,
  }),
  linkedRoles: field(
    links(),
    "The token's roles at the last read or write of the token, each with its ID and its name. After a rename, a refresh shows the role's new name.",
  ),
});

const stub = {
  accessorId: field(z.string(), "Public identifier of the token, a UUID."),
  name: field(z.string(), "Name of the token, which need not be unique."),
  type: field(z.string(), "`client` or `management`."),
  policies: field(z.array(z.string()), "Names of the token's own policies. Its roles may give it more."),
  global: field(z.boolean(), "Whether the token is valid in all regions."),
  ...outputs.omit({ accessorId: true, secretId: true, linkedRoles: true, server: true }).shape,
};

export const getToken = getter(kind, {
  by: "its accessor ID, without its secret",
  source,
  inputs: z.object({
    accessorId: field(z.string().regex(uuid, "must be the accessor ID of a token, a UUID"), "Public identifier of the token."),
  }),
  outputs: z.object({
    ...stub,
    roles: field(links(), "Roles of the token."),
    expirationTtl: field(
      z.string().optional(),
      'Lifetime of the token from its creation on, like "1h0m0s". Left out if it does not expire.',
    ),
  }),
  missing: "with the accessor ID that was given, which may be a secret and is not shown",
  async run(context, { accessorId }) {
    const token = await tokensHiding(context, accessorId).read(accessorId);
    return { ...token, expirationTtl: lifeOf(token), accessorId: token.id };
  },
});

export const listTokens = lister(kind, {
  many: "tokens",
  of: "of the region that is read from, without their secrets",
  source,
  inputs: z.object({}),
  item: z.object({ ...stub, roleIds: field(z.array(z.string()), "Identifiers of the token's roles.") }),
  async run(context) {
    const tokens = await context.cluster().tokens.list();
    return tokens.map((token) => ({ ...token, accessorId: token.id, roleIds: token.roles.map(({ id }) => id) }));
  },
});

type News = z.output<typeof inputs>;

/** The results of a create before its first write: its reads and decisions. */
interface Before {
  /** The chosen identifiers of the token, if the server accepts chosen ones. */
  readonly chosen: ChosenIds | undefined;
  /** The existing tokens. They are listed once, and not at all if the server accepts chosen identifiers. */
  readonly older: () => Promise<ReadonlySet<string>>;
}

/** An ACL token of a cluster. */
export const aclToken = defineResource<typeof inputs, typeof outputs, Token, TokenStub, Before>({
  kind,
  label: "ACL token",
  api: "cluster",
  description: `An ACL token of a Nomad cluster. It is not in the API's document, and behaves as measured on servers of version 2.0.

\`secretId\` is a secret, and the state keeps it encrypted. The next update replaces an expired token, unless \`keepExpired\` is set. If the response to a create is lost, a token of the type \`client\` can be identified on servers from 2.0.3 on. Otherwise another token is created, and a warning names the possible leftovers.

**Import** takes the token's accessor ID. It reads the secret. A token with an absolute expiration time is imported with its whole lifetime as \`expirationTtl\`.`,
  inputs,
  outputs,
  lookUps: [getToken, listTokens],
  isReadOnRequest: true,

  validate({ type, policies, roles }, fail) {
    const [isWithout, isWith] = [
      (list: unknown) => Array.isArray(list) && list.length === 0,
      (list: unknown) => Array.isArray(list) && list.length > 0,
    ];
    if (type === "client" && isWithout(policies) && isWithout(roles))
      fail(["policies"], "must name a policy, or roles a role: servers refuse a client token without both");
    if (type !== "management") return;
    const reason = "must be empty for a management token, which may do everything";
    if (isWith(policies)) fail(["policies"], reason);
    if (isWith(roles)) fail(["roles"], reason);
  },

  warnings({ name, type, expirationTtl }) {
    const label = labelInProgram("ACL token", name);
    if (type !== "management") return [];
    const end = expirationTtl === undefined ? ", and never expires" : "";
    return [`${label} is a management token: it may do everything in the cluster${end}. Prefer type "client" with policies or roles.`];
  },

  respelled: (context, olds, news) => ({ ...olds, ...respelledRoles(context, olds, news) }),

  obstacle(context, { olds, news }, { changes, replaces }) {
    const isChanged = replaces.length > 0 || changes.some(({ path }) => path[0] !== "keepExpired");
    const label = labelOfObject("ACL token", String(ownProperty(olds, "accessorId")), typeof news.name === "string" ? news.name : "");
    return isChanged ? inUseError(context, ownProperty(olds, "secretId"), label) : undefined;
  },

  errorProperties: [
    [/expiration|duration/i, "expirationTtl"],
    [/\brole\b/i, "roles"],
    [/polic/i, "policies"],
    [/\bname\b/i, "name"],
    [/\btype\b/i, "type"],
    [/\bglobal\b/i, "global"],
  ],

  requests: (context, scope) => tokensHiding(context, scope?.secretId),
  async toId(context, text) {
    if (!uuid.test(text)) throw accessorError(text);
    return { id: text, secretId: await hiddenFor(context, text) };
  },
  toRemote(token, server, known) {
    const { id, name, type, policies, global, secretId, createTime, expirationTime, roles } = token;
    return {
      id,
      inputs: { name, type, policies, roles: spelledAs(roles, known?.roles ?? []), global, expirationTtl: lifeOf(token) },
      outputs: {
        ...versionOf(token),
        accessorId: id,
        secretId,
        createTime,
        ...(expirationTime !== undefined && { expirationTime }),
        linkedRoles: roles,
        server,
      },
    };
  },
  // A list has no names of roles, and its hash does not show that one was renamed or deleted.
  isVersionComplete: ({ roles }) => roles.length === 0,
  keepsEnded: ({ keepExpired }) => keepExpired === true,

  async beforeCreate(context, news) {
    const { tokens } = context.cluster();
    let listed: Promise<ReadonlySet<string>> | undefined;
    const older = () => (listed ??= tokens.list().then((all) => new Set(all.map(({ id }) => id))));
    return { chosen: takesChosen(tokens, news) ? { id: randomUUID(), secretId: randomUUID() } : undefined, older };
  },
  async create(context, news, before) {
    const tokens = tokensHiding(context, before?.chosen?.secretId);
    const token = before?.chosen && (await createChosen(tokens, { ...news, chosen: before.chosen }));
    if (token) return token;
    // The list must precede the create: after a lost response it would be too late.
    await before?.older();
    const made = await createToken(tokens, news);
    if (made.secretId === "") throw secretMissingError(labelOfObject("ACL token", made.id, made.name), context.cluster().server);
    return made;
  },
  // A server that refuses chosen identifiers has created no token with them.
  chosenId: (context, news, before) => (takesChosen(context.cluster().tokens, news) ? before?.chosen?.id : undefined),
  async leftOver(context, news, before) {
    const { tokens } = context.cluster();
    const older = await before?.older();
    const newer = (await tokens.list()).filter(({ id, name, type }) => !older?.has(id) && name === news.name && type === news.type);
    const whole = await Promise.all(newer.map(({ id }) => readOrMissing(() => tokens.read(id))));
    return whole.filter((token) => token !== undefined).filter((token) => hasContent(token, news));
  },

  async update(context, id, { sent, whole }) {
    const error = inUseError(context, whole.secretId, labelOfObject("ACL token", id, sent.name));
    if (error) throw error;
    const { global, expirationTtl, expirationTime } = whole;
    const tokens = tokensHiding(context, whole.secretId);
    return { whole: await tokens.update(id, { ...sent, global, expirationTtl, expirationTime }, whole) };
  },
  async delete(context, id, known) {
    const error = inUseError(context, known.secretId, labelOfObject("ACL token", id, known.name));
    if (error) throw error;
    await tokensHiding(context, known.secretId).delete(id);
  },
});

/** The requests for a token. Their errors never repeat its secret, even if a server or a proxy does. */
function tokensHiding(context: CallContext, secret: string | undefined) {
  return context.cluster().hiding(secret === undefined ? [] : [secret]).tokens;
}

/** The roles of a token in the spelling of these texts: by ID or name, or by both if the texts have both. */
function spelledAs(links: Token["roles"], texts: readonly string[]): string[] {
  return links.flatMap((link) => {
    const spellings = texts.filter((text) => isOf(link, text));
    // Roles in a list have no names.
    return spellings.length > 0 ? spellings : [link.name || link.id];
  });
}

function isOf({ id, name }: Token["roles"][number], text: string): boolean {
  return uuid.test(text) ? id.toLowerCase() === text.toLowerCase() : name === text;
}

const oldRoles = z.object({
  roles: z.array(z.string()),
  linkedRoles: z.array(z.object({ id: z.string(), name: z.string() })),
});
const newRoles = z.object({ roles: z.array(z.unknown()) });

/**
 * The roles of the state in the program's spelling. Undefined if the program's or the state's roles are unknown. A role that this operation
 * has deleted is no longer the token's, even if another role has its name now.
 */
function respelledRoles(context: CallContext, olds: Properties, news: Properties): Pick<News, "roles"> | undefined {
  const [before, after] = [oldRoles.safeParse(olds), newRoles.safeParse(news)];
  if (!before.success || !after.success) return undefined;
  const texts = after.data.roles.filter((role) => typeof role === "string");
  const { roles, linkedRoles } = before.data;
  return {
    roles: roles.flatMap((role) => {
      const link = linkedRoles.find((one) => isOf(one, role));
      if (link && context.operation.objects.isDeleted({ kind: "AclRole", id: link.id })) return [];
      // The state knows an old name of the role, which may be another role's by now. An ID is certain.
      const isCertain = (text: string) => uuid.test(text) || !uuid.test(role);
      const spellings = link ? texts.filter((text) => isOf(link, text) && isCertain(text)) : [];
      return spellings.length > 0 ? spellings : [role];
    }),
  };
}

function hasContent({ name, type, policies, roles, global, expirationTtl }: Token, news: News): boolean {
  return sameInputs(propertiesOf(inputs), news, { name, type, policies, roles: spelledAs(roles, news.roles), global, expirationTtl });
}

/** The error for a change of the program's own token: halfway through, the program could lose its access. */
function inUseError(context: CallContext, secretId: unknown, label: string): UserError | undefined {
  if (typeof secretId !== "string" || !context.cluster().usesToken(secretId)) return undefined;
  return new UserError(
    "token-in-use",
    `${label} is the token by which this program sends its requests, and was not touched: a change or delete could lock the program out halfway. ` +
      "Configure another management token, or remove this one from the program and the state (`pulumi state delete`).",
  );
}

const maySecret = "What was given may be a secret, so it is not shown: import by the accessor, which `nomad acl token list` shows.";

/**
 * The secret of the token that an import names. No error repeats the text of the import: it looks like an accessor, but may be a secret
 * until the server confirms that it is an accessor.
 */
async function hiddenFor(context: CallContext, text: string): Promise<string> {
  try {
    return (await tokensHiding(context, text).read(text)).secretId;
  } catch (error) {
    if (isNotFound(error)) throw new UserError("accessor-unknown", `There is no ACL token with that accessor. ${maySecret}`);
    throw isApiError(error) ? error.withNote(maySecret) : error;
  }
}

/** @param text what an import gives: it may be a secret, so it is not shown */
function accessorError(text: string): UserError {
  const what = text === "" ? "An empty text" : "The text that was given";
  return new UserError(
    "accessor-invalid",
    `${what} is not the accessor of an ACL token: give the AccessorID, a UUID, and not the token's name.`,
  );
}
