/** The roles and policies that allow a right, and the holders without a login. */

import type { PolicyQuestion } from "../../access/policy/allow";
import { type PolicyJob, policiesOfJob } from "../../access/policy/management";
import type { Texts } from "../../access/template";
import { ownProperty } from "../../common/own-property";
import type { AccessModel } from "./model";
import { anonymous, type Right, RightFinder } from "./rights";

/** The roles or policies that a bind name can become and that lead to a target: known ones, and others that the source lacks. */
export type Leading = (kind: "role" | "policy", bindName: string, possible: Texts) => readonly Led[];

export interface Led {
  readonly names: readonly string[];
  /** The answer of their policies, for a question about a right. */
  readonly right?: Right;
}

/** Whether no known object gives the right. */
export function isOpen({ policies }: Right): boolean {
  return policies.length === 0;
}

export function leadingByRights(model: AccessModel, questions: readonly PolicyQuestion[]): Leading {
  const finder = new RightFinder(model, questions);
  const found = (kind: "role" | "policy", names: readonly string[]) =>
    names.flatMap((name) => {
      const right = finder.of(kind, name);
      return right ? [{ name, right }] : [];
    });
  const all = { role: found("role", Object.keys(model.roles)), policy: found("policy", model.policies) };
  return (kind, bindName, possible) => {
    const { isComputed, constant } = possible;
    const matching = isComputed ? all[kind].filter(({ name }) => possible.test(name)) : found(kind, [constant]);
    const known = matching.filter(({ right }) => !isOpen(right));
    const open = matching.filter(({ right }) => isOpen(right));
    // Claims may name a role or policy that the cluster has and the source lacks.
    const isElsewhere = isComputed && !model.isWhole[kind];
    const elsewhere = finder.open(`${kind} ${bindName}`, ...open.flatMap(({ right }) => right.unknown));
    return [
      ...(known.length > 0 ? [merged(known)] : []),
      ...(isElsewhere ? [{ names: [bindName], right: elsewhere }] : known.length === 0 && open.length > 0 ? [merged(open)] : []),
    ];
  };
}

function merged(found: readonly { readonly name: string; readonly right: Right }[]): Led {
  const rights = found.map(({ right }) => right);
  const best = rights.find(({ allows }) => allows === true) ?? rights[0];
  return {
    names: found.map(({ name }) => name),
    ...(best && {
      right: {
        ...best,
        policies: [...new Set(rights.flatMap(({ policies }) => policies))],
        unknown: [...new Set(rights.flatMap(({ unknown }) => unknown))],
      },
    }),
  };
}

/** The holders of a right that need no login: everybody, or the tasks of a job, and so anyone who may submit the job. */
export interface OtherWay {
  readonly policy: string;
  /** The job of the tasks. Left out for everybody. */
  readonly job?: PolicyJob;
  /** The answer to the question about a right. Left out if the question is about the policy itself. */
  readonly right?: Right;
}

/** The holders of a policy without a login. */
export function holdersWithoutLogin({ policyFacts, policies, isWhole }: AccessModel, policy: string): OtherWay[] {
  const job = ownProperty(policyFacts, policy)?.job;
  const isEverybodys = policy === anonymous && (policies.includes(policy) || !isWhole.policy);
  return [...(isEverybodys ? [{ policy }] : []), ...(job ? [{ policy, job }] : [])];
}

export function otherWays(model: AccessModel, questions: readonly PolicyQuestion[]): (OtherWay & { readonly right: Right })[] {
  const finder = new RightFinder(model, questions);
  // `policyFacts` lacks a policy that could not be read.
  const ofEverybody = model.policies.includes(anonymous) ? finder.of("policy", anonymous) : undefined;
  const ofJobs = Object.entries(model.policyFacts).flatMap(([policy, { job }]) => {
    const right = job && finder.byPolicies(policiesOfJob(model.policyFacts, job));
    // A right from another policy of the same tasks is reported with that policy.
    const isOwn = right?.policies.includes(policy) || right?.unknown.includes(`policy ${policy}`);
    return job && right && isOwn ? [{ policy, job, right }] : [];
  });
  return [...(ofEverybody ? [{ policy: anonymous, right: ofEverybody }] : []), ...ofJobs];
}
