import { areTwo, type DeclaredResource } from "../model/identities";
import type { Properties } from "../model/remote";

/** A binding rule that the program declares, as a check has returned it. */
export interface DeclaredRule extends DeclaredResource {
  readonly inputs: Properties;
}

/** The binding rules that the program has declared until now, for checks that come later in the operation. */
export class DeclaredRules {
  private readonly byMethod = new Map<unknown, DeclaredRule[]>();
  private readonly byRole = new Map<unknown, DeclaredRule[]>();
  private readonly byEffect = new Map<string, DeclaredRule[]>();

  /** @returns another rule of the program with the same effect; undefined if that may be the same resource, checked twice */
  record(rule: DeclaredRule): DeclaredRule | undefined {
    add(this.byMethod, rule.inputs.authMethod, rule);
    const { authMethod, selector, bindType, bindName } = rule.inputs;
    if (bindType === "role") add(this.byRole, bindName, rule);
    const effect = JSON.stringify([authMethod, selector, bindType, bindName]);
    const other = this.byEffect.get(effect)?.find((one) => isOther(one, rule));
    add(this.byEffect, effect, rule);
    return other;
  }

  /** The rules that name a method, by what each check has returned. */
  of(authMethod: unknown): readonly DeclaredRule[] {
    return this.byMethod.get(authMethod) ?? [];
  }

  /** The rules that name a role. */
  giving(role: unknown): readonly DeclaredRule[] {
    return this.byRole.get(role) ?? [];
  }
}

/** Also if one has the other's effect only since it was changed: a resource that is replaced keeps its description. */
function isOther(one: DeclaredRule, rule: DeclaredRule): boolean {
  const areKnown = one.urn !== undefined && rule.urn !== undefined;
  return areTwo(one, rule) || (!areKnown && one.inputs.description !== rule.inputs.description);
}

function add<K>(lists: Map<K, DeclaredRule[]>, key: K, rule: DeclaredRule): void {
  const list = lists.get(key);
  if (list) list.push(rule);
  else lists.set(key, [rule]);
}
