/** Reads a policy's text as an object: JSON if it begins with a brace, else HCL 1. */
import { wellFormed } from "../go-text";
import { parseHcl } from "./hcl";
import { parseJson } from "./json";
import type { Item } from "./syntax";

/** The items of a text, as the servers' library has them. @throws PolicyError if it can't be read */
export function parse(rules: string): readonly Item[] {
  const text = wellFormed(rules);
  return isJson(text) ? parseJson(text) : parseHcl(text.replaceAll("\r\n", "\n"));
}

/** Whether a text is read as JSON. */
export function isJson(rules: string): boolean {
  return /^\p{White_Space}*\{/u.test(rules);
}
