/** Several policies, merged to what a token with all of them is granted. */
import { remembering } from "../remembering";
import { isEmpty, isMalformed } from "./check";
import { type Block, type DecodedPolicy, decode, type NamedKind, namedKinds, type SingleKind, singleKinds } from "./decode";
import { Patterns, separator } from "./patterns";
import { PolicyError } from "./syntax";
import { capabilities, implied, type Kind, levels, pluginLevels, shorthands } from "./vocabulary";

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

/** A text as it is read: undefined if no server that we know takes it. */
const read = remembering(2000, (rules: string): DecodedPolicy | "nothing" | "unknown" => {
  if (rules === "") return "nothing";
  try {
    const policy = decode(rules);
    return isEmpty(policy) || isMalformed(policy) ? "unknown" : policy;
  } catch (error) {
    if (error instanceof PolicyError) return "unknown";
    throw error;
  }
});

const rank: readonly Level[] = ["none", "list", "read", "write", "undecided", "deny"];

/** What a token with these policies is granted. Their order makes no difference. */
export function grantsOf(rules: readonly string[]): Grants {
  const merged = new Merged();
  const texts = rules.map(read);
  for (const policy of texts) if (typeof policy !== "string") merged.add(policy);
  const { namespace, node_pool, host_volume } = merged.named;
  return {
    named: { namespace: new Patterns(namespace), node_pool: new Patterns(node_pool), host_volume: new Patterns(host_volume) },
    variables: new Patterns(merged.variables),
    levels: merged.levels,
    operator: merged.operator,
    sentinel: merged.sentinel,
    isUnknown: texts.includes("unknown"),
  };
}

class Merged {
  readonly named = {
    namespace: new Map<string, Granted>(),
    node_pool: new Map<string, Granted>(),
    host_volume: new Map<string, Granted>(),
  };
  readonly variables = new Map<string, Granted>();
  readonly levels: { [kind in SingleKind]?: Level } = {};
  readonly operator = nothing("operator");
  readonly sentinel = nothing("sentinel");

  add(policy: DecodedPolicy): void {
    for (const kind of namedKinds) {
      for (const block of policy[kind]) merge(kind, entry(this.named[kind], block.name.text, nothing(block.name.text)), block);
    }
    for (const { name, variables } of policy.namespace) {
      for (const path of variables?.paths ?? []) {
        const key = `${name.text}${separator}${path.name.text}`;
        addVariables(entry(this.variables, key, { ...nothing(name.text), path: path.name.text }), path);
      }
    }
    for (const kind of singleKinds) {
      const block = policy.single[kind];
      if (!block) continue;
      this.levels[kind] = highest(this.levels[kind], levelOf(kind, block));
      if (kind === "operator" || kind === "sentinel") merge(kind, this[kind], block);
    }
  }
}

function nothing(name: string): Granted {
  return { name, capabilities: new Set(), hasUnknown: false, unknownLevels: new Set() };
}

function entry<T>(map: Map<string, T>, key: string, added: T): T {
  const known = map.get(key) ?? added;
  map.set(key, known);
  return known;
}

/** Adds a block to what its pattern grants. A deny takes all of the pattern away, whichever policy has it. */
function merge(kind: Kind, granted: Granted, { policy, capabilities: words }: Block): void {
  const level = policy?.text ?? "";
  const added = [...words.map(({ text }) => text), ...(shorthands[kind]?.[level] ?? [])];
  const all = kind === "namespace" ? added.flatMap((one) => [one, ...(implied[one] ?? [])]) : added;
  for (const capability of all) granted.capabilities.add(capability);
  granted.hasUnknown ||= hasUnknown(kind, added);
  if (level !== "" && !levels.includes(level)) granted.unknownLevels.add(level);
  if (!granted.capabilities.has("deny")) return;
  granted.capabilities.clear();
  granted.capabilities.add("deny");
  granted.hasUnknown = false;
  granted.unknownLevels.clear();
}

/** Adds a path to what it grants. A deny takes away what stands beside it in its block, and nothing of others. */
function addVariables(granted: Granted, { capabilities: words }: Block): void {
  const texts = words.map(({ text }) => text);
  const isDeny = texts.includes("deny");
  granted.hasUnknown ||= !isDeny && hasUnknown("path", texts);
  const all = isDeny ? ["deny"] : texts.includes("read") ? [...texts, "list"] : texts;
  for (const capability of all) granted.capabilities.add(capability);
}

function hasUnknown(kind: Kind, words: readonly string[]): boolean {
  return words.some((word) => !capabilities[kind]?.includes(word));
}

function levelOf(kind: SingleKind, { policy }: Block): Level {
  const text = policy?.text ?? "";
  const known = kind === "plugin" ? pluginLevels : levels;
  if (text !== "" && !known.includes(text)) return "undecided";
  return rank.find((level) => level === text) ?? "none";
}

function highest(a: Level | undefined, b: Level): Level {
  return a !== undefined && rank.indexOf(a) > rank.indexOf(b) ? a : b;
}
