/** Tokens that logins may have made, as far as their lifetime, their regions and their grants show. */
import { boundNames } from "../../access/bound-names";
import { aclBindingRule, type Properties, type TokenStub } from "../../provider/internal";
import type { Held } from "./held";
import { holdsSecret } from "./inventory";
import { gapOf, type Lists } from "./servers";

/**
 * A test for tokens that logins of the state's auth methods may have made. A token made by hand with the same lifetime, regions and grants
 * passes, too.
 */
export async function loginTokens(held: Held, lists: Lists, roleName: (id: string) => string | undefined) {
  const all = [...held.rules, ...(await otherRules(held, lists))];
  // The server's values of a rule with secrets are there, too.
  const shown = all.filter(({ authMethod, bindType, bindName }) => !holdsSecret([authMethod, bindType, bindName]));
  const rules = shown.map(({ authMethod, bindType, bindName }) => ({
    authMethod,
    bindType,
    names: boundNames(String(bindName), undefined),
  }));
  const mayMake = (method: unknown, token: TokenStub): boolean => {
    const ofMethod = rules.filter(({ authMethod }) => authMethod === method);
    const mayGive = (type: "role" | "policy", name: string) =>
      ofMethod.some(({ bindType, names }) => bindType === type && names?.test(name));
    // Rules of a newer server may give anything.
    if (ofMethod.some(({ bindType }) => !known.has(bindType))) return true;
    if (token.type === "management") return ofMethod.some(({ bindType }) => bindType === "management");
    // The name of a deleted role is not known.
    const roles = token.roles.map(({ id }) => roleName(id)).filter((name) => name !== undefined);
    return roles.every((name) => mayGive("role", name)) && token.policies.every((name) => mayGive("policy", name));
  };
  return (token: TokenStub): boolean => held.methodsLike(token).some((method) => mayMake(method, token));
}

const known: ReadonlySet<unknown> = new Set(["role", "policy", "management"]);

/** The rules that the state lacks. The search for unmanaged rules sends the same requests, and reports their failures. */
async function otherRules(held: Held, lists: Lists): Promise<Properties[]> {
  const part = { resource: aclBindingRule };
  const readable = async <Value>(value: Promise<Value>) => {
    try {
      return await value;
    } catch (error) {
      // Throws a defect of this package.
      gapOf(part, error);
      return undefined;
    }
  };
  const others = ((await readable(lists.of(part))) ?? []).filter(({ id }) => !held.has(aclBindingRule.kind, id));
  const whole = await Promise.all(others.map(({ read }) => readable(read())));
  return whole.flatMap((one) => (one ? [one.outputs] : []));
}
