import { boundNames } from "../../access/bound-names";
import { edgesOf } from "../../access/graph";
import type { AccessModel } from "../access/model";
import { waysTo } from "../access/ways";
import { policiesOfOthers } from "./rights";

/** The part of a model to show. */
export interface Selection {
  /** Only logins of this method. */
  readonly method?: string | undefined;
  /** Only logins of the methods with a rule that may give this role. */
  readonly role?: string | undefined;
}

/** Whether a role of this name, or a rule that leads to such a role, exists or may exist. */
export function hasRole(model: AccessModel, role: string): boolean {
  const isUndecided = model.undecided.some(({ kind, name, part }) => kind === "role" && (name === role || part === "name"));
  return Object.hasOwn(model.roles, role) || rulesTo(model, role).size > 0 || isUndecided || undecidedRulesTo(model, role).length > 0;
}

/** The partly unknown rules that may give a role. */
const undecidedRulesTo = (model: AccessModel, name: string) => waysTo(model, { kind: "role", name }).undecided;

/** The IDs of the rules that may give a role. A computed name may also be that of a role that only the whole cluster has. */
export function rulesTo({ rules, methods, roles, isWhole }: AccessModel, role: string): Set<string> {
  const mayExist = Object.hasOwn(roles, role) || !isWhole.role;
  return new Set(
    rules.flatMap(({ id, authMethod, bindType, bindName = "" }) => {
      if (bindType !== "role") return [];
      const names = boundNames(
        bindName,
        methods.find(({ name }) => name === authMethod),
      );
      return names?.test(role) && (mayExist || !names.isComputed) ? [id] : [];
    }),
  );
}

/**
 * The part of a model that affects logins of the chosen methods: all of their rules, and the roles and policies that these rules may give.
 * Policies that apply without a login stay, too. A chosen role without a method chooses all methods with a rule that may give the role.
 */
export function narrowed(model: AccessModel, { method, role }: Selection): AccessModel {
  if (method === undefined && role === undefined) return model;
  const leading = role === undefined ? undefined : rulesTo(model, role);
  const mayLead = role === undefined ? undefined : new Set(undecidedRulesTo(model, role));
  const isChosen = (name: string) => method === undefined || name === method;
  const methods = new Set(model.rules.flatMap(({ id, authMethod }) => ((leading?.has(id) ?? true) ? [authMethod] : [])).filter(isChosen));
  if (method !== undefined) methods.add(method);
  const rules = model.rules.filter(({ authMethod }) => methods.has(authMethod));
  const reached = edgesOf({ ...model, rules }).filter(({ fromKind, exists }) => fromKind === "bindingRule" && exists);
  const namesOf = (kind: "role" | "policy") => new Set(reached.flatMap(({ toKind, to }) => (toKind === kind ? [to] : [])));
  const reachedRoles = namesOf("role");
  if (role !== undefined) reachedRoles.add(role);
  const roles = Object.fromEntries(Object.entries(model.roles).filter(([name]) => reachedRoles.has(name)));
  // Some policies apply without a login, whatever its method.
  const policies = new Set([...namesOf("policy"), ...Object.values(roles).flat(), ...policiesOfOthers(model)]);
  const chosen = [...(method === undefined ? [] : [`the auth method ${method}`]), ...(role === undefined ? [] : [`the role ${role}`])];
  return {
    ...model,
    part: chosen.join(" and "),
    methods: model.methods.filter(({ name }) => methods.has(name)),
    rules,
    roles,
    policies: model.policies.filter((name) => policies.has(name)),
    defaultMethod: methods.has(model.defaultMethod ?? "") ? model.defaultMethod : undefined,
    labels: new Map(rules.flatMap(({ id }) => [[id, model.labels.get(id) ?? id] as const])),
    undecided: model.undecided.filter((one) => {
      const { kind, name, authMethod, isNameHidden = false } = one;
      if (kind !== "rule") return kind === "role" || isNameHidden || methods.has(name);
      return authMethod === undefined || methods.has(authMethod) || (isChosen(authMethod) && (mayLead?.has(one) ?? false));
    }),
  };
}
