import * as z from "zod";
import { uuid } from "../../common/uuid";
import { lifeOf } from "../apis/cluster/token";
import { field } from "../model/fields";
import { defineFunction, orMissing, version } from "./definition";

const source = "Public reference, ACL Tokens";

const stub = {
  accessorId: field(z.string(), "Public identifier of the token, a UUID."),
  name: field(z.string(), "Name of the token, which need not be unique."),
  type: field(z.string(), "`client` or `management`."),
  policies: field(z.array(z.string()), "Names of the token's own policies. Its roles may give it more."),
  global: field(z.boolean(), "Whether the token is valid in all regions."),
  createTime: field(z.string(), "Time of the token's creation (ISO 8601, UTC)."),
  expirationTime: field(z.string().optional(), "Time at which the token ends (ISO 8601, UTC). Left out if it does not end."),
  ...version,
};

export const getToken = defineFunction({
  name: "getToken",
  description: "Looks up one ACL token by its accessor ID, without its secret. It fails when there is none.",
  source,
  inputs: z.object({
    accessorId: field(z.string().regex(uuid, "must be the accessor ID of a token, a UUID"), "Public identifier of the token."),
  }),
  outputs: z.object({
    ...stub,
    roles: field(
      z.array(
        field(z.object({ id: field(z.string(), "Identifier of the role."), name: field(z.string(), "Name of the role.") }), "A role."),
      ),
      "Roles of the token.",
    ),
    expirationTtl: field(
      z.string().optional(),
      'How long the token is valid from its creation on, like "1h0m0s". Left out if it does not end.',
    ),
  }),
  async run(context, { accessorId }) {
    const what = "ACL token with the accessor ID that was given, which may be a secret and is not shown";
    const token = await orMissing("getToken", what, () => context.cluster().hiding([accessorId]).tokens.read(accessorId));
    return { ...token, expirationTtl: lifeOf(token), accessorId: token.id };
  },
});

export const listTokens = defineFunction({
  name: "listTokens",
  description: "Lists the ACL tokens of the region that is read from, without their secrets.",
  source,
  inputs: z.object({}),
  outputs: z.object({
    tokens: field(
      z.array(field(z.object({ ...stub, roleIds: field(z.array(z.string()), "Identifiers of the token's roles.") }), "A token, in short.")),
      "The tokens.",
    ),
  }),
  async run(context) {
    const tokens = await context.cluster().tokens.list();
    return { tokens: tokens.map((token) => ({ ...token, accessorId: token.id, roleIds: token.roles.map(({ id }) => id) })) };
  },
});
