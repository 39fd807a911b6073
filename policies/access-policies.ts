import { parseDuration } from "../common/durations";
import { wordsOf } from "../common/label";
import type { Surroundings } from "./guardrails";
import { ambiguous, guardrails } from "./guardrails";
import { checkOptions, refuse } from "./options";
import type { AccessPolicy, EnforcementLevel, PolicyName } from "./policy";
import type { SeenResource } from "./program";
import { SeenResources } from "./program";
import type { RightsLimits } from "./rights-limits";
import { limitsOf } from "./rights-limits";

export interface AccessPolicyOptions {
  /** The effect of a violation. Default: `mandatory`, which fails the preview and the update. */
  readonly enforcementLevel?: EnforcementLevel;
  /** The effects of violations of single policies, by their names. */
  readonly enforcementLevels?: { readonly [name in PolicyName]?: EnforcementLevel };
  /** Roles outside of the program that rules may give. */
  readonly knownRoles?: readonly string[];
  /** Auth methods outside of the program that rules may belong to. */
  readonly knownMethods?: readonly string[];
  /** Whether an identity provider on the servers' own machine may be reached over plain http, as in tests. Default: false. */
  readonly allowLoopbackHttp?: boolean;
  /** The longest `maxTokenTtl`. Default: `12h`, after which NIST SP 800-63B (revision 3) requires a new login if it requires two factors. */
  readonly maxTokenTtl?: string;
  /**
   * The limits of the permissions of ACL policies: in the whole program, or for the logins of some methods. Default: `[{}]`, a limit by
   * which policies allow nothing in `namespace "*"`.
   */
  readonly limits?: readonly RightsLimits[];
}

const defaultCeiling = "12h";
const otherOptions = ["enforcementLevel", "enforcementLevels", "allowLoopbackHttp", "maxTokenTtl"];

/**
 * Policies for programs with auth methods, ACL policies, roles, binding rules and tokens, made as dynamic resources or by the plugin, in
 * any language. They only see the program, and send no request. Values that are unknown in a preview are not violations.
 *
 * @example
 * new PolicyPack("access", { policies: accessPolicies({ knownRoles: ["auditors"], maxTokenTtl: "8h" }) });
 *
 * @throws UserError for options without a meaning
 */
export function accessPolicies(options: AccessPolicyOptions = {}): AccessPolicy[] {
  const { knownRoles = [], knownMethods = [], allowLoopbackHttp = false, maxTokenTtl = defaultCeiling } = options;
  checkOptions(options, ["knownRoles", "knownMethods", "limits"], otherOptions);
  if (typeof allowLoopbackHttp !== "boolean") refuse("allowLoopbackHttp must be true or false.");
  if (typeof maxTokenTtl !== "string" || parseDuration(maxTokenTtl) === undefined)
    refuse(`maxTokenTtl must be a duration like "8h", not ${JSON.stringify(maxTokenTtl)}.`);
  const names = namesOf(guardrails);
  const strange = Object.keys(options.enforcementLevels ?? {}).filter((name) => !Object.hasOwn(guardrails, name));
  if (strange.length > 0) refuse(`enforcementLevels names ${strange.join(", ")}, but the policies are ${names.join(", ")}.`);
  const seen = new SeenResources();
  const surroundings = { knownRoles, knownMethods, allowLoopbackHttp, maxTokenTtl, limits: (options.limits ?? [{}]).map(limitsOf) };
  return names.map((name) => {
    const enforcementLevel = options.enforcementLevels?.[name] ?? options.enforcementLevel ?? "mandatory";
    return policyOf({ name, enforcementLevel }, seen, surroundings);
  });
}

function namesOf(of: Readonly<Record<PolicyName, unknown>>): PolicyName[] {
  const isName = (name: string): name is PolicyName => Object.hasOwn(of, name);
  return Object.keys(of).filter(isName);
}

/** A policy that reports violations of single resources before their creation, and the rest at the end. */
function policyOf(own: Pick<AccessPolicy, "name" | "enforcementLevel">, seen: SeenResources, surroundings: Surroundings): AccessPolicy {
  const guardrail = guardrails[own.name];
  const reported = new Map<string, ReadonlySet<string>>();
  const violationsIn = (resource: SeenResource, isWhole: boolean) =>
    [...guardrail.find(resource, { isWhole, surroundings }), ...ambiguous(guardrail, resource)].map(
      (sentences) => `${labelOf(resource)}: ${sentences}`,
    );
  return {
    ...own,
    description: guardrail.description,
    validateResource(args, reportViolation) {
      const resource = seen.see(args);
      if (!resource) return;
      const violations = violationsIn(resource, false);
      reported.set(resource.urn, new Set(violations));
      for (const violation of violations) reportViolation(violation);
    },
    validateStack({ resources }, reportViolation) {
      seen.seeAtEnd(resources);
      for (const resource of seen.all()) {
        const found = violationsIn(resource, true).filter((violation) => !reported.get(resource.urn)?.has(violation));
        for (const violation of found) reportViolation(violation, resource.urn);
      }
    },
  };
}

/** The label of a resource: its name in the program, because rules have no other name. */
function labelOf({ kind, name }: SeenResource): string {
  return `${wordsOf(kind)} ${JSON.stringify(name)}`;
}
