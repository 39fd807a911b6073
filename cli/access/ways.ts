import { boundNames } from "../../access/graph";
import type { LoginMethod } from "../../access/login";
import { mappedNames, type Reach, reachOf } from "../../access/reach";
import { table } from "../table";
import type { AccessModel, Undecided } from "./model";
import { halfKnown, labelOf, nameless, selectorOf, undecidedTable } from "./words";

/** What somebody may want to get. */
export type Target = { readonly kind: "management" } | { readonly kind: "role" | "policy"; readonly name: string };

/** A rule by which logins get there. */
export interface Way {
  readonly method: string;
  /** Whether the source has the method. */
  readonly methodExists: boolean;
  /** The part of the method that is a secret, or is not known before an update. */
  readonly unknownPart?: string | undefined;
  /** Its ID; left out if it does not exist yet. */
  readonly id?: string;
  readonly label: string;
  readonly selector: string;
  /** By the mappings of the method alone: `always` matches every login, `never` none. */
  readonly matches: Reach;
  /** What it gives, such as `role deployers`. */
  readonly gives: string;
  /** The claims decide about the name: it is the wanted one for some of the logins that match. */
  readonly computed: boolean;
}

export interface Ways {
  readonly ways: readonly Way[];
  /** Rules, and for a policy roles, of which a part is not known, and which may lead there. */
  readonly undecided: readonly Undecided[];
  /** Whether the source has the role or policy. What does not exist, nobody gets. */
  readonly exists: boolean;
}

/** By which methods and selectors anyone gets there. */
export function waysTo(model: AccessModel, target: Target): Ways {
  const methods = new Map(model.methods.map((method) => [method.name, method]));
  const leading = leadingNames(model, target);
  const ways = model.rules.flatMap((rule): Way[] => {
    const method = methods.get(rule.authMethod);
    const half = method ? undefined : (halfKnown(model, "method", rule.authMethod) ?? nameless(model, "method"));
    const { bindType, bindName = "", selector = "" } = rule;
    const possible = bindType === "management" ? undefined : boundNames(bindName, method);
    const names = bindType === "management" ? [] : leading[bindType].filter((name) => possible?.test(name));
    const isThere = bindType === "management" ? target.kind === "management" : names.length > 0;
    if (!isThere) return [];
    return [
      {
        method: rule.authMethod,
        methodExists: method !== undefined || half !== undefined,
        ...(half && { unknownPart: half.part }),
        ...(!rule.isNew && { id: rule.id }),
        label: labelOf(model, rule),
        selector,
        matches: method ? reachOf(selector, mappedNames(method)) : half && selector === "" ? "always" : "depends",
        gives: bindType === "management" ? "management" : `${bindType} ${names.join(", ")}`,
        computed: possible?.isComputed === true,
      },
    ];
  });
  const isMissing = target.kind !== "management" && model.isWhole[target.kind] && !existing(model, target);
  const mayLead = (one: Undecided) => one.kind === "rule" && mayGive(one, { target, leading, method: methods.get(one.authMethod ?? "") });
  const undecided = model.undecided.filter((one) => (one.kind === "role" ? target.kind === "policy" : mayLead(one)));
  return { ways, undecided, exists: !isMissing };
}

type LeadingNames = Readonly<Record<"role" | "policy", readonly string[]>>;

/** Whether a rule of which a part is not known may lead to the target, by what is known of it. */
function mayGive(
  { bindType, bindName }: Undecided,
  { target, leading, method }: { target: Target; leading: LeadingNames; method: LoginMethod | undefined },
): boolean {
  const mayBe = (kind: string) => bindType === undefined || bindType === kind;
  if (target.kind === "management") return mayBe("management");
  // A role that is not known may hold the policy.
  const kinds = (["role", "policy"] as const).filter((kind) => mayBe(kind) && (target.kind === "policy" || kind === "role"));
  if (bindName === undefined) return kinds.length > 0;
  const names = boundNames(bindName, method);
  return kinds.some((kind) => leading[kind].some((name) => names?.test(name)));
}

function existing(model: AccessModel, { kind, name }: Exclude<Target, { kind: "management" }>): boolean {
  return kind === "role" ? Object.hasOwn(model.roles, name) : model.policies.includes(name);
}

/** The names of roles and policies that lead to the target. A policy comes by itself, or with a role. */
function leadingNames({ roles }: AccessModel, target: Target): LeadingNames {
  if (target.kind === "management") return { role: [], policy: [] };
  if (target.kind === "role") return { role: [target.name], policy: [] };
  return { role: Object.keys(roles).filter((role) => roles[role]?.includes(target.name)), policy: [target.name] };
}

const matchWords: Readonly<Record<Reach, string>> = {
  always: "every login, whatever its claims are",
  never: "no login: the method does not map what the selector wants",
  depends: "",
};

/** The ways for people. */
export function waysText({ source }: AccessModel, target: Target, { ways, undecided, exists }: Ways): string {
  const what = target.kind === "management" ? "management" : `the ${target.kind} ${target.name}`;
  const lines: string[] = [];
  if (!exists) lines.push(`${source}: ${what} does not exist, so no login gets it.`);
  if (ways.length === 0) lines.push(`${source}: no rule leads to ${what}.`);
  else {
    const rows = ways.map((way) => [way.method, selectorOf(way.selector), way.gives, way.label, notes(way, source)]);
    lines.push(`${source}: logins get ${what} by`, ...table([["METHOD", "SELECTOR", "GIVES", "RULE", ""], ...rows], "  "));
  }
  if (undecided.length > 0) {
    lines.push("", "Perhaps also by these, of which a part is a secret, or is not known before an update:");
    lines.push(...undecidedTable(undecided));
  }
  return lines.join("\n");
}

function notes({ method, methodExists, unknownPart, matches, computed }: Way, source: string): string {
  const notes = [
    methodExists ? "" : `${source} has no method ${method}`,
    matchWords[matches],
    unknownPart === undefined ? "" : `${unknownPart} of the method is a secret, or not known before an update`,
    computed ? "the claims decide about the name" : "",
  ];
  return notes.filter((note) => note !== "").join("; ");
}
