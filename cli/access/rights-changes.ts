/** The effect of changed policies on the permissions of their holders, and the removed policies that are still named. */
import { isDeepStrictEqual } from "node:util";
import { policiesAllow } from "../../access/policy/allow";
import { compareHeld, compareRights, type RightsComparison, type RightsDifference } from "../../access/policy/compare";
import { compareDenials } from "../../access/policy/denials";
import { equalRules } from "../../access/policy/equal";
import { isAtOrAbove, likeManagement } from "../../access/policy/management";
import { ownProperty } from "../../common/own-property";
import { type ComparedModel, rolesGiven } from "./comparable";
import { keyOf } from "./finding";
import { Holders, movedOf, type PolicyHolder } from "./holders";
import { isReplaced, type Pair, type Rename } from "./pairs";
import { policyName } from "./read-model";
import { bringsManagement, isHidden, managementWords, mayGainManagement, mayManage, policiesOfRole } from "./rights";
import { type TokenChange, tokenChanges, tokensOf } from "./tokens";
import { lostUnknown, uncovered } from "./uncovered";
import { labelOf } from "./words";

/** The effect of changed rules, or of a holder's changed policies, on the permissions of its tokens. */
export interface RightsChange extends RightsComparison {
  readonly holder: PolicyHolder;
  /** The holder's policies whose rules change, and the policies that it gains or loses. */
  readonly changed: readonly string[];
  /** Policies and roles whose permissions are unknown before or after the change: they may allow more, or deny something. */
  readonly unknown: readonly string[];
  /** The side on which these are unknown, if the other side knows them. */
  readonly unknownSide?: "before" | "after";
  /** Set if it can't be excluded that the change lets the holder do everything. */
  readonly mayManage?: true;
  /** The reason why the holder can do everything after the change. Left out if the holder could before. */
  readonly management?: string;
}

/**
 * A policy or role that denies more or fewer permissions of other grants than before: tokens made by hand may hold both. Or a policy that
 * leaves a job: the tasks lose its denies, and may have other policies of that job.
 */
export interface DenialChange {
  readonly kind: "policy" | "role" | "tasks";
  readonly name: string;
  /** The differences. Findings about the object's own holders report some of them, which are left out here unless they bring management. */
  readonly differences: readonly RightsDifference[];
  /** Whether a token with it and other grants gets management, or may get it. */
  readonly isManaging: boolean;
}

/** A removed policy that others still name. */
export interface PolicyGone {
  readonly name: string;
  readonly roles: readonly string[];
  readonly tokens: readonly string[];
  readonly rules: readonly string[];
}

/** A token that is added, removed or changed. */
export interface TokenRightsChange extends TokenChange {
  /** Whether the token may be able to do everything after the change, because that can't be excluded. */
  readonly mayManage: boolean;
}

export interface PolicyChanges {
  readonly tokens: readonly TokenRightsChange[];
  readonly rights: readonly RightsChange[];
  /**
   * The old and new names of renamed roles, with the changes for logins, which get roles by name: another role, or none, may have had the
   * new name before, or have the old name now. Undefined for a name without a known change.
   */
  readonly byName: ReadonlyMap<string, RightsChange | undefined>;
  /** The old and new policies of these renamed roles, for tokens, which hold roles by ID. */
  readonly renamed: readonly Identity[];
  /** The added and removed policies, and the policies whose rules change, or may change. */
  readonly changed: readonly string[];
  readonly denials: readonly DenialChange[];
  readonly gone: readonly PolicyGone[];
  /** The names of the roles that rules may give after the change. */
  readonly given: ReadonlySet<string>;
  /** The roles that rules or tokens give, and that neither side has. */
  readonly otherRoles: readonly string[];
}

/** Both sides, with their objects paired. */
export interface Sides {
  readonly before: ComparedModel;
  readonly after: ComparedModel;
  readonly pairs: readonly Pair[];
  /** Renames that the objects of `before` do not have yet. */
  readonly renames: readonly Rename[];
}

export function policyChanges({ before, after, pairs, renames }: Sides): PolicyChanges {
  const names = [...new Set([...Object.keys(before.policyFacts), ...Object.keys(after.policyFacts)])].sort();
  const kept = new Set(
    pairs.flatMap(({ kind, after: now, isUntouched }) => (kind === "AclPolicy" && isUntouched && now ? [policyName(now)] : [])),
  );
  const changed = new Set(names.filter((name) => !kept.has(name) && mayDiffer(before, after, name)));
  const known = [...changed].filter((name) => ownProperty(before.policyFacts, name));
  const tokens = tokensOf(pairs);
  // Tasks of a place have the policies of all enclosing places, including places that only one side names.
  const jobs = [before, after].flatMap(({ policyFacts }) => Object.values(policyFacts).flatMap(({ job }) => (job?.namespace ? [job] : [])));
  const [was, is] = [
    new Holders(before, "before", { tokens, changed: known, jobs, renames }).all(),
    new Holders(after, "after", { tokens, changed: known, jobs, renames }).all(),
  ];
  // A policy with an unknown name may be any missing one.
  const areNamed = after.unnamedPolicies.length === 0;
  const comparison = new RightsComparer(before, after, { changed, moved: movedOf(was, is), areNamed });
  const all = [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => comparison.of(was.get(key), is.get(key)) ?? []);
  const keeps: Keeps = (holder, policy) => [was, is].every((side) => side.get(holder.key)?.policies.includes(policy));
  const ofTasks = all.filter(({ holder }) => holder.job);
  const rights = all
    .filter((change) => !isToldOfHolders(change, all, keeps, after))
    .filter((change) => !change.holder.job || !ofTasks.some((other) => other !== change && isWithinAlike(change, other)));
  const denials = [
    ...known.flatMap((name) => {
      // A finding about a new or former holder does not tell what others gain.
      const told = rights.filter(({ holder, changed: of }) => of.includes(name) && keeps(holder, name));
      return comparison.denialsOf("policy", name, { old: [name], now: [name] }, told);
    }),
    ...names
      .filter((name) => losesTasks(before, after, name))
      .flatMap((name) => {
        const told = rights.filter(({ holder, changed: of }) => holder.job && of.includes(name));
        return comparison.denialsOf("tasks", name, { old: [name], now: [] }, told);
      }),
    ...identities(before, after, pairs).flatMap(({ name, old, now }) => {
      const told = rights.filter(({ holder }) => holder.key === `role ${name}`);
      return comparison.denialsOf("role", name, { old, now }, told);
    }),
  ];
  const given = new Set(rolesGiven(after));
  const held = [...is.values()].flatMap(({ kind, roles }) => (kind === "token" ? roles : []));
  const isRenamed = ({ before: was, after: is }: Pair) =>
    renames.some((one) => one.before === was?.outputs.name && one.after === is?.outputs.name);
  return {
    tokens: tokenChanges(tokens).map((change) => {
      const holder = is.get(`token ${change.key}`);
      return { ...change, mayManage: holder?.isOther === true || (holder !== undefined && mayManage(after, holder.policies)) };
    }),
    rights,
    byName: new Map(renames.flatMap((one) => [one.before, one.after]).map((name) => [name, comparison.ofName(name)])),
    renamed: identities(before, after, pairs.filter(isRenamed)),
    denials,
    changed: [...changed],
    given,
    otherRoles: [...new Set([...given, ...held])].filter((name) => ![before, after].some(({ roles }) => Object.hasOwn(roles, name))),
    gone: names.filter((name) => !ownProperty(after.policyFacts, name)).flatMap((name) => goneOf(name, after, [...is.values()])),
  };
}

interface Identity extends Readonly<Record<"old" | "now", readonly string[]>> {
  /** The name after the change, or the name of a role that goes. */
  readonly name: string;
}

/** The policies of each role by its ID, by which tokens hold it. A role that goes, or is replaced, gives them nothing any more. */
function identities({ roles: were }: ComparedModel, { roles: are }: ComparedModel, pairs: readonly Pair[]): Identity[] {
  return pairs.flatMap((pair) => {
    if (pair.kind !== "AclRole") return [];
    const [before, after] = [pair.before, pair.after].map((object) => String(object?.outputs.name));
    const [old, now] = [ownProperty(were, before ?? ""), ownProperty(are, after ?? "")];
    if (!pair.before || !old || (pair.after && !now)) return [];
    return [{ name: String((pair.after ?? pair.before).outputs.name), old, now: isReplaced(pair) ? [] : (now ?? []) }];
  });
}

/** Whether a holder has a policy before and after the change. */
type Keeps = (holder: PolicyHolder, policy: string) => boolean;

/** Whether findings about a policy's holders cover all changes of the policy itself, which other tokens may have. */
function isToldOfHolders(change: RightsChange, all: readonly RightsChange[], keeps: Keeps, after: ComparedModel): boolean {
  const { kind, name, isGiven } = change.holder;
  if (kind !== "policy" || isGiven) return false;
  const isOpen = ({ relation, unknown }: RightsChange) => relation === "undecided" || unknown.length > 0;
  const isLoss = change.differences.every((one) => one.after === false) && !isOpen(change) && !manages(change);
  const isOnlyGone = isLoss && !Object.hasOwn(after.policyFacts, name);
  // A finding about a new or former holder does not tell what others gain or lose, except that a policy goes.
  const tells = (holder: PolicyHolder) => holder.kind !== "policy" && (isOnlyGone || keeps(holder, name));
  const others = all.filter(({ holder, changed }) => changed.includes(name) && tells(holder));
  const said = new Set(others.flatMap(({ differences }) => differences.map(keyOfDifference)));
  return (
    others.length > 0 &&
    change.differences.every((one) => said.has(keyOfDifference(one))) &&
    (!isOpen(change) || others.some(isOpen)) &&
    (!manages(change) || others.some(manages))
  );
}

/** Whether a holder gets all permissions, or may get them. */
export function manages({ management, mayManage: isPossible }: Omit<RightsChange, "holder">): boolean {
  return management !== undefined || isPossible === true;
}

/** Whether a finding about tasks of an enclosing place says the same. */
function isWithinAlike({ holder, ...change }: RightsChange, { holder: { job }, ...other }: RightsChange): boolean {
  return job !== undefined && holder.job !== undefined && isAtOrAbove(job, holder.job) && isDeepStrictEqual(change, other);
}

/** Whether the rules of a policy change, or may change. */
function mayDiffer(before: ComparedModel, after: ComparedModel, name: string): boolean {
  const [old, now] = [before, after].map(({ policyFacts }) => ownProperty(policyFacts, name)?.rules);
  return old === undefined || now === undefined || !equalRules(old, now);
}

/** Whether tasks that have a policy no longer have it after the change. */
function losesTasks({ policyFacts: were }: ComparedModel, { policyFacts: are }: ComparedModel, name: string): boolean {
  const [was, is] = [ownProperty(were, name)?.job, ownProperty(are, name)];
  return was !== undefined && is !== undefined && !(is.job && isAtOrAbove(is.job, was));
}

type Held = Pick<PolicyHolder, "policies" | "roles"> & { readonly perhaps: readonly string[] };

class RightsComparer {
  private readonly known = new Map<string, Omit<RightsChange, "holder">>();

  constructor(
    private readonly before: ComparedModel,
    private readonly after: ComparedModel,
    private readonly facts: { readonly changed: ReadonlySet<string>; readonly moved: readonly string[]; readonly areNamed: boolean },
  ) {}

  /**
   * The change for a holder. Undefined if neither its policies nor their rules change, if nothing is known of them, or if other findings
   * cover the holder. A holder on one side has no permissions on the other.
   */
  of(was: PolicyHolder | undefined, is: PolicyHolder | undefined): RightsChange | undefined {
    const holder = is ?? was;
    // Findings about logins and tokens cover a role or policy that only one side has.
    if (!holder || was?.isOther || is?.isOther || (!(was && is) && (holder.kind === "role" || holder.kind === "policy"))) return undefined;
    const heldOf = (side: PolicyHolder | undefined) => ({
      policies: side?.policies ?? [],
      roles: side?.roles ?? [],
      perhaps: side?.perhaps ?? [],
    });
    const [old, now] = [heldOf(was), heldOf(is)];
    const isShared = holder.kind === "role" || holder.kind === "policy";
    const key = JSON.stringify([old, now, isShared]);
    const found = this.known.get(key) ?? this.compare(old, now, isShared);
    this.known.set(key, found);
    return found.changed.length > 0 ? { holder, ...found } : undefined;
  }

  /** The change for logins that get a role by its name, whichever role has it. */
  ofName(name: string): RightsChange | undefined {
    const of = (model: ComparedModel): PolicyHolder | undefined => {
      const policies = policiesOfRole(model, name);
      return policies && { kind: "role", name, key: keyOf("role", name), policies, own: policies, roles: [] };
    };
    return this.of(of(this.before), of(this.after));
  }

  /**
   * The changed denies of a policy, or of a role by the policies that it gains or loses.
   * @param told the changes whose findings also tell of this policy or role
   */
  denialsOf(
    kind: DenialChange["kind"],
    name: string,
    { old, now }: Readonly<Record<"old" | "now", readonly string[]>>,
    told: readonly RightsChange[],
  ): DenialChange[] {
    if (kind === "role" && isDeepStrictEqual(old, now)) return [];
    // Policies with unknown rules are left out, because their own denies are unknown.
    const known = [...new Set([...old, ...now])].flatMap((one) => {
      const was = old.includes(one) ? ownProperty(this.before.policyFacts, one)?.rules : "";
      const is = now.includes(one) ? this.rulesAfter(one) : "";
      return was === undefined || is === undefined ? [] : [{ was, is }];
    });
    const isSaid = new Set(told.flatMap((change) => change.differences.map(keyOfDifference)));
    const all = compareDenials(
      known.map(({ was }) => was),
      known.map(({ is }) => is),
    );
    const brings = (one: RightsDifference) => bringsManagement(this.after, one);
    const differences = all.filter((one) => !isSaid.has(keyOfDifference(one)) || brings(one));
    return differences.length > 0 ? [{ kind, name, differences, isManaging: differences.some(brings) }] : [];
  }

  private compare(old: Held, now: Held, isShared: boolean): Omit<RightsChange, "holder"> {
    const all = [...new Set([...now.policies, ...old.policies])];
    const hidden = [...all.filter(isHidden), ...new Set([...old.perhaps, ...now.perhaps])];
    const unknownRoles = old.roles.filter((role) => !policiesOfRole(this.before, role));
    const lostRoles = unknownRoles.filter((role) => !now.roles.includes(role));
    const foundRoles = unknownRoles.filter((role) => policiesOfRole(this.after, role));
    // Their policies may have denied permissions of the others.
    const mayHaveDenied = lostRoles.length + foundRoles.length > 0;
    const moved = all.filter((name) => this.facts.changed.has(name) || !(old.policies.includes(name) && now.policies.includes(name)));
    const own = [...moved, ...(now.policies.length + now.roles.length > 0 ? lostRoles : [])];
    // An unreadable policy may be any changed one.
    const changed = own.length > 0 || hidden.length === 0 ? own : this.perhapsChanged(hidden);
    const none = { changed: [], unknown: [], relation: "equal", differences: [] } as const;
    if (changed.length === 0) return none;
    const texts = all.map((name) => ({
      name,
      old: old.policies.includes(name) ? ownProperty(this.before.policyFacts, name)?.rules : "",
      now: now.policies.includes(name) ? this.rulesAfter(name) : "",
    }));
    const known = texts.flatMap((text) => (text.old === undefined || text.now === undefined ? [] : [{ old: text.old, now: text.now }]));
    const [missingBefore, missingAfter] = this.missingOf(old, now);
    const [was, is] = [
      {
        rules: known.map((text) => text.old),
        unknown: [...texts.flatMap((text) => (text.old === undefined ? text.name : [])), ...missingBefore],
      },
      {
        rules: known.map((text) => text.now),
        unknown: [...texts.flatMap((text) => (text.now === undefined ? text.name : [])), ...missingAfter],
      },
    ];
    // A lost policy with unknown rules may have denied what the remaining unknown policies allow.
    const isOpen = lostUnknown(was, is).length > 0 && is.unknown.some((name) => was.unknown.includes(name));
    const areAllNamed = this.before.unnamedPolicies.length + this.after.unnamedPolicies.length === 0;
    const isNamed = hidden.length > 0 || !areAllNamed || changed.some((name) => this.isDescribed(name));
    if (known.length + foundRoles.length === 0 && !isNamed && !isOpen) return none;
    const management = managementWords(this.after, is.rules);
    const isMissing = missingBefore.length + missingAfter.length > 0;
    const unknownSide = isMissing ? undefined : is.unknown.length === 0 ? "before" : was.unknown.length === 0 ? "after" : undefined;
    const unknown = [...new Set([...was.unknown, ...is.unknown])];
    const gains = mayGainManagement(this.before, this.after, {
      old: old.policies.concat(old.perhaps),
      now: now.policies.concat(now.perhaps),
    });
    // Rules that are only known before the change may have been the deny.
    const wasKnown = texts.flatMap((text) => text.old ?? []);
    const isUncovered = unknown.length > 0 && uncovered(this.after, wasKnown, is.rules) === "everything";
    const canManage =
      gains ||
      isOpen ||
      isUncovered ||
      moved.some((name) => this.mayHaveDenied(name)) ||
      (mayHaveDenied && mayManage(this.after, now.policies));
    return {
      changed,
      unknown,
      ...(unknown.length > 0 && unknownSide && { unknownSide }),
      ...(canManage && { mayManage: true }),
      ...(isShared ? compareHeld : compareRights)(was.rules, is.rules),
      ...(management !== undefined && managementWords(this.before, was.rules) === undefined && { management }),
    };
  }

  /** Whether the old rules of a policy are hidden, or have an unknown part: they may deny what equals management and other grants allow. */
  private mayHaveDenied(name: string): boolean {
    const facts = ownProperty(this.before.policyFacts, name);
    if (!facts) return false;
    const { rules } = facts;
    return rules === undefined || likeManagement.some((question) => policiesAllow([rules], question) === "undecided");
  }

  /** The roles of each side that are not among the objects, and the policies of unknown jobs. */
  private missingOf(old: Held, now: Held): readonly [string[], string[]] {
    const isGone = (role: string) => ownProperty(this.before.roles, role) !== undefined;
    return [
      old.roles.filter((role) => !policiesOfRole(this.before, role)),
      // A removed role gives nothing.
      [...now.roles.filter((role) => !policiesOfRole(this.after, role) && !isGone(role)), ...now.perhaps],
    ];
  }

  private perhapsChanged(hidden: readonly string[]): string[] {
    const { changed, moved } = this.facts;
    return hidden.some(isHidden) ? [...new Set([...changed, ...moved])] : hidden.filter((name) => changed.has(name));
  }

  private isDescribed(name: string): boolean {
    return [this.before, this.after].some(({ policyFacts }) => ownProperty(policyFacts, name) !== undefined);
  }

  /** The rules of a policy after the change; undefined if unknown. A removed policy allows nothing. */
  private rulesAfter(name: string): string | undefined {
    const facts = ownProperty(this.after.policyFacts, name);
    return facts ? facts.rules : this.facts.areNamed && ownProperty(this.before.policyFacts, name) ? "" : undefined;
  }
}

function goneOf(name: string, after: ComparedModel, holders: readonly PolicyHolder[]): PolicyGone[] {
  const ofKind = (kind: PolicyHolder["kind"]) =>
    holders.filter((holder) => holder.kind === kind && holder.own.includes(name)).map((holder) => holder.name);
  const rules = after.rules
    .filter(({ bindType, bindName }) => bindType === "policy" && bindName === name)
    .map((rule) => labelOf(after, rule));
  const gone = { name, roles: ofKind("role"), tokens: ofKind("token"), rules };
  return gone.roles.length + gone.tokens.length + rules.length > 0 ? [gone] : [];
}

/** A key for what a finding has to say: each gained permission, and each place where permissions are lost. */
function keyOfDifference({ ask, namespace, path, name, after }: RightsDifference): string {
  const isGained = after === true;
  return JSON.stringify([isGained ? ask : (namespace ?? ask.split(":")[0]), namespace, path, name, isGained]);
}

/** The differences of one direction. */
export function differencesTo(isMore: boolean, differences: readonly RightsDifference[]): RightsDifference[] {
  return differences.filter(({ before, after }) => (isMore ? after === true : before === true && after === false));
}
