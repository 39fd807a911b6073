/** Guardrails of a policy pack, run on a program as @pulumi/policy runs them. */
import { type AccessPolicyOptions, accessPolicies } from "../../policies/access-policies";
import type { PolicyName, ResourceArgs } from "../../policies/policy";
import { pluginToken } from "../../provider/configuration/tokens";

/** @pulumi/policy's wrapper for unknown values: reading one is an error. Its types are internal. */
export const { unknownCheckingProxy, unknownStringValue } = jest.requireActual<{
  unknownCheckingProxy<T extends object>(props: T): T;
  unknownStringValue: string;
}>("@pulumi/policy/proxy");

/** A resource of a program, with the URN of its provider, and the address that the provider has. */
export type InProgram = readonly [kind: string, name: string, props: Record<string, unknown>, provider?: string, clusterAddress?: string];

export const noViolations = { atOnce: [], atEnd: [] };

/**
 * The violations of a policy in a program: those that are found before a resource is created (`atOnce`), and those that are found at the
 * end of a preview, which lacks outputs of new resources (`atEnd`). All policies of the pack see each resource, one after the other.
 */
export function violations(policy: PolicyName, program: readonly InProgram[], options: AccessPolicyOptions = {}, typeOf = pluginToken) {
  const all = accessPolicies(options);
  const one = all.find(({ name }) => name === policy);
  if (!one) throw new Error(`there is no policy ${policy}`);
  const args = program.map(([kind, name, props, provider = "default", clusterAddress]): ResourceArgs => {
    const type = typeOf(kind);
    const ofProvider = { urn: provider, props: unknownCheckingProxy({ ...(clusterAddress !== undefined && { clusterAddress }) }) };
    return { type, urn: `urn:pulumi:dev::access::${type}::${name}`, name, props: unknownCheckingProxy(props), provider: ofProvider };
  });
  const [atOnce, atEnd]: [string[], string[]] = [[], []];
  for (const resource of args) for (const each of all) each.validateResource(resource, (message) => each === one && atOnce.push(message));
  one.validateStack({ resources: args.map((resource) => ({ ...resource, props: {} })) }, (message, urn) =>
    atEnd.push(`${urn?.split("::").at(-1)}: ${message}`),
  );
  return { atOnce, atEnd };
}
