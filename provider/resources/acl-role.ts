import * as z from "zod";
import { ownProperty } from "../../common/own-property";
import type { Role } from "../apis/cluster-acl/client";
import { adopt } from "../lifecycle/adopt";
import { defineResource } from "../lifecycle/define";
import { readOrMissing, toList } from "../lifecycle/gone";
import { field } from "../model/fields";
import { characters, labelInProgram, longInBytes } from "../model/text";
import { clusterOutputs, wroteOver } from "./cluster-outputs";
import { policiesOf, warningsOfHolding } from "./policies-in-program";
import { warningsOfRenamedRole } from "./rules-in-program";
import { warnOfRulesGiving } from "./rules-on-server";

const source = "Access-control interface, ACL role";

const inputs = z.object({
  name: field(
    z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, "must be 1 to 128 letters, digits, dashes or underscores"),
    "Name of the role, unique in the cluster: 1 to 128 letters, digits, dashes or underscores. Some servers refuse underscores.",
    { source },
  ),
  description: field(
    z.string().refine(characters(256), "must be at most 256 characters long").default(""),
    "Free text, at most 256 characters. Some servers take 256 bytes at most.",
    { source },
  ),
  policies: field(
    z.array(z.string().min(1, "must be the name of a policy")).default([]),
    "Names of the ACL policies that the role groups. Each must exist. A role without policies grants nothing, and some servers refuse it. Order and repeats mean nothing.",
    { set: true, source },
  ),
  adopt,
});

const outputs = clusterOutputs("role", { wroteOver });

/** An ACL role: a name for a group of policies, which tokens and binding rules refer to. */
export const aclRole = defineResource<typeof inputs, typeof outputs, Role, Role, number>({
  kind: "AclRole",
  label: "ACL role",
  api: "cluster",
  description: `An ACL role of a Nomad cluster: a name for a group of policies, which tokens and binding rules refer to.

**Import** takes the role's ID or its name.`,
  inputs,
  outputs,

  policyNames: policiesOf,
  warnings({ name, description, policies }, _, { context }) {
    const label = labelInProgram("ACL role", name);
    const isEmpty = Array.isArray(policies) && policies.length === 0;
    return [
      ...(isEmpty ? [`${label} has no policies: it grants nothing, and servers may refuse it.`] : []),
      ...longInBytes(label, description),
      ...warningsOfHolding(label, { policies }, context),
    ];
  },

  identity: ({ name }) => ({ property: "name", values: { name }, isUnique: true }),

  onDiff(context, _, { olds, news }) {
    const before = ownProperty(olds, "name");
    if (typeof before !== "string" || before === news.name) return;
    for (const warning of warningsOfRenamedRole(before, context)) context.warn(warning);
  },

  errorProperties: [
    // First: such a text repeats the name, which may have the other words in it.
    [/invalid name|already exists/i, "name"],
    [/polic/i, "policies"],
    [/description/i, "description"],
  ],

  requests: (context) => context.cluster().roles,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  toWhole: (role) => role,
  // A server that gives no hash may take unknown policies, and would take the probe for a change.
  probe(context, id, known) {
    if (!known?.hash || known.name === undefined) return undefined;
    const { name, description = "", policies = [] } = known;
    return () => context.cluster().roles.probe(id, { id, name, description, policies });
  },

  find: async (context, { name }) => toList(await readOrMissing(() => context.cluster().roles.readByName(name))),
  looksFirst: false,
  create: (context, news) => context.cluster().roles.create(news),
  overwrite:
    (context, news, { id }) =>
    () =>
      context.cluster().roles.update(id, news),
  // A role has no creation time: an index from before the create distinguishes the created one from an older one.
  beforeCreate: (context) =>
    context.operation.indexAtStart.get(async () => {
      const cluster = context.cluster();
      const roles = await cluster.roles.list();
      return cluster.lastIndex ?? roles.reduce((highest, role) => Math.max(highest, role.modifyIndex), 0);
    }),
  isOwnCreate: ({ createIndex, modifyIndex }, before) => before !== undefined && createIndex > before && createIndex === modifyIndex,
  update: async (context, id, { sent }) => ({ whole: await context.cluster().roles.update(id, sent) }),
  afterDelete: (context, label, { name }) => warnOfRulesGiving(context, label, name),
});
