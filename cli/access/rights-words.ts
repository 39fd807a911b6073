/** Permissions in words, the dangerous ones first. */

import { knownAsks, needsPlugins, ways } from "../../access/policy/allow";
import type { PolicyJob } from "../../access/policy/management";
import type { NamedRights, Rights, VariableRights } from "../../access/policy/rights";
import { implied } from "../../access/policy/vocabulary";
import { rememberingBy } from "../../access/remembering";
import { ownProperty } from "../../common/own-property";

/**
 * Words for capabilities of namespaces, by danger: running and changing jobs comes first. Other capabilities follow with their own names.
 */
const words: ReadonlyMap<string, string> = new Map([
  ["submit-job", "submit jobs"],
  ["register-job", "register jobs"],
  ["alloc-node-exec", "run commands on nodes"],
  ["alloc-exec", "run commands in tasks"],
  ["write", "write"],
  ["read", "read"],
  ["destroy", "destroy"],
  ["list", "list"],
  ["revert-job", "revert jobs"],
  ["dispatch-job", "dispatch jobs"],
  ["sentinel-override", "override Sentinel policies"],
  ["host-volume-write", "write host volumes"],
  ["host-volume-register", "register host volumes"],
  ["host-volume-create", "create host volumes"],
  ["host-volume-delete", "delete host volumes"],
  ["csi-register-plugin", "register CSI plugins"],
  ["csi-write-volume", "write CSI volumes"],
  ["csi-mount-volume", "mount CSI volumes"],
  ["read-fs", "read files of tasks"],
  ["read-logs", "read logs"],
  ["purge-job", "purge jobs"],
  ["deregister-job", "stop jobs"],
  ["scale-job", "scale jobs"],
  ["alloc-lifecycle", "restart and stop allocations"],
  ["submit-recommendation", "submit recommendations"],
  ["read-job", "read jobs"],
  ["list-jobs", "list jobs"],
  ["host-volume-read", "read host volumes"],
  ["parse-job", "parse jobs"],
]);
const order = [...words.keys()];

/** Whether the other capabilities of a list imply this one, so the list can omit it. */
function isWithin(capability: string, held: readonly string[]): boolean {
  const others = held.filter((one) => one !== capability);
  if (capability === "list") return others.includes("read");
  return isAllowedBy(capability, others);
}

function isAllowedBy(ask: string, capabilities: readonly string[]): boolean {
  const isImplied = capabilities.some((one) => ownProperty(implied, one)?.includes(ask));
  return isImplied || ways(ask).some((all) => all.every((one) => capabilities.includes(one)));
}

/** Whether the others also allow everything that a capability allows. */
function isCovered(capability: string, held: readonly string[]): boolean {
  if (!isWithin(capability, held)) return false;
  const others = held.filter((one) => one !== capability);
  return knownAsks.every((ask) => !isAllowedBy(ask, [capability]) || isAllowedBy(ask, others));
}

/** The permissions that others of the list do not make redundant. A permission that only left out ones make redundant stays. */
function withoutRedundant(all: readonly string[], isRedundant: (one: string, held: readonly string[]) => boolean): string[] {
  const most = all.filter((one) => !isRedundant(one, all));
  return all.filter((one) => most.includes(one) || !isRedundant(one, [...most, one]));
}

/** A line of a list: a place, and the permissions there. */
export interface RightsLine {
  readonly where: string;
  readonly rights: readonly string[];
  /** The number of permissions at the beginning that are never left out: those of the cluster, and dangerous ones. */
  readonly dangers: number;
}

/**
 * The permissions by place: the cluster, then namespaces by danger, then pools and volumes. If the cluster's permissions only read or list,
 * the cluster follows the namespaces.
 *
 * @param isPart whether the rights are those of one policy of a token, and other policies may add to them
 */
export function rightsLines(rights: Rights, likeManagement: readonly string[] = [], isPart = false): RightsLine[] {
  const verb = likeManagement.length > 1 ? "equal" : "equals";
  const equal = likeManagement.length > 0 ? [`everything, because ${likeManagement.join(" and ")} ${verb} management`] : [];
  const all = [...equal, ...clusterRights(rights)];
  const cluster = all.length > 0 ? [{ where: "cluster", rights: all, dangers: all.length }] : [];
  const isHarmless = all.every((right) => right.endsWith(": read") || right.endsWith(": list"));
  return [
    ...(isHarmless ? [] : cluster),
    ...namespaceLines(rights, isPart),
    ...(isHarmless ? cluster : []),
    ...rights.nodePools.map((one) => ({ where: `node pool ${one.name}`, rights: named(one), dangers: 0 })),
    ...rights.hostVolumes.map((one) => ({ where: `host volume ${one.name}`, rights: named(one), dangers: 0 })),
  ];
}

/** Whether a namespace may match several lines, because one of them has a wildcard. Only the most exact line then counts. */
export function hasPatterns({ namespaces }: Rights): boolean {
  return namespaces.length > 1 && namespaces.some(({ name }) => name.includes("*"));
}

function clusterRights({ levels, operator, sentinel, isUndecided }: Rights): string[] {
  const kinds = ["operator", "agent", "node", "quota", "sentinel", "plugin"] as const;
  const byLevel = kinds.flatMap((kind) => {
    const level = levels[kind];
    // The level `write` of plugins allows nothing.
    if (level === undefined || level === "none" || level === "deny" || (kind === "plugin" && level === "write")) return [];
    return [level === "undecided" ? `${kind}: not decided` : `${kind}: ${level}`];
  });
  const capabilitiesOf = (kind: "operator" | "sentinel", capabilities: readonly string[]) =>
    levels[kind] === "write" || capabilities.includes("deny") ? [] : capabilities.map((one) => `${kind}: ${one}`);
  return [
    ...capabilitiesOf("operator", operator),
    ...capabilitiesOf("sentinel", sentinel),
    ...byLevel.toSorted((a, b) => Number(b.endsWith(": write")) - Number(a.endsWith(": write"))),
    ...(isUndecided ? ["not decided: a policy has parts that this version does not know"] : []),
  ];
}

/** Namespaces with their variables. The most dangerous come first. */
function namespaceLines({ namespaces, variables, levels }: Rights, isPart: boolean): RightsLine[] {
  const hasPlugins = levels.plugin === "read" || levels.plugin === "undecided";
  const ofNamespace = (own: NamedRights) => {
    if (hasPlugins) return capabilitiesOf(own);
    return capabilitiesOf(withoutPlugins(own), isPart ? own.capabilities.filter((one) => needsPlugins.has(one)) : []);
  };
  const names = [...new Set([...namespaces, ...variables].map(({ name }) => name))];
  const lines = names.map((name) => {
    const own = namespaces.find((one) => one.name === name);
    const ofVariables = variables.filter((one) => one.name === name && (one.capabilities.length > 0 || one.isUndecided));
    const ranked = [...(own ? ofNamespace(own) : []), ...ofVariables.toSorted((a, b) => byWidth(a.path, b.path)).map(variableRight)];
    const line = { where: `namespace ${name}`, rights: inOrder(ranked), dangers: ranked.filter(({ rank: of }) => isDangerous(of)).length };
    return { danger: Math.min(...ranked.map(({ rank: of }) => of)), name, line };
  });
  return lines.toSorted((a, b) => a.danger - b.danger || byWidth(a.name, b.name)).map(({ line }) => line);
}

/** The permissions of a token that may not read plugins: it can't write CSI volumes, and mounting them only lets it read. */
function withoutPlugins(rights: NamedRights): NamedRights {
  const usable = rights.capabilities.flatMap((one) =>
    one === "csi-write-volume" ? [] : one === "csi-mount-volume" ? ["csi-read-volume"] : [one],
  );
  return { ...rights, capabilities: [...new Set(usable)] };
}

interface Ranked {
  readonly rank: number;
  readonly text: string;
}

function inOrder(rights: readonly Ranked[]): string[] {
  if (rights.length === 0) return ["nothing"];
  if (rights.length === 1 && rights[0] === denied) return ["nothing (denied)"];
  return rights.toSorted((a, b) => a.rank - b.rank).map(({ text }) => text);
}

/** A deny of a namespace does not affect its variables. */
const denied: Ranked = { rank: order.length, text: "nothing else (denied)" };

function rank(capability: string): number {
  const index = order.indexOf(capability);
  return index < 0 ? order.length : index;
}

/** @param withPlugins capabilities that the holder has only together with another policy, which reads plugins */
function capabilitiesOf({ capabilities, isUndecided }: NamedRights, withPlugins: readonly string[] = []): Ranked[] {
  if (capabilities.includes("deny")) return [denied];
  const said = (all: readonly string[], condition: string) =>
    withoutRedundant(all, isCovered).map((one) => ({ rank: rank(one), text: (words.get(one) ?? one) + condition }));
  // A newer server may allow anything by an unknown word, so it counts as dangerous.
  return [
    ...said(capabilities, ""),
    ...said(withPlugins, " (with plugin: read)"),
    ...(isUndecided ? [{ rank: rank("write"), text: "not decided: a word that this version does not know" }] : []),
  ];
}

function variableRight({ path, ...rights }: VariableRights): Ranked {
  if (rights.capabilities.includes("deny")) return { rank: order.length, text: `no variables ${path}` };
  const all = capabilitiesOf(rights).toSorted((a, b) => a.rank - b.rank);
  return { rank: all[0]?.rank ?? order.length, text: `${all.map(({ text }) => text).join("/")} variables ${path}` };
}

function named(rights: NamedRights): string[] {
  return inOrder(capabilitiesOf(rights));
}

/** The number of rights shown for a place. */
const SHOWN = 4;

/** The rights of one place. The last ones are only counted, unless they are dangerous. */
export function rightsText({ rights, dangers }: Pick<RightsLine, "rights" | "dangers">, isAll: boolean): string {
  const shown = isAll ? rights : rights.slice(0, Math.max(SHOWN, dangers));
  const more = rights.length - shown.length;
  return shown.join(", ") + (more > 0 ? `, and ${more} more` : "");
}

/** Such as `the job web of the namespace prod`. */
export function jobText({ namespace, jobId, group, task }: PolicyJob): string {
  if (namespace === undefined) return "an unknown job";
  const parts = [
    ...(task === undefined ? [] : [`the task ${task}`]),
    ...(group === undefined ? [] : [`the group ${group}`]),
    jobId === undefined ? "any job" : `the job ${jobId}`,
    `the namespace ${namespace}`,
  ];
  return parts.join(" of ");
}

/** Questions about one place, in words, without questions that others imply. Results are cached, because many places have the same ones. */
export const askWords = rememberingBy(
  1000,
  (asks: readonly string[]) => asks.join(" "),
  (asks): readonly string[] => {
    const capabilities = asks.map((ask) => ask.replace(/^variables:/, ""));
    const isSeeing = (one: string) => one === "namespace:read" && capabilities.length > 1;
    const said = withoutRedundant(capabilities, (one, held) => isSeeing(one) || isWithin(one, held));
    return said.toSorted((a, b) => rank(a) - rank(b)).map((one) => words.get(one) ?? (one.includes(":") ? `use ${one}` : one));
  },
);

/** Whether permissions of this danger allow changing the cluster, running jobs or commands, or writing variables. */
export function isDangerous(danger: number): boolean {
  return danger <= rank("write");
}

/** Patterns before names, and the widest first. */
export function byWidth(a: string, b: string): number {
  const width = (pattern: string) => (pattern.includes("*") ? pattern.replaceAll("*", "").length : Number.MAX_SAFE_INTEGER);
  return width(a) - width(b);
}

/**
 * The danger of permissions; the lowest number is the most dangerous. Everything comes first, then writes to the cluster itself, then the
 * worst permission of namespaces.
 */
export function dangerOf(asks: readonly string[]): number {
  if (asks.includes("operator:write") || asks.includes("operator:snapshot-save")) return -2;
  const isOfCluster = asks.some((ask) => /^(operator|sentinel|agent|node|quota):.*(write|save|submit|delete|rotate)$/.test(ask));
  return isOfCluster ? -1 : Math.min(...asks.map((ask) => rank(ask.replace(/^variables:/, ""))));
}
