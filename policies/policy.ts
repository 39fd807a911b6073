/** The form of policies in @pulumi/policy, on which this package does not depend. */
import type { RightsPolicyName } from "./rights-limits";

/** The effect of a violation: `mandatory` fails the preview and the update, `advisory` is a warning. */
export type EnforcementLevel = "advisory" | "mandatory" | "disabled";

/** A policy for a `PolicyPack` of @pulumi/policy. */
export interface AccessPolicy {
  readonly name: PolicyName;
  readonly description: string;
  readonly enforcementLevel: EnforcementLevel;
  /** Checks the inputs of a resource before its creation or change. */
  validateResource(args: ResourceArgs, reportViolation: ReportViolation): void;
  /** Checks that need the whole program. */
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

/** A resource as policies see it. Reading a property that is unknown in a preview throws an error. */
export interface ResourceArgs {
  readonly type: string;
  readonly urn: string;
  /** The resource's name in the program. */
  readonly name: string;
  readonly props: { readonly [property: string]: unknown };
  readonly provider?: { readonly urn: string; readonly props?: { readonly [property: string]: unknown } };
}

export interface StackArgs {
  readonly resources: readonly ResourceArgs[];
}

export type ReportViolation = (message: string, urn?: string) => void;
