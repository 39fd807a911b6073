import { contentHash } from "./hash";
import type { JobAcl, Policy, PolicyBody } from "./objects";
import { unstored } from "./objects";
import type { StoredKind } from "./table";

/** A change that a test makes. A name is enough, because roles need only the name of an existing policy. */
export type PolicyChange = string | (Partial<Omit<PolicyBody, "JobACL">> & { Name: string; JobACL?: Partial<JobAcl> | null });

export const policies: StoredKind<Policy, PolicyChange> = {
  keyOf: ({ Name }) => Name,
  changed: (change, policies) => changedPolicy(policies.get(typeof change === "string" ? change : change.Name), change),
  countsIdentical: true,
};

const noJob: JobAcl = { Group: "", JobID: "", Namespace: "", Task: "" };

/** The policy after a change, which is not validated here. */
export function changedPolicy(existing: Policy | undefined, change: PolicyChange): Policy {
  const given = typeof change === "string" ? { Name: change } : change;
  const { Description, Name, Rules } = { Description: "", Rules: "", ...existing, ...given };
  const JobACL = given.JobACL
    ? { ...noJob, ...existing?.JobACL, ...given.JobACL }
    : given.JobACL === undefined
      ? (existing?.JobACL ?? null)
      : null;
  const job = JobACL && [JobACL.Namespace, JobACL.JobID, JobACL.Group, JobACL.Task];
  return { Description, JobACL, Name, Rules, Hash: contentHash(Name, Description, Rules, job), ...unstored };
}
