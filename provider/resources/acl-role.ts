import * as z from "zod";
import { own } from "../../common/own";
import type { Role } from "../apis/cluster-acl/client";
import { type ApiError, isAmbiguous, isConflict } from "../apis/http/errors";
import { adopt, decideAdoption, differencesThere } from "../context/adoption";
import type { CallContext } from "../context/call-context";
import {
  confirmedBy,
  confirmedByProbe,
  lookForLost,
  lookPastDeleted,
  readOrMissing,
  startingWith,
  warnOfLostResponse,
} from "../context/certainty";
import { ClusterObject } from "../context/cluster-object";
import { characters, gone, longInBytes, uuid } from "../context/wording";
import { field, propertiesOf } from "../model/fields";
import { differences } from "../model/inputs";
import { defineResource, type Remote } from "../model/resource";
import { relationOf } from "../model/servers";
import type { StateOf } from "../model/state";
import { isKnown } from "../model/unknown";
import { clusterOutputs, versionOf } from "./cluster-outputs";
import { warnOfRulesNaming } from "./role-rules";
import { warningsOfRenamedRole } from "./rule-claims";

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

const outputs = clusterOutputs("role", {
  wroteOver: field(
    z
      .object({
        createIndex: field(z.int(), "Its createIndex in the region that is read from."),
        modifyIndex: field(z.int(), "Its modifyIndex in the region that is read from."),
      })
      .optional(),
    "Version that the last update wrote over, where reads come from another region than writes go to: a region that shows it still lags. Absent after a refresh.",
  ),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type State = StateOf<typeof inputs, typeof outputs>;

/** An ACL role: a name for a group of policies, which tokens and binding rules refer to. */
export const aclRole = defineResource({
  kind,
  label: "ACL role",
  api: "cluster",
  description: `An ACL role of a Nomad cluster: a name for a group of policies, which tokens and binding rules refer to.

**Import** takes the role's ID or its name.`,
  inputs,
  outputs,

  warnings({ name, description, policies }) {
    const label = isKnown(name) ? `ACL role ${JSON.stringify(name)}` : "An ACL role";
    const isEmpty = Array.isArray(policies) && policies.length === 0;
    return [
      ...(isEmpty ? [`${label} has no policies: it grants nothing, and servers may refuse it.`] : []),
      ...longInBytes(label, description),
    ];
  },

  identity: ({ name }) => ({ property: "name", values: { name }, isUnique: true }),

  onDiff(context, _, { olds, news }) {
    const before = own(olds, "name");
    if (typeof before !== "string" || before === news.name) return;
    context.operation.checks.recordRenaming(kind, before);
    for (const warning of warningsOfRenamedRole(before, context)) context.warn(warning);
  },

  errorProperties: [
    [/polic/i, "policies"],
    [/description/i, "description"],
    [/invalid name|already exists/i, "name"],
  ],

  deleteBeforeReplace: (olds, news) => own(olds, "name") === own(news, "name"),

  create: (context, wanted) =>
    context.operation.withLock(`${kind} ${wanted.name}`, async () => {
      const cluster = context.cluster();
      // A role has no creation time: when the response is lost, an index from before the create distinguishes the created role from an older one.
      const before = await context.operation.indexAtStart.get(async () => {
        const roles = await cluster.roles.list();
        return cluster.lastIndex ?? roles.reduce((highest, role) => Math.max(highest, role.modifyIndex), 0);
      });
      const create = async (isSecondTry: boolean): Promise<Remote<Outputs>> => {
        try {
          return found(cluster.server, await cluster.roles.create(wanted));
        } catch (error) {
          if (isConflict(error)) {
            const shown = await readOrMissing(() => cluster.roles.readByName(wanted.name));
            // Another resource of this program may have given the name up since.
            return shown || isSecondTry ? takeOver(context, wanted, error, shown) : create(true);
          }
          if (!isAmbiguous(error)) throw error;
          const role = await lookForLost(context, async () => {
            const named = await readOrMissing(() => cluster.roles.readByName(wanted.name));
            return named && isDeleted(context, named) ? undefined : named;
          });
          if (!role) throw error;
          const isNew = role.createIndex > before && role.createIndex === role.modifyIndex;
          const isManaged = context.operation.objects.isClaimed({ kind, id: role.id, server: cluster.server });
          if (!isNew || isManaged || differencesOf(wanted, role).length > 0) return takeOver(context, wanted, error);
          warnOfLostResponse(context, labelOf(role.id, wanted), cluster.server);
          return found(cluster.server, role);
        }
      };
      return create(false);
    }),

  async read(context, id, known) {
    const cluster = context.cluster();
    const listed = await cluster.roles.recent(id);
    // A list may come from a replica that lags, too: for an older copy, the single read waits for a newer one.
    if (listed && !isOlder(listed, known, cluster.server)) return found(cluster.server, listed);
    const role = await readOne(context, id, known);
    return role && found(cluster.server, role);
  },

  async current(context, id, known) {
    const { server } = context.cluster();
    const role = await readOne(context, id, known);
    if (!role) throw gone(labelOf(id, known), server);
    // The state may have the response to an update, which comes from the authoritative region; the copy of another one may be from before it.
    return { ...found(server, role), isOfUnknownAge: role.createIndex !== known.createIndex };
  },

  async update(context, id, { known, sent, current }) {
    const cluster = context.cluster();
    const role = await roleOf(context, id, known).update(() => cluster.roles.update(id, sent));
    return foundAfter(cluster.server, current, role, known.wroteOver);
  },

  async delete(context, id, known) {
    await roleOf(context, id, known).delete(() => context.cluster().roles.delete(id));
    await warnOfRulesNaming(context, labelOf(id, known), known.name);
  },

  async list(context) {
    const cluster = context.cluster();
    const roles = await cluster.roles.list();
    return roles.map((role) => ({ id: role.id, name: role.name, version: versionOf(role), read: async () => found(cluster.server, role) }));
  },
});

/** @param shown the result of a first read */
async function takeOver(context: CallContext, wanted: Inputs, cause: unknown, shown?: Role): Promise<Remote<Outputs>> {
  const cluster = context.cluster();
  const label = `An ACL role named ${JSON.stringify(wanted.name)}`;
  const look = startingWith(shown, () => readOrMissing(() => cluster.roles.readByName(wanted.name)));
  const conflict = isConflict(cause) ? cause : undefined;
  const sought = { label, server: cluster.server, look, isDeleted: (role: Role) => isDeleted(context, role), conflict };
  for (let refusal: ApiError | undefined; ; ) {
    const holder = await lookPastDeleted(context, { ...sought, refusal });
    if (!holder) throw cause;
    const object = { kind, id: holder.id, server: cluster.server };
    const isManaged = context.operation.objects.isManaged(object);
    const decision = decideAdoption(wanted.adopt, { label, id: holder.id, isManaged, differences: differencesOf(wanted, holder) });
    context.operation.objects.takeOver(object);
    // Also where nothing changes, because the role that a region shows may be deleted; but nothing that a server may take for a change.
    const taken = await (decision === "take"
      ? confirmedByProbe(label, holder, probeOf(context, holder.id, holder))
      : confirmedBy(() => cluster.roles.update(holder.id, wanted)));
    if ("object" in taken) return foundAfter(cluster.server, found(cluster.server, holder), taken.object);
    refusal = taken.refusal;
    context.operation.objects.markDeleted(object);
  }
}

function isDeleted(context: CallContext, { id }: Role): boolean {
  return context.operation.objects.isDeleted({ kind, id, server: context.cluster().server });
}

/** The role with an ID, or, in an import, with a name. */
function roleOf(context: CallContext, id: string, known: State | undefined): ClusterObject<Role> {
  const cluster = context.cluster();
  return new ClusterObject(context, {
    label: labelOf(id, known),
    state: known,
    read: () => (uuid.test(id) ? cluster.roles.read(id) : cluster.roles.readByName(id)),
    probe: known && probeOf(context, id, known),
  });
}

/** The question whether the role still exists. A server that gives no hash may take unknown policies, and would take it for a change. */
function probeOf(
  context: CallContext,
  id: string,
  { hash, name, description = "", policies = [] }: Partial<Pick<Role, "name" | "description" | "policies" | "hash">>,
): (() => Promise<void>) | undefined {
  if (!hash || name === undefined) return undefined;
  return () => context.cluster().roles.probe(id, { id, name, description, policies });
}

/** The role, by a single read. */
function readOne(context: CallContext, id: string, known: State | undefined): Promise<Role | undefined> {
  const { server } = context.cluster();
  return roleOf(context, id, known).read({ isOlder: (copy) => isOlder(copy, known, server) });
}

/**
 * Indexes are compared only where they come from one region: there, and only there, both copies have the same CreateIndex. Those of the state come from the region that takes the writes after
 * a write, so that it keeps what the other region showed before.
 */
function isOlder(role: Role, known: State | undefined, server: string): boolean {
  if (!known) return false;
  const { createIndex, modifyIndex, wroteOver } = known;
  if (modifyIndex !== undefined && role.createIndex === createIndex && role.modifyIndex < modifyIndex) return true;
  const isOfSameRegion =
    wroteOver?.createIndex === role.createIndex && known.server !== undefined && relationOf(known.server, server) === "same";
  return wroteOver !== undefined && isOfSameRegion && role.modifyIndex <= wroteOver.modifyIndex;
}

/** The role after a write. A write that changed nothing may keep the indexes: then no copy is older. */
function foundAfter(server: string, before: Remote<Outputs>, written: Role, wroteOverBefore?: Outputs["wroteOver"]): Remote<Outputs> {
  const { inputs: after, outputs, id } = found(server, written);
  const { createIndex, modifyIndex } = before.outputs;
  const isChanged = differences(propertiesOf(inputs), before.inputs, after).length > 0;
  const wroteOver = isChanged && createIndex !== outputs.createIndex ? { createIndex, modifyIndex } : wroteOverBefore;
  return { id, inputs: after, outputs: { ...outputs, ...(wroteOver && { wroteOver }) } };
}

function found(server: string, role: Role): Remote<Outputs> {
  const { id, name, description, policies } = role;
  return { id, inputs: { name, description, policies }, outputs: { ...versionOf(role), server } };
}

function differencesOf(wanted: Inputs, role: Role): string[] {
  return differencesThere(propertiesOf(inputs), wanted, found("", role).inputs);
}

function labelOf(id: string, known: State | undefined): string {
  return known?.name ? `ACL role ${JSON.stringify(known.name)} (${id})` : `ACL role ${id}`;
}
