/**
 * A policy's text as blocks and their values, decoded as servers do: known names in any letter case, repeated blocks merged or listed, and
 * unknown names skipped.
 */
import { remembering } from "../remembering";
import { parse } from "./parse";
import type { Item, Position, Token, Value } from "./syntax";
import { isName, itemsNamed, PolicyError, textOf } from "./syntax";

/** A word of a policy with its position. */
export interface Word {
  readonly text: string;
  readonly at: Position;
}

/** The permissions of a block. */
export interface Block {
  readonly at: Position;
  /** The shorthand: `policy = "read"`. */
  policy?: Word;
  readonly capabilities: Word[];
}

export interface NamedBlock extends Block {
  name: Word;
}

export interface NamespaceBlock extends NamedBlock {
  variables?: { readonly at: Position; readonly paths: NamedBlock[] };
}

export const namedKinds = ["namespace", "node_pool", "host_volume"] as const;
export const singleKinds = ["agent", "node", "operator", "sentinel", "quota", "plugin"] as const;
export type NamedKind = (typeof namedKinds)[number];
export type SingleKind = (typeof singleKinds)[number];
/** The blocks with capabilities in addition to the shorthand. */
export const withCapabilities: readonly string[] = [...namedKinds, "operator", "sentinel"];

/** A policy as written: nothing is expanded or checked. */
export interface DecodedPolicy {
  readonly namespace: NamespaceBlock[];
  readonly node_pool: NamedBlock[];
  readonly host_volume: NamedBlock[];
  readonly single: { [kind in SingleKind]?: Block };
  /** The outermost names and labels that servers refuse, because they are unknown, repeated or too many. */
  readonly unused: readonly Token[];
  /** The unknown outermost blocks. */
  readonly strange: readonly Item[];
  /** The unknown names in blocks, which servers ignore. */
  readonly ignored: readonly { readonly block: string; readonly item: Item }[];
}

/** The blocks without a name. */
export function singleBlocks({ single }: DecodedPolicy): { readonly kind: SingleKind; readonly block: Block }[] {
  return singleKinds.flatMap((kind) => (single[kind] ? [{ kind, block: single[kind] }] : []));
}

/**
 * Decodes a policy.
 *
 * @throws PolicyError for invalid syntax, a value with the wrong type, or a block without its name
 */
export const decode = remembering(1000, (rules: string): DecodedPolicy => new Decoder(parse(rules)).policy());

/** Several items together: the content of a block, or the blocks of one name. */
interface Items {
  readonly kind: "items";
  readonly at: Position;
  readonly items: readonly Item[];
}

type Node = Value | Item | Items;

/** The readers for the values of each name in a block. Blocks with labels are read together, then each other value. */
type Fields = { readonly [name: string]: (node: Node) => unknown };

class Decoder {
  private readonly ignored: { block: string; item: Item }[] = [];

  constructor(private readonly root: readonly Item[]) {}

  policy(): DecodedPolicy {
    const decoded = { namespace: [] as NamespaceBlock[], node_pool: [] as NamedBlock[], host_volume: [] as NamedBlock[] };
    const single: DecodedPolicy["single"] = {};
    const fields: { [name: string]: (node: Node) => unknown } = {
      namespace: (node) => decoded.namespace.push(...blocks(node).map((one) => this.namespace(one))),
      node_pool: (node) => decoded.node_pool.push(...blocks(node).map((one) => this.named("node_pool", one))),
      host_volume: (node) => decoded.host_volume.push(...blocks(node).map((one) => this.named("host_volume", one))),
    };
    for (const kind of singleKinds) {
      fields[kind] = (node) => {
        const block = single[kind] ?? { at: node.at, capabilities: [] };
        this.fill(kind, node, this.blockFields(kind, block));
        single[kind] = block;
      };
    }
    refuseUnlabeled(this.root);
    this.read(this.root, fields);
    const strange = this.root.filter((item) => !isKnown(item, fields));
    return { ...decoded, single, unused: unusedIn(this.root), strange, ignored: this.ignored };
  }

  private namespace(node: Node): NamespaceBlock {
    const block: NamespaceBlock = { at: node.at, name: label(node), capabilities: [] };
    const namespace = `namespace "${block.name.text}"`;
    this.fill(namespace, node, {
      ...this.blockFields("namespace", block),
      variables: (variables) => {
        block.variables ??= { at: variables.at, paths: [] };
        const { paths } = block.variables;
        this.fill(`variables of ${namespace}`, variables, {
          path: (path) => paths.push(...blocks(path).map((one) => this.named("path", one, ` of ${namespace}`))),
        });
      },
    });
    return block;
  }

  private named(kind: string, node: Node, where = ""): NamedBlock {
    const block: NamedBlock = { at: node.at, name: label(node), capabilities: [] };
    this.fill(`${kind} "${block.name.text}"${where}`, node, this.blockFields(kind, block));
    return block;
  }

  private blockFields(kind: string, block: Block): Fields {
    const capabilities = (node: Node) => block.capabilities.push(...elements(node).map((one) => word("a capability", one)));
    const policy = (node: Node) => {
      block.policy = word("policy", node);
    };
    if (kind === "path") return { capabilities };
    return withCapabilities.includes(kind) ? { policy, capabilities } : { policy };
  }

  /** Reads the content of a block. */
  private fill(block: string, node: Node, fields: Fields): void {
    const items = inside(block, node);
    this.read(items, fields);
    this.ignored.push(...items.filter((item) => !isKnown(item, fields)).map((item) => ({ block, item })));
  }

  private read(items: readonly Item[], fields: Fields): void {
    for (const [name, readOne] of Object.entries(fields)) {
      const found = itemsNamed(items, name);
      const labeled = found.filter(({ keys }) => keys.length > 0);
      const [first] = labeled;
      if (first) readOne({ kind: "items", at: first.at, items: labeled });
      for (const { keys, value, at } of found) {
        if (keys.length === 0) readOne(value.kind === "object" ? { kind: "items", at, items: value.items } : value);
      }
    }
  }
}

function isKnown({ keys: [key] }: Item, fields: Fields): boolean {
  return key !== undefined && Object.keys(fields).some((name) => isName(textOf(key), name));
}

/** The elements of a list, or of blocks that replace a list. */
function elements(node: Node): readonly Node[] {
  if (node.kind === "items") return node.items;
  if (node.kind === "list") return node.values;
  if (node.kind === "object") return [node];
  throw new PolicyError("this must be a list in brackets, or blocks", node.at);
}

/** Items as list elements. With two labels, the second may be a name within the block: JSON does not distinguish the two. */
function blocks(node: Node): readonly Node[] {
  return elements(node).map((one) => {
    if (one.kind !== "item") return one;
    const [name, inner, ...more] = one.keys;
    if (!name || !inner || more.length > 0) return one;
    return { ...one, keys: [name], value: { kind: "object", at: inner, items: [{ ...one, keys: [inner], at: inner }] } };
  });
}

/** The items in a block. */
function inside(block: string, node: Node): readonly Item[] {
  if (node.kind === "items" || node.kind === "object") return node.items;
  if (node.kind === "item" && node.value.kind === "object") return node.value.items;
  if (node.kind === "item" && node.value.kind === "literal") return [node];
  throw new PolicyError(`${block} must be a block, with names and values in braces`, node.at);
}

function label(node: Node): Word {
  if (node.kind !== "item") throw new PolicyError("this must be a block with a name in double quotes before its brace", node.at);
  const [key] = node.keys;
  return { text: key ? textOf(key) : "", at: node.at };
}

function word(what: string, node: Node): Word {
  if (node.kind !== "literal") throw new PolicyError(`${what} must be a text in double quotes`, node.at);
  return { text: textOf(node.token), at: node.at };
}

/** Refuses blocks without a required label. Servers look for paths without a label only in the first block of variables. */
function refuseUnlabeled(root: readonly Item[]): void {
  for (const kind of namedKinds) refuseWithout(kind, root);
  for (const { value } of itemsNamed(root, "namespace")) {
    const [variables] = value.kind === "object" ? itemsNamed(value.items, "variables") : [];
    if (variables?.value.kind === "object") refuseWithout("path", variables.value.items);
  }
}

function refuseWithout(block: string, items: readonly Item[]): void {
  const unlabeled = itemsNamed(items, block).find(({ keys }) => keys.length === 0);
  if (unlabeled) throw new PolicyError(`a ${block} has no name: write ${block} "..." { ... }`, unlabeled.at);
}

/**
 * The outermost names that servers refuse: unknown blocks, and labels after the name. A block without a name may appear once, and only the
 * first block with a name of each kind may have the kind in capitals.
 */
function unusedIn(root: readonly Item[]): Token[] {
  const seen = new Set<NamedKind | SingleKind>();
  return root.flatMap(({ keys }) => {
    const [first] = keys;
    const text = first ? textOf(first) : "";
    const single = singleKinds.find((one) => isName(text, one));
    const kind = single ?? namedKinds.find((one) => isName(text, one));
    if (!kind || (single && seen.has(kind))) return keys;
    const isRefused = first && seen.has(kind) && text !== kind;
    seen.add(kind);
    return [...(isRefused ? [first] : []), ...keys.slice(single ? 1 : 2)];
  });
}
