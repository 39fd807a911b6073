/** Several policies, merged to what a token with all of them is granted. */
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

/** What one pattern, or one block without a name, grants. */
export interface Granted {
  /** What the patterns are of: the namespace, and the path of variables. */
  readonly name: string;
  readonly path?: string;
  readonly capabilities: Set<string>;
  /** It has a word that we don't know, so what it does not grant is not sure. */
  hasUnknown: boolean;
  /** Levels that we don't know: then nothing of it is sure, but a deny. */
  readonly unknownLevels: Set<string>;
}

/** What the policies of a token grant together. */
export interface Grants {
  readonly named: { readonly [kind in NamedKind]: Patterns<Granted> };
  /** By namespace and path, with the separator between them. */
  readonly variables: Patterns<Granted>;
  /** Merged: a deny, else the most. Undefined if nothing says it, and a level of no meaning too. */
  readonly levels: { readonly [kind in SingleKind]?: Level };
  readonly operator: Granted;
  readonly sentinel: Granted;
  /** A policy can't be read, or means nothing to the servers we know: nothing is sure. */
  readonly isUnknown: boolean;
}

export type Level = "deny" | "write" | "read" | "list" | "none" | "undecided";

/** What a block adds to its pattern, with all that its words stand for. */
export interface Part {
  readonly at: Position;
  readonly kind: NamedKind | "variables" | "operator" | "sentinel";
  readonly key: string;
  readonly name: string;
  readonly path?: string;
  readonly capabilities: readonly string[];
  readonly hasUnknown: boolean;
  readonly unknownLevel: string | undefined;
  /** It denies, and its block gives nothing else. */
  readonly isDenyOnly: boolean;
}

/** What one policy adds. "unknown" if no server that we know takes its text. */
export type Contribution = KnownContribution | "unknown";

interface KnownContribution {
  readonly parts: readonly Part[];
  readonly levels: readonly (readonly [SingleKind, Level])[];
  /** There are blocks that no server knows, so it may be more, or none of it. */
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

/** A deny takes away the other capabilities of its own block, and nothing of other blocks. */
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

/** What a token with these policies is granted. Their order makes no difference. */
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

/** The level of several: a deny, else the most. */
export function mergeLevels(all: readonly Level[]): Level | undefined {
  return all.toSorted((a, b) => order.indexOf(b) - order.indexOf(a))[0];
}

/** What several grant by one pattern; undefined of none. */
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

/** Adds a block to what its pattern grants. But for variables, a deny takes all of the pattern away, whichever policy has it. */
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
