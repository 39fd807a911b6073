import { checkPolicy } from "../../../access/policy/check";
import { contentHash } from "./hash";
import type { JobAcl, Policy, PolicyBody } from "./objects";
import { unstored } from "./objects";
import { refuseInvalid } from "./refusal";
import type { ClusterStore } from "./store";
import type { StoredKind } from "./table";

/** A change that a test makes. A name is enough, because roles need only the name of an existing policy. */
export type PolicyChange = string | (Partial<Omit<PolicyBody, "JobACL">> & { Name: string; JobACL?: Partial<JobAcl> | null });

export const policies: StoredKind<Policy, PolicyChange> = {
  keyOf: ({ Name }) => Name,
  changed: (change, policies) => changedPolicy(policies.get(typeof change === "string" ? change : change.Name), change),
  countsIdentical: true,
};

/** The response has no body. @throws Refusal 400 when it is not valid. */
export function writePolicy(store: ClusterStore, body: PolicyBody): undefined {
  const errors: string[] = [];
  if (!/^[a-zA-Z0-9-]{1,128}$/.test(body.Name)) errors.push(`invalid name '${body.Name}'`);
  const [problem] = checkPolicy(body.Rules);
  if (problem) errors.push(`failed to parse rules: At ${problem.line}:${problem.column}: ${problem.message}`);
  if (Buffer.byteLength(body.Description) > 256) errors.push("description longer than 256");
  errors.push(...jobErrors(body.JobACL));
  refuseInvalid("policy", errors);
  store.policies.write(changedPolicy(undefined, body));
}

function jobErrors(job: JobAcl | null): string[] {
  if (job === null) return [];
  const errors: string[] = [];
  if (job.JobID !== "" && job.Namespace === "") errors.push("namespace must be set to set job ID");
  if (job.Group !== "" && job.JobID === "") errors.push("job ID must be set to set group");
  if (job.Task !== "" && job.Group === "") errors.push("group must be set to set task");
  return errors;
}

const noJob: JobAcl = { Group: "", JobID: "", Namespace: "", Task: "" };

/** The policy after a change by a test, which is not validated. */
function changedPolicy(existing: Policy | undefined, change: PolicyChange): Policy {
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

/** A policy in the list: without its rules. */
export function policyStub({ Rules: _, ...stub }: Omit<Policy, "Hash">): object {
  return stub;
}
