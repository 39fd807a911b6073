import type { Identity } from "./claims";
import { itemAt } from "./claims";
import { integerIn } from "./go-text";
import { matchesPattern } from "./regular-expression";
import type { Comparison, Condition, Part, Path } from "./selector";
import { spelled } from "./selector";

/** The reason why a selector, or a part of it, does not hold. */
export interface Reason {
  /** The text of the part in the selector. */
  readonly part: string;
  /** The login's value there, as in "value.team is "ops"", or the reason why the part can't be evaluated: "value.team has no parts". */
  readonly found: string;
}

/** Whether a condition holds for a login. For the server, a condition that can't be evaluated does not hold. */
export function matches(condition: Condition, identity: Identity): boolean {
  try {
    return holds(condition, { identity, names: [] });
  } catch (error) {
    if (error instanceof NotComparable) return false;
    throw error;
  }
}

/** The parts of a selector that explain why it does not hold. */
export function reasonsAgainst(condition: Condition, selector: string, identity: Identity): Reason[] {
  const scope: Scope = { identity, names: [] };
  try {
    return holds(condition, scope) ? [] : reasons(condition, selector, scope, false);
  } catch (error) {
    if (!(error instanceof NotComparable)) throw error;
    return [{ part: selector.slice(error.part.start, error.part.end), found: error.message }];
  }
}

/** The error for a part of a selector that can't be evaluated. For the server, the whole selector then does not match. */
class NotComparable extends Error {
  constructor(
    readonly part: Part,
    message: string,
  ) {
    super(message);
  }
}

/** The value at a path. Undefined: the claim is not mapped, or the login lacks it. */
type ClaimValue = string | number | readonly string[] | ReadonlyMap<string, string | readonly string[]> | undefined;

/** A name that an `any` or `all` declares: it stands for another path, or for a key or an index. */
type Name = { readonly name: string; readonly path: readonly string[] } | { readonly name: string; readonly value: string | number };

interface Scope {
  readonly identity: Identity;
  /** The declared names, in the order of their declarations. */
  readonly names: readonly Name[];
}

function holds(condition: Condition, scope: Scope): boolean {
  switch (condition.kind) {
    case "and":
      return condition.parts.every((part) => holds(part, scope));
    case "or":
      return condition.parts.some((part) => holds(part, scope));
    case "not":
      return !holds(condition.of, scope);
    case "any":
      return scopesOf(condition, scope).some((inner) => holds(condition.inner, inner));
    case "all":
      return scopesOf(condition, scope).every((inner) => holds(condition.inner, inner));
    case "state":
      return hasState(condition, find(condition, condition.path, scope));
    case "match":
      return compares(condition, find(condition, condition.path, scope));
  }
}

type Collection = Extract<Condition, { kind: "any" | "all" }>;
type Comparing = Extract<Condition, { kind: "match" }>;
type Stating = Extract<Condition, { kind: "state" }>;

/** The scopes of a collection's condition, one for each entry. */
function scopesOf(condition: Collection, scope: Scope): Scope[] {
  const { names, of } = condition;
  const given = find(condition, of, scope);
  if (given === undefined) return [];
  if (typeof given === "string" || typeof given === "number") throw new NotComparable(condition, `${spelled(of)} is not a list or a map`);
  const isMap = !isList(given);
  const keys = isMap ? [...given.keys()] : [...given.keys()].map(String);
  if (keys.length > 0 && names.index !== undefined && names.index === names.value) {
    throw new NotComparable(condition, `${names.index} can't name both the index and the value`);
  }
  return keys.map((key, index) => {
    const path = [...of.steps, key];
    const added: (Name | undefined)[] = [
      isMap ? named(names.single, { value: key }) : undefined,
      named(names.index, { value: isMap ? key : index }),
      isMap ? undefined : named(names.single, { path }),
      named(names.value, { path }),
    ];
    return { ...scope, names: [...scope.names, ...added.filter((name) => name !== undefined)] };
  });
}

function named<T>(name: string | undefined, meaning: T): (T & { name: string }) | undefined {
  return name === undefined ? undefined : { name, ...meaning };
}

/**
 * The value at a path.
 *
 * @throws NotComparable if it does not exist, and the server does not treat it as a missing claim
 */
function find(condition: Part, path: Path, { identity, names }: Scope): ClaimValue {
  let { steps } = path;
  for (let index = names.length - 1; index >= 0; index--) {
    const name = names[index];
    if (!name || name.name !== steps[0]) continue;
    if ("path" in name) steps = [...name.path, ...steps.slice(1)];
    else if (steps.length > 1) throw new NotComparable(condition, `${name.name} has no parts`);
    else return name.value;
  }
  const kind = steps[0] ?? "";
  if (kind !== "value" && kind !== "list")
    throw new NotComparable(condition, `a login has "value" and "list", and no ${JSON.stringify(kind)}`);
  const claims = identity[kind];
  const key = steps[1];
  if (key === undefined) return claims;
  const given = claims.get(key);
  const index = steps[2];
  if (index === undefined) return given;
  if (typeof given !== "object") throw new NotComparable(condition, given === undefined ? lacks(path) : `${kind}.${key} has no parts`);
  const item = itemAt(given, index);
  if (item === undefined || steps.length > 3) throw new NotComparable(condition, `${kind}.${key} has no such item`);
  return item;
}

function hasState(condition: Stating, given: ClaimValue): boolean {
  switch (condition.operator) {
    case "is empty":
      return given === undefined || sizeOf(condition, given) === 0;
    case "is not empty":
      return given !== undefined && sizeOf(condition, given) > 0;
    case "is nil":
      return given === undefined || isNil(condition, given);
    case "is not nil":
      return given !== undefined && !isNil(condition, given);
  }
}

function sizeOf(condition: Stating, given: Exclude<ClaimValue, undefined>): number {
  if (typeof given === "number") throw new NotComparable(condition, `${spelled(condition.path)} is a number, and can't be empty`);
  return typeof given === "string" || isList(given) ? given.length : given.size;
}

function isNil(condition: Stating, given: Exclude<ClaimValue, undefined>): boolean {
  if (typeof given === "object") return false;
  throw new NotComparable(condition, `${spelled(condition.path)} is neither a list nor a map, and can't be nil`);
}

const negated: Readonly<Record<Comparison, boolean>> = {
  "==": false,
  "!=": true,
  in: false,
  "not in": true,
  matches: false,
  "not matches": true,
};

function compares(condition: Comparing, given: ClaimValue): boolean {
  const { operator, value } = condition;
  if (given === undefined) return negated[operator];
  return negated[operator] !== isTrueOf(condition, given, value);
}

/** Whether the comparison holds, apart from its negation. */
function isTrueOf(condition: Comparing, given: Exclude<ClaimValue, undefined>, text: string): boolean {
  const { operator, path } = condition;
  if (operator === "in" || operator === "not in") {
    if (typeof given === "number") throw new NotComparable(condition, `${spelled(path)} is a number, and contains nothing`);
    return typeof given === "string" || isList(given) ? given.includes(text) : given.has(text);
  }
  if (typeof given === "object")
    throw new NotComparable(condition, `${spelled(path)} is ${isList(given) ? "a list" : "a map"}, not a text`);
  if (operator === "==" || operator === "!=") return typeof given === "number" ? given === numberOf(condition, text) : given === text;
  if (typeof given === "number") throw new NotComparable(condition, `${spelled(path)} is a number, not a text`);
  const isMatch = matchesPattern(text, given);
  if (isMatch === undefined)
    throw new NotComparable(condition, `${JSON.stringify(text)} is not a regular expression that the server can read`);
  return isMatch;
}

function numberOf(condition: Comparing, text: string): number {
  const number = integerIn(text);
  if (number === undefined) throw new NotComparable(condition, `${JSON.stringify(text)} is not a number`);
  return Number(number);
}

/** The smallest parts of a condition that make it true or false. */
function reasons(condition: Condition, selector: string, scope: Scope, isTrue: boolean): Reason[] {
  switch (condition.kind) {
    case "not":
      return reasons(condition.of, selector, scope, !isTrue);
    case "and":
    case "or": {
      const parts = condition.parts.filter((part) => holdsOrFails(part, scope) === isTrue);
      // One false part decides an "and", and one true part decides an "or": the server stops there.
      const relevant = (condition.kind === "and") === isTrue ? parts : parts.slice(0, 1);
      return relevant.flatMap((part) => reasons(part, selector, scope, isTrue));
    }
    case "any":
    case "all":
      return [
        { part: selector.slice(condition.start, condition.end), found: describe(condition.of, find(condition, condition.of, scope)) },
      ];
    case "match":
    case "state":
      return [
        { part: selector.slice(condition.start, condition.end), found: describe(condition.path, find(condition, condition.path, scope)) },
      ];
  }
}

/** Whether a part holds; undefined if it can't be evaluated. The server has not evaluated such a part, so it is not a reason. */
function holdsOrFails(condition: Condition, scope: Scope): boolean | undefined {
  try {
    return holds(condition, scope);
  } catch (error) {
    if (error instanceof NotComparable) return undefined;
    throw error;
  }
}

function describe(path: Path, given: ClaimValue): string {
  if (given === undefined) return lacks(path);
  if (typeof given === "string" || typeof given === "number") return `${spelled(path)} is ${JSON.stringify(given)}`;
  const entries = isList(given) ? given : [...given.keys()];
  return `${spelled(path)} is ${entries.length === 0 ? "empty" : `[${entries.map((entry) => JSON.stringify(entry)).join(", ")}]`}`;
}

function lacks(path: Path): string {
  return `the login has no ${spelled(path)}`;
}

function isList(given: object): given is readonly string[] {
  return Array.isArray(given);
}
