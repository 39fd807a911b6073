/** The holders of policies on one side of a change. */
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
 * A holder of policies. The kind `policy` stands for other holders of one policy: logins that get it by a rule, and tokens that are not
 * among the objects. `everybody` needs no token, and `tasks` have the policies of their job.
 */
export interface PolicyHolder {
  readonly kind: "role" | "token" | "policy" | "everybody" | "tasks";
  readonly name: string;
  /** The key of the holder, because several tokens may have the same name, and a role may be renamed. */
  readonly key: string;
  /** All policies of the holder. One name (`hiddenPolicies`) stands for all unreadable policies. */
  readonly policies: readonly string[];
  /** For tasks: the policies of unknown jobs, which the tasks may also have. */
  readonly perhaps?: readonly string[];
  /** The policies that the holder itself names, without the policies of the holder's roles. */
  readonly own: readonly string[];
  /** For a token: the names of its roles, or the IDs of roles with unknown names. */
  readonly roles: readonly string[];
  /**
   * Whether the holder's policies are not compared: a management token needs none, and a changed token with hidden parts has a finding of
   * its own.
   */
  readonly isOther?: boolean;
  /** Whether another token has the same name. */
  readonly hasNamesake?: boolean;
  /** For a policy: whether a rule gives it. */
  readonly isGiven?: boolean;
  /** For tasks: the job of the tasks. */
  readonly job?: PolicyJob;
}

interface HolderFacts {
  readonly tokens: ReadonlyMap<string, Token>;
  /** The changed policies. Tokens made by hand may hold a policy that no object holds. */
  readonly changed: readonly string[];
  readonly jobs: readonly PolicyJob[];
  readonly renames: readonly Rename[];
}

/** The holders of one side: roles, tokens, policies that rules give or that change, everybody, and the tasks of jobs. */
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

  private token({ key, name, hasNamesake, isUntouched }: Token, token: TokenFacts | undefined): PolicyHolder[] {
    if (!token) return [];
    // An existing token keeps a renamed role. A new one gets it by the old name, or fails, depending on the order.
    const newName = (role: string) => this.facts.renames.find(({ before }) => before === role)?.after;
    const roles = token.roles.map((role) => (Object.hasOwn(this.model.roles, role) ? role : (this.ids.get(role) ?? newName(role) ?? role)));
    const hidden = token.hidden ? [hiddenPolicies("token", name)] : [];
    const policies = [...new Set([...token.policies, ...hidden, ...roles.flatMap((role) => policiesOfRole(this.model, role) ?? [])])];
    const isOther = token.type === "management" || (token.hidden !== undefined && !isUntouched);
    return [this.holder("token", name, [...token.policies, ...hidden], { key: `token ${key}`, policies, roles, isOther, hasNamesake })];
  }

  /** The name of a role after the change. An old role is marked if another role gets its name. */
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

/** The policies that roles gain or lose. */
export function movedOf(was: ReadonlyMap<string, PolicyHolder>, is: ReadonlyMap<string, PolicyHolder>): string[] {
  const keys = [...new Set([...was.keys(), ...is.keys()])].filter((key) => key.startsWith("role "));
  return keys.flatMap((key) => {
    const [old, now] = [was.get(key)?.policies ?? [], is.get(key)?.policies ?? []];
    return [...old.filter((name) => !now.includes(name)), ...now.filter((name) => !old.includes(name))];
  });
}
