import * as z from "zod";
import type { ClusterKind } from "./requests";
import { keptObject, key, listOf, missing, object, text, toVersion, versions } from "./wire";

/** The job whose tasks have a policy. Unset fields are omitted, or empty texts. */
export interface JobAcl {
  readonly namespace?: string;
  readonly jobId?: string;
  readonly group?: string;
  readonly task?: string;
}

const jobForm = keptObject({ Namespace: text, JobID: text, Group: text, Task: text }).nullish();

function toJob(wire: z.output<typeof jobForm>): JobAcl | undefined {
  const { Namespace: namespace, JobID: jobId, Group: group, Task: task } = wire ?? {};
  const set = { ...(namespace && { namespace }), ...(jobId && { jobId }), ...(group && { group }), ...(task && { task }) };
  return Object.keys(set).length > 0 ? set : undefined;
}

const stubShape = { Name: key, Description: text, ...versions };

const stub = object(stubShape).transform((wire) => ({ name: wire.Name, description: wire.Description, ...toVersion(wire) }));

/**
 * An ACL policy in the list, which leaves its rules out. The API's document lacks policies, so the form was measured on a scheduler of
 * version 2.0.
 */
export type PolicyStub = z.output<typeof stub>;

// RulesJSON has the rules as the server parsed them, and is never sent back.
const form = keptObject({ ...stubShape, Rules: text, RulesJSON: z.unknown().optional(), JobACL: jobForm }).transform((wire) => ({
  name: wire.Name,
  description: wire.Description,
  rules: wire.Rules,
  jobAcl: toJob(wire.JobACL),
  ...toVersion(wire),
  rest: wire.rest,
  jobRest: wire.JobACL?.rest,
}));

export type Policy = z.output<typeof form>;
export type PolicyInput = Pick<Policy, "name" | "description" | "rules"> & { readonly jobAcl?: JobAcl | undefined };

function bodyOf({ name, description, rules, jobAcl: job }: PolicyInput, over?: Policy) {
  const set = { Namespace: job?.namespace ?? "", JobID: job?.jobId ?? "", Group: job?.group ?? "", Task: job?.task ?? "" };
  const hasJob = Object.values(set).some(Boolean);
  return { Name: name, Description: description, Rules: rules, ...(hasJob && { JobACL: { ...over?.jobRest, ...set } }) };
}

/** The delete of a missing policy succeeds. */
export const policies: ClusterKind<Policy, PolicyStub, PolicyInput, PolicyInput, undefined> = {
  path: "v1/acl/policy",
  listPath: "v1/acl/policies",
  listIs: "filtered",
  refusals: missing("policy"),
  form,
  list: listOf(stub),
  written: z.undefined(),
  createBody: (input) => bodyOf(input),
  updateBody: (_, input, over) => bodyOf(input, over),
  keyOf: ({ name }) => name,
  keyOfNew: ({ name }) => name,
};
