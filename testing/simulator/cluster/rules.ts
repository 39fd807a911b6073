import { randomUUID } from "node:crypto";
import { now } from "./clock";
import { contentHash } from "./hash";
import type { BindingRule } from "./objects";
import { unstored } from "./objects";
import type { StoredKind } from "./table";

/** A test's change of the rule with this ID. If there is no such rule, a new one. */
export type RuleChange = Partial<BindingRule>;

export const rules: StoredKind<BindingRule, RuleChange> = {
  keyOf: ({ ID }) => ID,
  changed: (change, rules) => changedRule(change.ID ? rules.get(change.ID) : undefined, change),
};

/** The rule after a change, which is not validated here. */
export function changedRule(existing: BindingRule | undefined, change: RuleChange): BindingRule {
  const time = now();
  const blank = { AuthMethod: "", BindName: "", BindType: "", Description: "", Selector: "" };
  const rule = { ...blank, ...existing, ...change, ID: existing?.ID || change.ID || randomUUID() };
  return {
    ...rule,
    CreateTime: existing?.CreateTime ?? change.CreateTime ?? time,
    ModifyTime: change.ModifyTime ?? time,
    Hash: contentHash(rule.ID, rule.Description, rule.AuthMethod, rule.Selector, rule.BindType, rule.BindName),
    ...unstored,
  };
}
