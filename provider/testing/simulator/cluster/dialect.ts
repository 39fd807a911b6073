import type { AuthMethod, BindingRule, ClusterObjects, MethodBody, Role, RuleBody } from "./objects";

/** Everything in which one kind of cluster differs from another. Whatever is not in here, all of them do alike. */
export interface ClusterDialect {
  /** The headers, in lower case, in which a token is looked for, the first that holds one first. */
  readonly tokenHeaders: readonly string[];
  readonly methods: {
    /** POST without a name in the path. @throws Refusal */
    create(store: ClusterObjects, body: MethodBody): AuthMethod;
    /** POST with the name in the path. @throws Refusal */
    update(store: ClusterObjects, body: MethodBody): AuthMethod;
    /** The response's object: never with a secret. */
    shown(method: AuthMethod): object;
    stub(method: AuthMethod): object;
  };
  readonly roles: {
    readonly name: RegExp;
    /** The length of a description that is held against the limit of 256. */
    descriptionLength(text: string): number;
    readonly needsPolicies: boolean;
    /** Whether a role is one of those that a list with ?prefix asks for. @throws Refusal */
    withPrefix(prefix: string): (role: Role) => boolean;
    shown(role: Role): object;
  };
  readonly rules: {
    /** Whether a description is too long. */
    isTooLong(description: string): boolean;
    /** What an update (or, without an existing rule, a create) makes of the fields that it leaves out or gives as "". */
    merged(body: RuleBody, existing: BindingRule | undefined): Required<RuleBody>;
    shown(rule: BindingRule): object;
  };
  /** Whether an update that changes nothing leaves the ModifyIndex (and ModifyTime) as it is. */
  readonly keepsIdentical: boolean;
}
