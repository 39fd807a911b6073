/** Guardrails for Pulumi's policy packs: policies that check a program's grants before an update. */
export type { AccessPolicyOptions } from "./access-policies";
export { accessPolicies } from "./access-policies";
export type { AccessPolicy, EnforcementLevel, PolicyName, ReportViolation, ResourceArgs, StackArgs } from "./policy";
export type { RightsLimits } from "./rights-limits";
