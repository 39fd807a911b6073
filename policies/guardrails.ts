import { boundNames } from "../access/bound-names";
import { templateProblem } from "../access/template";
import type { Program } from "../checks";
import { managementForEveryone, unboundTenants, unmappedIn } from "../checks";
import { parseDuration } from "../common/durations";
import { isLoopback } from "../common/loopback";
import { nearest } from "../common/nearest";
import { isRecord } from "../common/unknown";
import type { PolicyName } from "./policy";
import type { SeenResource } from "./program";
import { givenBy } from "./program";
import type { Excess, Limits, RightsPolicyName } from "./rights-limits";

/** What policies are told of the surroundings of a program. */
export interface Surroundings {
  readonly knownRoles: readonly string[];
  readonly knownMethods: readonly string[];
  readonly allowLoopbackHttp: boolean;
  readonly maxTokenTtl: string;
  readonly limits: readonly Limits[];
}

/** What a policy looks for. What can't be decided, since a part is not known before the update, is no violation. */
interface Guardrail {
  readonly description: string;
  /** What is wrong with a resource, in sentences that begin with a property. */
  find(resource: SeenResource, known: Known): readonly string[];
}

interface Known {
  /** Whether the program has been seen as a whole, so what was not seen is missing. */
  readonly isWhole: boolean;
  readonly surroundings: Surroundings;
}

export const guardrails: Readonly<Record<PolicyName, Guardrail>> = {
  "no-management-for-everyone": {
    description: "A binding rule gives management, which may do everything, to chosen logins only.",
    find: (rule) => managementForEveryone(rule, rule.program),
  },
  "no-management-tokens": {
    description: "A token of the cluster has the rights that its policies and roles give, and not all of them.",
    find({ kind, inputs: { type } }) {
      if (kind !== "AclToken" || type !== "management") return [];
      return ['type is "management", so the token may do everything. Give type "client" with policies or roles.'];
    },
  },
  "no-unmapped-claims": {
    description: "A binding rule, and the name of an auth method's tokens, refer to claims that the auth method maps.",
    find: (resource) => unmappedIn(resource, resource.program),
  },
  "no-unbound-tenants": {
    description:
      "If a vendor's keys sign the tokens of all its customers, an auth method binds the issuer, and its rules ask for one customer.",
    find: (resource) => unboundTenants(resource, resource.program),
  },
  "no-unknown-roles": {
    description: "A binding rule gives a role that the program declares, or that the policy pack is told of.",
    find({ program, inputs: { bindType, bindName } }, { isWhole, surroundings: { knownRoles } }) {
      if (!isWhole || bindType !== "role" || typeof bindName !== "string") return [];
      const roles = undeclaredAmong(program, "AclRole", bindName, knownRoles);
      if (!roles || (bindName.includes("${") && mayBecomeOneOf(bindName, roles))) return [];
      const remedy = undeclared(bindName, roles, "knownRoles");
      return [
        `bindName gives the role ${JSON.stringify(bindName)}, which this program does not declare. ${remedy} A role that does not exist gives nothing.`,
      ];
    },
  },
  "no-unknown-methods": {
    description: "A binding rule belongs to an auth method that the program declares, or that the policy pack is told of.",
    find({ kind, program, inputs: { authMethod } }, { isWhole, surroundings: { knownMethods } }) {
      if (!isWhole || kind !== "AclBindingRule" || typeof authMethod !== "string") return [];
      const methods = undeclaredAmong(program, "AclAuthMethod", authMethod, knownMethods);
      if (!methods) return [];
      return [
        `authMethod is ${JSON.stringify(authMethod)}, which this program does not declare. ${undeclared(authMethod, methods, "knownMethods")}`,
      ];
    },
  },
  "no-plain-http-identity-providers": {
    description: "Servers reach identity providers over https: who can change what a plain connection carries can log in as anyone.",
    find({ inputs: { config } }, { surroundings }) {
      const properties = ["oidcDiscoveryUrl", "jwksUrl"].filter((name) => isRecord(config) && isPlainHttp(config[name], surroundings));
      // Without the address, which may be a secret.
      return properties.map((name) => `config.${name} is an address of plain http. Give one that begins with https://.`);
    },
  },
  "max-token-ttl": {
    description: "A token of a login ends after a limited time.",
    find({ inputs: { maxTokenTtl } }, { surroundings: { maxTokenTtl: ceiling } }) {
      const [given, most] = [typeof maxTokenTtl === "string" ? parseDuration(maxTokenTtl) : undefined, parseDuration(ceiling)];
      if (given === undefined || most === undefined || given <= most) return [];
      return [`maxTokenTtl is ${maxTokenTtl}, and ${ceiling} is the most that the policy allows. Give a shorter one.`];
    },
  },
  "no-unlisted-capabilities": {
    description: "What ACL policies allow is on the list of the policy pack.",
    find: (resource, known) => excessOf("no-unlisted-capabilities", resource, known),
  },
  "no-foreign-variables": {
    description: "Variables that ACL policies open are those of the own namespaces.",
    find: (resource, known) => excessOf("no-foreign-variables", resource, known),
  },
  "no-wildcard-namespaces": {
    description: "ACL policies name the namespaces in which they allow something, and do not take all.",
    find: (resource, known) => excessOf("no-wildcard-namespaces", resource, known),
  },
};

/** Of a policy by itself, or of those that logins get by a rule, if the limit is that of logins. */
function excessOf(name: RightsPolicyName, resource: SeenResource, { surroundings: { limits } }: Known): string[] {
  const { kind, inputs } = resource;
  const excessIn = (all: readonly Limits[], rules: unknown) =>
    all.flatMap((limit) => (typeof rules === "string" ? (limit.excess(name, rules) ?? []) : []));
  if (kind === "AclPolicy") {
    const ofAll = limits.filter(({ loginsOf }) => loginsOf === undefined);
    return excessIn(ofAll, inputs.rules).flatMap((excess) => sentencesOf("rules allow", excess));
  }
  const { authMethod } = inputs;
  const methodName = typeof authMethod === "string" ? JSON.stringify(authMethod) : "its auth method";
  const ofLogins = limits.filter(({ loginsOf }) => typeof authMethod === "string" && loginsOf?.includes(authMethod));
  if (kind !== "AclBindingRule" || ofLogins.length === 0) return [];
  return givenBy(resource).flatMap(({ policy, role }) => {
    const given = `the policy ${JSON.stringify(policy.inputs.name)}`;
    const way = role ? `the role ${JSON.stringify(role.inputs.name)} with ${given}` : given;
    return excessIn(ofLogins, policy.inputs.rules).flatMap((excess) =>
      sentencesOf(`bindName gives ${way}, by which logins of ${methodName} get`, excess),
    );
  });
}

function sentencesOf(allows: string, { allowed, undecided, remedy }: Excess): string[] {
  const update = "Correct it, or update pulumi-agentpool-acl in the policy pack, if servers know it.";
  return [
    ...(allowed === undefined ? [] : [`${allows} ${allowed}: ${remedy}`]),
    ...(undecided === undefined ? [] : [`${allows} what can't be decided: ${undecided}. ${update}`]),
  ];
}

/** The names among which this one is not; undefined if it is one of them, or if a name of the program is not known before the update. */
function undeclaredAmong(program: Program, kind: string, name: string, known: readonly string[]): string[] | undefined {
  if (program.named(kind, name) || program.hasUnknownName(kind) || known.includes(name)) return undefined;
  return [...program.ofKind(kind).flatMap(({ inputs }) => (typeof inputs.name === "string" ? [inputs.name] : [])), ...known];
}

/** Claims decide about the name. One that servers can't read is refused by every check. */
function mayBecomeOneOf(bindName: string, roles: readonly string[]): boolean {
  const names = boundNames(bindName, undefined);
  return names ? roles.some(names.test) : templateProblem(bindName) !== undefined;
}

function undeclared(name: string, known: readonly string[], option: string): string {
  const near = nearest(name, known);
  return `${near === undefined ? "" : `Did you mean ${JSON.stringify(near)}? `}If it is made elsewhere, add it to ${option} of the policy pack.`;
}

function isPlainHttp(address: unknown, { allowLoopbackHttp }: Surroundings): boolean {
  const url = typeof address === "string" && URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === "http:" && !(allowLoopbackHttp && isLoopback(url.hostname));
}
