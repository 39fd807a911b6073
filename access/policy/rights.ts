/** What a token with some policies may do, as a list. */
import type { SingleKind } from "./decode";
import type { Granted, Grants, Level } from "./grants";
import { grantsOf } from "./grants";
import type { Patterns } from "./patterns";

/** What is granted to the names that a pattern stands for. */
export interface NamedRights {
  /** A name, or a pattern with `*`. */
  readonly name: string;
  /** In alphabetical order, shorthands expanded: "deny" alone if one policy denies all. */
  readonly capabilities: readonly string[];
  /** There is a word that we don't know: a newer server may allow more, or with an unknown level anything. */
  readonly isUndecided: boolean;
}

export interface VariableRights extends NamedRights {
  /** The namespace is `name`. */
  readonly path: string;
}

/** What a token with some policies may do. Names stand before patterns, and patterns in the order in which they decide. */
export interface Rights {
  readonly namespaces: readonly NamedRights[];
  readonly variables: readonly VariableRights[];
  readonly nodePools: readonly NamedRights[];
  readonly hostVolumes: readonly NamedRights[];
  /** Levels of blocks without names; "none" gives nothing. A block that no policy has is missing. */
  readonly levels: { readonly [kind in SingleKind]?: Level };
  /** The capabilities of operators and Sentinel in addition to their level. */
  readonly operator: readonly string[];
  readonly sentinel: readonly string[];
  /** A policy can't be read, so it may allow anything. */
  readonly isUndecided: boolean;
}

/** What a token with these policies may do, merged as servers merge it. */
export function rightsOf(rules: readonly string[]): Rights {
  return rightsOfGrants(grantsOf(rules));
}

function rightsOfGrants({ named, variables, levels, operator, sentinel, isUnknown }: Grants): Rights {
  return {
    namespaces: listed(named.namespace),
    variables: variables.all.map((granted) => ({ ...rights(granted), path: granted.path ?? "" })),
    nodePools: listed(named.node_pool),
    hostVolumes: listed(named.host_volume),
    levels,
    operator: rights(operator).capabilities,
    sentinel: rights(sentinel).capabilities,
    isUndecided: isUnknown,
  };
}

function listed(patterns: Patterns<Granted>): readonly NamedRights[] {
  return patterns.all.map(rights);
}

function rights({ name, capabilities, hasUnknown, unknownLevels }: Granted): NamedRights {
  return { name, capabilities: [...capabilities].sort(), isUndecided: hasUnknown || unknownLevels.size > 0 };
}
