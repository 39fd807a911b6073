import type { ClaimMappings } from "./claims";
import type { Condition, Path } from "./condition";
import { parseSelector } from "./selector";

/** Which logins of a method a selector matches, as far as the method's mappings alone decide it. */
export type Reach = "always" | "never" | "depends";

/** The names that an auth method maps claims to. */
export interface MappedNames {
  readonly value: ReadonlySet<string>;
  readonly list: ReadonlySet<string>;
}

/** The names that selectors of a method's rules can use. */
export function mappedNames({ claimMappings = {}, listClaimMappings = {} }: ClaimMappings): MappedNames {
  return { value: new Set(Object.values(claimMappings)), list: new Set(Object.values(listClaimMappings)) };
}

/** Which logins a selector matches: to the server, a claim that is not mapped is one that every login lacks. */
export function reachOf(selector: string, mapped: MappedNames): Reach {
  if (selector === "") return "always";
  const parsed = parseSelector(selector);
  return "value" in parsed ? reach(parsed.value, mapped) : "never";
}

/** The claims that a selector looks at, and that the method does not map, such as `list.grups`: to the server, every login lacks them. */
export function unmappedIn(selector: string, mapped: MappedNames): string[] {
  const parsed = selector === "" ? undefined : parseSelector(selector);
  if (!parsed || !("value" in parsed)) return [];
  const paths = pathsIn(parsed.value).filter((path) => isUnmapped(path, mapped));
  return [...new Set(paths.map(({ steps }) => steps.join(".")))];
}

function pathsIn(condition: Condition): Path[] {
  switch (condition.kind) {
    case "not":
      return pathsIn(condition.of);
    case "and":
    case "or":
      return [...pathsIn(condition.left), ...pathsIn(condition.right)];
    case "any":
    case "all":
      return [condition.of, ...pathsIn(condition.inner)];
    case "match":
    case "state":
      return [condition.path];
  }
}

const inverse: Readonly<Record<Reach, Reach>> = { always: "never", never: "always", depends: "depends" };

function reach(condition: Condition, mapped: MappedNames): Reach {
  switch (condition.kind) {
    case "not":
      return inverse[reach(condition.of, mapped)];
    case "and":
    case "or": {
      const parts = [reach(condition.left, mapped), reach(condition.right, mapped)];
      const [decisive, other] = condition.kind === "and" ? (["never", "always"] as const) : (["always", "never"] as const);
      // A part that can't be evaluated makes the whole selector fail, so that only what comes first is decisive by itself.
      if (parts[0] === decisive) return decisive;
      return parts.every((part) => part === other) ? other : "depends";
    }
    case "any":
      return isUnmapped(condition.of, mapped) ? "never" : "depends";
    case "all":
      return isUnmapped(condition.of, mapped) ? "always" : "depends";
    case "match":
      if (!isUnmapped(condition.path, mapped)) return "depends";
      return condition.operator.startsWith("not") || condition.operator === "!=" ? "always" : "never";
    case "state":
      if (!isUnmapped(condition.path, mapped)) return "depends";
      return condition.operator === "is empty" || condition.operator === "is nil" ? "always" : "never";
  }
}

/** Whether a path leads to a claim that the method does not map. Deeper paths and other names fail at a login instead. */
function isUnmapped({ steps }: Path, mapped: MappedNames): boolean {
  const [kind, name, ...rest] = steps;
  return (kind === "value" || kind === "list") && name !== undefined && rest.length === 0 && !mapped[kind].has(name);
}
