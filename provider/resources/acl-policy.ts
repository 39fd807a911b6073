import * as z from "zod";
import { checkPolicy, type PolicyProblem, policyWarnings } from "../../access/policy/check";
import { rulesContent } from "../../access/policy/equal";
import { ownProperty } from "../../common/own-property";
import { isRecord } from "../../common/unknown";
import type { Policy, PolicyStub } from "../apis/cluster/client";
import { getter, lister, named } from "../functions/look-ups";
import { adopt } from "../lifecycle/adopt";
import { defineResource } from "../lifecycle/define";
import type { Fail } from "../model/check";
import { field } from "../model/fields";
import type { Properties } from "../model/remote";
import { bytes, labelInProgram } from "../model/text";
import { clusterOutputs } from "./cluster-outputs";

const kind = "AclPolicy";
const source = "Public reference, ACL Policies";

/** The levels of a job, from the outermost to the innermost. */
const levels = ["namespace", "jobId", "group", "task"] as const;

/** The job of a policy. */
const jobAcl = z.object({
  namespace: field(z.string().optional(), "Namespace of the job."),
  jobId: field(z.string().optional(), "Identifier of the job. It needs `namespace`."),
  group: field(z.string().optional(), "Group of the job. It needs `jobId`."),
  task: field(z.string().optional(), "Task of the group. It needs `group`."),
});

const inputs = z.object({
  name: field(
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,128}$/, "must be 1 to 128 letters, digits or dashes")
      .refine((name) => name !== "self", 'must not be "self": servers have another endpoint at the address of that policy'),
    "Name of the policy, unique in the cluster, and its ID: 1 to 128 letters, digits or dashes, but not `self`.",
    { replaces: true, source },
  ),
  description: field(
    z.string().refine(bytes(256), "must be at most 256 bytes long").default(""),
    "Free text, at most 256 bytes: a letter beyond ASCII, like ü, counts as two or more.",
    { source },
  ),
  rules: field(
    z.string().default(""),
    "Permissions of the policy, in the cluster's policy language (HCL or JSON). Comments, white space and irrelevant order make no difference.",
    { form: rulesProblem, meaning: rulesContent, source },
  ),
  jobAcl: field(
    jobAcl.optional(),
    "Job whose tasks have the policy by their own identities, without a token: a namespace, a job, a group or a single task.",
    { source },
  ),
  adopt,
});

const outputs = clusterOutputs("policy", {});

const stub = {
  name: field(z.string(), "Name of the policy."),
  description: field(z.string(), "Free text."),
  ...outputs.omit({ server: true }).shape,
};

export const getPolicy = getter(kind, {
  ...named("policy"),
  source,
  outputs: z.object({
    ...stub,
    rules: field(z.string(), "Permissions of the policy, in the cluster's policy language."),
    jobAcl: field(jobAcl.optional(), "Job whose tasks have the policy by their own identities. Absent if there is none."),
  }),
  run: (context, { name }) => context.cluster().policies.read(name),
});

export const listPolicies = lister(kind, {
  many: "policies",
  of: "of the cluster that the token may see, without their rules",
  source,
  inputs: z.object({}),
  item: z.object(stub),
  run: (context) => context.cluster().policies.list(),
});

/** An ACL policy: permissions for roles and tokens. */
export const aclPolicy = defineResource<typeof inputs, typeof outputs, Policy, PolicyStub>({
  kind,
  label: "ACL policy",
  api: "cluster",
  description: `An ACL policy of a Nomad cluster: the permissions of roles and tokens that name it.

**Import** takes the policy's name.`,
  inputs,
  outputs,
  lookUps: [getPolicy, listPolicies],

  validate: ({ jobAcl }, fail) => refuseGaps(jobAcl, fail),

  warnings: ({ name, rules }) => [
    ...(rules === "" ? [`${labelInProgram("ACL policy", name)} has no rules: it allows nothing.`] : []),
    ...rulesWarnings(labelInProgram("ACL policy", name), rules),
  ],

  identity: { property: "name", names: ["name"], isUnique: true },

  errorProperties: [
    [/failed to parse rules/i, "rules"],
    [/description/i, "description"],
    [/invalid name/i, "name"],
    [/must be set to set/i, "jobAcl"],
  ],

  requests: (context) => context.cluster().policies,
  isIdName: true,

  create: (context, news) => context.cluster().policies.create(news),
  update: async (context, id, { sent, whole }) => ({ whole: await context.cluster().policies.update(id, sent, whole) }),
  namedBy: "policy",
});

/** A level of a job needs all levels above it. */
function refuseGaps(job: unknown, fail: Fail): void {
  if (!isRecord(job)) return;
  for (const [index, level] of levels.entries()) {
    const above = levels[index - 1];
    if (above !== undefined && isSet(job, level) && !isSet(job, above)) fail(["jobAcl", above], `is required when ${level} is given`);
  }
}

function isSet(job: Properties, level: string): boolean {
  const value = ownProperty(job, level);
  return value !== undefined && value !== null && value !== "";
}

/** The maximal number of errors in a message. */
const mostShown = 3;

/** The errors in the rules of a policy for which every server version refuses the rules, or drops a part of them. */
function rulesProblem(rules: string): string | undefined {
  const errors = checkPolicy(rules).filter(({ kind }) => kind === "malformed");
  if (errors.length === 0) return undefined;
  const more = errors.length > mostShown ? [`and ${errors.length - mostShown} more`] : [];
  return `can't be read: ${[...errors.slice(0, mostShown).map(placed), ...more].join("; ")}`;
}

/** Parts of readable rules that known servers refuse or ignore. */
function rulesWarnings(label: string, rules: unknown): string[] {
  if (typeof rules !== "string") return [];
  return policyWarnings(rules).map((problem) => {
    const consequence = problem.kind === "unknown" ? " A server that does not know it refuses the policy." : "";
    return `${label}: rules, ${placed(problem)}${problem.message.endsWith("?") ? "" : "."}${consequence}`;
  });
}

function placed({ line, column, message }: PolicyProblem): string {
  return `line ${line}, column ${column}: ${message}`;
}
