import { boundNames } from "../access/bound-names";
import type { Answer } from "../access/policy/allow";
import { grantsByKnownServers } from "../access/policy/grants";
import { managementBy } from "../access/policy/management";
import { templateProblem } from "../access/template";
import type { Declared, Program } from "../checks";
import { everyLogin, everyoneGets, managementForEveryone, unboundTenants, unmappedIn } from "../checks";
import { parseDuration } from "../common/durations";
import { grouped } from "../common/grouped";
import { isLoopback } from "../common/loopback";
import { nearest } from "../common/nearest";
import { isRecord } from "../common/unknown";
import { urlOf } from "../common/url";
import type { PolicyName } from "./policy";
import type { SeenResource } from "./program";
import { givenBy, policiesByName, policiesOf } from "./program";
import type { Excess, Limits, RightsPolicyName } from "./rights-limits";
import { causeIn } from "./rights-limits";

/** The checked options of `accessPolicies`, without the enforcement levels. */
export interface Surroundings {
  readonly knownRoles: readonly string[];
  readonly knownMethods: readonly string[];
  readonly allowLoopbackHttp: boolean;
  readonly maxTokenTtl: string;
  readonly limits: readonly Limits[];
}

/** A policy's check. Undecidable cases, with parts that are unknown before the update, are no violation. */
interface Guardrail {
  readonly description: string;
  /** The kinds of resources that it finds by their names. */
  readonly byName?: readonly string[];
  /** The problems of a resource, as sentences that begin with a property. */
  find(resource: SeenResource, known: Known): readonly string[];
}

interface Known {
  /** Whether the whole program has been seen, so unseen objects are missing. */
  readonly isWhole: boolean;
  readonly surroundings: Surroundings;
}

export const guardrails: Readonly<Record<PolicyName, Guardrail>> = {
  "no-management-for-everyone": {
    description: "Management, or what equals it, is given to chosen logins only, and not to clients without a token.",
    byName: ["AclAuthMethod", "AclPolicy", "AclRole"],
    find(resource) {
      const { kind, program, inputs } = resource;
      if (kind === "AclBindingRule") return [...managementForEveryone(resource, program), ...equalForEveryone(resource)];
      const equal = kind === "AclPolicy" && inputs.name === "anonymous" ? equalOf([resource], program) : undefined;
      if (equal === undefined) return [];
      return [`rules ${equal}, and everybody has the policy "anonymous", without a token. Take that out of it.`];
    },
  },
  "no-management-tokens": {
    description: "An ACL token has the permissions of its policies and roles, and is not for management.",
    byName: ["AclPolicy", "AclRole"],
    find(token) {
      const { kind, program, inputs } = token;
      if (kind !== "AclToken") return [];
      if (inputs.type === "management")
        return ['type is "management", so the token may do everything. Give type "client" with policies or roles.'];
      if (inputs.type !== "client") return [];
      const roles: readonly unknown[] = Array.isArray(inputs.roles) ? inputs.roles : [];
      // Others can take a role away, or make it anew, and the token loses it: what it denies is no protection.
      const kept = [roles, ...roles.map((lost) => roles.filter((role) => role !== lost)), []];
      const all = kept.map((some) => policiesOf({ ...token, inputs: { ...inputs, roles: some } }, program));
      for (const held of all) {
        const equal = equalOf(held, program);
        if (equal === undefined) continue;
        const may =
          held === all[0] ? "so the token may do everything" : "so the token may do everything if it loses a role that denies this";
        return [`policies and roles give ${namesOf(held)}, whose rules ${equal}, ${may}. Give it some that allow less.`];
      }
      return [];
    },
  },
  "no-unmapped-claims": {
    description: "A binding rule, and the name of an auth method's tokens, refer to claims that the auth method maps.",
    byName: ["AclAuthMethod"],
    find: (resource) => unmappedIn(resource, resource.program),
  },
  "no-unbound-tenants": {
    description:
      "If a vendor's keys sign the tokens of all its customers, an auth method binds the issuer, and its rules ask for one customer.",
    byName: ["AclAuthMethod"],
    find: (resource) => unboundTenants(resource, resource.program),
  },
  "no-unknown-roles": {
    description: "A binding rule gives a role of the program, or of knownRoles of the policy pack.",
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
    description: "A binding rule belongs to an auth method of the program, or of knownMethods of the policy pack.",
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
    description: "Servers reach identity providers over https: anyone who can modify a plain connection could log in as anyone else.",
    find({ inputs: { config } }, { surroundings }) {
      const properties = ["oidcDiscoveryUrl", "jwksUrl"].filter((name) => isRecord(config) && isPlainHttp(config[name], surroundings));
      // Leaves out the address, which may be a secret.
      return properties.map((name) => `config.${name} is an address of plain http. Give one that begins with https://.`);
    },
  },
  "max-token-ttl": {
    description: "A login token expires after a limited time.",
    find({ inputs: { maxTokenTtl } }, { surroundings: { maxTokenTtl: ceiling } }) {
      const [given, most] = [typeof maxTokenTtl === "string" ? parseDuration(maxTokenTtl) : undefined, parseDuration(ceiling)];
      if (given === undefined || most === undefined || given <= most) return [];
      return [`maxTokenTtl is ${maxTokenTtl}, and ${ceiling} is the most that the policy allows. Give a shorter one.`];
    },
  },
  "no-unlisted-capabilities": {
    description: "ACL policies allow only capabilities on the list of the policy pack.",
    find: (resource, known) => excessOf("no-unlisted-capabilities", resource, known),
  },
  "no-foreign-variables": {
    description: "ACL policies open variables of own namespaces only.",
    find: (resource, known) => excessOf("no-foreign-variables", resource, known),
  },
  "no-wildcard-namespaces": {
    description: "ACL policies name their namespaces instead of allowing something in all of them.",
    find: (resource, known) => excessOf("no-wildcard-namespaces", resource, known),
  },
};

/** The violation of a resource that shares its name with another one: others may refer to either. */
export function ambiguous({ byName }: Guardrail, { kind, namesake }: SeenResource): string[] {
  if (namesake === undefined || !byName?.includes(kind)) return [];
  const { reason, remedy } = namesakes[namesake.reason];
  return [
    `name is also the name of ${JSON.stringify(namesake.name)}, and ${reason}, so this policy can't tell which of them a name means. ${remedy}`,
  ];
}

const namesakes = {
  adapters: {
    reason: "only one of the two is a dynamic resource",
    remedy: "Declare both with the plugin, and give each the provider of its cluster.",
  },
  cluster: {
    reason: "both are on one cluster",
    remedy:
      "Give each object one resource. If a resource has lost its object to the other, remove it from the state with `pulumi state delete`.",
  },
};

/** The violations of a rule that gives a permission equal to management to every login of its method. */
function equalForEveryone(rule: SeenResource): string[] {
  const why = everyLogin(rule, rule.program);
  if (why === undefined) return [];
  const byGift = grouped(givenBy(rule), ({ role, policy }) => role ?? policy);
  return [...byGift].flatMap(([gift, all]) => {
    const policies = all.map(({ policy }) => policy);
    const equal = equalOf(policies, rule.program);
    const given = gift.kind === "AclRole" ? `the role ${namesOf([gift])} with ${namesOf(policies)}` : `the policy ${namesOf([gift])}`;
    return equal === undefined ? [] : [everyoneGets(rule, why, `${given}, whose rules ${equal}`)];
  });
}

/**
 * The reason, as a verb and its object, why a token with these policies can do everything, or may be able to by a part of the rules that
 * this version does not know. Undefined if it can't. Rules that are unknown before the update are left out.
 */
function equalOf(policies: readonly Declared[], program: Program): string | undefined {
  const rules = policies.flatMap(({ inputs }) => (typeof inputs.rules === "string" ? [inputs.rules] : []));
  if (rules.length === 0) return undefined;
  const byName = policiesByName(program);
  const by = (isEnough?: (answer: Answer) => boolean) => managementBy(byName, rules, isEnough, grantsByKnownServers);
  const sure = by();
  const found = sure ?? by((answer) => answer !== false);
  if (!found) return undefined;
  const { ask, byJob } = found;
  const texts = byJob ? [...rules, byName[byJob.policy]?.rules ?? ""] : rules;
  const [allow, allows, why] = sure
    ? ["allow", "allows", ""]
    : ["may allow", "may allow", `, by a part that is not known here: ${causeIn(...texts)}`];
  const what = byJob ? `submitting a job whose policy ${JSON.stringify(byJob.policy)} ${allows} ${ask}` : ask;
  return `${allow} ${what}, which equals management${why}`;
}

function namesOf(named: readonly Declared[]): string {
  return named.map(({ inputs }) => JSON.stringify(inputs.name)).join(" and ");
}

/** The excess of a policy by itself or, for a limit on logins, of the policies that a rule gives. */
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
  if (inputs.bindType === "management") {
    const isLimited = ofLogins.some((limit) => limit.applies(name));
    return isLimited
      ? [`bindType gives management to logins of ${methodName}, to which limits of the policy pack apply. ${lessThanAll}`]
      : [];
  }
  return givenBy(resource).flatMap(({ policy, role }) => {
    const given = `the policy ${JSON.stringify(policy.inputs.name)}`;
    const way = role ? `the role ${JSON.stringify(role.inputs.name)} with ${given}` : given;
    return excessIn(ofLogins, policy.inputs.rules).flatMap((excess) =>
      sentencesOf(`bindName gives ${way}, by which logins of ${methodName} get`, excess),
    );
  });
}

const lessThanAll = "Give a role or a policy that keeps to the limits, or take the auth method out of loginsOf.";

function sentencesOf(allows: string, { allowed, undecided, remedy }: Excess): string[] {
  const update = "Correct it, or update pulumi-agentpool-acl in the policy pack, if servers know it.";
  return [
    ...(allowed === undefined ? [] : [`${allows} ${allowed}: ${remedy}`]),
    ...(undecided === undefined ? [] : [`${allows} something undecidable: ${undecided}. ${update}`]),
  ];
}

/** The known names, if this one is not among them; undefined if it is, or if a name of the program is not known before the update. */
function undeclaredAmong(program: Program, kind: string, name: string, known: readonly string[]): string[] | undefined {
  if (program.named(kind, name) || program.hasUnknownName(kind) || known.includes(name)) return undefined;
  return [...program.ofKind(kind).flatMap(({ inputs }) => (typeof inputs.name === "string" ? [inputs.name] : [])), ...known];
}

/**
 * Whether a computed name may become one of these roles. A bind name that servers can't read counts as possible here, because the check of
 * the rule itself refuses it.
 */
function mayBecomeOneOf(bindName: string, roles: readonly string[]): boolean {
  const names = boundNames(bindName, undefined);
  return names ? roles.some(names.test) : templateProblem(bindName) !== undefined;
}

function undeclared(name: string, known: readonly string[], option: string): string {
  const near = nearest(name, known);
  return `${near === undefined ? "" : `Did you mean ${JSON.stringify(near)}? `}If it is declared elsewhere, add it to ${option} of the policy pack.`;
}

function isPlainHttp(address: unknown, { allowLoopbackHttp }: Surroundings): boolean {
  if (typeof address !== "string") return false;
  // Servers accept some addresses that this URL parser refuses, such as those with the zone of an IPv6 address.
  const url = urlOf(address);
  if (!url) return /^\s*http:/i.test(address);
  return url.protocol === "http:" && !(allowLoopbackHttp && isLoopback(url.hostname));
}
