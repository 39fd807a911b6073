import { isJson } from "../../access/policy/parse";
import type { InventoryObject } from "../inventory/inventory";
import { fileNamesOf, Names } from "./names";

/** How long rules in the program itself may be: longer ones, and those of several lines, are read better in a file of their own. */
const longest = 100;

/** The folder of the files. */
const folder = "policies";

/** A text of the program that stands in a file beside it. */
export interface TextFile {
  readonly kind: "file";
  readonly path: string;
  readonly text: string;
  /** Of Go's package: it has the text. */
  readonly variable: string;
}

/** The files of policies, of which no two are one where letter case means nothing. */
export class RulesFiles {
  private readonly names = new Names();

  /** The rules of a policy as a file; undefined for all else, and if they are short. @param variable gives the variable that has its text */
  fileOf(object: InventoryObject, property: string, variable: () => string): TextFile | undefined {
    const { kind, inputs } = object;
    const { rules } = inputs;
    if (kind !== "AclPolicy" || property !== "rules" || typeof rules !== "string") return undefined;
    if (!/[\r\n]/.test(rules) && rules.length <= longest) return undefined;
    const file = `${this.names.take(fileNamesOf(object))}.${isJson(rules) ? "json" : "hcl"}`;
    return { kind: "file", path: `${folder}/${file}`, text: rules, variable: variable() };
  }
}
