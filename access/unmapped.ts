import { nearest } from "../common/nearest";
import type { LoginRule } from "./login";
import type { MappedNames, PartReach } from "./reach";
import { reachOf, reachOfPart } from "./reach";
import type { Condition, Part, Path } from "./selector";
import { claimAt, conditionOf, spelled } from "./selector";
import { namesIn } from "./template";

/** A claim that a rule refers to, although its auth method does not map it. No login has such a claim. */
export interface UnmappedClaim {
  /** The property of the rule. */
  readonly property: "selector" | "bindName";
  /** The name in the rule, such as `value.team`. */
  readonly claim: string;
  /** The effect on a login, as a clause. */
  readonly consequence: string;
  /** The claim that the author probably meant. */
  readonly nearest: string | undefined;
}

/** The message about an unmapped claim: where it is used, its effect, and the remedy. It begins with the property's name. */
export function unmappedMessage({ property, claim, consequence, nearest: near }: UnmappedClaim): string {
  const refers = property === "selector" ? `looks at ${claim}, which the method does not map` : `interpolates ${claim}, ${NO_VALUE}`;
  return `${property} ${refers}: ${consequence}. ${remedyFor(property, claim, near)}`;
}

const NO_VALUE = "which the method does not map to a value";

/** The distinct unmapped claims of a rule. Pure; a selector that servers can't read refers to nothing. */
export function unmappedClaims(
  { selector = "", bindName = "" }: Pick<LoginRule, "selector" | "bindName">,
  mapped: MappedNames,
): UnmappedClaim[] {
  const reach = reachOf(selector, mapped);
  const condition = conditionOf(selector);
  const inSelector = (condition ? lookedAt(condition, mapped, new Set()) : []).map(({ path, part }): UnmappedClaim => {
    const consequence = reach === "depends" ? partWords(withoutValue(part), reachOfPart(part, mapped)) : wholeWords[reach];
    return { property: "selector", claim: spelled(path), consequence, nearest: nearestClaim(spelled(path), mapped) };
  });
  // The bind name of a rule that matches no login does no harm.
  const names = reach === "never" ? [] : namesIn(bindName).filter((name) => !isMappedValue(name, mapped));
  const whose = reach === "always" ? "of the method" : "that the selector matches";
  const inBindName = names.map((claim): UnmappedClaim => {
    const consequence = `every login ${whose} fails as a whole, whatever other rules give it`;
    return { property: "bindName", claim, consequence, nearest: nearestClaim(claim, { value: mapped.value, list: new Set() }) };
  });
  return [...new Map([...inSelector, ...inBindName].map((one) => [`${one.property} ${one.claim}`, one])).values()];
}

/**
 * The problems of a method's token name format: it interpolates a claim that no login has. Sentences like those of {@link unmappedMessage}.
 */
export function unmappedInTokenName(format: string, mapped: MappedNames): string[] {
  const known = ["auth_method_type", "auth_method_name"];
  const unmapped = namesIn(format).filter((name) => !known.includes(name) && !isMappedValue(name, mapped));
  return unmapped.map((claim) => {
    const near = nearestClaim(claim, { value: mapped.value, list: new Set() });
    return `tokenNameFormat interpolates ${claim}, ${NO_VALUE}: every login of the method fails as a whole. ${remedyFor("tokenNameFormat", claim, near)}`;
  });
}

function remedyFor(property: string, claim: string, near: string | undefined): string {
  if (near !== undefined) return `Did you mean ${near}?`;
  if (claim === "value" || claim === "list") return `Map claims in config.${claim === "value" ? "claimMappings" : "listClaimMappings"}.`;
  if (claim.startsWith("value.")) return "Map the claim in config.claimMappings, or correct the name.";
  if (claim.startsWith("list.") && property === "selector") return "Map the claim in config.listClaimMappings, or correct the name.";
  if (claim.startsWith("list.")) return "Only values can be interpolated.";
  return "Claims are called value.NAME and list.NAME, with the names that config.claimMappings and config.listClaimMappings give.";
}

const wholeWords = {
  always: "the selector matches every login of the method",
  never: "the selector matches no login, and the rule gives nothing",
} as const;

/** A condition in words. The selector may be a secret of the program, so its values are not quoted. */
function withoutValue(part: Part): string {
  if (!("operator" in part)) return `${part.kind} ${spelled(part.of)} { ... }`;
  const { operator, path } = part;
  if (part.kind === "state") return `${spelled(path)} ${operator}`;
  return operator === "in" || operator === "not in" ? `... ${operator} ${spelled(path)}` : `${spelled(path)} ${operator} ...`;
}

function partWords(part: string, reach: PartReach): string {
  if (reach === "always") return `${part} holds for every login`;
  if (reach === "never") return `${part} holds for no login`;
  return `${part} can't be evaluated, and if a login gets to it, the rule gives nothing`;
}

interface LookedAt {
  readonly path: Path;
  readonly part: Part;
}

/**
 * The paths of a condition that lead to no claim of the method.
 *
 * @param names the names that a collection declares, which are not claims
 */
function lookedAt(condition: Condition, mapped: MappedNames, names: ReadonlySet<string>): LookedAt[] {
  switch (condition.kind) {
    case "not":
      return lookedAt(condition.of, mapped, names);
    case "and":
    case "or":
      return condition.parts.flatMap((part) => lookedAt(part, mapped, names));
    case "any":
    case "all": {
      const named = Object.values(condition.names).filter((name) => name !== undefined);
      return [...at(condition.of, condition, mapped, names), ...lookedAt(condition.inner, mapped, new Set([...names, ...named]))];
    }
    default:
      return at(claimAt(condition), condition, mapped, names);
  }
}

function at(path: Path, part: Part, mapped: MappedNames, names: ReadonlySet<string>): LookedAt[] {
  const [kind = "", name] = path.steps;
  if (names.has(kind)) return [];
  const isThere = (kind === "value" || kind === "list") && (name === undefined ? mapped[kind].size > 0 : mapped[kind].has(name));
  return isThere ? [] : [{ path, part }];
}

function isMappedValue(name: string, { value }: MappedNames): boolean {
  return name.startsWith("value.") && value.has(name.slice("value.".length));
}

/** The same name of the other kind, or a similar name. */
function nearestClaim(claim: string, { value, list }: MappedNames): string | undefined {
  const known = [...[...value].map((name) => `value.${name}`), ...[...list].map((name) => `list.${name}`)];
  const name = claim.replace(/^(?:value|list)\./, "");
  const same = known.find((one) => one.slice(one.indexOf(".") + 1) === name);
  return same ?? nearest(claim, known);
}
