/** The form of a policy, as @pulumi/policy takes it: this package has no dependency on that one. */
import type { RightsPolicyName } from "./rights-limits";

/** What a violation does: `mandatory` fails the preview and the update, `advisory` is a warning. */
export type EnforcementLevel = "advisory" | "mandatory" | "disabled";

/** A policy for a `PolicyPack` of @pulumi/policy. */
export interface AccessPolicy {
  readonly name: PolicyName;
  readonly description: string;
  readonly enforcementLevel: EnforcementLevel;
  /** Looks at the inputs of a resource, before it is made or changed. */
  validateResource(args: ResourceArgs, reportViolation: ReportViolation): void;
  /** Looks at what only the whole program decides. */
  validateStack(args: StackArgs, reportViolation: ReportViolation): void;
}

export type PolicyName =
  | "no-management-for-everyone"
  | "no-management-tokens"
  | "no-unmapped-claims"
  | "no-unbound-tenants"
  | "no-unknown-roles"
  | "no-unknown-methods"
  | "no-plain-http-identity-providers"
  | "max-token-ttl"
  | RightsPolicyName;

/** What a policy sees of a resource. To read a property that a preview does not know throws an error. */
export interface ResourceArgs {
  readonly type: string;
  readonly urn: string;
  /** In the program. */
  readonly name: string;
  readonly props: { readonly [property: string]: unknown };
  readonly provider?: { readonly urn: string };
}

export interface StackArgs {
  readonly resources: readonly ResourceArgs[];
}

export type ReportViolation = (message: string, urn?: string) => void;
