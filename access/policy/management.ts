/**
 * Permissions that equal management: a token with one of them can do everything, itself or through the tasks of a job that it may submit.
 */
import { isRecord } from "../../common/unknown";
import type { Answer, PolicyQuestion } from "./allow";
import { grantsAllow } from "./allow";
import type { Grants } from "./grants";
import { grantsOf } from "./grants";

/** Permissions to do everything: a snapshot contains the secrets of all tokens, and a restored one may contain any token. */
export const likeManagement: readonly PolicyQuestion[] = [{ ask: "operator:write" }, { ask: "operator:snapshot-save" }];

/** Whether it is possible that a token with these rules can do everything by itself. Unknown parts count as possible. */
export function mayBeAll(rules: readonly string[]): boolean {
  const grants = grantsOf(rules);
  return likeManagement.some((question) => grantsAllow(grants, question) !== false);
}

/** Permissions to run commands as a task: in a new job, or in a running one, whose identity token the command may read there. */
export const runningInJobs: ReadonlySet<string> = new Set(["register-job", "alloc-exec"]);

/** Whether a token with these grants may run commands as a task in a namespace. */
export function mayRunIn(grants: Grants, namespace = "*"): Answer {
  const answers = [...runningInJobs].map((ask) => grantsAllow(grants, { ask, namespace }));
  return answers.includes(true) || (answers.includes("undecided") && "undecided");
}

export interface PolicyFacts {
  /** The rules of the policy; undefined if they are secret, or unknown before an update. */
  readonly rules: string | undefined;
  /** The job whose tasks have the policy without a token. */
  readonly job?: PolicyJob;
}

/** A namespace, a job, a group or a task. Without a namespace, the place is unknown. */
export type PolicyJob = Readonly<Partial<Record<"namespace" | "jobId" | "group" | "task", string>>>;

const levels = ["namespace", "jobId", "group", "task"] as const;

/** The job of a policy, by its `jobAcl`. Undefined if it names none, or if a part is not a text. An empty part counts as missing. */
export function jobOf(jobAcl: unknown): PolicyJob | undefined {
  if (!isRecord(jobAcl)) return undefined;
  const given = levels.filter((level) => jobAcl[level] !== undefined && jobAcl[level] !== null && jobAcl[level] !== "");
  const texts = given.flatMap((level) => (typeof jobAcl[level] === "string" ? [[level, jobAcl[level]] as const] : []));
  return texts.length > 0 && texts.length === given.length ? Object.fromEntries(texts) : undefined;
}

/** Policies, by their names. */
export type PoliciesByName = Readonly<Record<string, PolicyFacts>>;

/**
 * The policies that tasks of a place combine: those of the place, and those of all places that contain it. For an unknown place, the policy
 * of that place alone.
 */
export function policiesOfJob(policies: PoliciesByName, place: PolicyJob): string[] {
  return Object.keys(policies).filter((name) => {
    const job = policies[name]?.job;
    if (place.namespace === undefined) return job === place;
    return job !== undefined && isAtOrAbove(job, place);
  });
}

/** Whether a job is the place, or contains it. An unknown job contains no known place. */
export function isAtOrAbove(job: PolicyJob, place: PolicyJob): boolean {
  return job.namespace === place.namespace && levels.every((level) => job[level] === undefined || job[level] === place[level]);
}

/**
 * The reason why a token can do everything: a permission, or a job that it may submit with the policy that gives its tasks the permission.
 */
export interface Management {
  readonly ask: string;
  readonly byJob?: { readonly job: PolicyJob; readonly policy: string };
}

/**
 * The reason why a token with these rules can do everything; undefined if it can't.
 *
 * @param isEnough whether an answer counts as yes. Default: only `true` does
 * @param of computes permissions from rules. Default: `grantsOf`, which is uncertain about names that the known servers ignore
 */
export function managementBy(
  policies: PoliciesByName,
  rules: readonly string[],
  isEnough: (answer: Answer) => boolean = (answer) => answer === true,
  of: (rules: readonly string[]) => Grants = grantsOf,
): Management | undefined {
  const grants = of(rules);
  const allows = (granted: Grants) => likeManagement.find((question) => isEnough(grantsAllow(granted, question)))?.ask;
  const own = allows(grants);
  if (own !== undefined) return { ask: own };
  for (const [policy, { rules: text, job }] of Object.entries(policies)) {
    if (!job?.namespace || !text || allows(of([text])) === undefined) continue;
    const ask = allows(of(policiesOfJob(policies, job).flatMap((name) => policies[name]?.rules ?? [])));
    if (ask !== undefined && isEnough(grantsAllow(grants, { ask: "register-job", namespace: job.namespace })))
      return { ask, byJob: { job, policy } };
  }
  return undefined;
}
