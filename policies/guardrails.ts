import { boundNames } from "../access/graph";
import { reachOf } from "../access/reach";
import { issuerNotBound, tenantNotAsked } from "../access/shared-issuers";
import { templateProblem } from "../access/template";
import { unmappedClaims, unmappedInTokenName, unmappedMessage } from "../access/unmapped";
import { parseDuration } from "../common/durations";
import { nearest } from "../common/nearest";
import { isLoopback } from "../provider/apis/http/guards";
import { isRecord, unknown } from "../provider/model/unknown";
import type { PolicyName } from "./policy";
import type { SeenProgram, SeenResource } from "./program";
import { checksOf, mappedNamesOf } from "./program";
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
  readonly program: SeenProgram;
  /** Whether the program has been seen as a whole, so what was not seen is missing. */
  readonly isWhole: boolean;
  readonly surroundings: Surroundings;
}

export const guardrails: Readonly<Record<PolicyName, Guardrail>> = {
  "no-management-for-everyone": {
    description: "A binding rule gives management, which may do everything, to chosen logins only.",
    find(rule, { program }) {
      const { props } = rule;
      const selector = props.selector ?? "";
      if (props.bindType !== "management" || typeof selector !== "string") return [];
      const remedy = "Write a selector that only administrators match.";
      const everyone = `everyone who logs in with ${methodIn(props)} gets management`;
      if (selector === "") return [`selector is empty, so ${everyone}. ${remedy}`];
      const mapped = program.mappedBy(rule);
      if (!mapped || reachOf(selector, mapped) !== "always") return [];
      return [`selector matches every login, because the method does not map what it looks at: ${everyone}. ${remedy}`];
    },
  },
  "no-management-tokens": {
    description: "A token of the cluster has the rights that its policies and roles give, and not all of them.",
    find({ kind, props: { type } }) {
      if (kind !== "AclToken" || type !== "management") return [];
      return ['type is "management", so the token may do everything. Give type "client" with policies or roles.'];
    },
  },
  "no-unmapped-claims": {
    description: "A binding rule, and the name of an auth method's tokens, refer to claims that the auth method maps.",
    find(resource, { program }) {
      const { tokenNameFormat, selector = "", bindName = "" } = resource.props;
      if (resource.kind === "AclAuthMethod") {
        const own = mappedNamesOf(resource);
        return own && typeof tokenNameFormat === "string" ? unmappedInTokenName(tokenNameFormat, own) : [];
      }
      const mapped = resource.kind === "AclBindingRule" ? program.mappedBy(resource) : undefined;
      if (!mapped || typeof selector !== "string") return [];
      return unmappedClaims({ selector, ...(typeof bindName === "string" && { bindName }) }, mapped).map(unmappedMessage);
    },
  },
  "no-unbound-tenants": {
    description:
      "If a vendor's keys sign the tokens of all its customers, an auth method binds the issuer, and its rules ask for one customer.",
    find(resource, { program }) {
      const { selector = "", bindName } = resource.props;
      if (resource.kind === "AclAuthMethod") return issuerNotBound(checksOf(resource));
      const method = resource.kind === "AclBindingRule" ? program.methodOf(resource) : undefined;
      if (!method || typeof selector !== "string" || bindName === unknown) return [];
      return tenantNotAsked({ selector, ...(typeof bindName === "string" && { bindName }) }, checksOf(method));
    },
  },
  "no-unknown-roles": {
    description: "A binding rule gives a role that the program declares, or that the policy pack is told of.",
    find(rule, { program, isWhole, surroundings }) {
      const { bindType, bindName } = rule.props;
      if (!isWhole || bindType !== "role" || typeof bindName !== "string") return [];
      const own = program.namesOf("AclRole", rule.cluster);
      if (!own || own.has(bindName) || surroundings.knownRoles.includes(bindName)) return [];
      const roles = [...own, ...surroundings.knownRoles];
      if (bindName.includes("${") && mayBecomeOneOf(bindName, roles)) return [];
      const remedy = undeclared(bindName, roles, "knownRoles");
      return [
        `bindName gives the role ${JSON.stringify(bindName)}, which this program does not declare. ${remedy} A role that does not exist gives nothing.`,
      ];
    },
  },
  "no-unknown-methods": {
    description: "A binding rule belongs to an auth method that the program declares, or that the policy pack is told of.",
    find({ kind, cluster, props: { authMethod } }, { program, isWhole, surroundings }) {
      if (!isWhole || kind !== "AclBindingRule" || typeof authMethod !== "string") return [];
      const own = program.namesOf("AclAuthMethod", cluster);
      if (!own || own.has(authMethod) || surroundings.knownMethods.includes(authMethod)) return [];
      const methods = [...own, ...surroundings.knownMethods];
      return [
        `authMethod is ${JSON.stringify(authMethod)}, which this program does not declare. ${undeclared(authMethod, methods, "knownMethods")}`,
      ];
    },
  },
  "no-plain-http-identity-providers": {
    description: "Servers reach identity providers over https: who can change what a plain connection carries can log in as anyone.",
    find({ props: { config } }, { surroundings }) {
      const properties = ["oidcDiscoveryUrl", "jwksUrl"].filter((name) => isRecord(config) && isPlainHttp(config[name], surroundings));
      // Without the address, which may be a secret.
      return properties.map((name) => `config.${name} is an address of plain http. Give one that begins with https://.`);
    },
  },
  "max-token-ttl": {
    description: "A token of a login ends after a limited time.",
    find({ props: { maxTokenTtl } }, { surroundings: { maxTokenTtl: ceiling } }) {
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
function excessOf(name: RightsPolicyName, resource: SeenResource, { program, surroundings: { limits } }: Known): string[] {
  const { kind, props } = resource;
  const excessIn = (all: readonly Limits[], rules: unknown) =>
    all.flatMap((limit) => (typeof rules === "string" ? (limit.excess(name, rules) ?? []) : []));
  if (kind === "AclPolicy") {
    const ofAll = limits.filter(({ loginsOf }) => loginsOf === undefined);
    return excessIn(ofAll, props.rules).flatMap((excess) => sentencesOf("rules allow", excess));
  }
  const { authMethod } = props;
  const ofLogins = limits.filter(({ loginsOf }) => typeof authMethod === "string" && loginsOf?.includes(authMethod));
  if (kind !== "AclBindingRule" || ofLogins.length === 0) return [];
  return program.givenBy(resource).flatMap(({ policy, role }) => {
    const given = `the policy ${JSON.stringify(policy.props.name)}`;
    const way = role ? `the role ${JSON.stringify(role.props.name)} with ${given}` : given;
    return excessIn(ofLogins, policy.props.rules).flatMap((excess) =>
      sentencesOf(`bindName gives ${way}, by which logins of ${methodIn(props)} get`, excess),
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

function methodIn({ authMethod }: SeenResource["props"]): string {
  return typeof authMethod === "string" ? JSON.stringify(authMethod) : "its auth method";
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
