import { isJson } from "../../access/policy/parse";
import type { InventoryObject } from "../inventory/inventory";
import { fileNamesOf, Names } from "./names";

/** The maximum length of rules in the program: longer ones, and rules of several lines, are easier to read in a file of their own. */
const longest = 100;

/** The folder of the files. */
const folder = "policies";

/** A text of the program in a separate file. */
export interface TextFile {
  readonly kind: "file";
  readonly path: string;
  readonly text: string;
  /** The variable of Go's package with the text. */
  readonly variable: string;
}

/** The files of policies. No two names differ in letter case alone. */
export class RulesFiles {
  private readonly names = new Names();

  /**
   * The rules of a policy as a file; undefined for short rules, and for any other property. @param variable returns the variable of the
   * text
   */
  fileOf(object: InventoryObject, property: string, variable: () => string): TextFile | undefined {
    const { kind, inputs } = object;
    const { rules } = inputs;
    if (kind !== "AclPolicy" || property !== "rules" || typeof rules !== "string") return undefined;
    if (!/[\r\n]/.test(rules) && rules.length <= longest) return undefined;
    const file = `${this.names.take(fileNamesOf(object))}.${isJson(rules) ? "json" : "hcl"}`;
    return { kind: "file", path: `${folder}/${file}`, text: rules, variable: variable() };
  }
}
