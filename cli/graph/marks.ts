import { boundNames } from "../../access/bound-names";
import type { BindingRule } from "../../access/graph";
import type { LoginMethod } from "../../access/login";
import { mappedNames } from "../../access/reach";
import { selectorProblem } from "../../access/selector";
import { reachIn } from "../../access/selector-relation";
import { unmappedClaims } from "../../access/unmapped";

/**
 * A remark at an object: `alarm` if the object lets too many in, allows everything, breaks logins or does not exist; `notice` if it or a
 * part of it may be missing, is unknown or has no effect; `quiet` for anything that needs no attention.
 */
export interface Mark {
  readonly kind: "alarm" | "notice" | "quiet";
  readonly text: string;
}

/** @param method undefined if its mappings are unknown */
export function ruleMarks({ selector = "", bindType, bindName = "" }: BindingRule, method: LoginMethod | undefined): Mark[] {
  const alarm = (text: string): Mark => ({ kind: "alarm", text });
  const notice = (text: string): Mark => ({ kind: "notice", text });
  const isName = bindType === "management" || boundNames(bindName, method) !== undefined;
  const fails = isName ? [] : [alarm("its bind name breaks every login that it matches")];
  if (selector === "") return [alarm("matches every login"), ...fails];
  if (selectorProblem(selector) !== undefined) return [notice("matches no login: servers can't read the selector"), ...fails];
  const mapped = method && mappedNames(method);
  const reach = { always: [alarm("matches every login")], never: [notice("matches no login")], depends: [] }[reachIn(selector, mapped)];
  const unmapped = mapped ? unmappedClaims({ selector }, mapped).map(({ claim }) => notice(`no claim is mapped to ${claim}`)) : [];
  return [...reach, ...unmapped, ...fails];
}
