import * as z from "zod";
import { UserError } from "../../common/user-error";
import type { Role } from "../apis/cluster/client";
import { readById, readByName } from "../apis/cluster/role";
import { getter, lister, nonEmpty } from "../functions/look-ups";
import { adopt } from "../lifecycle/adopt";
import { defineResource } from "../lifecycle/define";
import { readOrMissing } from "../lifecycle/gone";
import { field } from "../model/fields";
import { characters, labelInProgram, longInBytes } from "../model/text";
import { clusterOutputs } from "./cluster-outputs";

const kind = "AclRole";
const source = "Access-control interface, ACL role";

const inputs = z.object({
  name: field(
    z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, "must be 1 to 128 letters, digits, dashes or underscores"),
    "Name of the role, unique in the cluster: 1 to 128 letters, digits, dashes or underscores. Some servers refuse underscores.",
    { source },
  ),
  description: field(
    z.string().refine(characters(256), "must be at most 256 characters long").default(""),
    "Free text, at most 256 characters. Some servers accept at most 256 bytes.",
    { source },
  ),
  policies: field(
    z.array(z.string().min(1, "must be the name of a policy")).default([]),
    "Names of the ACL policies that the role groups. Each must exist. A role without policies grants nothing, and some servers refuse it. Order and repeats mean nothing.",
    { set: true, source },
  ),
  adopt,
});

const outputs = clusterOutputs("role", {});

const result = {
  id: field(z.string(), "Identifier of the role."),
  name: field(z.string(), "Name of the role."),
  description: field(z.string(), "Free text."),
  policies: field(z.array(z.string()), "Names of the ACL policies that the role groups."),
  ...outputs.omit({ server: true }).shape,
};

export const getRole = getter(kind, {
  by: "its ID or its name",
  source: "Access-control interface, Roles",
  inputs: z.object({
    id: field(nonEmpty().optional(), "Identifier of the role. Either this or `name`."),
    name: field(nonEmpty().optional(), "Name of the role. Either this or `id`."),
  }),
  outputs: z.object(result),
  run(context, { id, name }) {
    const { roles } = context.cluster();
    if (id !== undefined && name === undefined) return readById(roles, id);
    if (id === undefined && name !== undefined) return readByName(roles, name);
    throw new UserError("arguments-unclear", "getRole: give either id or name.");
  },
});

export const listRoles = lister(kind, {
  many: "roles",
  of: "of the cluster that the token may see",
  source: "Access-control interface, Roles",
  inputs: z.object({
    prefix: field(
      z
        .string()
        .regex(/^[0-9a-f-]*$/i, "must be hexadecimal digits and dashes")
        .optional(),
      "Beginning of the roles' IDs, not of their names: only roles whose ID begins with it, with or without dashes.",
    ),
  }),
  item: z.object(result),
  async run(context, { prefix = "" }) {
    const digits = prefix.replaceAll("-", "").toLowerCase();
    // Measured servers compare the text of an ID, whose first dash follows eight digits. Documented servers compare whole bytes.
    const sent = digits.slice(0, Math.min(8, digits.length - (digits.length % 2)));
    const roles = await context.cluster().roles.listOnly({ prefix: sent || undefined });
    return roles.filter(({ id }) => id.replaceAll("-", "").startsWith(digits));
  },
});

/** An ACL role: a name for a group of policies, which tokens and binding rules refer to. */
export const aclRole = defineResource<typeof inputs, typeof outputs, Role, Role, number>({
  kind,
  label: "ACL role",
  api: "cluster",
  description: `An ACL role of a Nomad cluster: a name for a group of policies, which tokens and binding rules refer to.

**Import** takes the role's ID or its name.`,
  inputs,
  outputs,
  lookUps: [getRole, listRoles],

  warnings({ name, description, policies }) {
    const label = labelInProgram("ACL role", name);
    const isEmpty = Array.isArray(policies) && policies.length === 0;
    return [
      ...(isEmpty ? [`${label} has no policies: it grants nothing, and servers may refuse it.`] : []),
      ...longInBytes(label, description),
    ];
  },

  identity: { property: "name", names: ["name"], isUnique: true },

  errorProperties: [
    // This pattern comes first, because the text repeats the name, which may contain the other words.
    [/invalid name|already exists/i, "name"],
    [/polic/i, "policies"],
    [/description/i, "description"],
  ],

  requests: (context) => context.cluster().roles,
  toWhole: (role) => role,
  async find(context, { name }) {
    const role = await readOrMissing(() => readByName(context.cluster().roles, name));
    return role ? [role] : [];
  },
  create: (context, news) => context.cluster().roles.create(news),
  // A role has no creation time: an index from before the create distinguishes the created one from an older one.
  beforeCreate: (context) => context.cluster().indexAtStart(),
  isOwnCreate: ({ createIndex, modifyIndex }, before) => before !== undefined && createIndex > before && createIndex === modifyIndex,
  update: async (context, id, { sent, whole }) => ({ whole: await context.cluster().roles.update(id, sent, whole) }),
  namedBy: "role",
});
