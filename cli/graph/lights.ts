import { boundNames } from "../../access/bound-names";
import type { RuleResult } from "../../access/login";
import { mappedNames, reachOf } from "../../access/reach";
import { ownProperty } from "../../common/own-property";
import type { Explanation } from "../access/explanation";
import type { AccessModel } from "../access/model";
import { leadingByRights, otherWays } from "../access/right-ways";
import { type Right, RightFinder } from "../access/rights";
import { questionsOf, type Target } from "../access/ways";
import { keyOf } from "./picture";

/** The highlighted paths of a picture, by the keys of objects. */
export class Lights {
  readonly nodes = new Set<string>();
  /** The keys of both ends of an edge, joined by {@link edgeKey}. */
  readonly edges = new Set<string>();
  /** The objects that make the login fail. */
  readonly failed = new Set<string>();
  private readonly sure = new Set<string>();

  /** The objects and edges that only undecided paths have. */
  get perhaps(): ReadonlySet<string> {
    return new Set([...this.nodes, ...this.edges].filter((key) => !this.sure.has(key)));
  }

  reach(node: string, isSure = true): void {
    this.nodes.add(node);
    if (isSure) this.sure.add(node);
  }

  lead(from: string, to: string, isSure = true): void {
    const edge = edgeKey(from, to);
    this.edges.add(edge);
    if (isSure) this.sure.add(edge);
    for (const node of [from, to]) this.reach(node, isSure);
  }
}

export function edgeKey(from: string, to: string): string {
  return JSON.stringify([from, to]);
}

/** The lights of a login: its method, the matching rules that the server tries, and what they give. */
export function lightsOf({ method, login, roles }: Explanation): Lights {
  const lights = new Lights();
  const methodKey = keyOf("method", method.name);
  lights.reach(methodKey);
  for (const result of login.rules) {
    if (!result.matches || result.gives.kind === "unused") continue;
    const rule = keyOf("rule", result.rule.id ?? "");
    lights.lead(methodKey, rule);
    if (result.gives.kind === "error") lights.failed.add(rule);
    for (const key of keysGivenBy(result)) lights.lead(rule, key);
    if (result.gives.kind !== "role") continue;
    const policies = ownProperty(roles, result.gives.name) ?? result.gives.policies;
    for (const policy of policies) lights.lead(keyOf("role", result.gives.name), keyOf("policy", policy));
  }
  for (const key of lights.nodes) if (key.startsWith("policy ")) lights.lead(key, keyOf("rights", key.slice("policy ".length)));
  if (!login.ok && lights.failed.size === 0) lights.failed.add(methodKey);
  return lights;
}

/** The keys that a matching rule leads to: the key of the given name, and the key of the one object that stands for all possible names. */
function keysGivenBy({ rule, ...result }: RuleResult): string[] {
  if (!result.matches) return [];
  const { gives } = result;
  if (gives.kind === "management") return [keyOf("management", "")];
  if (gives.kind !== "role" && gives.kind !== "policy" && gives.kind !== "nothing") return [];
  return [...new Set([gives.name, rule.bindName ?? ""])].map((name) => keyOf(rule.bindType, name));
}

/**
 * The lights of a right: the policies that give it, or may give it, the roles with these policies, the rules that lead to them or to
 * management, and the methods of these rules.
 */
export function rightLights(model: AccessModel, target: Target): Lights {
  const questions = questionsOf(target);
  const finder = new RightFinder(model, questions);
  const ways = new Lights();
  const leadOn = (kind: "role" | "policy", name: string, right: Right) => {
    const isSure = right.allows === true;
    const held = kind === "policy" ? [name] : (ownProperty(model.roles, name) ?? []);
    ways.reach(keyOf(kind, name), isSure);
    for (const policy of held.filter((one) => right.policies.includes(one) || right.unknown.includes(`policy ${one}`))) {
      if (kind === "role") ways.lead(keyOf(kind, name), keyOf("policy", policy), isSure);
      ways.lead(keyOf("policy", policy), keyOf("rights", policy), isSure);
    }
  };
  for (const name of Object.keys(model.roles)) {
    const right = finder.of("role", name);
    if (right) leadOn("role", name, right);
  }
  for (const { policy, right } of otherWays(model, questions)) leadOn("policy", policy, right);
  const leading = leadingByRights(model, questions);
  const methods = new Map(model.methods.map((method) => [method.name, method]));
  for (const { id, authMethod, selector = "", bindType, bindName = "" } of model.rules) {
    const method = methods.get(authMethod);
    if (method && reachOf(selector, mappedNames(method)) === "never") continue;
    const through = (to: string, isSure: boolean) => {
      ways.lead(keyOf("method", authMethod), keyOf("rule", id), isSure);
      ways.lead(keyOf("rule", id), to, isSure);
    };
    if (bindType === "management") {
      through(keyOf(bindType, ""), true);
      continue;
    }
    const possible = boundNames(bindName, method);
    const led = possible ? leading(bindType, bindName, possible).flatMap((one) => one.names) : [];
    if (!possible || led.length === 0) continue;
    const names = bindType === "role" ? Object.keys(model.roles) : model.policies;
    // Names with a certain answer must not hide names with an undecided one.
    const others = possible.isComputed ? names.filter((name) => possible.test(name) && finder.of(bindType, name)) : [];
    for (const name of new Set([...led, ...others])) {
      const right = finder.of(bindType, name) ?? finder.open();
      // With very many names, one object represents all that the bind name may become.
      for (const key of new Set([name, bindName])) through(keyOf(bindType, key), right.allows === true);
      // The policies of roles are lit already.
      if (bindType === "policy") leadOn(bindType, name, right);
    }
  }
  return ways;
}
