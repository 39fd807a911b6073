/** The merged permissions of several policies, as a token with all of them has. */
import { remembering } from "../remembering";
import { isEmpty, isMalformed } from "./check";
import type { Block, DecodedPolicy, NamedBlock, NamedKind, SingleKind } from "./decode";
import { decode, namedKinds, singleBlocks } from "./decode";
import { isDenyOnly } from "./ineffective-rules";
import { Patterns, separator } from "./patterns";
import type { Position } from "./syntax";
import { PolicyError } from "./syntax";
import type { Kind } from "./vocabulary";
import { capabilities, implied, levels, pluginLevels, shorthands } from "./vocabulary";

/** The permissions of one pattern, or of one block without a name. */
export interface Granted {
  /** The pattern of names; for variables, the pattern of namespaces, and `path` that of paths. */
  readonly name: string;
  readonly path?: string;
  readonly capabilities: Set<string>;
  /** Whether it has an unknown word, so a missing permission is uncertain. */
  hasUnknown: boolean;
  /** The unknown levels. With any of them, everything except a deny is uncertain. */
  readonly unknownLevels: Set<string>;
}

/** The combined permissions of a token's policies. */
export interface Grants {
  readonly named: { readonly [kind in NamedKind]: Patterns<Granted> };
  /** By namespace and path, joined by the separator. */
  readonly variables: Patterns<Granted>;
  /** The merged level: a deny, or else the highest. Undefined without any level, or with one that has no effect. */
  readonly levels: { readonly [kind in SingleKind]?: Level };
  readonly operator: Granted;
  readonly sentinel: Granted;
  /** Whether a policy is unreadable, or has no block that servers know, so everything is uncertain. */
  readonly isUnknown: boolean;
}

export type Level = "deny" | "write" | "read" | "list" | "none" | "undecided";

/** The permissions that a block adds to its pattern, with its shorthands expanded. */
export interface Part {
  readonly at: Position;
  readonly kind: NamedKind | "variables" | "operator" | "sentinel";
  readonly key: string;
  readonly name: string;
  readonly path?: string;
  readonly capabilities: readonly string[];
  readonly hasUnknown: boolean;
  readonly unknownLevel: string | undefined;
  /** Whether the block denies and grants nothing else. */
  readonly isDenyOnly: boolean;
}

/** The permissions that one policy adds. "unknown": no known server accepts its text. */
export type Contribution = KnownContribution | "unknown";

interface KnownContribution {
  readonly parts: readonly Part[];
  readonly levels: readonly (readonly [SingleKind, Level])[];
  /** Whether it has unknown blocks, so it may grant more, or be refused. */
  readonly hasUnknown: boolean;
}

export const contributionOf = remembering(2000, (rules: string): Contribution => {
  if (rules === "") return { parts: [], levels: [], hasUnknown: false };
  try {
    const policy = decode(rules);
    return isEmpty(policy) || isMalformed(policy) ? "unknown" : contribution(policy);
  } catch (error) {
    if (error instanceof PolicyError) return "unknown";
    throw error;
  }
});

function contribution(policy: DecodedPolicy): Contribution {
  const named = namedKinds.flatMap((kind) => policy[kind].map((block) => part(kind, block.name.text, block)));
  const variables = policy.namespace.flatMap(({ name, variables: paths }) =>
    (paths?.paths ?? []).map((path) => variablesPart(name.text, path)),
  );
  const single = singleBlocks(policy);
  return {
    parts: [
      ...named,
      ...variables,
      ...single.flatMap(({ kind, block }) => (kind === "operator" || kind === "sentinel" ? [part(kind, kind, block)] : [])),
    ],
    levels: single.map(({ kind, block }) => [kind, levelOf(kind, block)]),
    hasUnknown: policy.unused.length + policy.strange.length + policy.ignored.length > 0,
  };
}

function part(kind: Exclude<Part["kind"], "variables">, name: string, block: Block): Part {
  const { at, policy, capabilities: words } = block;
  const level = policy?.text ?? "";
  const texts = [...words.map(({ text }) => text), ...(shorthands[kind]?.[level] ?? [])];
  const all = kind === "namespace" ? texts.flatMap((one) => [one, ...(implied[one] ?? [])]) : texts;
  const unknownLevel = level !== "" && !levels.includes(level) ? level : undefined;
  const granted = { capabilities: [...new Set(all)], hasUnknown: hasUnknown(kind, texts), unknownLevel };
  return { kind, key: name, name, at, ...granted, isDenyOnly: isDenyOnly(block) };
}

/** A deny removes the other capabilities of its own block, but nothing of other blocks. */
function variablesPart(namespace: string, block: NamedBlock): Part {
  const { at, name: path, capabilities: words } = block;
  const texts = words.map(({ text }) => text);
  const isDeny = texts.includes("deny");
  return {
    kind: "variables",
    key: `${namespace}${separator}${path.text}`,
    name: namespace,
    path: path.text,
    at,
    isDenyOnly: isDenyOnly(block),
    capabilities: isDeny ? ["deny"] : [...new Set(texts.includes("read") ? [...texts, "list"] : texts)],
    hasUnknown: !isDeny && hasUnknown("path", texts),
    unknownLevel: undefined,
  };
}

function hasUnknown(kind: Kind, words: readonly string[]): boolean {
  return words.some((word) => !capabilities[kind]?.includes(word));
}

const order: readonly Level[] = ["none", "list", "read", "write", "undecided", "deny"];

function levelOf(kind: SingleKind, { policy }: Block): Level {
  const text = policy?.text ?? "";
  const known = kind === "plugin" ? pluginLevels : levels;
  if (text !== "" && !known.includes(text)) return "undecided";
  return order.find((level) => level === text) ?? "none";
}

/** The permissions of a token with these policies. Their order does not matter. */
export function grantsOf(rules: readonly string[]): Grants {
  return grantsOfAll(rules.map(contributionOf));
}

export function grantsOfAll(all: readonly Contribution[]): Grants {
  const merged = { namespace: none(), node_pool: none(), host_volume: none(), variables: none(), operator: none(), sentinel: none() };
  const highest: { [kind in SingleKind]?: Level } = {};
  for (const one of all) {
    if (one === "unknown") continue;
    for (const each of one.parts) merge(merged[each.kind], each);
    for (const [kind, level] of one.levels) {
      const known = highest[kind];
      if (known === undefined || order.indexOf(level) > order.indexOf(known)) highest[kind] = level;
    }
  }
  const { namespace, node_pool, host_volume, variables, operator, sentinel } = merged;
  return {
    named: { namespace: new Patterns(namespace), node_pool: new Patterns(node_pool), host_volume: new Patterns(host_volume) },
    variables: new Patterns(variables),
    levels: highest,
    operator: operator.get("operator") ?? nothing("operator"),
    sentinel: sentinel.get("sentinel") ?? nothing("sentinel"),
    isUnknown: all.some((one) => one === "unknown" || one.hasUnknown),
  };
}

function none(): Map<string, Granted> {
  return new Map();
}

function nothing(name: string, path?: string): Granted {
  return { name, ...(path !== undefined && { path }), capabilities: new Set(), hasUnknown: false, unknownLevels: new Set() };
}

/** Merges levels: a deny, or else the highest. */
export function mergeLevels(all: readonly Level[]): Level | undefined {
  return all.toSorted((a, b) => order.indexOf(b) - order.indexOf(a))[0];
}

/** Merges permissions for one pattern; undefined without any. */
export function mergeGranted([first, ...others]: readonly Granted[], isVariables: boolean): Granted | undefined {
  if (!first || others.length === 0) return first;
  const all = [first, ...others];
  const denied = isVariables ? undefined : all.find(({ capabilities }) => capabilities.has("deny"));
  if (denied) return denied;
  return {
    ...first,
    capabilities: new Set(all.flatMap(({ capabilities }) => [...capabilities])),
    hasUnknown: all.some(({ hasUnknown }) => hasUnknown),
    unknownLevels: new Set(all.flatMap(({ unknownLevels }) => [...unknownLevels])),
  };
}

/** Adds a block to the permissions of its pattern. Except for variables, a deny in any policy removes all permissions of the pattern. */
function merge(all: Map<string, Granted>, { kind, key, name, path, ...added }: Part): void {
  const granted = all.get(key) ?? nothing(name, path);
  all.set(key, granted);
  if (kind !== "variables" && granted.capabilities.has("deny")) return;
  if (kind !== "variables" && added.capabilities.includes("deny")) {
    granted.capabilities.clear();
    granted.capabilities.add("deny");
    granted.hasUnknown = false;
    granted.unknownLevels.clear();
    return;
  }
  for (const capability of added.capabilities) granted.capabilities.add(capability);
  granted.hasUnknown ||= added.hasUnknown;
  if (added.unknownLevel !== undefined) granted.unknownLevels.add(added.unknownLevel);
}
