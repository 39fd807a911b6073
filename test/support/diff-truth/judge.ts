/** Holds what `diff` says of a change against what is true of it. */
import type { Change } from "./draw";
import { isSame, type Thing } from "./parts";
import { type Fate, fatesOf } from "./truth";
import { worldsOf } from "./worlds";
import { isHidden } from "./written";

/** What the command says: the kinds of all that it found. */
export interface Said {
  readonly kinds: readonly string[];
  readonly findings: readonly { readonly kinds: readonly string[]; readonly text: string }[];
}

/** What is wrong of it: which of the implications below, of whom, and the right that shows it. */
export interface Wrong {
  readonly what: "silent gain" | "silent management" | "silent loss" | "no doubt" | "false alarm";
  readonly who: string;
  readonly right: string;
}

/**
 * What must hold, of all that the hidden parts may be:
 *
 * 1. Somebody gains a right, or a token that is valid in more regions or for longer: it is `widened`, `management` or `undecided`.
 * 2. Somebody can do everything who could not before: it is `management`. That is not asked of what only a hand-made token would have with others.
 * 3. Somebody loses a right or such validity: it is `narrowed`, `failing`, `dangling` or `undecided`.
 * 4. Whether somebody gains or loses depends on what is hidden: it is `undecided`.
 * 5. Nothing is hidden, and nothing changes but words, or names of roles that nobody misses: it is of no kind.
 */
export function wrongOf(change: Change, said: Said, tries: number): Wrong[] {
  const { kinds } = said;
  const fates = worldsOf(change, tries).map((world) => fatesOf(world, change.form));
  const all = fates.flatMap((one) => [...one]);
  const is = (...some: string[]) => kinds.some((kind) => some.includes(kind));
  const first = (what: Wrong["what"], right: (fate: Fate, who: string) => string | undefined): Wrong[] => {
    for (const [who, fate] of all) {
      const found = right(fate, who);
      if (found !== undefined) return [{ what, who, right: found }];
    }
    return [];
  };
  return [
    ...(is("widened", "management", "undecided") ? [] : first("silent gain", ({ gains }) => gains)),
    ...(is("management") ? [] : first("silent management", ({ gainsManagement }) => (gainsManagement ? "everything" : undefined))),
    ...(is("narrowed", "failing", "dangling", "undecided") ? [] : first("silent loss", ({ loses }) => loses)),
    ...(is("undecided") ? [] : first("no doubt", (fate, who) => doubtOf(fates, fate, who, (kind) => isSaidOf(change, said, who, kind)))),
    ...(kinds.length > 0 && isNoChange(change) ? [{ what: "false alarm" as const, who: "nobody", right: kinds.join(", ") }] : []),
  ];
}

/** What only some of the worlds have of somebody, if it is not said of them for certain: that is too much, and no silence. */
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

/** Whether a finding of that kind names a token, a role or a policy, as far as its name is known: of a login, whatever it may have. */
function isSaidOf({ before, after }: Change, { findings }: Said, who: string, kind: string): boolean {
  const isOf = ({ urn, id, kind: ofKind, properties: { name } }: Thing) =>
    who.startsWith("login") ? ofKind !== "AclToken" : [urn, id, name].some((one) => who.endsWith(` ${one}`));
  const names = [...before, ...after].filter(isOf).map(({ properties }) => `\`${properties.name}\``);
  if (who.startsWith("token")) names.push("`[secret]`");
  return findings.some(({ kinds, text }) => kinds.includes(kind) && names.some((name) => text.includes(name)));
}

/** Whether all objects are the same but for words that no right depends on: what roles are called, too, if all that names them follows. */
export function isNoChange({ before, after, hidden, form }: Change): boolean {
  const hides = (things: readonly Thing[], side: "before" | "after") =>
    hidden.some((one) => things.some((thing) => isHidden(thing, one, side)));
  if (hides(before, "before") || hides(after, "after") || before.length !== after.length) return false;
  // Where IDs are not known, the order of rules is not: one that gives management may come after one that fails for some claims.
  if (form === "export" && [...before, ...after].some(isComputed)) return false;
  const [old, now] = [new Meaning(before, form), new Meaning(after, form)];
  return before.every((thing) => {
    const twin = after.find(({ urn }) => urn === thing.urn);
    return twin !== undefined && twin.id === thing.id && isSame(old.of(thing), now.of(twin));
  });
}

const isComputed = ({ properties: { bindName } }: Thing) => typeof bindName === "string" && bindName.includes("$");

/** What objects mean, without their words for people. Without IDs, roles and tokens are known by their names. */
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
