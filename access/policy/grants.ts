/** The merged permissions of several policies, as a token with all of them has. */

import { grouped } from "../../common/grouped";
import { ownProperty } from "../../common/own-property";
import { remembering, rememberingBy } from "../remembering";
import { isEmpty, isMalformed } from "./check";
import type { Block, DecodedPolicy, NamedBlock, NamedKind, SingleKind } from "./decode";
import { decode, namedKinds, singleBlocks, singleKinds } from "./decode";
import { isDenyOnly } from "./ineffective-rules";
import { Patterns, separator } from "./patterns";
import type { Position } from "./syntax";
import { PolicyError } from "./syntax";
import type { Kind } from "./vocabulary";
import { capabilities, implied, levels, pluginLevels, shorthands } from "./vocabulary";

/** The permissions of one pattern, or of one block without a name. */
export interface Granted {
  /** The pattern of names. For variables, `name` is the pattern of namespaces, and `path` the pattern of paths. */
  readonly name: string;
  readonly path?: string;
  readonly capabilities: ReadonlySet<string>;
  /** Whether a word is unknown, so a missing permission is uncertain. */
  readonly hasUnknown: boolean;
  /** The unknown levels. With any of them, everything except a deny is uncertain. */
  readonly unknownLevels: ReadonlySet<string>;
}

/** The combined permissions of a token's policies. */
export interface Grants {
  readonly named: { readonly [kind in NamedKind]: Patterns<Granted> };
  /** The permissions for variables, by namespace and path, joined by the separator. */
  readonly variables: Patterns<Granted>;
  /**
   * The merged level of each block without a name: a deny, or else the highest. "none": without a level, or with one that has no effect.
   * Undefined if no policy has the block.
   */
  readonly levels: { readonly [kind in SingleKind]?: Level };
  readonly operator: Granted;
  readonly sentinel: Granted;
  /** Whether a policy is unreadable, or has unknown blocks or names, so everything is uncertain. */
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

/** The permissions that one policy adds. "unknown": every server refuses its text, or drops a part of it, or no block is known. */
export type Contribution = KnownContribution | "unknown";

export interface KnownContribution {
  readonly parts: readonly Part[];
  readonly levels: readonly (readonly [SingleKind, Level])[];
  /** Whether the policy has unknown blocks, so it may grant more, or be refused. */
  readonly hasUnknown: boolean;
  /** Whether a block has names that the known servers ignore. A newer server may know them. */
  readonly hasIgnored?: boolean;
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
    hasUnknown: policy.unused.length + policy.strange.length > 0,
    hasIgnored: policy.ignored.length > 0,
  };
}

function part(kind: Exclude<Part["kind"], "variables">, name: string, block: Block): Part {
  const { at, policy, capabilities: words } = block;
  const level = policy?.text ?? "";
  const texts = [...words.map(({ text }) => text), ...(ownProperty(shorthands[kind] ?? {}, level) ?? [])];
  const all = kind === "namespace" ? texts.flatMap((one) => [one, ...(ownProperty(implied, one) ?? [])]) : texts;
  const unknownLevel = level !== "" && !levels.includes(level) ? level : undefined;
  const granted = { capabilities: [...new Set(all)], hasUnknown: hasUnknown(kind, texts), unknownLevel };
  return { kind, key: name, name, at, ...granted, isDenyOnly: isDenyOnly(block) };
}

/**
 * The permissions that a block for a path of variables adds. A deny removes the other capabilities of its own block, but nothing of other
 * blocks.
 */
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
export const grantsOf = rememberingBy(
  2000,
  (rules: readonly string[]) => JSON.stringify(rules),
  (rules): Grants => grantsOfAll(rules.map(contributionOf)),
);

/** The permissions of a token with these policies on the known servers, which ignore unknown names in blocks. */
export function grantsByKnownServers(rules: readonly string[]): Grants {
  return grantsOfAll(rules.map(contributionOf).map((one) => (one === "unknown" ? one : { ...one, hasIgnored: false })));
}

export function grantsOfAll(all: readonly Contribution[]): Grants {
  const known = all.filter((one) => one !== "unknown");
  const parts = known.flatMap((one) => one.parts).map((part) => ({ kind: part.kind, key: part.key, granted: grantedBy(part) }));
  const levels = known.flatMap((one) => one.levels);
  return mergeGrants(parts, levels, all.length > known.length || known.some((one) => one.hasUnknown || one.hasIgnored));
}

/** The permissions of a block alone. Except for variables, a deny removes all others. */
function grantedBy({ kind, name, path, capabilities: words, hasUnknown: isOpen, unknownLevel }: Part): Granted {
  const isDenied = kind !== "variables" && words.includes("deny");
  return {
    name,
    ...(path !== undefined && { path }),
    capabilities: new Set(isDenied ? ["deny"] : words),
    hasUnknown: isOpen && !isDenied,
    unknownLevels: new Set(isDenied || unknownLevel === undefined ? [] : [unknownLevel]),
  };
}

interface Permissions extends Pick<Part, "kind" | "key"> {
  readonly granted: Granted;
}

/** Merges the permissions of patterns, and levels. Among levels, a deny decides, or else the highest one. */
export function mergeGrants(all: readonly Permissions[], given: readonly (readonly [string, Level])[], isUnknown: boolean): Grants {
  const byKind = grouped(all, ({ kind }) => kind);
  const merged = (kind: Part["kind"]) => {
    const byKey = grouped(byKind.get(kind) ?? [], ({ key }) => key);
    const sum = (same: readonly Permissions[]) => same.map(({ granted }) => granted).reduce((one, other) => added(kind, one, other));
    return new Map([...byKey].map(([key, same]) => [key, sum(same)]));
  };
  const patterns = (kind: NamedKind | "variables") => new Patterns(merged(kind));
  const highest = singleKinds.flatMap((kind) => {
    const ranks = given.flatMap(([one, level]) => (one === kind ? [order.indexOf(level)] : []));
    const level = order[Math.max(-1, ...ranks)];
    return level === undefined ? [] : [[kind, level] as const];
  });
  return {
    named: { namespace: patterns("namespace"), node_pool: patterns("node_pool"), host_volume: patterns("host_volume") },
    variables: patterns("variables"),
    levels: Object.fromEntries(highest),
    operator: merged("operator").get("operator") ?? nothing("operator"),
    sentinel: merged("sentinel").get("sentinel") ?? nothing("sentinel"),
    isUnknown,
  };
}

function nothing(name: string): Granted {
  return { name, capabilities: new Set(), hasUnknown: false, unknownLevels: new Set() };
}

/** Adds up two permissions for one pattern. Except for variables, a deny of either removes all others. */
function added(kind: Part["kind"], one: Granted, other: Granted): Granted {
  const denied = kind === "variables" ? undefined : [one, other].find(({ capabilities: words }) => words.has("deny"));
  return (
    denied ?? {
      ...one,
      capabilities: new Set([...one.capabilities, ...other.capabilities]),
      hasUnknown: one.hasUnknown || other.hasUnknown,
      unknownLevels: new Set([...one.unknownLevels, ...other.unknownLevels]),
    }
  );
}
