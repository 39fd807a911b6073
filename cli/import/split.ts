import { grouped } from "../../common/grouped";
import { wordOf } from "./names";
import { type Declaration, type Program, withDeclarations } from "./program";

/** Kinds that share the file of another kind. */
const fileMates: Readonly<Record<string, string>> = { AgentToken: "AgentPool", AclPolicy: "AclRole" };

/**
 * A file of a split program: an auth method with its rules, or the objects of another kind. Agent tokens are with the pools, and policies
 * with the roles. Rules whose method the program lacks have a file, too.
 */
export interface Part extends Program {
  /**
   * The variable of the part's method, or a word for the part's kinds, such as `roles`. No two parts have the same name, ignoring letter
   * case.
   */
  readonly name: string;
  readonly isMethod: boolean;
  /** The variables that the file imports from the file of the roles and policies. */
  readonly roles: readonly string[];
}

/** The files of a program, in an order in which no file refers to a later one. */
export function partsOf({ declarations }: Program): Part[] {
  const variablesOf = (kind: string) => new Set(declarations.filter((one) => one.kind === kind).map(({ variable }) => variable));
  const methods = variablesOf("AclAuthMethod");
  const roles = new Set([...variablesOf("AclPolicy"), ...variablesOf("AclRole")]);
  const ownerOf = ({ kind, variable, references }: Declaration) =>
    kind === "AclAuthMethod" ? variable : references.find((one) => methods.has(one));
  // Pools and their tokens share a file, and so do roles and policies.
  const byName = grouped(declarations, (one) => ownerOf(one) ?? `${wordOf(fileMates[one.kind] ?? one.kind)}s`);
  const parts = [...byName].map(([name, all]): Part => {
    const own = new Set(all.map(({ variable }) => variable));
    const used = new Set(all.flatMap(({ references }) => references.filter((variable) => roles.has(variable) && !own.has(variable))));
    return { ...withDeclarations(all), name, isMethod: methods.has(name), roles: [...used].sort() };
  });
  return parts.sort((a, b) => rankOf(a) - rankOf(b));
}

const rankOf = ({ isMethod, name }: Part) => (isMethod ? 1 : name === "rules" ? 2 : 0);

/** The roles and policies that other files refer to. */
export function sharedRoles(parts: readonly Part[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ roles }) => roles));
}
