import { type BindingRule, targetsOf } from "../../access/graph";
import { mayBeAll } from "../../access/policy/management";
import { type InventoryObject, isUncertain } from "../inventory/inventory";
import type { ComparedModel } from "./comparable";
import type { Compared } from "./compared";
import type { Undecided } from "./model";
import { undecidedOf } from "./read-model";
import { givesManagement, losesDenies, mayManage, policiesOfGift, rulesOfPolicy } from "./rights";

/** Finds out which objects give management or equivalent permissions, or may give them. */
export class Managing {
  private readonly known = new Map<string, boolean>();

  constructor(private readonly compared: Compared) {}

  /** Whether logins of a method may get management. Without a method: whether any logins may. */
  of(method: string | undefined): boolean {
    return this.once(["method", method], () => this.find(method));
  }

  /** Every uncertain rule asks about its method, and that about all rules of the method: each answer is computed once. */
  private once(question: readonly unknown[], answer: () => boolean): boolean {
    const key = JSON.stringify(question);
    const known = this.known.get(key) ?? answer();
    this.known.set(key, known);
    return known;
  }

  private find(method: string | undefined): boolean {
    const { before, after, uncertainRules } = this.compared;
    const isOf = ({ authMethod }: { readonly authMethod?: string | undefined }) => method === undefined || authMethod === method;
    const possible = uncertainRules.filter((one) => isOf({ authMethod: one.authMethod ?? method }));
    return (
      [before, after].some((model) => model.rules.some((rule) => isOf(rule) && this.byRule(model, rule))) ||
      possible.some((one) => this.byUncertain(one))
    );
  }

  private byRule(model: ComparedModel, rule: BindingRule): boolean {
    const method = model.methods.find(({ name }) => name === rule.authMethod);
    return targetsOf(rule, method, model).some(
      ({ toKind, to }) => toKind === "management" || ((toKind === "role" || toKind === "policy") && this.byGift(model, toKind, to)),
    );
  }

  private byGift(model: ComparedModel, kind: "role" | "policy", name: string): boolean {
    const isAfter = model === this.compared.after;
    return this.once(["gift", isAfter, kind, name], () => mayManage(model, policiesOfGift(model, kind, name)));
  }

  /** Whether a partly hidden rule may give management, or may no longer end a login before another rule is tried. */
  private byUncertain({ bindType, bindName }: Undecided): boolean {
    if (bindType === undefined || bindType === "management") return true;
    const kind = bindType === "policy" ? "policy" : "role";
    return this.once(["uncertain", kind, bindName], () => this.byName(kind, bindName));
  }

  private byName(kind: "role" | "policy", bindName: string | undefined): boolean {
    return [this.compared.before, this.compared.after].some((model) => {
      const mayBeUnnamed =
        kind === "role" ? model.hasUnnamedRoles : model.unnamedPolicies.some(({ rules }) => rules === undefined || mayBeAll([rules]));
      if (bindName === undefined && mayBeUnnamed) return true;
      const all = kind === "role" ? Object.keys(model.roles) : model.policies;
      const names =
        bindName === undefined
          ? all
          : targetsOf({ id: "", authMethod: "", bindType: kind, bindName }, undefined, model).map(({ to }) => to);
      return names.some((name) => this.byGift(model, kind, name));
    });
  }

  /** Whether a partly hidden object may give management. */
  byObject(one: Undecided): boolean {
    const { before, after, pairs } = this.compared;
    if (one.kind === "method") return this.of(one.isNameHidden ? undefined : one.name);
    if (one.kind === "rule") {
      // The rule may give management itself, or it may no longer deny or fail what other rules of the method give.
      return this.byUncertain(one) || this.of(one.authMethod);
    }
    const isIt = (object: InventoryObject) => undecidedOf(object, one.kind, "").object === one.object;
    // An object with a hidden name on one side has another label there.
    const objects = pairs.map((pair) => [pair.before, pair.after].flatMap((object) => object ?? [])).filter((both) => both.some(isIt));
    // The object may go, and its denies with it.
    return objects.flat().some(({ kind, outputs: { rules, policies } }) => {
      if (kind === "AclPolicy")
        return typeof rules !== "string" || isUncertain(rules) || givesManagement(after, rules) || losesDenies(after, [rules], []);
      if (kind !== "AclRole") return false;
      if (!Array.isArray(policies) || isUncertain(policies) || mayManage(after, policies.map(String))) return true;
      const known = policies.flatMap((name) => rulesOfPolicy(before, String(name)) ?? []);
      return losesDenies(after, known, []);
    });
  }
}
