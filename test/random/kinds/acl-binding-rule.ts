import * as fc from "fast-check";
import { methodSlots, theirMethod } from "./acl-auth-method";
import { roleSlots } from "./acl-role";
import { options, slotOf } from "./arbitraries";
import type { Options, RandomKind, Resolved, Slot } from "./kind";

export interface RuleDeclaration extends Options {
  readonly kind: "AclBindingRule";
  /** The rule's method, if the program declares this slot. If not, the rule belongs to the method of others. */
  readonly method: Slot;
  readonly description: string;
  readonly selector: string;
  readonly bind: "role" | "policy" | "management";
  /** The role whose name the rule binds, as a role or as a policy, if the program declares the slot. Otherwise, the name is "someone". */
  readonly role: Slot;
}

export interface ResolvedRule extends RuleDeclaration, Resolved {
  readonly methodName: string;
  readonly bindName: string;
}

/** The content of a rule, in the words of the server. */
const contentOf = ({ methodName, description, selector, bind, bindName }: ResolvedRule) => {
  return { AuthMethod: methodName, Description: description, Selector: selector, BindType: bind, BindName: bindName };
};

type Content = ReturnType<typeof contentOf>;

const identityOf = ({ AuthMethod, Description, Selector, BindType, BindName }: Readonly<Record<keyof Content, string>>) =>
  JSON.stringify([AuthMethod, Description, Selector, BindType, BindName]);

export const aclBindingRule: RandomKind<RuleDeclaration, ResolvedRule> = {
  slots: 3,
  declaration: fc.record({
    ...options,
    kind: fc.constant("AclBindingRule"),
    method: slotOf("AclAuthMethod", methodSlots),
    description: fc.constantFrom("", "described"),
    selector: fc.constantFrom("", '"engineering" in list.groups'),
    bind: fc.constantFrom("role", "policy", "management"),
    role: slotOf("AclRole", roleSlots),
  }),
  resolve(rule, slot, { free, nameOf }) {
    const methodName = nameOf(rule.method) ?? theirMethod;
    const bindName = rule.bind === "management" ? "" : (nameOf(rule.role) ?? "someone");
    const resolved = { ...rule, slot, methodName, bindName };
    return { ...resolved, description: free(rule.description, (description) => identityOf(contentOf({ ...resolved, description }))) };
  },
  identity: (rule) => identityOf(contentOf(rule)),
  inputs({ method, methodName, role, bind, bindName, description, selector }, outputOf) {
    const authMethod = outputOf(method, "name") ?? methodName;
    const name = bind === "management" ? undefined : (outputOf(role, "name") ?? bindName);
    return { authMethod, description, selector, bindType: bind, bindName: name };
  },
  stored: ({ cluster }) => cluster.rules.all().map((object) => ({ id: object.ID, key: object.ID, identity: identityOf(object), object })),
  expected: contentOf,
  actual({ cluster }, id) {
    const rule = cluster.rules.get(id);
    return rule && { ...rule };
  },
  edit({ cluster }, id, how) {
    if (how === 0) cluster.rules.put({ ID: id, Selector: '"edited" in list.groups' });
    else cluster.rules.put(how === 1 ? { ID: id, Description: "edited" } : { ID: id, BindType: "role", BindName: "edited" });
  },
  remove: ({ cluster }, id) => cluster.rules.delete(id),
  remake({ cluster }, id) {
    const rule = cluster.rules.get(id);
    cluster.rules.delete(id);
    if (rule) cluster.rules.put({ ...rule, ID: "", CreateTime: undefined, ModifyTime: undefined });
  },
  takePlace({ cluster }, rule, isSame) {
    cluster.rules.put({ ...contentOf(rule), ...(!isSame && { Selector: '"others" in list.groups' }) });
  },
};
