/** The permissions of a token with some policies, as a list. */
import type { SingleKind } from "./decode";
import type { Granted, Grants, Level } from "./grants";
import { grantsOf } from "./grants";
import type { Patterns } from "./patterns";

/** The permissions for the names of a pattern. */
export interface NamedRights {
  /** A name, or a pattern with `*`. */
  readonly name: string;
  /** In alphabetical order, with shorthands expanded. Only "deny" if a policy denies everything and, for variables, no other allows anything. */
  readonly capabilities: readonly string[];
  /** Whether there is an unknown word: a newer server may allow more, or, with an unknown level, anything. */
  readonly isUndecided: boolean;
}

export interface VariableRights extends NamedRights {
  /** The path within the namespace `name`. */
  readonly path: string;
}

/** The permissions of a token with some policies. Names come before patterns, and patterns in the order in which they decide. */
export interface Rights {
  readonly namespaces: readonly NamedRights[];
  readonly variables: readonly VariableRights[];
  readonly nodePools: readonly NamedRights[];
  readonly hostVolumes: readonly NamedRights[];
  /** Levels of blocks without names. "none" grants nothing; a block that no policy has is left out. */
  readonly levels: { readonly [kind in SingleKind]?: Level };
  /** The capabilities of operators and Sentinel in addition to their level. */
  readonly operator: readonly string[];
  readonly sentinel: readonly string[];
  /** Whether a policy is unreadable, or has unknown blocks or names, so it may allow anything. */
  readonly isUndecided: boolean;
}

/** The permissions of a token with these policies, merged as servers merge them. */
export function rightsOf(rules: readonly string[]): Rights {
  return rightsOfGrants(grantsOf(rules));
}

function rightsOfGrants({ named, variables, levels, operator, sentinel, isUnknown }: Grants): Rights {
  return {
    namespaces: listed(named.namespace),
    variables: variables.all.map((granted) => ({ ...rights(withoutIdleDeny(granted)), path: granted.path ?? "" })),
    nodePools: listed(named.node_pool),
    hostVolumes: listed(named.host_volume),
    levels,
    operator: rights(operator).capabilities,
    sentinel: rights(sentinel).capabilities,
    isUndecided: isUnknown,
  };
}

/** A deny of variables takes nothing from other policies, unlike any other deny. */
function withoutIdleDeny(granted: Granted): Granted {
  const allowed = [...granted.capabilities].filter((capability) => capability !== "deny");
  return allowed.length > 0 ? { ...granted, capabilities: new Set(allowed) } : granted;
}

function listed(patterns: Patterns<Granted>): readonly NamedRights[] {
  return patterns.all.map(rights);
}

function rights({ name, capabilities, hasUnknown, unknownLevels }: Granted): NamedRights {
  return { name, capabilities: [...capabilities].sort(), isUndecided: hasUnknown || unknownLevels.size > 0 };
}
