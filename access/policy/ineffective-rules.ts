/** Rules that a deny in the same text makes ineffective, and denies that the same text makes ineffective. */
import { ownProperty } from "../../common/own-property";
import type { Block, DecodedPolicy, NamedBlock, Word } from "./decode";
import { namedKinds } from "./decode";
import type { Position } from "./syntax";
import type { Kind } from "./vocabulary";
import { capabilities, shorthands } from "./vocabulary";

export interface Idle {
  readonly at: Position;
  readonly message: string;
}

export function ineffectiveRules(policy: DecodedPolicy): Idle[] {
  const named = namedKinds.flatMap((kind) =>
    byName(policy[kind]).flatMap(([name, blocks]) =>
      blocks.some((block) => isDenied(block)) ? blocks.flatMap((block) => taken(kind, `${kind} "${name}"`, block)) : [],
    ),
  );
  const paths = byName(policy.namespace).flatMap(([namespace, blocks]) =>
    byName(blocks.flatMap(({ variables }) => variables?.paths ?? [])).flatMap(([path, all]) =>
      ofPath(`path "${path}" of namespace "${namespace}"`, all),
    ),
  );
  const single = (["operator", "sentinel"] as const).flatMap((kind) => {
    const block = policy.single[kind];
    if (!block || !isDenied(block)) return [];
    // A deny removes capabilities, but not the level of such a block.
    const { policy: level, ...others } = block;
    const [deny] = denies(others);
    const isAll = deny !== undefined && level?.text === "write";
    return isAll
      ? [{ at: deny.at, message: `${kind}: the deny has no effect, because the policy "write" allows everything: remove one of the two` }]
      : taken(kind, kind, others);
  });
  return [...named, ...paths, ...single];
}

/** The words of a block that a deny of the same name makes ineffective. Unknown words are left out. */
function taken(kind: Kind, what: string, { policy, capabilities: words }: Block): Idle[] {
  const given = words.filter(({ text }) => text !== "deny" && capabilities[kind]?.includes(text));
  const level = policy && policy.text !== "deny" && ownProperty(shorthands[kind] ?? {}, policy.text) ? [policy] : [];
  const [first, ...others] = [...level, ...given];
  if (!first) return [];
  const which = [first, ...others].map(({ text }) => `"${text}"`).join(", ");
  return [{ at: first.at, message: `${what}: a deny removes all its permissions, so ${which} has no effect: remove one of the two` }];
}

/** Variables add up over blocks: a deny removes only the other capabilities of its own block. */
function ofPath(what: string, blocks: readonly NamedBlock[]): Idle[] {
  const inBlocks = blocks.flatMap((block) => (isDenied(block) ? taken("path", what, block) : []));
  const isGiven = blocks.some((block) => !isDenied(block) && block.capabilities.length > 0);
  const alone = blocks.filter(isDenyOnly).flatMap((block) => denies(block).slice(0, 1));
  const message = `${what}: the deny has no effect, because this path is repeated and the permissions of both blocks add up: remove one of the two`;
  return [...inBlocks, ...(isGiven ? alone.map(({ at }) => ({ at, message })) : [])];
}

/** Whether a block denies and grants nothing else. */
export function isDenyOnly({ policy, capabilities: words }: Block): boolean {
  const texts = [policy?.text ?? "", ...words.map(({ text }) => text)].filter((text) => text !== "");
  return texts.length > 0 && texts.every((text) => text === "deny");
}

function isDenied(block: Block): boolean {
  return denies(block).length > 0;
}

function denies({ policy, capabilities: words }: Block): Word[] {
  return [...(policy ? [policy] : []), ...words].filter(({ text }) => text === "deny");
}

function byName<T extends NamedBlock>(blocks: readonly T[]): (readonly [string, readonly T[]])[] {
  const names = new Set(blocks.map(({ name }) => name.text));
  return [...names].map((name) => [name, blocks.filter((block) => block.name.text === name)] as const);
}
