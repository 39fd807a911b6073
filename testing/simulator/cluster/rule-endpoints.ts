import { selectorProblem } from "../../../access/selector";
import type { ClusterDialect } from "./dialect";
import type { ClusterContext, Endpoint } from "./endpoint";
import { byMethod, listOf, readOf, remove, shown, write } from "./endpoint";
import { ruleForm } from "./forms";
import type { BindingRule, RuleBody } from "./objects";
import { Refusal, refuseInvalid } from "./refusal";
import { changedRule, rules } from "./rules";

// Unlike the body of a role, the body of a rule may leave out the ID that the path has.
const upsertRule = write(
  ruleForm,
  ({ ID }, key) => ID || key,
  "ACL binding rule ID",
  (context, body, key) => shown(writeRule(context, { ...body, ID: body.ID || key }), context),
);

export const ruleEndpoints: [path: string, endpoint: Endpoint][] = [
  ["/v1/acl/binding-rules", byMethod({ GET: listOf(rules, ruleStub) })],
  ["/v1/acl/binding-rule", byMethod({ POST: upsertRule })],
  [
    "/v1/acl/binding-rule/",
    byMethod(
      {
        GET: readOf(rules, "ACL binding rule not found", shown),
        POST: upsertRule,
        DELETE: remove(rules, "ACL binding rule not found"),
      },
      "missing ACL binding rule ID",
    ),
  ],
];

/** A rule in the list. */
function ruleStub({ AuthMethod, CreateIndex, Description, Hash, ID, ModifyIndex }: BindingRule): object {
  return { AuthMethod, CreateIndex, Description, Hash, ID, ModifyIndex };
}

/**
 * Creates a rule, or changes the one with the ID.
 *
 * @throws Refusal 400 for an invalid or missing rule, a move to another auth method, or a missing auth method
 */
function writeRule({ store, dialect }: ClusterContext, body: RuleBody): BindingRule {
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

function ruleErrors(rule: Required<RuleBody>, { isTooLong }: ClusterDialect["rules"]): string[] {
  const errors: string[] = [];
  if (rule.AuthMethod === "") errors.push("auth method is missing");
  if (isTooLong(rule.Description)) errors.push("description longer than 256");
  const bind = bindError(rule);
  if (bind !== undefined) errors.push(bind);
  const selector = selectorProblem(rule.Selector);
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
