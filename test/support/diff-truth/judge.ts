/** Compares the report of `diff` on a change with the true effect of the change. */
import type { Change } from "./draw";
import { isSame, placeOf, type Thing } from "./parts";
import { type Fate, fatesOf } from "./truth";
import { worldsOf } from "./worlds";
import { isHidden } from "./written";

/** The report of the command, with the kinds of all its findings. */
export interface Said {
  readonly kinds: readonly string[];
  readonly findings: readonly { readonly kinds: readonly string[]; readonly text: string }[];
}

/** An error in the report: the violated implication (see `wrongOf`), the holder, and a right that shows it. */
export interface Wrong {
  readonly what: "silent gain" | "silent management" | "silent loss" | "no doubt" | "false alarm";
  readonly who: string;
  readonly right: string;
}

/** The kinds that can report a loss. */
const losing: readonly string[] = ["narrowed", "failing", "dangling", "undecided"];

/**
 * The violated implications. Each must hold for all possible values of the hidden parts. In the first two, the finding must name the holder,
 * or an object that its permissions come from (see `names`):
 *
 * 1. If somebody gains a right, or a token that is valid in more regions or for longer, a finding has `widened`, `management` or `undecided`.
 * 2. If somebody can do everything who could not before, a finding has `management`. A token made by hand that combines the changed object
 *    with others is no such case.
 * 3. If somebody loses a right or such validity, the report has `narrowed`, `failing`, `dangling` or `undecided`.
 * 4. If a gain or a loss depends on hidden parts, the report has `undecided`, or reports it as certain.
 * 5. If nothing is hidden, and only texts without an effect change, or names of roles with all references to them, the report has no kind.
 */
export function wrongOf(change: Change, said: Said, tries: number): Wrong[] {
  const { kinds } = said;
  const fates = worldsOf(change, tries).map((world) => fatesOf(world, change.form));
  const all = fates.flatMap((one) => [...one]);
  const isSaid = ({ names }: Fate, ...some: string[]) =>
    said.findings.some((finding) => finding.kinds.some((kind) => some.includes(kind)) && isAbout(finding, names, change));
  const first = (what: Wrong["what"], right: (fate: Fate, who: string) => string | undefined): Wrong[] => {
    for (const [who, fate] of all) {
      const found = right(fate, who);
      if (found !== undefined) return [{ what, who, right: found }];
    }
    return [];
  };
  return [
    ...first("silent gain", (fate) => (isSaid(fate, "widened", "management", "undecided") ? undefined : fate.gains)),
    ...first("silent management", (fate) => (fate.gainsManagement && !isSaid(fate, "management") ? "everything" : undefined)),
    ...(kinds.some((kind) => losing.includes(kind)) ? [] : first("silent loss", ({ loses }) => loses)),
    ...(kinds.includes("undecided")
      ? []
      : first("no doubt", (fate, who) => doubtOf(fates, fate, who, (kind) => isSaidOf(change, said, who, kind)))),
    ...(kinds.length > 0 && isNoChange(change) ? [{ what: "false alarm" as const, who: "nobody", right: kinds.join(", ") }] : []),
  ];
}

/** Whether a finding names one of the objects, or is undecided because of an object with a hidden part. */
function isAbout({ kinds, text }: Said["findings"][number], names: readonly string[], { before, after, hidden }: Change): boolean {
  const has = (name: unknown) => text.includes(`\`${name}\``) || text.includes(`"${name}"`);
  if (hidden.length > 0 && text.includes("[secret]")) return true;
  if (!kinds.includes("undecided")) return names.some(has);
  const hiding = [...before, ...after].filter(({ urn }) => hidden.some((one) => one.urn === urn));
  // Exports know an object with a hidden name by no other name, and a rule by several of its parts.
  const labels = hiding.flatMap(({ urn, id, properties: { name } }) => [name, id, placeOf(urn), ""]);
  return [...names, ...labels].some(has) || (hiding.some(({ kind }) => kind === "AclBindingRule") && text.includes("rule "));
}

/**
 * A gain or loss of a holder in only some of the worlds, unless a finding reports it as certain: such a finding says too much, but hides
 * nothing.
 */
function doubtOf(
  fates: readonly ReadonlyMap<string, Fate>[],
  fate: Fate,
  who: string,
  isSaid: (kind: "widened" | "narrowed") => boolean,
): string | undefined {
  const differs = (of: "gains" | "loses") => fate[of] !== undefined && fates.some((one) => one.get(who)?.[of] === undefined);
  if (differs("gains") && !isSaid("widened")) return `gains ${fate.gains}`;
  return differs("loses") && !isSaid("narrowed") ? `loses ${fate.loses}` : undefined;
}

/**
 * Whether a finding of the kind names the holder, as far as its name is known. For a login, the finding may name any object except a token.
 */
function isSaidOf({ before, after }: Change, { findings }: Said, who: string, kind: string): boolean {
  const isOf = ({ urn, id, kind: ofKind, properties: { name } }: Thing) =>
    who.startsWith("login") ? ofKind !== "AclToken" : [urn, id, name].some((one) => who.endsWith(` ${one}`));
  const names = [...before, ...after].filter(isOf).map(({ properties }) => `\`${properties.name}\``);
  if (who.startsWith("token")) names.push("`[secret]`");
  return findings.some(({ kinds, text }) => kinds.includes(kind) && names.some((name) => text.includes(name)));
}

/**
 * Whether the objects differ only in texts that no right depends on. The name of a role is such a text if all references to the role
 * follow.
 */
export function isNoChange({ before, after, hidden, form }: Change): boolean {
  const hides = (things: readonly Thing[], side: "before" | "after") =>
    hidden.some((one) => things.some((thing) => isHidden(thing, one, side)));
  if (hides(before, "before") || hides(after, "after") || before.length !== after.length) return false;
  // Without IDs, the order of rules is unknown: a rule for management may come after a rule that fails for some claims.
  if (form === "export" && [...before, ...after].some(isComputed)) return false;
  const [old, now] = [new Meaning(before, form), new Meaning(after, form)];
  return before.every((thing) => {
    const twin = after.find(({ urn }) => urn === thing.urn);
    return twin !== undefined && twin.id === thing.id && isSame(old.of(thing), now.of(twin));
  });
}

const isComputed = ({ properties: { bindName } }: Thing) => typeof bindName === "string" && bindName.includes("$");

/** The meaning of objects, without texts for people. If IDs are unknown, names identify roles and tokens. */
class Meaning {
  private readonly ids: ReadonlyMap<unknown, string>;

  constructor(things: readonly Thing[], form: Change["form"]) {
    const roles = things.filter(({ kind }) => kind === "AclRole" && form !== "export" && !things.some(isComputed));
    this.ids = new Map(roles.map(({ id, properties }) => [properties.name, id]));
    this.hasIds = form !== "export";
  }

  private readonly hasIds: boolean;

  of({ kind, properties, hasEnded }: Thing): unknown {
    const { description, name, policies, roles, rules, bindName, ...rest } = properties;
    const called = (text: unknown) => this.ids.get(text) ?? text;
    const set = (list: unknown) => (Array.isArray(list) ? [...new Set(list.map(called))].sort() : list);
    return {
      ...rest,
      name: kind === "AclToken" && this.hasIds ? "" : kind === "AclRole" ? called(name) : name,
      policies: Array.isArray(policies) ? [...new Set(policies)].sort() : policies,
      roles: set(roles),
      rules: typeof rules === "string" ? rules.replace("# again\n", "").trim() : rules,
      bindName: rest.bindType === "role" ? called(bindName) : bindName,
      hasEnded,
    };
  }
}
