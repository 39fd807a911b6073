import { type MappedNames, mappedNamesIfKnown } from "../../access/reach";
import { issuerNotBound, type TokenChecks, tenantNotAsked } from "../../access/shared-issuers";
import { unmappedClaims, unmappedInTokenName, unmappedMessage } from "../../access/unmapped";
import { ownProperty } from "../../common/own-property";
import type { CheckContext } from "../lifecycle/kind";
import { identityText } from "../model/identities";
import type { Properties } from "../model/remote";
import { holdsUnknown, isRecord } from "../model/unknown";
import type { CallContext } from "../operation/call-context";
import type { DeclaredRule } from "../operation/declared-rules";
import { warningsOfNames } from "./policies-in-program";

/** The warnings that only a look at the program's other objects gives. They are of one operation, and cost no request. */

/**
 * What a rule's check warns of: if the program has declared its method before, claims that this does not map, and logins of every customer
 * of a vendor; and a rule of the same effect.
 */
export function warningsOfRule(inputs: Properties, { context, olds, resourceName, urn }: CheckContext): string[] {
  if (holdsUnknown(effectOf(inputs))) return [];
  const rule = { inputs, isNew: Object.keys(olds).length === 0, resourceName, urn };
  const { rules, checks } = context.operation;
  const other = rules.record(rule);
  const { authMethod } = inputs;
  const method = typeof authMethod === "string" ? checks.declaredInputs("AclAuthMethod", authMethod) : undefined;
  const ofPolicy = warningsOfNames(labelOf(rule), policyOf(inputs), context);
  return [...byMethod(rule, method), ...ofRenamedRole(rule, context), ...ofPolicy, ...(other ? [sameEffect(rule, other)] : [])];
}

/** The policy that a rule gives. */
export function policyOf({ bindType, bindName }: Properties): readonly unknown[] {
  return bindType === "policy" ? [bindName] : [];
}

/** What the diff of a role warns of that gets another name: rules that were declared before it with the old one. */
export function warningsOfRenamedRole(name: string, context: CallContext): string[] {
  return context.operation.rules.giving(name).flatMap((rule) => ofRenamedRole(rule, context));
}

function ofRenamedRole(rule: DeclaredRule, { operation: { checks, identities } }: CallContext): string[] {
  const { bindType, bindName } = rule.inputs;
  if (bindType !== "role" || typeof bindName !== "string" || !checks.isRenamed("AclRole", bindName)) return [];
  if (identities.has(identityText("AclRole", { name: bindName }))) return [];
  return [
    `${labelOf(rule)}: this program gives that role another name, so the rule gives nothing unless another role takes it. ` +
      "Give the rule the role's `name`, as in developers.name.",
  ];
}

/** What a method's check warns of: issuers that it does not check, a token's name that nobody can get, and the rules that were declared before it. */
export function warningsOfMethod(inputs: Properties, context: CallContext): string[] {
  const mapped = mappedBy(inputs);
  const { name, tokenNameFormat } = inputs;
  const inName = mapped && typeof tokenNameFormat === "string" ? unmappedInTokenName(tokenNameFormat, mapped) : [];
  const ofName = inName.map((sentences) => `ACL auth method ${JSON.stringify(name)}: ${sentences}`);
  const ofIssuer = issuerNotBound(checksOf(inputs)).map((sentences) => `ACL auth method ${JSON.stringify(name)}: ${sentences}`);
  return [...ofIssuer, ...ofName, ...context.operation.rules.of(name).flatMap((rule) => byMethod(rule, inputs))];
}

function effectOf({ authMethod, selector, bindType, bindName }: Properties): Properties {
  return { authMethod, selector, bindType, bindName };
}

/** What the method of a rule decides about it. */
function byMethod(rule: DeclaredRule, method: Properties | undefined): string[] {
  const mapped = method && mappedBy(method);
  if (!mapped) return [];
  const { selector, bindName } = rule.inputs;
  const texts = { ...(typeof selector === "string" && { selector }), ...(typeof bindName === "string" && { bindName }) };
  const sentences = [
    ...unmappedClaims(texts, mapped).map(unmappedMessage),
    ...tenantNotAsked({ selector: "", ...texts }, checksOf(method)),
  ];
  return sentences.map((one) => `${labelOf(rule)}: ${one}`);
}

function checksOf({ type, config }: Properties): TokenChecks {
  return { ...(isRecord(config) && config), type };
}

/** The names that a method maps claims to; undefined if they are not known before the update. */
function mappedBy({ config }: Properties): MappedNames | undefined {
  if (!isRecord(config)) return undefined;
  return mappedNamesIfKnown(ownProperty(config, "claimMappings"), ownProperty(config, "listClaimMappings"));
}

function sameEffect(rule: DeclaredRule, other: DeclaredRule): string {
  const { resourceName } = other;
  const which = resourceName === undefined ? "another rule of this program" : `the rule ${JSON.stringify(resourceName)} of this program`;
  return `${labelOf(rule)}: ${which} has the same authMethod, selector, bindType and bindName, so one of the two is needed for nothing. Remove one.`;
}

function labelOf({ inputs }: DeclaredRule): string {
  return ruleInWords(inputs);
}

/** A rule as people recognize it: dynamic resources don't know their names. */
export function ruleInWords({ authMethod, description, bindType, bindName }: Properties): string {
  const called = typeof description === "string" && description !== "" ? ` ${JSON.stringify(description)}` : "";
  const kind = bindType === "policy" || bindType === "role" ? bindType : "management";
  const method = typeof authMethod === "string" ? `auth method ${JSON.stringify(authMethod)}` : "an auth method";
  const given = typeof bindName === "string" ? `the ${kind} ${JSON.stringify(bindName)}` : `a ${kind}`;
  return `ACL binding rule${called} of ${method}, which gives ${kind === "management" ? kind : given}`;
}
