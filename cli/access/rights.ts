/** What tokens may do, as far as a source knows the rules of their policies. */
import { type Answer, grantsAllow, type PolicyQuestion } from "../../access/policy/allow";
import { compareRights, type RightsDifference } from "../../access/policy/compare";
import { type Grants, grantsOf } from "../../access/policy/grants";
import { type Rights, rightsOf } from "../../access/policy/rights";
import { ownProperty } from "../../common/own-property";
import type { Explanation } from "./explanation";
import type { AccessModel, PolicyJob } from "./model";
import { jobText } from "./rights-words";

/** By these a token can do everything: a snapshot holds the secrets of all tokens, and one that is restored may have any. */
export const likeManagement: readonly PolicyQuestion[] = [{ ask: "operator:write" }, { ask: "operator:snapshot-save" }];

/** The policies that the tasks of a place have together: those of the place, and of all that it is within. */
export function policiesOfJob({ policyFacts }: Pick<AccessModel, "policyFacts">, place: PolicyJob): string[] {
  return Object.keys(policyFacts).filter((name) => {
    const job = policyFacts[name]?.job;
    return job !== undefined && isAtOrAbove(job, place);
  });
}

/** A job that is not known is none of those that are. */
export function isAtOrAbove(job: PolicyJob, place: PolicyJob): boolean {
  const levels = ["jobId", "group", "task"] as const;
  return job.namespace === place.namespace && levels.every((level) => job[level] === undefined || job[level] === place[level]);
}

/** Why a token with these rules can do everything, if it can: by itself, or as a task of a job that it may submit. */
export function managementBy(model: AccessModel, rules: readonly string[]): string | undefined {
  const grants = grantsOf(rules);
  const allows = (of: Grants) => likeManagement.find((question) => grantsAllow(of, question) === true)?.ask;
  const own = allows(grants);
  if (own !== undefined) return `${own.replace(":", ": ")} equals management`;
  for (const [name, { rules: text, job }] of Object.entries(model.policyFacts)) {
    if (!job?.namespace || !text || allows(grantsOf([text])) === undefined) continue;
    if (allows(grantsOf(rulesOf(model, policiesOfJob(model, job)).rules)) === undefined) continue;
    if (grantsAllow(grants, { ask: "register-job", namespace: job.namespace }) === true)
      return `it may submit ${jobText(job)}, whose policy ${name} equals management`;
  }
  return undefined;
}

/** The rules of some policies. */
interface KnownRules {
  readonly rules: readonly string[];
  /** The policies of which nobody knows the rules. */
  readonly unknown: readonly string[];
}

/** The rules of a policy: undefined if nobody knows them. One that does not exist allows nothing. */
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

/** What who has a role or a policy may do: questions that are allowed, and why it is everything, if it is. */
export interface GivenRights {
  readonly allowed: readonly RightsDifference[];
  readonly management: string | undefined;
  /** Policies of which nobody knows the rules. */
  readonly unknown: readonly string[];
}

/** Undefined if nothing is known of it. */
export function rightsGiven(model: AccessModel, kind: "role" | "policy", name: string): GivenRights | undefined {
  const policies = kind === "policy" ? [name] : ownProperty(model.roles, name);
  const { rules, unknown } = rulesOf(model, policies ?? []);
  if (!policies || (rules.length === 0 && unknown.length > 0)) return undefined;
  const allowed = compareRights([], rules).differences.filter(({ after }) => after === true);
  return { allowed, management: managementBy(model, rules), unknown };
}

/** The rules of what a role or a policy gives, as far as they are known. */
export function rulesOfGiven(model: AccessModel, kind: "role" | "policy", name: string): readonly string[] {
  return rulesOf(model, kind === "policy" ? [name] : (ownProperty(model.roles, name) ?? [])).rules;
}

/** What a token may do. */
export interface TokenRights {
  /** The rights that let it do everything. */
  readonly likeManagement: readonly string[];
  readonly rights: Rights;
  /** Roles and policies of which nobody knows what they allow, such as `policy deploy`: they may add to the rights, or take away. */
  readonly unknown: readonly string[];
  /** Policies that it does not have, of jobs that it may submit: their tasks have them. */
  readonly byJobs: readonly JobRights[];
}

export interface JobRights {
  readonly policy: string;
  readonly job: PolicyJob;
  /** By all policies that the tasks have. Undefined if nobody knows the rules of one. */
  readonly rights: Rights | undefined;
  /** Whether it may submit the job; "undecided" if that is not known. */
  readonly maySubmit: true | "undecided";
}

export type LoginResult = Pick<Explanation, "login" | "roles" | "assumed">;

/** What comes of a login; undefined if it fails, or gives management. */
export function rightsByLogin(model: AccessModel, { login, roles, assumed }: LoginResult): TokenRights | undefined {
  if (!login.ok || login.token.type === "management") return undefined;
  const policies = [...new Set([...login.token.policies, ...Object.values(roles).flat()])];
  const missing = assumed.filter((one) => one.startsWith("role "));
  const { rules, unknown } = rulesOf(model, policies);
  const grants = grantsOf(rules);
  const isSure = unknown.length + missing.length === 0;
  return {
    likeManagement: likeManagement.filter((question) => grantsAllow(grants, question) === true).map(({ ask }) => ask),
    rights: rightsOf(rules),
    unknown: [...missing, ...unknown.map((name) => `policy ${name}`)],
    byJobs: jobRights(model, policies, (namespace) => submits(grants, namespace, isSure)),
  };
}

/** Who may register a job can run what it likes in it. */
function submits(grants: Grants, namespace: string, isSure: boolean): Answer {
  const answer = grantsAllow(grants, { ask: "register-job", namespace });
  return isSure ? answer : answer === true || "undecided";
}

function jobRights(model: AccessModel, held: readonly string[], maySubmit: (namespace: string) => Answer): JobRights[] {
  return Object.entries(model.policyFacts).flatMap(([policy, { rules, job }]): JobRights[] => {
    if (!job || held.includes(policy) || rules === "") return [];
    const answer = job.namespace === undefined ? "undecided" : maySubmit(job.namespace);
    if (answer === false) return [];
    const together = rulesOf(model, policiesOfJob(model, job));
    return [{ policy, job, rights: together.unknown.length > 0 ? undefined : rightsOf(together.rules), maySubmit: answer }];
  });
}

/** The policy that everybody has who sends no token. */
export const anonymous = "anonymous";

/** What everybody may do without a token: undefined if there is no such policy in the source, or one that allows nothing. */
export function anonymousRights({ policyFacts }: AccessModel): Rights | "unknown" | undefined {
  const facts = ownProperty(policyFacts, anonymous);
  if (!facts || facts.rules === "") return undefined;
  return facts.rules === undefined ? "unknown" : rightsOf([facts.rules]);
}

/** That some policies together allow one of the questions, or may. */
export interface Right {
  /** "undecided" if a policy has what this version does not know, or if the rules of one are not known. */
  readonly allows: true | "undecided";
  /** The question that is allowed: the first of those that are. */
  readonly ask: string;
  /** The policies that bring it, as far as their rules are known. */
  readonly policies: readonly string[];
  /** Roles and policies of which nobody knows what they allow, such as `policy deploy`: they may bring it, or take it away. */
  readonly unknown: readonly string[];
}

/** Says whether a role, or a policy by itself, allows one of the questions; undefined if not. Equal lists of policies are asked about once. */
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

  /** What may be allowed by something of which nothing is known. */
  open(...unknown: readonly string[]): Right {
    return { allows: "undecided", ask: this.questions[0]?.ask ?? "", policies: [], unknown };
  }

  /** Of policies that somebody has together. */
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
