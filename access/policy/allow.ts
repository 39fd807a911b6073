/** Which requests policies allow, question by question, as the endpoints of a server decide. */
import { remembering } from "../remembering";
import type { SingleKind } from "./decode";
import { singleKinds } from "./decode";
import type { Granted, Grants } from "./grants";
import { grantsOf } from "./grants";
import type { Patterns } from "./patterns";
import { separator } from "./patterns";
import type { Kind } from "./vocabulary";
import { capabilities } from "./vocabulary";

export interface PolicyQuestion {
  /**
   * A capability of namespaces ("submit-job"), or a kind of block with an action: "variables:read", "node:write", "operator:snapshot-save",
   * "node_pool:read", "host_volume:mount-readwrite". No policy allows "management", and every known policy allows "plugin:list". The list
   * of plugins for volumes is "plugin:list-csi".
   */
  readonly ask: string;
  /**
   * The namespace, for questions about capabilities of namespaces and about variables. Default: "default". For capabilities, "*" asks about
   * any namespace, as in a request to a server.
   */
  readonly namespace?: string;
  /** The path of a variable, for questions about variables. */
  readonly path?: string;
  /** The name of a node pool or a host volume, for questions about these. */
  readonly name?: string;
}

const grantingByKind: { readonly [kind in Kind]?: readonly string[] } = Object.fromEntries(
  Object.entries(capabilities).map(([kind, all]) => [kind, all.filter((one) => one !== "deny")]),
);

/** Other capabilities that open the endpoints of a capability. Every capability of an inner list is needed. */
const otherWays: { readonly [capability: string]: readonly (readonly string[])[] } = {
  "parse-job": [["submit-job"]],
  "scale-job": [["submit-job"]],
  "list-scaling-policies": [["list-jobs", "read-job"]],
  "read-scaling-policy": [["list-jobs", "read-job"]],
  "read-job-scaling": [["read-job"]],
  "read-logs": [["read-fs"]],
  "csi-list-volume": [["csi-read-volume"], ["csi-mount-volume"], ["list-jobs"]],
  "csi-read-volume": [["csi-mount-volume"], ["read-job"]],
  "deregister-job": [["submit-job"], ["purge-job"]],
  "force-periodic-job": [["submit-job"], ["dispatch-job"]],
};
/** The parts of submit-job that newer servers grant one by one. */
const partsOfSubmit =
  /^((register|revert|purge|evaluate|plan|stable)-job|tag-job-version|.*-deployment|(gc|pause)-allocation|delete-service-registration)$/;
/** The capabilities that also need permission to read plugins. */
export const needsPlugins: ReadonlySet<string> = new Set(["csi-write-volume", "csi-mount-volume"]);

/** "undecided": a policy has an unknown part that may matter, too many wildcards match a name, or the question itself is unknown. */
export type Answer = boolean | "undecided";

/** Whether a token with these policies has the permission. */
export function policiesAllow(rules: readonly string[], question: PolicyQuestion): Answer {
  return grantsAllow(grantsOf(rules), question);
}

/** Like {@link policiesAllow}, for merged policies. */
export function grantsAllow(grants: Grants, question: PolicyQuestion): Answer {
  const { ask, namespace = "default" } = question;
  if (ask === "management") return false;
  if (grants.isUnknown) return "undecided";
  // Everybody may list plugins without a type, and gets an empty list. Only a list of plugins for volumes needs a permission.
  if (ask === "plugin:list") return true;
  const [kind = "", action, more] = ask.split(":");
  if (more !== undefined) return "undecided";
  if (action === undefined) return namespaceAllows(grants, kind, namespace);
  switch (kind) {
    case "namespace":
      return action === "read" ? deciding(grants.named.namespace, namespace, holdsAny) : "undecided";
    case "variables":
      return variablesAllow(grants, action, namespace, question.path);
    case "node_pool":
    case "host_volume":
      return namedAllow(grants, kind, action, question.name);
    case "operator":
    case "sentinel":
      return operatorAllows(grants, kind, action);
    default:
      return levelAllows(grants, kind, action);
  }
}

/** The sets of capabilities that each allow what a capability of namespaces allows, such as `submit-job` does for `register-job`. */
export const ways = remembering(1000, (capability: string): readonly (readonly string[])[] => {
  return [[capability], ...(otherWays[capability] ?? []), ...(partsOfSubmit.test(capability) ? [["submit-job"]] : [])];
});

function namespaceAllows(grants: Grants, capability: string, namespace: string): Answer {
  if (!granting("namespace").includes(capability)) return "undecided";
  const hasOne = (one: string) => deciding(grants.named.namespace, namespace, (granted) => holds(granted, one));
  const isHeld = any(ways(capability).map((all) => every(all.map(hasOne))));
  return needsPlugins.has(capability) ? every([isHeld, levelAllows(grants, "plugin", "read")]) : isHeld;
}

function variablesAllow(grants: Grants, action: string, namespace: string, path: string | undefined): Answer {
  if (path === undefined) throw new Error(`the question variables:${action} needs the path of a variable`);
  if (!granting("path").includes(action)) return "undecided";
  return agreed(grants.variables.deciding(`${namespace}${separator}${path}`), (granted) => holds(granted, action));
}

function namedAllow(grants: Grants, kind: "node_pool" | "host_volume", action: string, name: string | undefined): Answer {
  if (name === undefined) throw new Error(`the question ${kind}:${action} needs a name`);
  if (!granting(kind).includes(action)) return "undecided";
  const granted = grants.named[kind].deciding(name);
  // Permission to mount a volume for writing includes permission to mount it for reading.
  const isEnough = action === "mount-readonly" ? ["mount-readonly", "mount-readwrite"] : [action];
  return any(isEnough.map((one) => agreed(granted, (each) => holds(each, one))));
}

/** Operators and Sentinel have capabilities in addition to their level. A denied capability takes nothing from another policy's level. */
function operatorAllows(grants: Grants, kind: "operator" | "sentinel", action: string): Answer {
  if (kind === "operator" && (action === "read" || action === "write")) return levelAllows(grants, kind, action);
  if (!granting(kind).includes(action)) return "undecided";
  return any([isLevel(grants, kind, ["write"]), holds(grants[kind], action)]);
}

/** The levels that allow each action of a kind. Plugins have no level "write": it allows nothing. */
const levelsFor: { readonly [kind: string]: { readonly [action: string]: readonly string[] } } = {
  agent: { read: ["read", "write"], write: ["write"] },
  node: { read: ["read", "write"], write: ["write"] },
  operator: { read: ["read", "write"], write: ["write"] },
  quota: { read: ["read", "write"], write: ["write"] },
  plugin: { "list-csi": ["list", "read"], read: ["read"] },
};

/** The questions about blocks without a name. */
export const singleAsks: readonly string[] = [
  ...Object.entries(levelsFor).flatMap(([kind, actions]) => Object.keys(actions).map((action) => `${kind}:${action}`)),
  ...(["operator", "sentinel"] as const).flatMap((kind) => granting(kind).map((action) => `${kind}:${action}`)),
];

/** The capabilities of a kind, without "deny". */
export function granting(kind: Kind): readonly string[] {
  return grantingByKind[kind] ?? [];
}

/** The known questions, except `plugin:list`, which everybody may do. */
export const knownAsks: readonly string[] = [
  "management",
  ...granting("namespace"),
  "namespace:read",
  ...granting("path").map((action) => `variables:${action}`),
  ...(["node_pool", "host_volume"] as const).flatMap((kind) => granting(kind).map((action) => `${kind}:${action}`)),
  ...singleAsks,
];

function levelAllows(grants: Grants, kind: string, action: string): Answer {
  const single = singleKinds.find((one) => one === kind);
  const enough = single && levelsFor[single]?.[action];
  return enough ? isLevel(grants, single, enough) : "undecided";
}

function isLevel(grants: Grants, kind: SingleKind, enough: readonly string[]): Answer {
  const level = grants.levels[kind];
  return level === "undecided" ? level : level !== undefined && enough.includes(level);
}

/** The answer of the patterns that decide about a name; for "*", of any pattern. */
function deciding(patterns: Patterns<Granted>, name: string, answer: (granted: Granted) => Answer): Answer {
  const named = agreed(patterns.deciding(name), answer);
  return name === "*" ? any([named, ...patterns.all.map(answer)]) : named;
}

function holds(granted: Granted, capability: string): Answer {
  if (granted.unknownLevels.size > 0) return "undecided";
  return granted.capabilities.has(capability) || (granted.hasUnknown ? "undecided" : false);
}

function holdsAny(granted: Granted): Answer {
  if (granted.unknownLevels.size > 0) return "undecided";
  return granted.capabilities.size > 0 && !granted.capabilities.has("deny");
}

/** The common answer of all patterns that may decide; "undecided" if they differ. */
function agreed(candidates: readonly Granted[], answer: (granted: Granted) => Answer): Answer {
  const [first = false, ...others] = candidates.map(answer);
  return others.every((one) => one === first) ? first : "undecided";
}

function any(answers: readonly Answer[]): Answer {
  return answers.includes(true) || (answers.includes("undecided") ? "undecided" : false);
}

function every(answers: readonly Answer[]): Answer {
  return !answers.includes(false) && (answers.includes("undecided") ? "undecided" : true);
}
