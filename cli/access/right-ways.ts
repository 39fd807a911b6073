/** Which roles and policies allow what is asked for, and who gets there without a login. */

import type { PolicyQuestion } from "../../access/policy/allow";
import { type PolicyJob, policiesOfJob } from "../../access/policy/management";
import type { Texts } from "../../access/template";
import type { AccessModel } from "./model";
import { anonymous, type Right, RightFinder } from "./rights";

/** The roles or policies that lead to a target, of those that a bind name can become. */
export type Leading = (kind: "role" | "policy", bindName: string, possible: Texts) => Led | undefined;

export interface Led {
  readonly names: readonly string[];
  /** What their policies say, if a right is asked for. */
  readonly right?: Right;
}

/** Whether nothing that is known brings a right. */
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
    if (known.length > 0) return merged(known);
    // What the claims name may be on the cluster, and not in the source.
    const isElsewhere = isComputed && !model.isWhole[kind];
    if (isElsewhere)
      return { names: [bindName], right: finder.open(`${kind} ${bindName}`, ...matching.flatMap(({ right }) => right.unknown)) };
    return matching.length > 0 ? merged(matching) : undefined;
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

/** Who gets a right without a login: everybody, or the tasks of a job, and so whoever may submit it. */
export interface OtherWay {
  readonly policy: string;
  /** Missing of everybody. */
  readonly job?: PolicyJob;
  readonly right: Right;
}

export function otherWays(model: AccessModel, questions: readonly PolicyQuestion[]): OtherWay[] {
  const finder = new RightFinder(model, questions);
  return Object.entries(model.policyFacts).flatMap(([policy, { job }]): OtherWay[] => {
    const own = policy === anonymous ? finder.of("policy", policy) : undefined;
    const right = job && finder.byPolicies(policiesOfJob(model.policyFacts, job));
    // What others bring is theirs.
    const isOwn = right?.policies.includes(policy) || right?.unknown.includes(`policy ${policy}`);
    return [...(own ? [{ policy, right: own }] : []), ...(job && right && isOwn ? [{ policy, job, right }] : [])];
  });
}
