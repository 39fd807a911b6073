import type { AuthMethod, BindingRule, MethodBody, Role, RuleBody } from "./objects";
import type { ClusterStore } from "./store";

/** All differences between kinds of clusters. */
export interface ClusterDialect {
  /** The headers that may hold the token, in lower case, in order of precedence. */
  readonly tokenHeaders: readonly string[];
  /** Whether /v1/acl/token/self returns the token of the request. */
  readonly hasOwnToken: boolean;
  /** Whether /v1/regions lists the regions. */
  readonly hasRegions: boolean;
  readonly methods: {
    /** @param isUpdate whether the path has the name @throws Refusal */
    write(store: ClusterStore, body: MethodBody, isUpdate: boolean): AuthMethod;
    /** The object of the response, without secrets. */
    shown(method: AuthMethod): object;
    stub(method: AuthMethod): object;
  };
  readonly roles: {
    readonly name: RegExp;
    /** The length of a description, in the unit of the limit of 256. */
    descriptionLength(text: string): number;
    readonly needsPolicies: boolean;
    /** Whether a role with a missing policy is refused. */
    readonly refusesUnknownPolicies: boolean;
    /** Whether a list with ?prefix includes a role. @throws Refusal */
    withPrefix(prefix: string): (role: Role) => boolean;
  };
  readonly rules: {
    /** Whether a description is too long. */
    isTooLong(description: string): boolean;
    /**
     * The fields of a rule after a write. `existing` is the rule before an update, and undefined for a create. The body may leave fields
     * out, or give them as "".
     */
    merged(body: RuleBody, existing: BindingRule | undefined): Required<RuleBody>;
  };
  /** A role, a rule or a policy in a response. */
  shown<Row extends { Hash: string }>(row: Row): Omit<Row, "Hash">;
  /**
   * Whether an update that changes nothing leaves the ModifyIndex (and ModifyTime) as it is. An update of a policy or token never does.
   */
  readonly keepsIdentical: boolean;
}
