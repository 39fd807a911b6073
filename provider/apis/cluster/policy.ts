import type * as z from "zod";
import { absenceOf, key, listOf, object, text, toVersion, versions } from "./wire";

/** The job whose tasks have a policy; what is not set is left out, or an empty text. */
const jobAcl = object({ Namespace: text, JobID: text, Group: text, Task: text })
  .nullish()
  .transform((job) => {
    const { Namespace: namespace, JobID: jobId, Group: group, Task: task } = job ?? {};
    const set = { ...(namespace && { namespace }), ...(jobId && { jobId }), ...(group && { group }), ...(task && { task }) };
    return Object.keys(set).length > 0 ? set : undefined;
  });

export type JobAcl = NonNullable<z.output<typeof jobAcl>>;

const stubShape = { Name: key, Description: text, ...versions };

const stub = object(stubShape).transform((wire) => ({ name: wire.Name, description: wire.Description, ...toVersion(wire) }));

/** An ACL policy in the list, which leaves its rules out. The document has no policies: measured on a scheduler of version 2.0. */
export type PolicyStub = z.output<typeof stub>;

export const form = object({ ...stubShape, Rules: text, JobACL: jobAcl }).transform((wire) => ({
  name: wire.Name,
  description: wire.Description,
  rules: wire.Rules,
  jobAcl: wire.JobACL,
  ...toVersion(wire),
}));

export type Policy = z.output<typeof form>;
export type PolicyInput = Pick<Policy, "name" | "description" | "rules"> & { readonly jobAcl?: JobAcl | undefined };

export const list = listOf(stub);

export function body({ name, description, rules, jobAcl: job }: PolicyInput) {
  const hasJob = Object.values(job ?? {}).some(Boolean);
  const JobACL = hasJob && job && { Namespace: job.namespace ?? "", JobID: job.jobId ?? "", Group: job.group ?? "", Task: job.task ?? "" };
  return { Name: name, Description: description, Rules: rules, ...(JobACL && { JobACL }) };
}

export const keyOf = ({ name }: PolicyStub | Policy) => name;
export const path = "policy";
export const listPath = "policies";
export const absence = absenceOf("policy");
