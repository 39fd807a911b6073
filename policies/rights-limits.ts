/** Limits on the permissions of ACL policies, and the excess over them, as servers would decide. */
import { granting, knownAsks } from "../access/policy/allow";
import { checkPolicy, policyWarnings } from "../access/policy/check";
import type { RightsDifference } from "../access/policy/compare";
import { compareShared } from "../access/policy/compare";
import { matches } from "../access/policy/patterns";
import { rightsOf } from "../access/policy/rights";
import { shorthands, validName } from "../access/policy/vocabulary";
import { remembering } from "../access/remembering";
import { nearest } from "../common/nearest";
import { checkOptions, refuse } from "./options";

export interface RightsLimits {
  /** The auth methods whose logins the limit applies to. Default: it applies to every policy of the program. */
  readonly loginsOf?: readonly string[];
  /** The capabilities that policies may allow anywhere: such as `submit-job`, `variables:read` and `node:read`, or a shorthand of namespaces, such as `namespace:read`. Default: everything. */
  readonly allowedCapabilities?: readonly string[];
  /** The namespaces, or patterns of their names, whose variables policies may open. Default: all. */
  readonly ownNamespaces?: readonly string[];
  /** The capabilities that policies may allow in `namespace "*"`, in the words of `allowedCapabilities`. Default: none. */
  readonly allowedInAllNamespaces?: readonly string[];
}

export type RightsPolicyName = "no-unlisted-capabilities" | "no-foreign-variables" | "no-wildcard-namespaces";

/** The permissions of rules beyond a limit. */
export interface Excess {
  /** The permissions with their places; undefined for none. */
  readonly allowed?: string;
  /** The reason why a part can't be decided. */
  readonly undecided?: string;
  /** The problem, and its remedy. */
  readonly remedy: string;
}

/** Limits with checked options. */
export interface Limits {
  readonly loginsOf: readonly string[] | undefined;
  /** Whether the limit has the option of the policy. */
  applies(policy: RightsPolicyName): boolean;
  /** The excess over a limit; undefined for none, or if the limit lacks the option. */
  excess(policy: RightsPolicyName, rules: string): Excess | undefined;
}

type Find = (rules: string) => Excess | undefined;

/** @throws UserError for options without a meaning */
export function limitsOf(options: RightsLimits): Limits {
  checkOptions(options, ["loginsOf", "allowedCapabilities", "ownNamespaces", "allowedInAllNamespaces"]);
  const { loginsOf, allowedCapabilities, ownNamespaces, allowedInAllNamespaces = [] } = options;
  if (loginsOf?.length === 0) refuse("loginsOf of limits is empty: name auth methods, or leave it out for all policies of the program.");
  const listed = allowedCapabilities && ceilingOf("allowedCapabilities", allowedCapabilities);
  const everywhere = ceilingOf("allowedInAllNamespaces", allowedInAllNamespaces);
  const strange = ownNamespaces?.find((name) => !validName.namespace.test(name));
  if (strange !== undefined) {
    refuse(`ownNamespaces has ${JSON.stringify(strange)}: names of namespaces have letters, digits and dashes, and "*" for any text.`);
  }
  const finds: { readonly [policy in RightsPolicyName]: Find } = {
    "no-unlisted-capabilities": finder(
      (rules) => (listed ? [...beyond(listed, rules), ...notKnown(rules)] : []),
      "allowedCapabilities of the policy pack does not list that. Take it out of the policy, or add it there.",
    ),
    "no-foreign-variables": finder(
      (rules) => (ownNamespaces ? foreignVariables(ownNamespaces, rules) : []),
      "ownNamespaces of the policy pack does not list the namespace. Take the path out of the policy, or add the namespace there.",
    ),
    "no-wildcard-namespaces": finder(
      (rules) => (hasAllNamespaces(rules) ? beyond(everywhere, rules).filter(({ namespace = "" }) => isAll.test(namespace)) : []),
      "that means all namespaces, including later ones. Name the namespaces, or add the capability to allowedInAllNamespaces of the policy pack.",
    ),
  };
  const applies = {
    "no-unlisted-capabilities": listed !== undefined,
    "no-foreign-variables": ownNamespaces !== undefined,
    "no-wildcard-namespaces": true,
  };
  return { loginsOf, applies: (policy) => applies[policy], excess: (policy, rules) => finds[policy](rules) };
}

/** The words of lists: capabilities, and shorthands of namespaces. */
const words: readonly string[] = [
  ...knownAsks.filter((ask) => ask !== "management"),
  ...Object.keys(shorthands.namespace ?? {}).flatMap((level) => (level === "deny" || level === "read" ? [] : [`namespace:${level}`])),
];

/** Policies that together allow exactly the listed capabilities. */
function ceilingOf(option: string, capabilities: readonly string[]): string[] {
  return capabilities.map((capability) => {
    if (words.includes(capability)) return rulesOf(capability);
    const near = nearest(capability, words);
    const meant = near === undefined ? "It has names like submit-job, variables:read and namespace:read." : `Did you mean ${near}?`;
    return refuse(`${option} has ${JSON.stringify(capability)}, which is unknown. ${meant}`);
  });
}

/** Rules that allow one capability everywhere. */
function rulesOf(capability: string): string {
  const [kind = "", action] = capability.split(":");
  if (action === undefined) return `namespace "*" { capabilities = ["${kind}"] }`;
  switch (kind) {
    case "namespace":
      return `namespace "*" { policy = "${action}" }`;
    case "variables":
      return `namespace "*" { variables { path "*" { capabilities = ["${action}"] } } }`;
    case "node_pool":
    case "host_volume":
      return `${kind} "*" { capabilities = ["${action}"] }`;
    case "operator":
    case "sentinel":
      return action === "read" || action === "write" ? `${kind} { policy = "${action}" }` : `${kind} { capabilities = ["${action}"] }`;
    default:
      return `${kind} { policy = "${action === "list-csi" ? "list" : action}" }`;
  }
}

/** A permission, or a possible one, in one place. */
type Found = Pick<RightsDifference, "ask" | "namespace" | "path" | "name" | "after">;

/** Checks a policy by itself, because tokens have several: a deny of another one does not count. */
function finder(find: (rules: string) => readonly Found[], remedy: string): Find {
  return remembering(1000, (rules: string): Excess | undefined => {
    const found = find(rules);
    if (found.length === 0) return undefined;
    const allowed = byPlace(found.filter(({ after }) => after === true));
    return {
      ...(allowed.size > 0 && { allowed: [...allowed].map(([place, asks]) => `${strongest(asks).join(", ")}${place}`).join("; ") }),
      ...(found.some(({ after }) => after === "undecided") && { undecided: causeIn(rules) }),
      remedy,
    };
  });
}

function beyond(ceiling: readonly string[], rules: string): Found[] {
  return compareShared(ceiling, [rules]).differences.filter(({ before, after }) => !before && after);
}

function foreignVariables(own: readonly string[], rules: string): Found[] {
  const { variables, isUndecided } = rightsOf([rules]);
  const foreign = variables.filter(({ name }) => !own.some((pattern) => matches(pattern, name)));
  const found = foreign.flatMap(({ name, path, ...rights }): Found[] => {
    const allowed = rights.capabilities.filter((capability) => granting("path").includes(capability));
    const all = allowed.map((capability): Found => ({ ask: `variables:${capability}`, namespace: name, path, after: true }));
    return rights.isUndecided ? [...all, { ask: "variables", namespace: name, path, after: "undecided" }] : all;
  });
  return isUndecided ? [{ ask: "variables", after: "undecided" }] : found;
}

/** Unknown words and blocks, which are on no list. */
function notKnown(rules: string): Found[] {
  return unknownIn(rules).length > 0 ? [{ ask: "", after: "undecided" }] : [];
}

const isAll = /^\*+$/;

function hasAllNamespaces(rules: string): boolean {
  const { namespaces, variables, isUndecided } = rightsOf([rules]);
  return isUndecided || [...namespaces, ...variables].some(({ name }) => isAll.test(name));
}

function byPlace(found: readonly Found[]): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const one of found) {
    const place = placeOf(one);
    places.set(place, [...(places.get(place) ?? []), one.ask]);
  }
  return places;
}

function placeOf({ ask, namespace, path, name }: Found): string {
  if (name !== undefined) return ` of the ${ask.startsWith("node_pool:") ? "node pool" : "host volume"} ${JSON.stringify(name)}`;
  if (namespace === undefined) return "";
  return `${path === undefined ? "" : ` of the path ${JSON.stringify(path)}`} in the namespace ${JSON.stringify(namespace)}`;
}

/** Leaves out permissions that others imply. */
function strongest(asks: readonly string[]): string[] {
  // Every capability implies that its namespace is visible.
  const told = asks.length > 1 ? asks.filter((ask) => ask !== "namespace:read") : asks;
  return told.filter((ask) => !told.some((other) => other !== ask && bringsWith(other).includes(ask)));
}

const bringsWith = remembering(200, (ask: string): readonly string[] => {
  return compareShared([], [rulesOf(ask)]).differences.map((one) => one.ask);
});

/** The unknown words and blocks of rules, and the parts that servers refuse. */
export function unknownIn(rules: string): string[] {
  return checkPolicy(rules).map(({ line, message }) => `line ${line}: ${message}`);
}

/** The parts of rules that make an answer undecidable. Known servers ignore some of them. */
export function causeIn(...rules: readonly string[]): string {
  const ignoredIn = (text: string) => policyWarnings(text).map(({ line, message }) => `line ${line}: ${message}`);
  const parts = new Set(rules.flatMap((text) => [...unknownIn(text), ...ignoredIn(text)]));
  return [...parts].join("; ") || "more than 20 wildcards match one name";
}
