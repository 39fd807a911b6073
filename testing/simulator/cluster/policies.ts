import { checkPolicy } from "../../../access/policy/check";
import { decodeBody, object, text } from "./body";
import { contentHash } from "./hash";
import type { ClusterObjects, JobAcl, Policy, Stored } from "./objects";
import { unstored } from "./objects";
import { refuseInvalid } from "./refusal";
import type { StoredKind } from "./table";

type PolicyBody = Omit<Policy, keyof Stored>;

/** A change that a test makes. A name is enough, because roles need only the name of an existing policy. */
export type PolicyChange = string | (Partial<Omit<PolicyBody, "JobACL">> & { Name: string; JobACL?: Partial<JobAcl> | null });

export const policies: StoredKind<Policy, PolicyChange> = {
  keyOf: ({ Name }) => Name,
  changed: (change, policies) => changedPolicy(policies.get(typeof change === "string" ? change : change.Name), change),
  countsIdentical: true,
};

const job = object({ Group: text, JobID: text, Namespace: text, Task: text });
const policyForm = object({ Name: text, Description: text, JobACL: job.nullable().default(null), Rules: text });

export function decodePolicy(body: string): PolicyBody {
  return decodeBody(policyForm, body);
}

/** @throws Refusal 400 when it is not valid. */
export function writePolicy(store: ClusterObjects, body: PolicyBody): Policy {
  const errors: string[] = [];
  if (!/^[a-zA-Z0-9-]{1,128}$/.test(body.Name)) errors.push(`invalid name '${body.Name}'`);
  const [problem] = checkPolicy(body.Rules);
  if (problem) errors.push(`failed to parse rules: At ${problem.line}:${problem.column}: ${problem.message}`);
  if (Buffer.byteLength(body.Description) > 256) errors.push("description longer than 256");
  errors.push(...jobErrors(body.JobACL));
  refuseInvalid("policy", errors);
  return store.policies.write(changedPolicy(undefined, body));
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
export function policyStub({ Rules, ...stub }: Policy): Omit<Policy, "Rules"> {
  return stub;
}
