import { boundNames, textsIfAny, validName, valuesOf } from "./bound-names";
import { utf8Length } from "./go-text";
import type { Access, LoginMethod, LoginRule } from "./login";
import { interpolate, namesIn, TemplateError } from "./template";

/** All objects of a cluster that affect logins. */
export interface AccessObjects {
  readonly methods: readonly LoginMethod[];
  readonly rules: readonly BindingRule[];
  /** The policies of each role, by its name. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** The names of the policies that exist. */
  readonly policies: readonly string[];
}

export interface BindingRule extends LoginRule {
  readonly id: string;
  /** The name of the method whose logins the rule applies to. */
  readonly authMethod: string;
  /** A key for an unreadable selector: a secret, or an unknown one. Equal keys stand for the same selector. */
  readonly hiddenSelector?: string | undefined;
}

/** The comparable objects of one side. Some of their parts can be unknown. */
export interface ComparedObjects extends AccessObjects {
  readonly hiddenRules?: readonly HiddenRule[];
  /** The names of methods whose other parts are unknown. */
  readonly hiddenMethods?: readonly string[];
}

/** The names of all methods. */
export function methodNames({ methods, hiddenMethods = [] }: ComparedObjects): ReadonlySet<string> {
  return new Set([...methods.map(({ name }) => name), ...hiddenMethods]);
}

/** The known parts of a rule whose other parts are unknown. */
export interface HiddenRule {
  readonly id: string;
  readonly isNew?: boolean | undefined;
  readonly authMethod?: string | undefined;
  readonly bindType?: string | undefined;
  readonly bindName?: string | undefined;
}

/** A link from one object to another. */
export interface Edge {
  readonly fromKind: "authMethod" | "bindingRule" | "role";
  /** The name of a method or a role, or the ID of a rule. */
  readonly from: string;
  readonly toKind: "bindingRule" | "role" | "policy" | "management";
  /** The name of a role or policy, the ID of a rule, or "management". */
  readonly to: string;
  /** Whether both ends exist. A missing object gives nothing. */
  readonly exists: boolean;
  /** Whether the name of the target depends on a claim. */
  readonly computed: boolean;
}

/** The objects that affect logins of one method; undefined if no method has the name. Rules come in the order in which servers try them. */
export function methodAccess({ methods, rules, roles, policies }: AccessObjects, name: string): Access | undefined {
  const method = methods.find((one) => one.name === name);
  if (!method) return undefined;
  const ofMethod = rules.filter(({ authMethod }) => authMethod === name).sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
  return { method, rules: ofMethod, roles, policies };
}

/** The links: from methods to their rules, from rules to their grants, from roles to their policies. */
export function edgesOf(objects: AccessObjects): Edge[] {
  const methods = new Map(objects.methods.map((method) => [method.name, method]));
  const policies = new Set(objects.policies);
  const fromRules = objects.rules.flatMap((rule): Edge[] => {
    const method = methods.get(rule.authMethod);
    return [
      {
        fromKind: "authMethod",
        from: rule.authMethod,
        toKind: "bindingRule",
        to: rule.id,
        exists: method !== undefined,
        computed: false,
      },
      ...targetsOf(rule, method, objects).map((target): Edge => ({ fromKind: "bindingRule", from: rule.id, ...target })),
    ];
  });
  const fromRoles = Object.entries(objects.roles).flatMap(([role, names]) =>
    names.map((name): Edge => ({ fromKind: "role", from: role, toKind: "policy", to: name, exists: policies.has(name), computed: false })),
  );
  return [...fromRules, ...fromRoles];
}

type Target = Omit<Edge, "fromKind" | "from">;

/** The possible targets of a rule. A bind name that fails at every login has none; one that fits no role or policy has a missing target. */
export function targetsOf(
  { bindType, bindName = "" }: BindingRule,
  method: LoginMethod | undefined,
  { roles, policies }: AccessObjects,
): Target[] {
  if (bindType === "management") return [{ toKind: "management", to: "management", exists: true, computed: false }];
  const names = boundNames(bindName, method);
  if (!names) return [];
  if (!names.isComputed) {
    const name = names.constant;
    const exists = bindType === "role" ? Object.hasOwn(roles, name) : policies.includes(name);
    return [{ toKind: bindType, to: name, exists, computed: false }];
  }
  const existing = (bindType === "role" ? Object.keys(roles) : policies).filter(names.test);
  if (existing.length > 0) return existing.map((name) => ({ toKind: bindType, to: name, exists: true, computed: true }));
  return [{ toKind: bindType, to: bindName, exists: false, computed: true }];
}

/** Which logins fail by a bind name or a token name: all logins of a method, only the ones with certain claims, or none. */
export type Failing = "all" | "some" | "none";

/**
 * Which matching logins have an invalid bind name.
 *
 * @param method undefined if its mappings are unknown
 */
export function failingByBindName({ bindType, bindName = "" }: BindingRule, method: LoginMethod | undefined): Failing {
  if (!/[${}]/.test(bindName) && (bindType === "management" || validName.test(bindName))) return "none";
  const texts = textsIfAny(bindName, method && new Set(valuesOf(method)));
  if (!texts || (bindType !== "management" && !boundNames(bindName, method))) return "all";
  return texts.isComputed ? "some" : "none";
}

/** Which logins of the method have a token name that can't be computed, is too long, or interpolates a claim that they may lack. */
export function failingByTokenName({ tokenNameFormat = "", ...method }: LoginMethod): Failing {
  const constants = new Map([
    ["auth_method_type", method.type],
    ["auth_method_name", method.name],
  ]);
  if (!textsIfAny(tokenNameFormat, new Set([...constants.keys(), ...valuesOf(method)]))) return "all";
  if (namesIn(tokenNameFormat).some((name) => !constants.has(name))) return "some";
  try {
    return utf8Length(interpolate(tokenNameFormat, constants)) > MAXIMUM_TOKEN_NAME ? "all" : "none";
  } catch (error) {
    // Only servers can compute this template.
    if (error instanceof TemplateError) return "some";
    throw error;
  }
}

/** The maximal length of a token's name, in bytes. */
const MAXIMUM_TOKEN_NAME = 256;

/** Whether every login of the method fails, because its token name can't be computed or is too long. */
export function failsByTokenName(method: LoginMethod): boolean {
  return failingByTokenName(method) === "all";
}
