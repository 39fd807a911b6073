/** The permissions of other policies that a policy denies. */
import { granting } from "./allow";
import type { RightsDifference } from "./compare";
import { compareGrants } from "./compare";
import type { Contribution, KnownContribution } from "./grants";
import { contributionOf, grantsOfAll } from "./grants";

const words = (kind: Parameters<typeof granting>[0]) => `capabilities = ${JSON.stringify(granting(kind))}`;
/**
 * Policies that each allow everything of one kind. A deny of an operator capability does not lower a level, so capabilities have a
 * policy of their own.
 */
const others: readonly Contribution[] = [
  `namespace "*" { ${words("namespace")} variables { path "*" { ${words("path")} } } }
  node_pool "*" { policy = "write" } host_volume "*" { policy = "write" } plugin { policy = "read" }
  ${["agent", "node", "operator", "quota"].map((kind) => `${kind} { policy = "write" }`).join(" ")}`,
  `operator { ${words("operator")} } sentinel { ${words("sentinel")} }`,
].map(contributionOf);

/**
 * Compares the permissions of a token that has these policies and also others that allow everything. Only denies, names without
 * any permission and the plugin level `write` count. A policy that allows only some permissions for a name also removes the others that
 * wider patterns give there, but that is not a deny. An unknown part of a policy does not affect its denies.
 */
export function compareDenials(before: readonly string[], after: readonly string[]): readonly RightsDifference[] {
  const [old, now] = [before.map(knownPart), after.map(knownPart)];
  const [oldDenials, newDenials] = [old.map(denialsOf), now.map(denialsOf)];
  // Most policies deny nothing.
  if ([...oldDenials, ...newDenials].every(({ parts, levels }) => parts.length + levels.length === 0)) return [];
  const denied = new Set(withOthers(oldDenials, newDenials).map(textOf));
  const all = denied.size > 0 ? withOthers(old, now) : [];
  return [...new Map(all.map((one) => [textOf(one), one])).values()].filter((one) => denied.has(textOf(one)));
}

const nothing = { parts: [], levels: [], hasUnknown: false } as const;

function knownPart(rules: string) {
  const contribution = contributionOf(rules);
  return contribution === "unknown" ? nothing : { ...contribution, hasUnknown: false, hasIgnored: false };
}

function withOthers(before: readonly KnownContribution[], after: readonly KnownContribution[]): RightsDifference[] {
  return [...others, ofDenied([...before, ...after])].flatMap(
    (other) => compareGrants(grantsOfAll([other, ...before]), grantsOfAll([other, ...after])).differences,
  );
}

/**
 * A policy that allows everything on the denied patterns themselves. On such a pattern, another policy can take permissions from this one
 * only by a deny, and not by being more exact.
 */
function ofDenied(all: readonly KnownContribution[]): Contribution {
  const denied = all.flatMap((one) => one.parts.filter(({ capabilities }) => capabilities.includes("deny")));
  const parts = denied.flatMap((part) =>
    part.kind === "namespace" || part.kind === "node_pool" || part.kind === "host_volume"
      ? [{ ...part, capabilities: granting(part.kind), hasUnknown: false, unknownLevel: undefined, isDenyOnly: false }]
      : [],
  );
  // Permission to write and mount volumes needs this level, too, which the compared policies may gain or lose.
  return { ...nothing, parts, levels: [["plugin", "read"]] };
}

function textOf({ question, ...difference }: RightsDifference): string {
  return JSON.stringify(difference);
}

function denialsOf(contribution: KnownContribution): KnownContribution {
  return {
    parts: contribution.parts.filter(({ capabilities, hasUnknown, unknownLevel }) => {
      return capabilities.includes("deny") || (capabilities.length === 0 && !hasUnknown && unknownLevel === undefined);
    }),
    // The level "write" of plugins allows nothing, and takes "read" from other policies, because it is the higher one.
    levels: contribution.levels.filter(([kind, level]) => level === "deny" || (kind === "plugin" && level === "write")),
    hasUnknown: false,
  };
}
