/** Who has which policies, on one side of a change. */
import { targetsOf } from "../../access/graph";
import { type PolicyJob, policiesOfJob } from "../../access/policy/management";
import { ownProperty } from "../../common/own-property";
import { isUncertain } from "../inventory/inventory";
import type { ComparedModel } from "./comparable";
import type { Rename } from "./pairs";
import { isUnnamedRole, undecidedOf } from "./read-model";
import { anonymous, hiddenPolicies, policiesOfRole } from "./rights";
import { jobText } from "./rights-words";
import type { Token, TokenFacts } from "./tokens";

/**
 * Who has policies. `policy` is whoever else has this one: by a rule, or by a token that is not among the objects. `everybody` needs no token,
 * and `tasks` have those of their job.
 */
export interface PolicyHolder {
  readonly kind: "role" | "token" | "policy" | "everybody" | "tasks";
  readonly name: string;
  /** Which one it is: several tokens may have one name, and a role may get another. */
  readonly key: string;
  /** All policies that it has. One name stands for all that nobody can read. */
  readonly policies: readonly string[];
  /** Those that it may have as well: of jobs that are not known. */
  readonly perhaps?: readonly string[];
  /** Those that it names, without those of its roles. */
  readonly own: readonly string[];
  /** Of a token. */
  readonly roles: readonly string[];
  /** Its rights are no matter of policies: it is one of management, or other words say what it gets. */
  readonly isOther?: boolean;
  /** Another token has its name. */
  readonly hasNamesake?: boolean;
  /** Of a policy: a rule gives it. */
  readonly isGiven?: boolean;
  /** Of tasks. */
  readonly job?: PolicyJob;
}

interface HolderFacts {
  readonly tokens: ReadonlyMap<string, Token>;
  /** Policies that change. One that nobody here has may be that of tokens that were made by hand. */
  readonly changed: readonly string[];
  readonly jobs: readonly PolicyJob[];
  readonly renames: readonly Rename[];
}

/** Roles, tokens, whoever has a policy by a rule, everybody, and the tasks of jobs, of one side. */
export class Holders {
  private readonly ids = new Map<string, string>();

  constructor(
    private readonly model: ComparedModel,
    private readonly side: "before" | "after",
    private readonly facts: HolderFacts,
  ) {
    for (const { kind, id, outputs } of model.objects) if (kind === "AclRole" && id) this.ids.set(id, String(outputs.name));
  }

  all(): Map<string, PolicyHolder> {
    const { model, facts } = this;
    const roles = Object.keys(model.roles).map((name) => {
      const policies = policiesOfRole(model, name) ?? [];
      return this.holder("role", this.roleName(name), policies);
    });
    const unnamed = model.objects.filter(isUnnamedRole).map((object) => {
      const { policies } = object.outputs;
      const { name } = undecidedOf(object, "role", "name");
      const own = Array.isArray(policies) && !isUncertain(policies) ? policies.map(String) : [hiddenPolicies("role", name)];
      return this.holder("role", name, own, { key: `role without a name ${name}` });
    });
    const tokens = [...facts.tokens.values()].flatMap((token) => this.token(token, token[this.side]));
    const methods = new Map(model.methods.map((method) => [method.name, method]));
    const rules = model.rules.filter(({ bindType }) => bindType === "policy");
    const given = rules.flatMap((rule) => targetsOf(rule, methods.get(rule.authMethod), model).map(({ to }) => to));
    const jobOf = (name: string) => ownProperty(model.policyFacts, name)?.job;
    const alone = [...new Set([...given, ...facts.changed.filter((name) => name !== anonymous)])];
    const strayJobs = Object.keys(model.policyFacts).filter((name) => jobOf(name) && !jobOf(name)?.namespace);
    return new Map(
      [
        ...[...roles, ...unnamed, ...tokens],
        ...alone.map((name) => this.holder("policy", name, [name], { isGiven: given.includes(name) })),
        ...(ownProperty(model.policyFacts, anonymous) ? [this.holder("everybody", anonymous, [anonymous])] : []),
        ...facts.jobs.map((job) => this.holder("tasks", jobText(job), policiesOfJob(model.policyFacts, job), { job, perhaps: strayJobs })),
        ...strayJobs.map((name) => this.holder("tasks", jobText({}), [name], { key: `tasks with ${name}`, job: {} })),
      ].map((one) => [one.key, one]),
    );
  }

  private token({ key, name, hasNamesake, isUntouched, isReplaced }: Token, token: TokenFacts | undefined): PolicyHolder[] {
    if (!token) return [];
    // One that is made anew has nothing by a name that no role has.
    const newName = (role: string) => (isReplaced ? undefined : this.facts.renames.find(({ before }) => before === role)?.after);
    const roles = token.roles.map((role) => (Object.hasOwn(this.model.roles, role) ? role : (this.ids.get(role) ?? newName(role) ?? role)));
    const hidden = token.hidden ? [hiddenPolicies("token", name)] : [];
    const policies = [...new Set([...token.policies, ...hidden, ...roles.flatMap((role) => policiesOfRole(this.model, role) ?? [])])];
    const isOther = token.type === "management" || (token.hidden !== undefined && !isUntouched);
    return [this.holder("token", name, [...token.policies, ...hidden], { key: `token ${key}`, policies, roles, isOther, hasNamesake })];
  }

  /** Its name after the change, if the objects of this side do not have it yet. */
  private roleName(name: string): string {
    if (this.side === "after") return name;
    const { renames } = this.facts;
    return (
      renames.find(({ before }) => before === name)?.after ?? (renames.some(({ after }) => after === name) ? `${name} (before)` : name)
    );
  }

  private holder(kind: PolicyHolder["kind"], name: string, own: readonly string[], more: Partial<PolicyHolder> = {}): PolicyHolder {
    return { kind, name, key: `${kind} ${name}`, policies: own, own, roles: [], ...more };
  }
}
