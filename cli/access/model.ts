import type { AccessObjects } from "../../access/graph";
import type { PoliciesByName, PolicyFacts } from "../../access/policy/management";

/** The objects of a source that affect logins. */
export interface AccessModel extends AccessObjects {
  /** The name of the source in messages. */
  readonly source: string;
  /**
   * Whether all objects of a kind are known. Only a cluster that was read can be whole: a program manages a part of it, and an export may
   * lack objects.
   */
  readonly isWhole: Readonly<Record<"method" | "role" | "policy", boolean>>;
  /** The known content of policies. A policy that is missing here has unknown permissions. */
  readonly policyFacts: PoliciesByName;
  /** Policies whose name is secret, or unknown before an update: each may be any missing policy, or `anonymous`. */
  readonly unnamedPolicies: readonly PolicyFacts[];
  /** Whether a role has a name that is secret, or unknown before an update: it may be any missing role. */
  readonly hasUnnamedRoles: boolean;
  /** Whether something could not be read. */
  readonly hasGaps: boolean;
  /** In words, the auth method or role of a narrowed model. Undefined for a whole one. */
  readonly part?: string;
  /** The deciding kinds without an object in a source that may lack objects. */
  readonly missingKinds: readonly string[];
  /** The names of the source's ACL objects of @pulumi/nomad, which are not in the model. */
  readonly bridged: readonly string[];
  /** The method for logins that name none. */
  readonly defaultMethod: string | undefined;
  /** The labels of rules: description, name in a program, ID, or grant. */
  readonly labels: ReadonlyMap<string, string>;
  /**
   * Objects that can't be taken into account: a part of them is secret, or unknown before an update, or another object has the same name.
   */
  readonly undecided: readonly Undecided[];
}

/** An object with an unknown part that affects logins. */
export interface Undecided {
  /** Such as `binding rule "engineers"`. */
  readonly object: string;
  readonly kind: "method" | "rule" | "role" | "policy";
  /** The label for people: the name in the program, if the name on the server is unknown. */
  readonly name: string;
  readonly isNameHidden?: true;
  /** For a rule: its auth method, if known. */
  readonly authMethod?: string;
  /** For a rule: the kind of its grant, if known. */
  readonly bindType?: string;
  /** For a rule: the bind name, if known. */
  readonly bindName?: string;
  /** For a role: the known ones of its policies. */
  readonly policies?: readonly string[];
  readonly urn?: string;
  /** Such as `selector`. */
  readonly part: string;
  /** Whether another object has its name or ID, so it is unknown which of the two will be on the cluster. */
  readonly isTwice?: true;
}
