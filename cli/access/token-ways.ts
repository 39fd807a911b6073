/** The tokens with a right, and the kinds of objects missing from a source. */
import { ownProperty } from "../../common/own-property";
import { uuid } from "../../common/uuid";
import { type InventoryObject, isUncertain, secretMarker } from "../inventory/inventory";
import { type Link, linksIn } from "../inventory/links";
import { printable, table } from "../table";
import type { AccessModel } from "./model";
import { type Right, RightFinder } from "./rights";
import { factsOf, type TokenFacts } from "./tokens";
import { questionsOf, type Target } from "./ways";

/** A token that gives the target, or may give it. */
export interface TokenWay {
  readonly name: string;
  readonly id?: string;
  /** The grant, such as `management`, or the policies that allow a right. */
  readonly gives: string;
  readonly expirationTime?: string;
  /** The lifetime from its creation on, if the time of its end is unknown. */
  readonly expirationTtl?: string;
  /** "undecided" if a part of the token, of its roles or of its policies is unknown. */
  readonly allows: true | "undecided";
}

/** The properties that are relevant for a target. For a role, policies are irrelevant. */
const decidingOf = ({ kind }: Target): readonly string[] => (kind === "role" ? ["type", "roles"] : ["type", "policies", "roles"]);

/** @param now tokens that expire by this time give nothing */
export function tokenWays(model: AccessModel, target: Target, objects: readonly InventoryObject[], now: Date): TokenWay[] {
  const finder = new RightFinder(model, questionsOf(target));
  // A role whose name is secret or unknown is its ID, which is not known to give anything: its label may be a description.
  const roleNames = new Map(
    objects.flatMap(({ kind, id, outputs: { name } }) => {
      if (kind !== "AclRole" || id === undefined) return [];
      return [[id.toLowerCase(), typeof name === "string" && !isUncertain(name) ? name : id]];
    }),
  );
  const takenNames = new Set(roleNames.values());
  return objects
    .filter(({ kind }) => kind === "AclToken")
    .flatMap((object): TokenWay[] => {
      const { id, name } = object;
      const facts = factsOf(object);
      const { time, ttl, hidden = [] } = facts;
      if (time && Date.parse(time) <= now.getTime()) return [];
      const own = { name, ...(id !== undefined && { id }), ...(time ? { expirationTime: time } : ttl && { expirationTtl: ttl }) };
      const unknown = hidden.filter((part) => decidingOf(target).includes(part));
      if (unknown.length > 0) return [{ ...own, gives: `not known: ${unknown.join(" and ")}`, allows: "undecided" }];
      // A token holds roles by ID. A role may have been renamed, and another role may have its old name.
      const nameOf = ({ id: held, name: shown }: Link) => roleNames.get(held) ?? (takenNames.has(shown) ? held : shown || held);
      const roles = linksIn(object.outputs)?.map(nameOf) ?? facts.roles.map((role) => roleNames.get(role.toLowerCase()) ?? role);
      const given = givenBy({ ...facts, roles }, { model, target, finder });
      return given ? [{ ...own, ...given }] : [];
    });
}

interface Search {
  readonly model: AccessModel;
  readonly target: Target;
  readonly finder: RightFinder;
}

function givenBy({ type, policies, roles }: TokenFacts, { model, target, finder }: Search): Pick<TokenWay, "gives" | "allows"> | undefined {
  const isOfRight = target.kind === "management" || target.kind === "right";
  if (type === "management") return isOfRight ? { gives: "management", allows: true } : undefined;
  const unknownRoles = roles.filter((role) => !Object.hasOwn(model.roles, role) && !model.isWhole.role);
  const open = unknownRoles.map((role) => `role ${role}`).join(", ");
  const all = [...new Set([...policies, ...roles.flatMap((role) => ownProperty(model.roles, role) ?? [])])];
  if (target.kind === "role") {
    if (roles.includes(target.name)) return { gives: `the role ${target.name}`, allows: true };
    const nameless = roles.filter((role) => uuid.test(role) || role === secretMarker).map((role) => `role ${role}`);
    return nameless.length > 0 ? { gives: `not known: ${nameless.join(", ")}`, allows: "undecided" } : undefined;
  }
  if (target.kind === "policy") {
    if (all.includes(target.name)) return { gives: `the policy ${target.name}`, allows: true };
    return open === "" ? undefined : { gives: `not known: ${open}`, allows: "undecided" };
  }
  const right = finder.byPolicies(all);
  if (!right) return open === "" ? undefined : { gives: `not known: ${open}`, allows: "undecided" };
  return ofRight(right, open);
}

function ofRight({ allows, ask, policies, unknown }: Right, open: string): Pick<TokenWay, "gives" | "allows"> {
  const doubts = [...unknown, ...(open === "" ? [] : [open])].join(", ");
  const gives =
    policies.length > 0
      ? `${ask} by ${policies.join(", ")}${doubts === "" ? "" : `, unless ${doubts} takes it away`}`
      : `not known: ${doubts}`;
  return { gives, allows: doubts === "" ? allows : "undecided" };
}

export function tokenLines(ways: readonly TokenWay[]): string[] {
  if (ways.length === 0) return [];
  const rows = ways.map(({ name, id, gives, expirationTime, expirationTtl, allows }) => [
    name,
    id ?? "",
    gives,
    expirationTime ?? (expirationTtl === undefined ? "without an end" : `not known: ${expirationTtl} after it was made`),
    allows === true ? "" : "not decided",
  ]);
  return ["", "These tokens get there without a login:", ...table([["TOKEN", "ACCESSOR", "GIVES", "UNTIL", "NOTE"], ...rows], "  ")];
}

const kinds = ["AclAuthMethod", "AclBindingRule", "AclRole", "AclPolicy", "AclToken"];

/**
 * The kinds that were not read.
 * @param isCluster whether all kinds were read except tokens, which have secrets
 */
export function notLookedAt(objects: readonly InventoryObject[], isCluster: boolean): string[] {
  return isCluster ? ["AclToken"] : kinds.filter((kind) => !objects.some((object) => object.kind === kind));
}

export function notLookedAtLines(missing: readonly string[], source: string, isCluster: boolean): string[] {
  if (missing.length === 0) return [];
  const why = isCluster
    ? "a cluster's tokens are not read. To include them, write an export with `--full`, `--only AclToken` and `--only` for each other kind, and give it by --export"
    : `${source} has none`;
  return ["", printable(`Not looked at: ${missing.join(", ")} (${why}).`)];
}
