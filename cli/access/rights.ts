/** The permissions of tokens, as far as a source knows the rules of their policies. */
import { type Answer, grantsAllow, type PolicyQuestion } from "../../access/policy/allow";
import { compareRights, type RightsDifference } from "../../access/policy/compare";
import { compareDenials } from "../../access/policy/denials";
import { type Grants, grantsOf } from "../../access/policy/grants";
import {
  likeManagement,
  managementBy,
  mayBeAll,
  mayRunIn,
  type PolicyFacts,
  type PolicyJob,
  policiesOfJob,
  runningInJobs,
} from "../../access/policy/management";
import { matches } from "../../access/policy/patterns";
import { type Rights, rightsOf } from "../../access/policy/rights";
import { ownProperty } from "../../common/own-property";
import { secretMarker, unknownName } from "../inventory/hidden";
import type { Explanation } from "./explanation";
import type { AccessModel } from "./model";
import { jobText } from "./rights-words";

/** The reason why a token with these rules can do everything, in words. */
export function managementWords({ policyFacts }: Pick<AccessModel, "policyFacts">, rules: readonly string[]): string | undefined {
  const found = managementBy(policyFacts, rules);
  if (!found?.byJob) return found && `${found.ask} equals management`;
  return `it may submit ${jobText(found.byJob.job)}, whose policy ${found.byJob.policy} equals management`;
}

/** Whether lost rules denied what may bring management: other grants of a token may then give management. */
export function losesDenies(model: AccessModel, old: readonly string[], now: readonly string[]): boolean {
  return compareDenials(old, now).some((one) => bringsManagement(model, one));
}

/** Whether rules may bring management, by themselves or by a job that they let a token submit or run commands in. */
export function givesManagement(model: AccessModel, rules: string): boolean {
  return compareRights([], [rules]).differences.some((one) => bringsManagement(model, one));
}

/** A substitute for the policies of a role or token that are secret, or unknown before an update. No policy has such a name. */
export function hiddenPolicies(kind: "role" | "token" | "rule", name: string): string {
  return `${secretMarker} or unknown policies of the ${kind} ${name}`;
}

export function isHidden(policy: string): boolean {
  return policy.startsWith(secretMarker);
}

/** The policies of a role. One name stands for all unreadable ones. A missing role may be one with an unknown name. */
export function policiesOfRole({ roles, hasUnnamedRoles }: AccessModel, role: string): readonly string[] | undefined {
  if (hasUnnamedRoles && !Object.hasOwn(roles, role)) return [hiddenPolicies("role", role)];
  return ownProperty(roles, role)?.map((name) => (name === secretMarker || name === unknownName ? hiddenPolicies("role", role) : name));
}

/**
 * The reasons why a holder of some policies may be able to do everything: `sure` if known rules allow everything, `hidden` if a secret or
 * unknown part may, `isOpen` if rules that this version does not know may, and in `perhaps` each permission or job that can't be excluded.
 */
export function managementReasons(
  model: AccessModel,
  policies: readonly string[],
): { sure: boolean; hidden: boolean; isOpen: boolean; perhaps: Set<string> } {
  const facts = policies.map((name) => ownProperty(model.policyFacts, name));
  const { rules } = rulesOf(model, policies);
  const grants = grantsOf(rules);
  const isMissing = policies.some((name, index) => !facts[index] && !isHidden(name));
  const isUnnamed =
    isMissing &&
    model.unnamedPolicies.some((one) => one.rules === undefined || mayBeAll([...rules, one.rules]) || isAnyJobDangerous(model));
  const perhaps = new Set(likeManagement.flatMap(({ ask }) => (grantsAllow(grants, { ask }) === false ? [] : [ask])));
  for (const [index, { rules: text, job, isDangerous }] of jobsOf(model).entries()) {
    const runs = isDangerous && mayRunIn(grants, job.namespace);
    if (runs) perhaps.add(`job ${jobText(job)} ${text ?? index} ${runs}`);
  }
  return {
    sure: managementBy(model.policyFacts, rules) !== undefined,
    isOpen: likeManagement.some((question) => grantsAllow(grants, question) === "undecided"),
    hidden: isUnnamed || policies.some(isHidden) || facts.some((one) => one && one.rules === undefined),
    perhaps,
  };
}

/** Whether a holder of some policies may be able to do everything, because that can't be excluded. */
export function mayManage(model: AccessModel, policies: readonly string[]): boolean {
  const { sure, hidden, perhaps } = managementReasons(model, policies);
  return sure || hidden || perhaps.size > 0;
}

/** Whether a change of a holder's policies may let it do everything. A new way counts, even if there was another way before. */
export function mayGainManagement(
  before: AccessModel,
  after: AccessModel,
  { old, now }: { readonly old: readonly string[]; readonly now: readonly string[] },
): boolean {
  // A policy with unknown rules that goes, or whose rules become known, may have denied permissions of the others.
  const { unknown } = rulesOf(after, now);
  if (rulesOf(before, old).unknown.some((name) => !unknown.includes(name))) return mayManage(after, now);
  const [was, is] = [managementReasons(before, old), managementReasons(after, now)];
  const isAnywhere = jobsOf(after).some(({ job, isDangerous }) => isDangerous && job.namespace === undefined);
  // Another way counts, because a deny of another policy may remove the first way.
  if ([...is.perhaps].some((reason) => !was.perhaps.has(reason)) || (isAnywhere && runsInMore(before, after, { old, now }))) return true;
  if (was.sure && !was.hidden) return false;
  return is.hidden || is.isOpen || (is.sure && (!was.sure || was.hidden));
}

/** Whether a holder with changed policies may run commands in jobs of more namespaces. An unknown namespace may be any of them. */
function runsInMore(before: AccessModel, after: AccessModel, { old, now }: Readonly<Record<"old" | "now", readonly string[]>>): boolean {
  const { differences } = compareRights(rulesOf(before, old).rules, rulesOf(after, now).rules);
  return differences.some((one) => runningInJobs.has(one.ask) && one.after !== false);
}

/** Whether an additional permission may allow everything, together with any other permissions. */
export function bringsManagement(model: AccessModel, { ask, namespace = "*", after }: RightsDifference): boolean {
  if (after === false) return false;
  if (!runningInJobs.has(ask)) return likeManagement.some((question) => question.ask === ask);
  return jobsOf(model).some(({ job, isDangerous }) => isDangerous && (job.namespace === undefined || matches(namespace, job.namespace)));
}

interface JobPolicy extends PolicyFacts {
  readonly job: PolicyJob;
  /** Whether tasks with it may do everything, or submit a job whose tasks may. */
  readonly isDangerous: boolean;
}
const jobsByModel = new WeakMap<AccessModel, readonly JobPolicy[]>();

/** The policies of jobs. A job that may submit another job gets the permissions of that job. */
function jobsOf(model: AccessModel): readonly JobPolicy[] {
  const known = jobsByModel.get(model);
  if (known) return known;
  let jobs = [...Object.values(model.policyFacts), ...model.unnamedPolicies].flatMap((one) => {
    const { rules, job } = one;
    if (!job) return [];
    const others =
      job.namespace === undefined || model.unnamedPolicies.length > 0 ? undefined : rulesOf(model, policiesOfJob(model.policyFacts, job));
    const isKnown = others?.unknown.length === 0 && rules !== undefined;
    return [{ ...one, job, isDangerous: rules === undefined, grants: grantsOf(isKnown ? others.rules : [rules ?? ""]) }];
  });
  const manages = (grants: Grants) =>
    likeManagement.some((question) => grantsAllow(grants, question) !== false) ||
    jobs.some(({ job, isDangerous }) => isDangerous && mayRunIn(grants, job.namespace) !== false);
  for (let isMore = true; isMore; ) {
    const next = jobs.map((one) => ({ ...one, isDangerous: one.isDangerous || manages(one.grants) }));
    isMore = next.some(({ isDangerous }, index) => isDangerous !== jobs[index]?.isDangerous);
    jobs = next;
  }
  jobsByModel.set(model, jobs);
  return jobs;
}

/** Whether tasks of a job may be able to do everything. */
export function isAnyJobDangerous(model: AccessModel): boolean {
  return jobsOf(model).some(({ isDangerous }) => isDangerous);
}

/** The rules of some policies. */
export interface KnownRules {
  readonly rules: readonly string[];
  /** The policies and roles with unknown rules. */
  readonly unknown: readonly string[];
}

/** The rules of a policy; undefined if unknown. A policy that does not exist allows nothing. */
export function rulesOfPolicy({ policyFacts, policies: existing, isWhole }: AccessModel, name: string): string | undefined {
  const facts = ownProperty(policyFacts, name);
  return facts ? facts.rules : isWhole.policy && !existing.includes(name) ? "" : undefined;
}

function rulesOf(model: AccessModel, policies: readonly string[]): KnownRules {
  const texts = policies.map((name) => rulesOfPolicy(model, name));
  return {
    rules: texts.flatMap((text) => text ?? []),
    unknown: policies.filter((_, index) => texts[index] === undefined),
  };
}

/** The permissions of a holder of a role or policy: the allowed questions, and the reason why it may do everything, if there is one. */
export interface GivenRights {
  readonly allowed: readonly RightsDifference[];
  /** Whether the rules have parts that this version does not know. */
  readonly isUndecided: boolean;
  readonly management: string | undefined;
  /** Whether the holder may be able to do everything, because that can't be excluded. */
  readonly mayManage: boolean;
  /** Policies with unknown rules. */
  readonly unknown: readonly string[];
  /** Whether some permissions are secret, or unknown before an update. */
  readonly isHidden: boolean;
}

/** The permissions of a grant; undefined if nothing is known about it. */
export function rightsGiven(model: AccessModel, kind: "role" | "policy", name: string): GivenRights | undefined {
  if (kind === "role" && policiesOfRole(model, name) === undefined) return undefined;
  const policies = policiesOfGift(model, kind, name);
  const { rules, unknown } = rulesOf(model, policies);
  const { sure, hidden, perhaps } = managementReasons(model, policies);
  if (rules.length === 0 && unknown.length > 0 && !hidden) return undefined;
  const { relation, differences } = compareRights([], rules);
  return {
    allowed: differences.filter(({ after }) => after === true),
    isUndecided: relation === "undecided",
    management: managementWords(model, rules),
    mayManage: sure || hidden || perhaps.size > 0,
    unknown,
    isHidden: hidden,
  };
}

/** The policies of a rule's grant. */
export function policiesOfGift(model: AccessModel, kind: "role" | "policy", name: string): readonly string[] {
  return kind === "policy" ? [name] : (policiesOfRole(model, name) ?? []);
}

/** The rules of a role or policy. For a missing role, `unknown` has the name of the role. */
export function rulesOfGift(model: AccessModel, kind: "role" | "policy", name: string): KnownRules {
  if (kind === "role" && policiesOfRole(model, name) === undefined) return { rules: [], unknown: [name] };
  return rulesOf(model, policiesOfGift(model, kind, name));
}

/** Whether some permissions are secret, or unknown before an update. */
export function isHiddenGift(model: AccessModel, kind: "role" | "policy", name: string): boolean {
  const policies = policiesOfGift(model, kind, name);
  const isMissing = (policy: string) => ownProperty(model.policyFacts, policy) === undefined && model.unnamedPolicies.length > 0;
  return policies.some(
    (policy) =>
      isHidden(policy) || isMissing(policy) || (rulesOfPolicy(model, policy) === undefined && Object.hasOwn(model.policyFacts, policy)),
  );
}

/** The permissions of a token. */
export interface TokenRights {
  /** The permissions that let it do everything. */
  readonly likeManagement: readonly string[];
  readonly rights: Rights;
  /** Roles and policies with unknown permissions, such as `policy deploy`. They may add permissions, or deny them. */
  readonly unknown: readonly string[];
  /** Permissions of the tasks of jobs that it may submit, unless these tasks have only its own policies, which add nothing. */
  readonly byJobs: readonly JobRights[];
}

export interface JobRights {
  readonly job: PolicyJob;
  /** All policies of the tasks, including ones of the whole namespace. */
  readonly policies: readonly string[];
  /** Their permissions together. Undefined if the rules of one are unknown. */
  readonly rights: Rights | undefined;
  /** Whether the holder may submit the job; "undecided" if that is not known. */
  readonly maySubmit: true | "undecided";
}

export type LoginResult = Pick<Explanation, "login" | "roles" | "halfKnownRoles" | "assumed">;

/** The permissions that a login gets; undefined if the login fails, or gives management. */
export function rightsByLogin(model: AccessModel, { login, roles, halfKnownRoles, assumed }: LoginResult): TokenRights | undefined {
  if (!login.ok || login.token.type === "management") return undefined;
  const policies = [...new Set([...login.token.policies, ...Object.values(roles).flat()])];
  const missing = [...halfKnownRoles.map((role) => `role ${role}`), ...assumed.filter((one) => one.startsWith("role "))];
  const { rules, unknown } = rulesOf(model, policies);
  const grants = grantsOf(rules);
  const isSure = unknown.length + missing.length === 0;
  // The login's user can submit a job without a token, too.
  const everybodys = rulesOf(model, Object.hasOwn(model.policyFacts, anonymous) ? [anonymous] : []);
  const everybodysGrants = grantsOf(everybodys.rules);
  const maySubmit = (namespace: string): Answer => {
    const ofEverybody = submits(everybodysGrants, namespace, everybodys.unknown.length === 0);
    return ofEverybody === true || submits(grants, namespace, isSure) || ofEverybody;
  };
  return {
    likeManagement: likeManagement.filter((question) => grantsAllow(grants, question) === true).map(({ ask }) => ask),
    rights: rightsOf(rules),
    unknown: [...missing, ...unknown.map((name) => `policy ${name}`)],
    byJobs: jobRights(model, { policies, rules }, maySubmit),
  };
}

/** Whether a token may submit a job of its own choice in a namespace. */
function submits(grants: Grants, namespace: string, isSure: boolean): Answer {
  const answer = grantsAllow(grants, { ask: "register-job", namespace });
  return isSure ? answer : answer === true || "undecided";
}

function jobRights(
  model: AccessModel,
  held: { readonly policies: readonly string[]; readonly rules: readonly string[] },
  maySubmit: (namespace: string) => Answer,
): JobRights[] {
  const jobs = Object.values(model.policyFacts).flatMap(({ rules, job }) => (job && rules !== "" ? [job] : []));
  // Jobs without a namespace are unknown, so none equals another.
  const keyOf = ({ namespace, jobId, group, task }: PolicyJob, place: number) =>
    JSON.stringify(namespace === undefined ? place : [namespace, jobId, group, task]);
  const distinct = new Map(jobs.map((job, place) => [keyOf(job, place), job]));
  return [...distinct.values()].flatMap((job): JobRights[] => {
    const answer = job.namespace === undefined ? "undecided" : maySubmit(job.namespace);
    if (answer === false) return [];
    const policies = policiesOfJob(model.policyFacts, job);
    const together = rulesOf(model, policies);
    // The token's other policies may deny what its policies of the job allow, and the tasks do not have these denies.
    const givesMore = () => compareRights(held.rules, together.rules).differences.some(({ after }) => after === true);
    if (policies.every((name) => held.policies.includes(name)) && !givesMore()) return [];
    return [{ job, policies, rights: together.unknown.length > 0 ? undefined : rightsOf(together.rules), maySubmit: answer }];
  });
}

/** The policy of requests without a token. */
export const anonymous = "anonymous";

/** The permissions of everybody without a token; undefined if the source has no such policy, or if its rules are empty. */
export function anonymousRights({ policyFacts, unnamedPolicies }: AccessModel): Rights | "unknown" | undefined {
  const facts = ownProperty(policyFacts, anonymous);
  if (!facts && unnamedPolicies.length > 0) return "unknown";
  if (!facts || facts.rules === "") return undefined;
  return facts.rules === undefined ? "unknown" : rightsOf([facts.rules]);
}

/** A positive or possible answer of several policies together to one of the questions. */
export interface Right {
  /** "undecided" if a policy has a part that this version does not know, or if its rules are unknown. */
  readonly allows: true | "undecided";
  /** The first allowed question. If none is certainly allowed, the first one that may be. */
  readonly ask: string;
  /** The policies that allow it, as far as their rules are known. */
  readonly policies: readonly string[];
  /** Roles and policies with unknown permissions, such as `policy deploy`. They may allow the right, or deny it. */
  readonly unknown: readonly string[];
}

/**
 * Finds out whether a role, or a policy by itself, allows one of the questions; undefined if not. Equal lists of policies are evaluated
 * once.
 */
export class RightFinder {
  private readonly known = new Map<string, Right | undefined>();

  constructor(
    private readonly model: AccessModel,
    private readonly questions: readonly PolicyQuestion[],
  ) {}

  of(kind: "role" | "policy", name: string): Right | undefined {
    if (kind === "policy") return this.byPolicies([name]);
    const policies = ownProperty(this.model.roles, name);
    if (policies) return this.byPolicies(policies);
    return this.model.isWhole.role ? undefined : this.open(`role ${name}`);
  }

  /** The answer for an unknown role or policy. */
  open(...unknown: readonly string[]): Right {
    return { allows: "undecided", ask: this.questions[0]?.ask ?? "", policies: [], unknown };
  }

  /** The answer of policies that somebody has together. */
  byPolicies(policies: readonly string[]): Right | undefined {
    const key = policies.join(",");
    if (!this.known.has(key)) this.known.set(key, this.find(policies));
    return this.known.get(key);
  }

  private find(policies: readonly string[]): Right | undefined {
    const known = rulesOf(this.model, policies);
    const unknown = known.unknown.map((name) => `policy ${name}`);
    const answers = this.answers(known.rules);
    const best = answers.find(({ allows }) => allows === true) ?? answers.find(({ allows }) => allows === "undecided");
    if (!best) return unknown.length > 0 ? this.open(...unknown) : undefined;
    const rulesByName = (name: string) => ownProperty(this.model.policyFacts, name)?.rules ?? "";
    const alone = policies.filter((name) =>
      this.answers([rulesByName(name)]).some(({ ask, allows }) => ask === best.ask && allows !== false),
    );
    return {
      allows: best.allows === true && unknown.length === 0 ? true : "undecided",
      ask: best.ask,
      policies: alone.length > 0 ? alone : policies.filter((name) => rulesByName(name) !== ""),
      unknown,
    };
  }

  private answers(rules: readonly string[]): { ask: string; allows: Answer }[] {
    const grants = grantsOf(rules);
    return this.questions.map((question) => ({ ask: question.ask, allows: grantsAllow(grants, question) }));
  }
}
