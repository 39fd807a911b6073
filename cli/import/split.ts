import { wordOf } from "./names";
import { type Declaration, type Program, withDeclarations } from "./program";

/** Kinds that are in the file of another one. */
const fileMates: Readonly<Record<string, string>> = { AgentToken: "AgentPool", AclPolicy: "AclRole" };

/**
 * A file of a program that is split: an auth method with its rules, or all of a kind that no method owns; tokens are with their pools, and
 * policies with the roles.
 */
export interface Part extends Program {
  /** The variable of its method, or a word for its kind, such as `roles`: no two are equal in any letter case. */
  readonly name: string;
  readonly isMethod: boolean;
  /** The variables of roles and policies that it takes from their file. */
  readonly roles: readonly string[];
}

/** The files of a program, in an order in which no file refers to a later one. */
export function partsOf({ declarations }: Program): Part[] {
  const variablesOf = (kind: string) => new Set(declarations.filter((one) => one.kind === kind).map(({ variable }) => variable));
  const methods = variablesOf("AclAuthMethod");
  const roles = new Set([...variablesOf("AclPolicy"), ...variablesOf("AclRole")]);
  const byName = new Map<string, Declaration[]>();
  for (const one of declarations) {
    const owner = one.kind === "AclAuthMethod" ? one.variable : one.references.find((variable) => methods.has(variable));
    // No file refers to another one for a pool, or for a policy of a role.
    const name = owner ?? `${wordOf(fileMates[one.kind] ?? one.kind)}s`;
    byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  const parts = [...byName].map(([name, all]): Part => {
    const own = new Set(all.map(({ variable }) => variable));
    const used = new Set(all.flatMap(({ references }) => references.filter((variable) => roles.has(variable) && !own.has(variable))));
    return { ...withDeclarations(all), name, isMethod: methods.has(name), roles: [...used].sort() };
  });
  return parts.sort((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ isMethod, declarations: [first] }: Part): number {
  if (isMethod) return 1;
  return first?.kind === "AclBindingRule" ? 2 : 0;
}

/** The roles and policies that other files refer to. */
export function sharedRoles(parts: readonly Part[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ roles }) => roles));
}
