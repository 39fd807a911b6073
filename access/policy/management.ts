/** Permissions that equal management: rights by which a token can do everything, by itself or as a task of a job that it may submit. */
import type { PolicyQuestion } from "./allow";
import { grantsAllow } from "./allow";
import type { Grants } from "./grants";
import { grantsOf } from "./grants";

/** By these a token can do everything: a snapshot holds the secrets of all tokens, and one that is restored may have any. */
export const likeManagement: readonly PolicyQuestion[] = [{ ask: "operator:write" }, { ask: "operator:snapshot-save" }];

export interface PolicyFacts {
  /** Undefined if they are secret, or unknown before an update. */
  readonly rules: string | undefined;
  /** The tasks that have the policy without a token. */
  readonly job?: PolicyJob;
}

/** A namespace, or what is within it. Without one, it is unknown. */
export type PolicyJob = Readonly<Partial<Record<"namespace" | "jobId" | "group" | "task", string>>>;

/** Policies by their names. */
export type PoliciesByName = Readonly<Record<string, PolicyFacts>>;

/** The policies that the tasks of a place have together: those of the place, and of all that it is within. */
export function policiesOfJob(policies: PoliciesByName, place: PolicyJob): string[] {
  return Object.keys(policies).filter((name) => {
    const job = policies[name]?.job;
    return job !== undefined && isAtOrAbove(job, place);
  });
}

/** An unknown job matches no known job. */
export function isAtOrAbove(job: PolicyJob, place: PolicyJob): boolean {
  const levels = ["jobId", "group", "task"] as const;
  return job.namespace === place.namespace && levels.every((level) => job[level] === undefined || job[level] === place[level]);
}

/** Why a token can do everything: the right, or the job that it may submit and the policy that gives the right to its tasks. */
export interface Management {
  readonly ask: string;
  readonly byJob?: { readonly job: PolicyJob; readonly policy: string };
}

/** Why a token with these rules can do everything, if it can. */
export function managementBy(policies: PoliciesByName, rules: readonly string[]): Management | undefined {
  const grants = grantsOf(rules);
  const allows = (of: Grants) => likeManagement.find((question) => grantsAllow(of, question) === true)?.ask;
  const own = allows(grants);
  if (own !== undefined) return { ask: own };
  for (const [policy, { rules: text, job }] of Object.entries(policies)) {
    if (!job?.namespace || !text || allows(grantsOf([text])) === undefined) continue;
    const ask = allows(grantsOf(policiesOfJob(policies, job).flatMap((name) => policies[name]?.rules ?? [])));
    if (ask !== undefined && grantsAllow(grants, { ask: "register-job", namespace: job.namespace }) === true)
      return { ask, byJob: { job, policy } };
  }
  return undefined;
}
