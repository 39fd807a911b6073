/** Guardrails for Pulumi's policy packs: policies that see what a program gives to whom, before it is applied. */
export type { AccessPolicyOptions } from "./access-policies";
export { accessPolicies } from "./access-policies";
export type { AccessPolicy, EnforcementLevel, PolicyName, ReportViolation, ResourceArgs, StackArgs } from "./policy";
export type { RightsLimits } from "./rights-limits";
