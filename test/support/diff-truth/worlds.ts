/** The possible changes behind a change with hidden parts. Each has other values in place of these parts. */
import { type Change, corrected, type Hidden, roleNames, valid, values } from "./draw";
import { linksAfter, linksBefore } from "./links";
import { isSame, type Properties, partAt, type Thing, withPart } from "./parts";
import { isHidden, isUntouched, type Side } from "./written";

/** A change without hidden parts. */
export interface World {
  readonly before: readonly Thing[];
  readonly after: readonly Thing[];
  /** The IDs of each token's roles, by its place in the program. */
  readonly links: Readonly<Record<Side, ReadonlyMap<string, readonly string[]>>>;
  /** The rules of every policy outside of the objects: the same on both sides, and in all worlds of a change. */
  readonly outside: string;
}

/** They have no denies and no patterns: `diff` does not report what these, or patterns against them, take from other grants. */
const outsides = ["agent", "node", "plugin", "quota"].map((kind) => `${kind} { policy = "read" }`);

/** The world as it was drawn, and up to `tries` others. Worlds that no server could have are left out. */
export function worldsOf(change: Change, tries: number): World[] {
  const real = withLinks(change, change.before, change.after);
  const next = numbers(change.seed);
  const isAny = change.hidden.some((one) =>
    (["before", "after"] as const).some((side) => change[side].some((thing) => isHidden(thing, one, side))),
  );
  if (!isAny) return [real];
  const others = Array.from({ length: tries }, () => drawnWorld(change, next));
  return [
    real,
    ...others.flatMap(([before, after]) => (areValid(before) && areValid(after) ? [withLinks(change, before, after, real)] : [])),
  ];
}

const areValid = (things: readonly Thing[]) => isSame(valid(things), [...things]);

function drawnWorld(change: Change, next: (below: number) => number): [Thing[], Thing[]] {
  const of = (side: Side, known: readonly Thing[]) =>
    change[side].map((thing) => {
      const twin = known.find((one) => one.urn === thing.urn);
      // An object that an update leaves as it is has the same values on both sides, including hidden ones.
      if (twin && isUntouched(change, thing.urn)) return { ...thing, properties: twin.properties };
      return change.hidden
        .filter((one) => isHidden(thing, one, side))
        .toSorted((a, b) => a.path.length - b.path.length)
        .reduce(
          (one, hidden) => withOther(one, hidden, change, twin && next(3) === 0 ? partAt(twin.properties, hidden.path) : undefined, next),
          thing,
        );
    });
  const before = of("before", []);
  return [before, of("after", before)];
}

/** @param same the value of the other side, if this side should have it as well */
function withOther(thing: Thing, { path }: Hidden, change: Change, same: unknown, next: (below: number) => number): Thing {
  const isNamed = thing.kind === "AclAuthMethod" || thing.kind === "AclPolicy";
  // Its ID reveals its name.
  if (isNamed && path[0] === "name" && change.form !== "export") return thing;
  const value = same ?? drawnValue(thing, path, next);
  if (value === undefined && partAt(thing.properties, path) === undefined) return thing;
  const properties =
    path[0] === "type" && value === "client"
      ? { ...thing.properties, policies: [thing.properties.policies].flat().length > 0 ? thing.properties.policies : ["adm"] }
      : thing.properties;
  // A reader who sees that a rule has no bind name knows that it gives management.
  const mayBeOther = properties.bindName !== "" || change.hidden.some((one) => one.urn === thing.urn && one.path[0] === "bindName");
  if (thing.kind === "AclBindingRule" && path[0] === "bindType" && !mayBeOther) return thing;
  return { ...thing, properties: only(thing, path, withPart(properties, path, value)) };
}

/**
 * Makes an object consistent after a change of its type: a management token has no lists, and a rule keeps its bind name, which is not
 * hidden.
 */
function only({ kind, properties: old }: Thing, [first]: readonly string[], now: Properties): Properties {
  if (first !== "bindType" && first !== "type") return now;
  return isSame(corrected(kind, now), now)
    ? now
    : kind === "AclToken" && now.type === "management"
      ? corrected(kind, now)
      : { ...now, bindName: old.bindName || "dev" };
}

function drawnValue({ kind, properties }: Thing, path: readonly string[], next: (below: number) => number): unknown {
  const pool = values[kind][path.join(".")];
  if (pool) return pool[next(pool.length)];
  const [first = "", second = ""] = path;
  if (first === "config") return { claimMappings: [{ team: "team" }, { job: "team" }][next(2)], listClaimMappings: { groups: "groups" } };
  if (first === "roles") return roleNames[next(roleNames.length)];
  if (first === "policies") return ["a", "b", "adm", "anonymous", "c"][next(5)];
  if (first === "jobAcl") return second === "namespace" ? ["default", "prod", "other"][next(3)] : ["j", "k"][next(2)];
  return properties[first];
}

function withLinks(change: Change, before: readonly Thing[], after: readonly Thing[], real?: World): World {
  const isShown = (thing: Thing, side: Side) =>
    change.form === "state" && real !== undefined && !change.hidden.some((one) => one.path[0] === "roles" && isHidden(thing, one, side));
  const of = (side: Side, things: readonly Thing[], links: (token: Thing) => readonly string[]) =>
    new Map(
      things.flatMap((one) =>
        one.kind === "AclToken" ? [[one.urn, (isShown(one, side) && real?.links[side].get(one.urn)) || links(one)] as const] : [],
      ),
    );
  return {
    before,
    after,
    outside: outsides[Math.abs(change.seed) % outsides.length] ?? "",
    links: {
      before: of("before", before, (token) => linksBefore(before, token)),
      after: of("after", after, (token) => linksAfter(before, after, token)),
    },
  };
}

/** Pseudo-random numbers from a seed, each below the given limit. */
function numbers(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
