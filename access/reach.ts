import type { ClaimMappings } from "./claims";
import type { Condition, Path } from "./selector";
import { conditionOf, mapAt } from "./selector";

/** Which logins of a method a selector matches, as far as the method's mappings decide. */
export type Reach = "always" | "never" | "depends";

/** The names that an auth method maps claims to. */
export interface MappedNames {
  readonly value: ReadonlySet<string>;
  readonly list: ReadonlySet<string>;
}

/** The names that selectors can use in rules of a method. */
export function mappedNames({ claimMappings = {}, listClaimMappings = {} }: ClaimMappings): MappedNames {
  return { value: new Set(Object.values(claimMappings)), list: new Set(Object.values(listClaimMappings)) };
}

/** The names of mappings as a program gives them; undefined if they are unknown before an update. */
export function mappedNamesIfKnown(claimMappings: unknown, listClaimMappings: unknown): MappedNames | undefined {
  const [value, list] = [namesOf(claimMappings), namesOf(listClaimMappings)];
  return value && list && { value, list };
}

function namesOf(mappings: unknown): ReadonlySet<string> | undefined {
  if (mappings === undefined || mappings === null) return new Set();
  if (typeof mappings !== "object") return undefined;
  const names: unknown[] = Object.values(mappings);
  return names.every((name) => typeof name === "string") ? new Set(names) : undefined;
}

/** Which logins a selector matches. For the server, every login lacks a claim that is not mapped. */
export function reachOf(selector: string, mapped: MappedNames): Reach {
  if (selector === "") return "always";
  const condition = conditionOf(selector);
  const reach = condition ? reachOfPart(condition, mapped) : "fails";
  return reach === "fails" ? "never" : reach;
}

/** The logins for which a part of a selector holds. `fails`: it can't be evaluated, so a login does not match if servers try it. */
export type PartReach = Reach | "fails";

const inverse: Readonly<Record<PartReach, PartReach>> = { always: "never", never: "always", depends: "depends", fails: "fails" };

export function reachOfPart(condition: Condition, mapped: MappedNames): PartReach {
  switch (condition.kind) {
    case "not":
      return inverse[reachOfPart(condition.of, mapped)];
    case "and":
    case "or": {
      const neutral = condition.kind === "and" ? "always" : "never";
      // Servers stop at the first decisive part. A later part may never be evaluated, so its failure may not matter.
      const reaches = condition.parts.map((part) => reachOfPart(part, mapped));
      return reaches.find((reach) => reach !== neutral) ?? neutral;
    }
    case "any":
      return ofPath(condition.of, mapped, "never");
    case "all":
      return ofPath(condition.of, mapped, "always");
    case "match": {
      const { path, operator, value } = condition;
      const missing = operator.startsWith("not") || operator === "!=" ? "always" : "never";
      const map = mapAt(path);
      // `in` looks for a key of the map, which has only names of claims that are mapped.
      const isNoKey = map !== undefined && (operator === "in" || operator === "not in") && !mapped[map].has(value);
      if (isNoKey) return missing;
      return map === undefined ? ofPath(path, mapped, missing) : "depends";
    }
    case "state": {
      const { path, operator } = condition;
      const map = mapAt(path);
      const ifMissing = operator === "is empty" || operator === "is nil" ? "always" : "never";
      if (!map) return ofPath(path, mapped, ifMissing);
      // The map itself is always there, and empty for every login if no claim is mapped.
      if (operator === "is nil" || operator === "is not nil") return inverse[ifMissing];
      return mapped[map].size === 0 ? ifMissing : "depends";
    }
  }
}

/** @param missing the result of a condition for a login without the claim */
function ofPath({ steps }: Path, mapped: MappedNames, missing: Reach): PartReach {
  const [kind, name, index] = steps;
  if (kind !== "value" && kind !== "list") return "fails";
  if (name === undefined) return mapped[kind].size > 0 ? "depends" : missing;
  if (mapped[kind].has(name) && index === undefined) return "depends";
  if (!mapped[kind].has(name)) return index === undefined ? missing : "fails";
  // A text has no parts.
  return kind === "value" ? "fails" : "depends";
}
