/** Warnings about a whole program: functions of its declarations, without requests. They change no create, update or delete. */
import { capitalized, withArticle, wordsOf } from "../common/label";
import { invalidPatterns, managementForEveryone, openedToEveryone, unboundTenants, unmappedIn } from "./claims";
import { deniesWithoutEffect, sameEffect } from "./effects";
import { renamedAway, swappedNames } from "./names";
import type { Declared, Program } from "./program";

export { everyLogin, everyoneGets, managementForEveryone, unboundTenants, unmappedIn } from "./claims";
export { kindsNamingPolicies, notWaitingMessage, policiesByText } from "./names";
export { type Declared, type Inputs, Program } from "./program";

const checks = [
  unboundTenants,
  unmappedIn,
  invalidPatterns,
  managementForEveryone,
  openedToEveryone,
  renamedAway,
  swappedNames,
  sameEffect,
  deniesWithoutEffect,
];

/** Adds a resource to a program. @returns the warnings about it, and about earlier resources that refer to it */
export function declare(program: Program, resource: Declared): string[] {
  const added = program.add(resource);
  return [added, ...concernedBy(added, program)].flatMap((one) =>
    checks.flatMap((check) => check(one, program)).map((sentences) => `${labelOf(one)}: ${sentences}`),
  );
}

/**
 * The resources that name an object by its new or old name. For a policy, also the tokens of its roles, because they have its permissions.
 */
function concernedBy({ kind, inputs, was }: Declared, program: Program): Set<Declared> {
  const names = [inputs.name, was?.name].filter((name) => typeof name === "string");
  const naming = new Set(names.flatMap((name) => program.naming(kind, name)));
  const further = kind === "AclPolicy" ? [...naming].filter((one) => one.kind === "AclRole") : [];
  return new Set([...naming, ...further.flatMap((role) => [...concernedBy(role, program)])]);
}

/**
 * A label by which people recognize the resource, because not every adapter knows its name in the program. If a part of the label is
 * unknown, that name tells two resources apart: the same message is printed once.
 */
function labelOf({ kind, inputs: { name, authMethod, description, bindType, bindName }, name: inProgram }: Declared): string {
  const words = wordsOf(kind);
  const resource = inProgram === undefined ? "" : ` (resource ${JSON.stringify(inProgram)})`;
  if (kind !== "AclBindingRule")
    return capitalized(typeof name === "string" && name !== "" ? `${words} ${JSON.stringify(name)}` : `${withArticle(words)}${resource}`);
  const called = typeof description === "string" && description !== "" ? ` ${JSON.stringify(description)}` : "";
  const method = typeof authMethod === "string" ? ` of auth method ${JSON.stringify(authMethod)}` : "";
  const object = typeof bindName === "string" ? `the ${String(bindType)} ${JSON.stringify(bindName)}` : `a ${String(bindType)}`;
  const gives = typeof bindType !== "string" ? "what is not known yet" : bindType === "management" ? bindType : object;
  const isKnown = method !== "" && typeof bindType === "string" && (bindType === "management" || typeof bindName === "string");
  return `ACL binding rule${called}${isKnown ? "" : resource}${method}, which gives ${gives}`;
}
