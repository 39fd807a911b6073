/** What becomes of rights: rules of policies change, and who has which policies; and which policies go while others name them. */
import { isDeepStrictEqual } from "node:util";
import { targetsOf } from "../../access/graph";
import { grantsAllow } from "../../access/policy/allow";
import { compareRights, type RightsComparison, type RightsDifference } from "../../access/policy/compare";
import { compareDenials } from "../../access/policy/denials";
import { equalRules } from "../../access/policy/equal";
import { grantsOf } from "../../access/policy/grants";
import { ownProperty } from "../../common/own-property";
import { type InventoryObject, isUncertain } from "../inventory/inventory";
import type { PreviewedChange } from "../inventory/preview";
import type { ComparedModel } from "./comparable";
import type { AccessModel, PolicyJob } from "./model";
import { anonymous, isAtOrAbove, likeManagement, managementBy, policiesOfJob } from "./rights";
import { jobText } from "./rights-words";
import { type TokenChange, type Tokens, tokenChanges, tokensOf } from "./token-changes";
import { labelOf } from "./words";

/**
 * Who has policies. `policy` is whoever else has this one: by a rule, or by a token that is not among the objects. `everybody` needs no token,
 * and `tasks` have those of their job.
 */
export interface PolicyHolder {
  readonly kind: "role" | "token" | "policy" | "everybody" | "tasks";
  readonly name: string;
  /** Which token it is: several may have one name. */
  readonly key: string;
  /** All policies that it has. */
  readonly policies: readonly string[];
  /** Those that it names, without those of its roles. */
  readonly own: readonly string[];
  /** Of a token. */
  readonly roles: readonly string[];
  /** What it may do is not that of policies that are known: it is one of management, or a part of it is a secret. */
  readonly isOther?: boolean;
  /** Another token has its name. */
  readonly hasNamesake?: boolean;
  /** Of tasks. */
  readonly job?: PolicyJob;
}

/** What a holder's tokens may do after a change of rules, or of the policies that it has. */
export interface RightsChange extends RightsComparison {
  readonly holder: PolicyHolder;
  /** Its policies of which the rules change, and those that it gets or no longer has. */
  readonly changed: readonly string[];
  /** Policies and roles of which it is not known what they allow, before the change or after it: they may allow more, or take away. */
  readonly unknown: readonly string[];
  /** The only side on which those are not known. */
  readonly unknownSide?: "before" | "after";
  /** It may do everything from now on, and could not before, as far as that is known: by rules that one side alone knows, or are undecided. */
  readonly mayManage?: true;
  /** Why it may do everything from now on, if it may, and could not before. */
  readonly management?: string;
}

/** A policy or a role that takes more or less than before from whoever has others beside it, as tokens that were made by hand may. */
export interface DenialChange {
  readonly kind: "policy" | "role";
  readonly name: string;
  /** Without what is said of its own holders. */
  readonly differences: readonly RightsDifference[];
}

/** A policy that goes while others name it. */
export interface PolicyGone {
  readonly name: string;
  readonly roles: readonly string[];
  readonly tokens: readonly string[];
  readonly rules: readonly string[];
}

export interface PolicyChanges {
  readonly tokens: readonly TokenChange[];
  readonly rights: readonly RightsChange[];
  /** Policies of which the rules change, and that allow the same as before to each of their holders: `alone` by themselves, too. */
  readonly same: readonly { readonly name: string; readonly alone: boolean }[];
  readonly denials: readonly DenialChange[];
  readonly gone: readonly PolicyGone[];
}

export function policyChanges(
  before: ComparedModel,
  after: ComparedModel,
  { before: old, after: now, unchanged }: PreviewedChange,
): PolicyChanges {
  const names = [...new Set([...Object.keys(before.policyFacts), ...Object.keys(after.policyFacts)])].sort();
  const kept = new Set(
    now.objects.flatMap(({ kind, urn, outputs }) => (kind === "AclPolicy" && urn && unchanged.has(urn) ? [outputs.name] : [])),
  );
  const changed = new Set(names.filter((name) => !kept.has(name) && mayDiffer(before, after, name)));
  const known = [...changed].filter((name) => ownProperty(before.policyFacts, name));
  const tokens = tokensOf(old.objects, now.objects);
  // Tasks of a place have the policies of all that it is within, also if one side alone names the place.
  const jobs = [before, after].flatMap(({ policyFacts }) => Object.values(policyFacts).flatMap(({ job }) => job ?? []));
  const was = holdersOf(before, old.objects, { tokens: tokens.old, changed: known, jobs });
  const is = holdersOf(after, now.objects, { tokens: tokens.now, changed: known, jobs });
  // One that has no known name may be any that is missing.
  const areNamed = !now.objects.some(({ kind, outputs }) => kind === "AclPolicy" && isUncertain(outputs.name));
  const comparison = new RightsComparer(before, after, { changed, areNamed });
  const all = [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => comparison.of(was.get(key), is.get(key)) ?? []);
  const ofTasks = all.filter(({ holder }) => holder.job);
  const rights = all.filter((change) => !change.holder.job || !ofTasks.some((other) => other !== change && isWithinAlike(change, other)));
  const isSame = ({ relation, unknown }: RightsChange) => relation === "equal" && unknown.length === 0;
  const differing = new Set(rights.filter((change) => !isSame(change)).flatMap((change) => change.changed));
  const denials = [
    ...known.flatMap((name) => comparison.denialsOf("policy", name, rights)),
    ...Object.keys(before.roles).flatMap((name) => comparison.denialsOf("role", name, rights)),
  ];
  const denying = new Set(denials.flatMap(({ kind, name }) => (kind === "policy" ? [name] : [])));
  const same = known.filter((name) => {
    const isOther = differing.has(name) || denying.has(name);
    return ownProperty(after.policyFacts, name) && !isOther && rights.some((change) => change.changed.includes(name));
  });
  return {
    tokens: tokenChanges(tokens),
    rights,
    denials,
    same: same.map((name) => ({ name, alone: comparison.isEqual(name) })),
    gone: names.filter((name) => !ownProperty(after.policyFacts, name)).flatMap((name) => goneOf(name, after, [...is.values()])),
  };
}

/** Whether the same is said of tasks of a place that this one is within. */
function isWithinAlike({ holder, ...change }: RightsChange, { holder: { job }, ...other }: RightsChange): boolean {
  return job !== undefined && holder.job !== undefined && isAtOrAbove(job, holder.job) && isDeepStrictEqual(change, other);
}

/** Whether the rules of a policy change, or may. */
function mayDiffer(before: AccessModel, after: AccessModel, name: string): boolean {
  const [old, now] = [before, after].map(({ policyFacts }) => ownProperty(policyFacts, name)?.rules);
  return old === undefined || now === undefined || !equalRules(old, now);
}

class RightsComparer {
  private readonly known = new Map<string, Omit<RightsChange, "holder">>();

  constructor(
    private readonly before: AccessModel,
    private readonly after: AccessModel,
    private readonly facts: { readonly changed: ReadonlySet<string>; readonly areNamed: boolean },
  ) {}

  /** Undefined if neither the policies change nor their rules, or nothing is known of them. Who is on one side alone had nothing, or has not. */
  of(was: PolicyHolder | undefined, is: PolicyHolder | undefined): RightsChange | undefined {
    const holder = is ?? was;
    // Nobody had a role that is new: what comes by it is said of the logins that get it.
    if (!holder || was?.isOther || is?.isOther || (!(was && is) && (holder.kind === "role" || holder.kind === "policy"))) return undefined;
    const [old, now] = [was, is].map((side) => ({ policies: side?.policies ?? [], roles: side?.roles ?? [] }));
    if (!old || !now) return undefined;
    const key = JSON.stringify([old, now]);
    const found = this.known.get(key) ?? this.compare(old, now);
    this.known.set(key, found);
    return found.changed.length > 0 ? { holder, ...found } : undefined;
  }

  /** Whether a policy by itself allows the same on both sides. */
  isEqual(name: string): boolean {
    const one = { policies: [name], roles: [] };
    return this.compare(one, one).relation === "equal";
  }

  /** Of a role, by the policies that it gets or no longer has: what their rules take is said of them. */
  denialsOf(kind: DenialChange["kind"], name: string, rights: readonly RightsChange[]): DenialChange[] {
    const policies = ({ roles }: AccessModel) => {
      return kind === "policy" ? [name] : (ownProperty(roles, name) ?? []).filter((one) => !this.facts.changed.has(one));
    };
    const [old, now] = [policies(this.before), policies(this.after)];
    if (kind === "role" && isDeepStrictEqual(old, now)) return [];
    const [was, is] = [old.map((one) => ownProperty(this.before.policyFacts, one)?.rules), now.map((one) => this.rulesAfter(one))];
    if ([...was, ...is].includes(undefined)) return [];
    const isSaid = new Set(
      rights
        .filter(({ holder, changed }) => (kind === "policy" ? changed.includes(name) : holder.key === `role ${name}`))
        .flatMap((change) => change.differences.map(placeOf)),
    );
    const all = compareDenials(
      was.flatMap((one) => one ?? []),
      is.flatMap((one) => one ?? []),
    );
    const differences = all.filter((one) => !isSaid.has(placeOf(one)));
    return differences.length > 0 ? [{ kind, name, differences }] : [];
  }

  private compare(old: Held, now: Held): Omit<RightsChange, "holder"> {
    const all = [...new Set([...now.policies, ...old.policies])];
    const changed = all.filter((name) => this.facts.changed.has(name) || !(old.policies.includes(name) && now.policies.includes(name)));
    const none = { changed: [], unknown: [], relation: "equal", differences: [] } as const;
    if (changed.length === 0) return none;
    const texts = all.map((name) => ({
      name,
      old: old.policies.includes(name) ? ownProperty(this.before.policyFacts, name)?.rules : "",
      now: now.policies.includes(name) ? this.rulesAfter(name) : "",
    }));
    const known = texts.flatMap((text) => (text.old === undefined || text.now === undefined ? [] : [{ old: text.old, now: text.now }]));
    if (known.length === 0 && !changed.some((name) => this.isDescribed(name))) return none;
    const missing = [
      ...old.roles.filter((role) => !ownProperty(this.before.roles, role)),
      // A role that goes gives nothing.
      ...now.roles.filter((role) => !ownProperty(this.after.roles, role) && !ownProperty(this.before.roles, role)),
    ];
    const [rulesBefore, rulesAfter] = [known.map((text) => text.old), known.map((text) => text.now)];
    const management = managementBy(this.after, rulesAfter);
    const sides = [texts.filter((text) => text.old === undefined), texts.filter((text) => text.now === undefined)] as const;
    const unknownSide = missing.length > 0 ? undefined : sides[1].length === 0 ? "before" : sides[0].length === 0 ? "after" : undefined;
    const unknown = [...new Set([...sides.flat().map(({ name }) => name), ...missing])];
    const [allBefore, allAfter] = [texts.flatMap((text) => text.old ?? []), texts.flatMap((text) => text.now ?? [])];
    const mayManage = managementBy(this.before, allBefore) === undefined && managementMayBe(this.after, allBefore, allAfter);
    return {
      changed,
      unknown,
      ...(unknown.length > 0 && unknownSide && { unknownSide }),
      ...(mayManage && { mayManage }),
      ...compareRights(rulesBefore, rulesAfter),
      ...(management !== undefined && managementBy(this.before, rulesBefore) === undefined && { management }),
    };
  }

  private isDescribed(name: string): boolean {
    return [this.before, this.after].some(({ policyFacts }) => ownProperty(policyFacts, name) !== undefined);
  }

  /** A policy that goes allows nothing. */
  private rulesAfter(name: string): string | undefined {
    const facts = ownProperty(this.after.policyFacts, name);
    return facts ? facts.rules : this.facts.areNamed && ownProperty(this.before.policyFacts, name) ? "" : undefined;
  }
}

/** Whether rules equal management, or may, of which it was clear that they do not. */
function managementMayBe(model: AccessModel, before: readonly string[], after: readonly string[]): boolean {
  const [old, now] = [grantsOf(before), grantsOf(after)];
  const mayBe = likeManagement.some((one) => grantsAllow(old, one) === false && grantsAllow(now, one) === "undecided");
  return mayBe || managementBy(model, after) !== undefined;
}

type Held = Pick<PolicyHolder, "policies" | "roles">;

function goneOf(name: string, after: AccessModel, holders: readonly PolicyHolder[]): PolicyGone[] {
  const ofKind = (kind: PolicyHolder["kind"]) =>
    holders.filter((holder) => holder.kind === kind && holder.own.includes(name)).map((holder) => holder.name);
  const rules = after.rules
    .filter(({ bindType, bindName }) => bindType === "policy" && bindName === name)
    .map((rule) => labelOf(after, rule));
  const gone = { name, roles: ofKind("role"), tokens: ofKind("token"), rules };
  return gone.roles.length + gone.tokens.length + rules.length > 0 ? [gone] : [];
}

/**
 * Roles, tokens, whoever has a policy by a rule, everybody, and the tasks of jobs. A policy that changes and that nobody here has may be that
 * of tokens that were made by hand.
 */
function holdersOf(
  model: AccessModel,
  objects: readonly InventoryObject[],
  { tokens: byKey, changed, jobs }: { tokens: Tokens; changed: readonly string[]; jobs: readonly PolicyJob[] },
): Map<string, PolicyHolder> {
  const roleNames = new Map(objects.flatMap(({ kind, id, outputs }) => (kind === "AclRole" && id ? [[id, outputs.name] as const] : [])));
  const nameOf = (role: string) => (Object.hasOwn(model.roles, role) ? role : String(roleNames.get(role) ?? role));
  const holder = (kind: PolicyHolder["kind"], name: string, own: readonly string[], more: Partial<PolicyHolder> = {}): PolicyHolder => {
    return { kind, name, key: `${kind} ${name}`, policies: own, own, roles: [], ...more };
  };
  const tokens = [...byKey].map(([key, { name, facts, hasNamesake }]) => {
    const roles = facts.roles.map(nameOf);
    const policies = [...new Set([...facts.policies, ...roles.flatMap((role) => ownProperty(model.roles, role) ?? [])])];
    const isOther = facts.type === "management" || facts.isUnknown === true;
    return holder("token", name, facts.policies, { key: `token ${key}`, policies, roles, isOther, hasNamesake });
  });
  const named = [...Object.entries(model.roles).map(([name, policies]) => holder("role", name, policies)), ...tokens];
  const methods = new Map(model.methods.map((method) => [method.name, method]));
  const rules = model.rules.filter(({ bindType }) => bindType === "policy");
  const given = rules.flatMap((rule) => targetsOf(rule, methods.get(rule.authMethod), model).map(({ to }) => to));
  const held = new Set(named.flatMap(({ own }) => own));
  const alone = changed.filter((name) => !held.has(name) && name !== anonymous && !ownProperty(model.policyFacts, name)?.job);
  return new Map(
    [
      ...named,
      ...[...new Set([...given, ...alone])].map((name) => holder("policy", name, [name])),
      ...(ownProperty(model.policyFacts, anonymous) ? [holder("everybody", anonymous, [anonymous])] : []),
      ...jobs.map((job) => holder("tasks", jobText(job), policiesOfJob(model, job), { job })),
    ].map((one) => [one.key, one]),
  );
}

/** Where a right is, and whether it is more or less. */
function placeOf({ ask, namespace, path, name, after }: RightsDifference): string {
  return JSON.stringify([namespace ?? ask.split(":")[0], path, name, after === true]);
}

/** The differences of one direction. */
export function differencesTo(isMore: boolean, differences: readonly RightsDifference[]): RightsDifference[] {
  return differences.filter(({ before, after }) => (isMore ? after === true : before === true && after === false));
}
