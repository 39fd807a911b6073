/** Denies without an effect for a holder of several policies: another policy has a more exact pattern, or the same path of variables. */
import { compareGrants } from "./compare";
import type { Contribution, Part } from "./grants";
import { contributionOf, grantsOfAll } from "./grants";
import { compareRanks, intersection, matches } from "./patterns";
import type { Position } from "./syntax";

export interface NamedRules {
  readonly name: string;
  readonly rules: string;
}

/** A block of one of the policies, such as `namespace "prod-*"`. */
export interface PolicyBlock {
  readonly policy: string;
  readonly block: string;
  readonly at: Position;
}

export interface IdleDeny extends PolicyBlock {
  /** The block of another policy that allows a part of what the deny denies. */
  readonly other: PolicyBlock;
  /** Whether the other block has the same path of variables, rather than a more exact one. */
  readonly isSame: boolean;
}

/**
 * The denies without any effect, although another policy allows a part of what they deny. Every answer stays the same if they are removed,
 * singly or together. A deny of something that no other policy names is not included. The list is empty if a policy is unreadable, or has
 * unknown blocks or names.
 */
export function idleDenies(policies: readonly NamedRules[]): IdleDeny[] {
  const all = policies.map(({ rules }) => contributionOf(rules));
  const parts = all.flatMap((one, place) => partsOf(one).map((part) => ({ name: policies[place]?.name ?? "", part })));
  const denied = new Set(parts.flatMap(({ part }) => (part.capabilities.includes("deny") ? [placeOf(part)] : [])));
  const before = grantsOfAll(all);
  let left: readonly Contribution[] = all;
  const idle = new Map<string, boolean>();
  /** Denies of the same place are tried together: removing only one of several never changes an answer. */
  const isIdle = (deny: Part) => {
    const place = placeOf(deny);
    const known = idle.get(place);
    if (known !== undefined) return known;
    const without = left.map((one) => withoutDenies(one, place));
    const isNeedless = !without.some((one) => takesAt(one, place)) && compareGrants(before, grantsOfAll(without)).relation === "equal";
    if (isNeedless) left = without;
    idle.set(place, isNeedless);
    return isNeedless;
  };
  return parts.flatMap(({ name, part }) => {
    if (!part.isDenyOnly) return [];
    const allows = (other: Part) => allowsWithin(part, other) && (other.kind === "variables" || !denied.has(placeOf(other)));
    const rival = parts.find((other) => other.name !== name && allows(other.part));
    if (!rival || !isIdle(part)) return [];
    return [{ ...placed(name, part), other: placed(rival.name, rival.part), isSame: rival.part.key === part.key }];
  });
}

function partsOf(contribution: Contribution): readonly Part[] {
  return contribution === "unknown" ? [] : contribution.parts;
}

function withoutDenies(contribution: Contribution, place: string): Contribution {
  if (contribution === "unknown") return contribution;
  return { ...contribution, parts: contribution.parts.filter((part) => placeOf(part) !== place || !part.isDenyOnly) };
}

/**
 * Whether other blocks of a place deny or allow anything. For questions about any namespace ("*"), such blocks matter even if another
 * pattern decides about each single namespace.
 */
function takesAt(contribution: Contribution, place: string): boolean {
  const takes = ({ kind, capabilities }: Part) => (kind === "variables" ? capabilities.includes("deny") : capabilities.length > 0);
  return partsOf(contribution).some((part) => placeOf(part) === place && takes(part));
}

function placeOf({ kind, key }: Part): string {
  return `${kind} ${key}`;
}

/** Whether a part allows something within the deny's pattern, and is more exact than the deny or adds to it. */
function allowsWithin(deny: Part, { kind, key, capabilities }: Part): boolean {
  if (kind !== deny.kind || capabilities.length === 0 || capabilities.includes("deny")) return false;
  if (key === deny.key) return kind === "variables";
  if (!deny.key.includes("*")) return false;
  if (!key.includes("*")) return matches(deny.key, key);
  return compareRanks(key, deny.key) < 0 && (intersection(deny.key, key) ?? []).length > 0;
}

function placed(policy: string, { kind, name, path, at }: Part): PolicyBlock {
  return { policy, block: kind === "variables" ? `path "${path}" of namespace "${name}"` : `${kind} "${name}"`, at };
}
