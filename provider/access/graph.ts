import type { ClaimMappings } from "./claims";
import type { Texts } from "./interpolate";
import { TemplateError, textsOf } from "./interpolate";
import type { Access, LoginMethod, LoginRule } from "./login";
import { validName } from "./login";

/** All objects of a cluster that decide about logins. */
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
  /** The name of the method whose logins it applies to. */
  readonly authMethod: string;
}

/** What leads from one object to another. */
export interface Edge {
  readonly fromKind: "authMethod" | "bindingRule" | "role";
  /** The name of a method or a role, or the ID of a rule. */
  readonly from: string;
  readonly toKind: "bindingRule" | "role" | "policy" | "management";
  /** The name, or the ID of a rule; `management` has none of its own. */
  readonly to: string;
  /** Whether both ends exist. What does not exist gives nothing. */
  readonly exists: boolean;
  /** Whether a claim decides about the name of the target. */
  readonly computed: boolean;
}

/** What decides about a login of one method; undefined where there is none of that name. Rules come in the order in which servers try them. */
export function methodAccess({ methods, rules, roles, policies }: AccessObjects, name: string): Access | undefined {
  const method = methods.find((one) => one.name === name);
  if (!method) return undefined;
  const own = rules.filter(({ authMethod }) => authMethod === name).sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
  return { method, rules: own, roles, policies };
}

/** What leads where: from methods to their rules, from rules to what they give, from roles to their policies. */
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

/** What rules give by name, without a look at all names. */
function isPlain(bindName: string): boolean {
  return !/[${}]/.test(bindName);
}

/** What a rule may give. A bind name that fails at every login leads nowhere; one that no role or policy fits leads to what does not exist. */
export function targetsOf(
  { bindType, bindName = "" }: BindingRule,
  method: LoginMethod | undefined,
  { roles, policies }: AccessObjects,
): Target[] {
  if (bindType === "management") return [{ toKind: "management", to: "management", exists: true, computed: false }];
  const computed = bindName.includes("${");
  const fits = nameTest(bindName, method);
  if (!fits) return [];
  const isKnown = bindType === "role" ? Object.hasOwn(roles, bindName) : policies.includes(bindName);
  const found = isPlain(bindName) ? (isKnown ? [bindName] : []) : (bindType === "role" ? Object.keys(roles) : policies).filter(fits);
  if (found.length > 0) return found.map((name) => ({ toKind: bindType, to: name, exists: true, computed }));
  return [{ toKind: bindType, to: bindName, exists: false, computed }];
}

/** Whether a bind name of a role or policy can become a name; undefined where it fails at every login of the method. */
export function nameTest(bindName: string, method: ClaimMappings | undefined): ((name: string) => boolean) | undefined {
  const texts = textsIfAny(bindName, method && new Set(valuesOf(method)));
  if (!texts) return undefined;
  // The shortest name that it can become, as far as it is known.
  const shortest = texts.isComputed && texts.constant === "" ? "a" : texts.constant;
  return validName.test(shortest) ? (name) => texts.test(name) : undefined;
}

/** Whether every login of the method fails, because the name of its token can't be computed. */
export function failsByTokenName(method: LoginMethod): boolean {
  const known = new Set(["auth_method_type", "auth_method_name", ...valuesOf(method)]);
  return textsIfAny(method.tokenNameFormat ?? "", known) === undefined;
}

function valuesOf({ claimMappings = {} }: ClaimMappings): string[] {
  return Object.values(claimMappings).map((name) => `value.${name}`);
}

function textsIfAny(template: string, variables: ReadonlySet<string> | undefined): Texts | undefined {
  try {
    return textsOf(template, variables);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}
