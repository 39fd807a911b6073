import { type MappedNames, mappedNamesIfKnown } from "../access/reach";
import { sentencesOf, unmappedClaims, unmappedInTokenName } from "../access/unmapped";
import type { CallContext } from "../context/call-context";
import type { DeclaredRule } from "../context/declared-rules";
import { own } from "../model/own";
import type { CheckContext, Properties } from "../model/resource";
import { holdsUnknown, isRecord } from "../model/unknown";

/** The warnings that only a look at the program's other objects gives. They are of one operation, and cost no request. */

/** What a rule's check warns of: claims that its method does not map, where the program has declared that before, and a rule of the same effect. */
export function warningsOfRule(inputs: Properties, { context, olds, resourceName }: CheckContext): string[] {
  if (holdsUnknown(effectOf(inputs))) return [];
  const rule = { inputs, isNew: Object.keys(olds).length === 0, resourceName };
  const { rules, checks } = context.operation;
  const other = rules.record(rule);
  const { authMethod } = inputs;
  const method = typeof authMethod === "string" ? checks.declaredInputs("AclAuthMethod", authMethod) : undefined;
  return [...unmappedIn(rule, method), ...(other ? [sameEffect(rule, other)] : [])];
}

/** What a method's check warns of: rules that were declared before it and look at what it does not map, and a token's name that nobody can get. */
export function warningsOfMethod(inputs: Properties, context: CallContext): string[] {
  const mapped = mappedBy(inputs);
  const { name, tokenNameFormat } = inputs;
  const inName = mapped && typeof tokenNameFormat === "string" ? unmappedInTokenName(tokenNameFormat, mapped) : [];
  const ofName = inName.map((sentences) => `ACL auth method ${JSON.stringify(name)}: ${sentences}`);
  return [...ofName, ...context.operation.rules.of(name).flatMap((rule) => unmappedIn(rule, inputs))];
}

function effectOf({ authMethod, selector, bindType, bindName }: Properties): Properties {
  return { authMethod, selector, bindType, bindName };
}

function unmappedIn(rule: DeclaredRule, method: Properties | undefined): string[] {
  const mapped = method && mappedBy(method);
  if (!mapped) return [];
  const { selector, bindName } = rule.inputs;
  const texts = { ...(typeof selector === "string" && { selector }), ...(typeof bindName === "string" && { bindName }) };
  return unmappedClaims(texts, mapped).map((claim) => `${labelOf(rule)}: ${sentencesOf(claim)}`);
}

/** The names that a method maps claims to; undefined where they are not known before the update. */
function mappedBy({ config }: Properties): MappedNames | undefined {
  if (!isRecord(config)) return undefined;
  return mappedNamesIfKnown(own(config, "claimMappings"), own(config, "listClaimMappings"));
}

function sameEffect(rule: DeclaredRule, other: DeclaredRule): string {
  const { resourceName } = other;
  const which = resourceName === undefined ? "another rule of this program" : `the rule ${JSON.stringify(resourceName)} of this program`;
  return `${labelOf(rule)}: ${which} has the same authMethod, selector, bindType and bindName, so that one of the two is needed for nothing. Remove one.`;
}

/** A rule as people recognize it: dynamic resources don't know their names. */
function labelOf({ inputs: { authMethod, description, bindType, bindName } }: DeclaredRule): string {
  const called = typeof description === "string" && description !== "" ? ` ${JSON.stringify(description)}` : "";
  const given = bindType === "management" ? "management" : `the ${bindType} ${JSON.stringify(bindName)}`;
  return `ACL binding rule${called} of auth method ${JSON.stringify(authMethod)}, which gives ${given}`;
}
