import { randomUUID } from "node:crypto";
import { selectorRefusal } from "../../../access/selector";
import { now } from "./clock";
import type { ClusterDialect } from "./dialect";
import type { ClusterContext } from "./endpoint";
import { contentHash } from "./hash";
import type { BindingRule, RuleBody } from "./objects";
import { unstored } from "./objects";
import { Refusal, refuseInvalid } from "./refusal";
import type { StoredKind } from "./table";

/** A change that a test makes to the rule with the ID. Without an ID it makes a new rule. */
export type RuleChange = Partial<BindingRule>;

export const rules: StoredKind<BindingRule, RuleChange> = {
  keyOf: ({ ID }) => ID,
  changed: (change, rules) => changedRule(change.ID ? rules.get(change.ID) : undefined, change),
};

/**
 * Creates a rule, or changes the one with the ID.
 *
 * @throws Refusal 400 when it is not valid, is not found, moves to another auth method, or names one that does not exist.
 */
export function writeRule({ store, dialect }: ClusterContext, body: RuleBody): BindingRule {
  const existing = body.ID === "" ? undefined : store.rules.peek(body.ID);
  if (body.ID !== "" && !existing) throw new Refusal(400, `cannot find binding rule ${body.ID}`);
  const rule = dialect.rules.merged(body, existing);
  if (existing && rule.AuthMethod !== existing.AuthMethod) {
    throw new Refusal(400, "cannot update auth method for binding rule, create a new rule instead");
  }
  refuseInvalid("binding rule", ruleErrors(rule, dialect.rules));
  if (!store.methods.peek(rule.AuthMethod)) throw new Refusal(400, `ACL auth method ${rule.AuthMethod} not found`);
  return store.rules.write(changedRule(existing, rule));
}

/** The rule after a change by a test, which is not validated. */
function changedRule(existing: BindingRule | undefined, change: RuleChange): BindingRule {
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

/** A rule in the list. */
export function ruleStub({ AuthMethod, CreateIndex, Description, Hash, ID, ModifyIndex }: BindingRule): object {
  return { AuthMethod, CreateIndex, Description, Hash, ID, ModifyIndex };
}

function ruleErrors(rule: Required<RuleBody>, { isTooLong }: ClusterDialect["rules"]): string[] {
  const errors: string[] = [];
  if (rule.AuthMethod === "") errors.push("auth method is missing");
  if (isTooLong(rule.Description)) errors.push("description longer than 256");
  const bind = bindError(rule);
  if (bind !== undefined) errors.push(bind);
  const selector = rule.Selector === "" ? undefined : selectorRefusal(rule.Selector);
  if (selector !== undefined) errors.push(`selector is invalid: ${selector}`);
  return errors;
}

function bindError({ BindType, BindName }: Required<RuleBody>): string | undefined {
  switch (BindType) {
    case "":
      return "bind type is missing";
    case "role":
    case "policy":
      return BindName === "" ? "bind name is missing" : undefined;
    case "management":
      return BindName === "" ? undefined : "bind name should be empty";
    default:
      return `unsupported bind type: ${JSON.stringify(BindType)}`;
  }
}
