import type { AuthMethod, BindingRule, ClusterObjects, MethodBody, Policy, Role, RuleBody } from "./objects";

/** Everything in which one kind of cluster differs from another. */
export interface ClusterDialect {
  /** The headers that may hold the token, in lower case, in order of precedence. */
  readonly tokenHeaders: readonly string[];
  /** Whether /v1/acl/token/self says what the token of the request is. */
  readonly hasOwnToken: boolean;
  readonly methods: {
    /** POST without a name in the path. @throws Refusal */
    create(store: ClusterObjects, body: MethodBody): AuthMethod;
    /** POST with the name in the path. @throws Refusal */
    update(store: ClusterObjects, body: MethodBody): AuthMethod;
    /** The object of the response, without secrets. */
    shown(method: AuthMethod): object;
    stub(method: AuthMethod): object;
  };
  readonly roles: {
    readonly name: RegExp;
    /** The length of a description, in the unit of the limit of 256. */
    descriptionLength(text: string): number;
    readonly needsPolicies: boolean;
    /** Whether a role with a policy that does not exist is refused. */
    readonly refusesUnknownPolicies: boolean;
    /** Whether a list with ?prefix includes a role. @throws Refusal */
    withPrefix(prefix: string): (role: Role) => boolean;
    shown(role: Role): object;
  };
  readonly rules: {
    /** Whether a description is too long. */
    isTooLong(description: string): boolean;
    /** The rule after an update (without an existing rule: a create) whose body leaves fields out or gives them as "". */
    merged(body: RuleBody, existing: BindingRule | undefined): Required<RuleBody>;
    shown(rule: BindingRule): object;
  };
  readonly policies: {
    /** A policy, or one of the list. */
    shown(policy: Omit<Policy, "Rules">): object;
  };
  /** Whether an update that changes nothing leaves the ModifyIndex (and ModifyTime) as it is. */
  readonly keepsIdentical: boolean;
}
