import { boundNames } from "../../access/graph";
import { mappedNames, reachOf } from "../../access/reach";
import { ownProperty } from "../../common/own-property";
import type { AccessModel } from "../access/model";
import { leadingByRights, otherWays } from "../access/right-ways";
import { type Right, RightFinder } from "../access/rights";
import { questionsOf, type Target } from "../access/ways";
import { edgeKey, type Lights } from "./lights";
import { keyOf } from "./picture";

/** What lights up for a right: the policies that bring it, the roles that have those, and the rules by which logins get there. */
export function rightLights(model: AccessModel, target: Target): Lights {
  const questions = questionsOf(target);
  const finder = new RightFinder(model, questions);
  const ways = new LitWays();
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
    const led = possible && leading(bindType, bindName, possible);
    if (!led) continue;
    const names = bindType === "role" ? Object.keys(model.roles) : model.policies;
    // Also those of which it is not decided, beside others that certainly lead there.
    const others = possible.isComputed ? names.filter((name) => possible.test(name) && finder.of(bindType, name)) : [];
    for (const name of new Set([...led.names, ...others])) {
      const right = finder.of(bindType, name) ?? finder.open();
      // With very many names, one object stands for all that the bind name may become.
      for (const key of new Set([name, bindName])) through(keyOf(bindType, key), right.allows === true);
      // What roles have is lit already.
      if (bindType === "policy") leadOn(bindType, name, right);
    }
  }
  return ways.lights;
}

class LitWays {
  private readonly nodes = new Set<string>();
  private readonly edges = new Set<string>();
  private readonly sure = new Set<string>();

  reach(node: string, isSure: boolean): void {
    this.nodes.add(node);
    if (isSure) this.sure.add(node);
  }

  lead(from: string, to: string, isSure: boolean): void {
    const edge = edgeKey(from, to);
    this.edges.add(edge);
    if (isSure) this.sure.add(edge);
    for (const node of [from, to]) this.reach(node, isSure);
  }

  get lights(): Lights {
    const { nodes, edges, sure } = this;
    return { nodes, edges, failed: new Set(), perhaps: new Set([...nodes, ...edges].filter((key) => !sure.has(key))) };
  }
}
