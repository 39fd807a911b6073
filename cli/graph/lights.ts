import type { RuleResult } from "../../access/login";
import { ownProperty } from "../../common/own-property";
import type { Explanation } from "../access/explanation";
import { keyOf } from "./picture";

/** Ways through a picture: by the keys of objects. */
export interface Lights {
  readonly nodes: ReadonlySet<string>;
  /** The keys of both ends of an edge, joined by {@link edgeKey}. */
  readonly edges: ReadonlySet<string>;
  /** What ends the login. */
  readonly failed: ReadonlySet<string>;
  /** The objects and edges of ways that are not decided, and of no other. */
  readonly perhaps: ReadonlySet<string>;
}

export function edgeKey(from: string, to: string): string {
  return JSON.stringify([from, to]);
}

/** What lights up for a login: its method, the rules that match, and what those give. */
export function lightsOf({ method, login, roles }: Explanation): Lights {
  const methodKey = keyOf("method", method.name);
  const nodes = new Set([methodKey]);
  const edges = new Set<string>();
  const failed = new Set<string>();
  const lead = (from: string, ...to: readonly string[]) => {
    for (const key of to) {
      nodes.add(key);
      edges.add(edgeKey(from, key));
    }
  };
  for (const result of login.rules) {
    if (!result.matches || result.gives.kind === "unused") continue;
    const rule = keyOf("rule", result.rule.id ?? "");
    lead(methodKey, rule);
    if (result.gives.kind === "error") failed.add(rule);
    for (const key of keysGivenBy(result)) lead(rule, key);
    if (result.gives.kind !== "role") continue;
    const role = keyOf("role", result.gives.name);
    lead(role, ...(ownProperty(roles, result.gives.name) ?? result.gives.policies).map((policy) => keyOf("policy", policy)));
  }
  for (const key of nodes) if (key.startsWith("policy ")) lead(key, keyOf("rights", key.slice("policy ".length)));
  if (!login.ok && failed.size === 0) failed.add(methodKey);
  return { nodes, edges, failed, perhaps: new Set() };
}

/** What a rule that matches leads to: the object of its name, or the one that stands for all names which it may become. */
function keysGivenBy({ rule, ...result }: RuleResult): string[] {
  if (!result.matches) return [];
  const { gives } = result;
  if (gives.kind === "management") return [keyOf("management", "")];
  if (gives.kind !== "role" && gives.kind !== "policy" && gives.kind !== "nothing") return [];
  return [...new Set([gives.name, rule.bindName ?? ""])].map((name) => keyOf(rule.bindType, name));
}
