import { boundNames } from "../../access/bound-names";
import type { LoginMethod } from "../../access/login";
import { type PolicyQuestion, policiesAllow } from "../../access/policy/allow";
import { likeManagement } from "../../access/policy/management";
import { mappedNames, type Reach } from "../../access/reach";
import { reachIn } from "../../access/selector-relation";
import type { AccessModel, Undecided } from "./model";
import { holdersWithoutLogin, isOpen, type Leading, leadingByRights, type OtherWay, otherWays } from "./right-ways";
import type { Right } from "./rights";
import { halfKnown, labelOf, nameless } from "./words";

/** The target of a question: management, a role, a policy, or rights. */
export type Target =
  | { readonly kind: "management" }
  | { readonly kind: "role" | "policy"; readonly name: string }
  /** Any of the rights. */
  | { readonly kind: "right"; readonly questions: readonly PolicyQuestion[] };

/** A rule that leads logins to the target. */
export interface Way {
  readonly method: string;
  /** Whether the source has the method. */
  readonly methodExists: boolean;
  /** The part of the method that is secret, or unknown before an update. With `isMethodTwice`, it is the name. */
  readonly unknownPart?: string | undefined;
  /** Whether the source has two methods of the name. */
  readonly isMethodTwice?: true;
  /** The rule's ID; left out if the rule does not exist yet. */
  readonly id?: string;
  readonly label: string;
  readonly selector: string;
  /** Which logins the selector matches, by the mappings of the method: every login (`always`), none (`never`), or some (`depends`). */
  readonly matches: Reach;
  /** The grant, such as `role deployers`. */
  readonly gives: string;
  /** Whether the name depends on claims: it is the wanted name for some of the matching logins. */
  readonly computed: boolean;
  /** The answer of the given policies to a question about a right or management. A rule that gives management itself has none. */
  readonly right?: Right;
}

export interface Ways {
  readonly ways: readonly Way[];
  /** Rules, roles and policies with unknown parts that may lead to the target. */
  readonly undecided: readonly Undecided[];
  /** False if the cluster certainly lacks the role or policy, so no login gets it. */
  readonly exists: boolean;
  /** For rights, management and policies: rules for roles and policies with unknown permissions. */
  readonly unknown?: readonly Way[];
  /** For rights, management and policies: the holders without a login. */
  readonly others?: readonly OtherWay[];
}

/** The methods and selectors that lead to the target. */
export function waysTo(model: AccessModel, target: Target): Ways {
  const methods = new Map(model.methods.map((method) => [method.name, method]));
  const leading = leadingNames(model, target);
  const takesManagement = target.kind === "management" || target.kind === "right";
  const ways = model.rules.flatMap((rule): Way[] => {
    const method = methods.get(rule.authMethod);
    const half = method ? undefined : (halfKnown(model, "method", rule.authMethod) ?? nameless(model, "method"));
    const { bindType, bindName = "", selector = "" } = rule;
    const possible = bindType === "management" ? undefined : boundNames(bindName, method);
    const way = (gives: string, right?: Right): Way => ({
      method: rule.authMethod,
      methodExists: method !== undefined || half !== undefined,
      ...(half && { unknownPart: half.part, ...(half.isTwice && { isMethodTwice: true }) }),
      ...(!rule.isNew && { id: rule.id }),
      label: labelOf(model, rule),
      selector,
      matches: method || half ? reachIn(selector, method && mappedNames(method)) : "depends",
      gives,
      computed: possible?.isComputed === true,
      ...(right && { right }),
    });
    if (bindType === "management") return takesManagement ? [way("management")] : [];
    return possible ? leading(bindType, bindName, possible).map(({ names, right }) => way(`${bindType} ${names.join(", ")}`, right)) : [];
  });
  const mayLead = (one: Undecided) => one.kind === "rule" && mayGive(one, { target, leading, method: methods.get(one.authMethod ?? "") });
  const isRoleOpen = target.kind !== "role";
  // A policy with an unknown name may be any policy, including `anonymous`.
  const unnamed = model.undecided.filter(({ kind }) => kind === "policy");
  const isPolicyOpen = (one: Undecided) => {
    const rules = model.unnamedPolicies[unnamed.indexOf(one)]?.rules;
    if (target.kind === "policy" || target.kind === "role") return target.kind === "policy";
    return rules === undefined || questionsOf(target).some((question) => policiesAllow([rules], question) !== false);
  };
  return {
    ways: ways.filter(({ right }) => !right || !isOpen(right)),
    undecided: model.undecided.filter((one) =>
      one.kind === "role" ? isRoleOpen : one.kind === "policy" ? isPolicyOpen(one) : mayLead(one),
    ),
    exists: isThere(model, target),
    ...(target.kind !== "role" && { unknown: ways.filter(({ right }) => right && isOpen(right)) }),
    ...(takesManagement && { others: otherWays(model, questionsOf(target)) }),
    ...(target.kind === "policy" && { others: holdersWithoutLogin(model, target.name) }),
  };
}

/** Whether a rule with an unknown part may lead to the target, by its known parts. */
function mayGive(
  { bindType, bindName }: Undecided,
  { target, leading, method }: { target: Target; leading: Leading; method: LoginMethod | undefined },
): boolean {
  const mayBe = (kind: string) => bindType === undefined || bindType === kind;
  const takesManagement = target.kind === "management" || target.kind === "right";
  if (takesManagement && mayBe("management")) return true;
  // An unknown role may hold the policy.
  const kinds = (["role", "policy"] as const).filter((kind) => mayBe(kind) && (target.kind !== "role" || kind === "role"));
  if (bindName === undefined) return kinds.length > 0;
  const names = boundNames(bindName, method);
  return names !== undefined && kinds.some((kind) => leading(kind, bindName, names).length > 0);
}

function isThere(model: AccessModel, target: Target): boolean {
  if (target.kind !== "role" && target.kind !== "policy") return true;
  if (!model.isWhole[target.kind]) return true;
  return target.kind === "role" ? Object.hasOwn(model.roles, target.name) : model.policies.includes(target.name);
}

/** Finds the names that lead to a target. For a policy, these are its own name and the names of roles that have it, or may have it. */
function leadingNames(model: AccessModel, target: Target): Leading {
  if (target.kind === "management" || target.kind === "right") return leadingByRights(model, questionsOf(target));
  const { roles, isWhole } = model;
  const isOfPolicy = target.kind === "policy";
  const all = isOfPolicy
    ? { role: Object.keys(roles).filter((role) => roles[role]?.includes(target.name)), policy: [target.name] }
    : { role: [target.name], policy: [] };
  return (kind, bindName, possible) => {
    const names = all[kind].filter((name) => possible.test(name));
    const isElsewhere = isOfPolicy && kind === "role" && !isWhole.role && (possible.isComputed || !Object.hasOwn(roles, possible.constant));
    const right: Right = { allows: "undecided", ask: "", policies: [], unknown: [`role ${bindName}`] };
    return [...(names.length > 0 ? [{ names }] : []), ...(isElsewhere ? [{ names: [bindName], right }] : [])];
  };
}

/** The questions of a target about rights. For any other target, the questions that equal management. */
export function questionsOf(target: Target): readonly PolicyQuestion[] {
  return target.kind === "right" ? target.questions : likeManagement;
}
