import { areTwo, type DeclaredResource } from "../model/identities";
import type { Properties } from "../model/remote";

/** A binding rule that the program declares, as a check has returned it. */
export interface DeclaredRule extends DeclaredResource {
  readonly inputs: Properties;
}

/** The binding rules that the program has declared until now, for checks that come later in the operation. */
export class DeclaredRules {
  private readonly rules: DeclaredRule[] = [];

  /** @returns another rule of the program with the same effect; undefined if that may be the same resource, checked twice */
  record(rule: DeclaredRule): DeclaredRule | undefined {
    const other = this.rules.find((one) => hasSameEffect(one, rule) && isOther(one, rule));
    this.rules.push(rule);
    return other;
  }

  /** The rules that name a method, by what each check has returned. */
  of(authMethod: unknown): readonly DeclaredRule[] {
    return this.rules.filter(({ inputs }) => inputs.authMethod === authMethod);
  }

  /** The rules that name a role. */
  giving(role: unknown): readonly DeclaredRule[] {
    return this.rules.filter(({ inputs }) => inputs.bindType === "role" && inputs.bindName === role);
  }
}

function hasSameEffect({ inputs: one }: DeclaredRule, { inputs: other }: DeclaredRule): boolean {
  return (["authMethod", "selector", "bindType", "bindName"] as const).every((name) => one[name] === other[name]);
}

/** Also if one has the other's effect only since it was changed: a resource that is replaced keeps its description. */
function isOther(one: DeclaredRule, rule: DeclaredRule): boolean {
  const areKnown = one.urn !== undefined && rule.urn !== undefined;
  return areTwo(one, rule) || (!areKnown && one.inputs.description !== rule.inputs.description);
}
