import type { Properties } from "../model/remote";

/** A binding rule that the program declares, as a check has returned it. */
export interface DeclaredRule {
  readonly inputs: Properties;
  /** Whether the check had no old inputs. */
  readonly isNew: boolean;
  /** The resource's name in the program, where the adapter knows it. */
  readonly resourceName: string | undefined;
}

/** The binding rules that the program has declared until now, for checks that come later in the operation. */
export class DeclaredRules {
  private readonly byMethod = new Map<unknown, DeclaredRule[]>();
  private readonly byEffect = new Map<string, DeclaredRule[]>();

  /** @returns another rule of the program with the same effect; undefined where that may be the same resource, checked twice */
  record(rule: DeclaredRule): DeclaredRule | undefined {
    add(this.byMethod, rule.inputs.authMethod, rule);
    const { authMethod, selector, bindType, bindName } = rule.inputs;
    const effect = JSON.stringify([authMethod, selector, bindType, bindName]);
    const other = this.byEffect.get(effect)?.find((one) => isOther(one, rule));
    add(this.byEffect, effect, rule);
    return other;
  }

  /** The rules that name a method, by what each check has returned. */
  of(authMethod: unknown): readonly DeclaredRule[] {
    return this.byMethod.get(authMethod) ?? [];
  }
}

/**
 * Whether two checks are of two resources. The engine checks a resource that it replaces twice: with the old inputs, and without.
 */
function isOther(one: DeclaredRule, rule: DeclaredRule): boolean {
  if (one.resourceName !== undefined && rule.resourceName !== undefined) return one.resourceName !== rule.resourceName;
  return one.inputs.description !== rule.inputs.description || one.isNew === rule.isNew;
}

function add<K>(lists: Map<K, DeclaredRule[]>, key: K, rule: DeclaredRule): void {
  const list = lists.get(key);
  if (list) list.push(rule);
  else lists.set(key, [rule]);
}
